"""`ToolLimits`: how fast, how suddenly and how jerkily the tool may go along lines and arcs."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields

from armature.engine.errors import LARGEST, ModelError, shown

SPEED, ANGULAR_SPEED = 0.5, 2.0  # m/s and rad/s, the defaults
RISE = 0.25  # s from rest to full speed
ONSET = 0.1  # s from no to full acceleration


@dataclass(frozen=True)
class ToolLimits:
    """Limits of the tool along lines and arcs.

    `speed` m/s, `acceleration` m/s², `jerk` m/s³ of the tool's origin; `angular_speed` rad/s, `angular_acceleration` rad/s²,
    `angular_jerk` rad/s³ of its rotation. None is a limit that is not given; `whole` replaces it by a default.
    """

    speed: float | None = None
    acceleration: float | None = None
    jerk: float | None = None
    angular_speed: float | None = None
    angular_acceleration: float | None = None
    angular_jerk: float | None = None

    def __post_init__(self):
        for name, value in zip(NAMES, astuple(self), strict=True):
            number = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= LARGEST
            if value is not None and not number:
                raise ModelError(f"tool_limits.{name} must be a number above 0 and at most 1e9, got {shown(value)}")

    def over(self, other: ToolLimits) -> ToolLimits:
        """Return these limits, in which each None is replaced by the limit of `other`."""
        return ToolLimits(*(b if a is None else a for a, b in zip(astuple(self), astuple(other), strict=True)))

    def whole(self) -> ToolLimits:
        """Return these limits, in which each None is replaced by a default.

        Speed: 0.5 m/s and 2 rad/s. Acceleration: the speed limit is reached in 0.25 s. Jerk: the acceleration limit is reached in
        0.1 s.
        """
        v, w = self.speed or SPEED, self.angular_speed or ANGULAR_SPEED
        a, b = self.acceleration or v / RISE, self.angular_acceleration or w / RISE
        return ToolLimits(v, a, self.jerk or a / ONSET, w, b, self.angular_jerk or b / ONSET)


NAMES = tuple(field.name for field in fields(ToolLimits))
