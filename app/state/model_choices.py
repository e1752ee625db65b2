"""`ModelChoices`: how the simulated arm differs from its file."""

from __future__ import annotations

from dataclasses import dataclass

from armature.engine import Robot


@dataclass(frozen=True)
class ModelChoices:
    """`friction` at all, `smooth` joints without it; `gravity` in m/s², world axes, the file's for None; `stops` at limits."""

    friction: bool = True
    smooth: frozenset[str] = frozenset()
    gravity: tuple[float, float, float] | None = None
    stops: bool = True

    def applied_to(self, robot: Robot) -> Robot:
        """The robot as it is simulated."""
        if not self.friction:
            robot = robot.without_friction()
        elif self.smooth:
            robot = robot.without_friction([name for name in robot.joint_names if name in self.smooth])
        if self.gravity is not None:
            robot = robot.with_gravity(self.gravity)
        return robot if self.stops else robot.without_stops()
