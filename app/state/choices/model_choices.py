"""`ModelChoices`: how the simulated arm differs from its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from armature.engine import Robot
from armature.engine.model.body import Friction


@dataclass(frozen=True)
class ModelChoices:
    """`friction` at all, `smooth` joints without it, `rubbing` joints with other than the file's, all of it `wear` times as much
    as when the arm was new; `gravity` in m/s², world axes, the file's for None; `stops` at limits."""

    friction: bool = True
    smooth: frozenset[str] = frozenset()
    gravity: tuple[float, float, float] | None = None
    stops: bool = True
    rubbing: Mapping[str, Friction] = field(default_factory=dict)
    wear: float = 1.0

    def applied_to(self, robot: Robot) -> Robot:
        """The robot as it is simulated."""
        if not self.friction:
            robot = robot.without_friction()
        else:
            if self.rubbing or self.wear != 1.0:
                robot = robot.with_friction({name: self.new_friction(robot, name).worn(self.wear) for name in robot.joint_names})
            if self.smooth:
                robot = robot.without_friction([name for name in robot.joint_names if name in self.smooth])
        if self.gravity is not None:
            robot = robot.with_gravity(self.gravity)
        return robot if self.stops else robot.without_stops()

    def new_friction(self, robot: Robot, joint: str) -> Friction:
        """Of a joint of the file's robot before any wear."""
        return self.rubbing.get(joint, robot.bodies[robot.joint_bodies[robot.joint_names.index(joint)]].friction)
