"""`SecondArmModel`: the second arm that the window compares with the open robot, and the table of both."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from armature.app.state.evented import Model, function_of
from armature.engine.model.joint_match import unlike
from armature.engine.model.robot import Robot
from armature.engine.simulation.commands import SetController

if TYPE_CHECKING:
    from collections.abc import Callable

    from armature.engine import ArmComparison
    from armature.engine.simulation.runs.arm_comparison import Drive

DRIVES = {
    "joints": "Same joints",
    "tool": "Same tool path",
    "torques": "Same torques",
    "trajectory": "Same trajectory, own controller",
}
SIMULATED = "torques", "trajectory"  # the second arm moves by its own dynamics
PLACES = {True: "Next to the first arm", False: "Over the first arm"}
COPY, IDENTIFIED, FILE = "@copy", "@identified", "@file"
NO_TRAJECTORY = "Plan a trajectory to compare torques, motor work, condition number and clearance along it."
NOT_BUILT_IN = "The open arm has no built-in controller, so there is no table along the trajectory."
NONE = "Select a second arm."
OUT_OF_REACH = "The second arm cannot follow: its tool is as near as it gets."


@dataclass(frozen=True, eq=False)
class SecondArm:
    """Second arm: its `source`, a name, a file, COPY, IDENTIFIED or "" without one; robot and solids that were read from it;
    what both arms share (a key of DRIVES); its place; the mass in kg that its tool holds in addition; and the controller that
    the open arm had when the second was selected, None for one that is not built in."""

    source: str = ""
    robot: Robot | None = None
    solids: Any = None
    drive: Drive = "joints"
    beside: bool = True
    extra: float = 0.0
    control: SetController | None = None


@dataclass(eq=False)
class SecondArmModel(Model):
    """`first` is the simulated arm. `enter(put, old, new, text)` adds a step of undo."""

    first: Robot
    enter: Callable[[Callable[[Any], None], object, object, str], object]
    choice: SecondArm = field(default_factory=SecondArm)
    table: ArmComparison | None = None
    note: str = ""  # why there is no table along the trajectory
    problem: str = ""  # why the second arm cannot be shown, or does not follow

    @function_of("first", "choice")
    def second(self) -> Robot | None:
        """The second arm in the gravity of the first, with its additional payload; None without one."""
        robot = self.choice.robot
        if robot is None:
            return None
        if not np.array_equal(robot.gravity, self.first.gravity):
            robot = robot.with_gravity(self.first.gravity)
        return robot.with_payload(self.choice.extra) if self.choice.extra > 0.0 and robot.has_dynamics else robot

    @function_of("second")
    def why_unlike(self) -> str:
        """Reason why joints and torques cannot be the same, empty if they can."""
        return "" if self.second is None else unlike(self.first, self.second)

    @function_of("choice", "second", "why_unlike")
    def drive(self) -> Drive:
        """Shared motion: the tool path if the arms have other joints, joints if the second cannot be simulated."""
        if self.second is None or self.why_unlike:
            return "tool"
        can_be_simulated = self.first.has_dynamics and self.second.has_dynamics
        if self.choice.drive not in SIMULATED:
            return self.choice.drive
        return self.choice.drive if can_be_simulated and (self.choice.control or self.choice.drive == "torques") else "joints"

    @function_of("second", "choice", "drive")
    def captions(self) -> tuple[str, str]:
        """Names of both arms, and what the second shares with the first."""
        return self.captions_for(DRIVES[self.drive])

    def captions_for(self, motion: str) -> tuple[str, str]:
        """Return the names of both arms, with a motion of the second."""
        if self.second is None:
            return self.first.title, ""
        suffix = {COPY: " (copy)", IDENTIFIED: " (identified)"}.get(self.choice.source, "")
        held = f" + {self.choice.extra:g} kg" if self.choice.extra > 0.0 else ""
        return self.first.title, f"{self.second.title}{suffix}{held}, {motion.lower()}"

    def change(self, text: str, **fields: Any) -> None:
        """Change fields of the choice, as a step of undo."""
        self.enter(partial(setattr, self, "choice"), self.choice, replace(self.choice, **fields), text)
