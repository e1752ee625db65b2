"""`ComparisonModel`: runs of a trajectory with known, without and with unknown payload, and their texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from armature.app.state.evented import Model
from armature.app.state.shared_sentences import no_masses
from armature.app.state.units import Units, significant

if TYPE_CHECKING:
    from armature.app.trajectory.trajectory_model import TrajectoryModel
    from armature.engine import LoadComparison

NOTHING = "No waypoint grasps a payload yet. Select the action “grasp” in the Trajectory panel."
NO_TRAJECTORY = "There is no trajectory to compare yet."
CANCELLED = "Cancelled."
CHANGED = "The trajectory has changed. Compare again."
TITLE = "Compare payloads: known, none, unknown"
TIP = "Run the trajectory in the background with its payload, without it, and with the payload unknown to the controller"


@dataclass(eq=False)
class ComparisonModel(Model):
    """Result of the comparison, or a note about its absence."""

    trajectory: TrajectoryModel
    found: LoadComparison | None = None
    joint: int = 0
    note: str = ""

    @property
    def why_not(self) -> str:
        """Reason why nothing can be compared, empty if it can."""
        robot, preview = self.trajectory.robot, self.trajectory.preview
        if not robot.has_dynamics:
            return no_masses(robot.name)
        if preview is None:
            return NO_TRAJECTORY
        return "" if any(load is not None for _, load in preview.trajectory.payloads) else NOTHING

    @property
    def is_prismatic(self) -> bool:
        """True if the selected joint is prismatic."""
        return bool(self.trajectory.robot.prismatic[self.joint])

    @property
    def torque_unit(self) -> str:
        """Unit of the selected joint's torque or force."""
        return "N" if self.is_prismatic else "N·m"

    def clear(self, note: str) -> None:
        """Discard the result."""
        self.found, self.note = None, note

    def take(self, found: LoadComparison) -> None:
        """Store a result, and select the joint whose torque the payload changes most, of all joints of its type."""
        peaks, prismatic = np.maximum(found.peak_torque[0], 1e-9), self.trajectory.robot.prismatic
        scale = np.array([peaks[prismatic == slides].max() for slides in prismatic])
        self.joint = int(np.argmax(np.abs(found.difference).max(axis=(0, 1)) / scale))
        self.found, self.note = found, ""

    def text(self, units: Units) -> str:
        """Describe the effect of the payload on the selected joint, or the reason why there is no result."""
        found, joint = self.found, self.joint
        if found is None:
            return self.why_not or self.note or f"{TIP}."
        name, more = found.joint_names[joint], np.abs(found.difference[1, :, joint]).max()
        error = units.text(float(found.peak_error[2, joint]), self.is_prismatic)
        changes = f"The payload changes the torque of {name} by up to {significant(float(more), 3)} {self.torque_unit}"
        unknown = f"If the controller does not know it, the tracking error is up to {error}."
        return f"{changes}. {unknown}"
