"""`ShownJoint`: what the row of a joint shows besides where the joint stands."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isfinite, tau

from armature.engine.model.robot import Robot

END = 1e-9  # of a turn: at the end of the slider's span it is still within


@dataclass(frozen=True)
class ShownJoint:
    """Name, limits in rad or m, whether it slides, and the span of its slider."""

    name: str
    low: float
    high: float
    slides: bool
    span: tuple[float, float]

    @property
    def limited(self) -> bool:
        """Whether it has limits on both sides."""
        return isfinite(self.low) and isfinite(self.high)

    @property
    def turns_on(self) -> bool:
        """Whether it turns without limits."""
        return not self.slides and not isfinite(self.low) and not isfinite(self.high)

    def whole_turns(self, value: float) -> float:
        """What the slider leaves out of a value, in rad: the whole turns beyond its span, so that both have the same sign."""
        if not self.turns_on:
            return 0.0
        beyond = max(ceil(abs(value) / tau - 1.0 - END), 0)
        return beyond * tau if value > 0.0 else -beyond * tau


def shown_joints(robot: Robot) -> list[ShownJoint]:
    """All joints of a robot."""
    joints = zip(robot.joint_names, robot.q_min.tolist(), robot.q_max.tolist(), map(bool, robot.prismatic))
    return [ShownJoint(*joint, slider_span(*joint[1:], robot.reach)) for joint in joints]


def slider_span(low: float, high: float, slides: bool, reach: float) -> tuple[float, float]:
    """What the slider spans: the limits, or a turn to either side (±reach for a slide) where the joint has none."""
    free = reach if slides else tau
    low = low if isfinite(low) else min(-free, high - 2 * free if isfinite(high) else -free)
    high = high if isfinite(high) else max(free, low + 2 * free)
    return (low, high) if high - low > 1e-9 else (low - 1e-3, high + 1e-3)
