"""The joints: the dock that shows and sets them, and the links dragged in the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.joints.panel import JointsPanel
from armature.app.state.pose_edit import next_gesture
from armature.app.state.severity import Severity
from armature.app.widgets.dock import LEFT, Dock

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class JointsFeature(Feature):
    """Joins document, dock and view: whoever moves a joint, the others follow."""

    def __init__(self, bench: Workbench):
        self._bench, self._drag = bench, next_gesture()
        self.panel = JointsPanel(bench.preferences.units)
        places = {"explore": 0, "singularity": 0, "workspace": 0, "trajectory": 0, "dynamics": 0}
        self.dock = Dock("joints", "Joints", self.panel, LEFT, places)

    def connect(self) -> None:
        """Wire document, dock and view."""
        bench, panel = self._bench, self.panel
        bench.document.q_changed.connect(panel.follow)
        bench.document.q_edited.connect(panel.set_q)
        panel.joint_edited.connect(bench.document.edit_joint)
        panel.joint_hovered.connect(bench.scene.highlight_joint)
        bench.clock.reading.connect(panel.refresh)
        bench.preferences.units_changed.connect(panel.set_units)
        bench.scene.drag_started.connect(self._begin_drag)
        bench.scene.joint_dragged.connect(self._on_drag)
        bench.simulation.running_changed.connect(lambda running: panel.set_editable(not running))

    def set_robot(self, robot) -> None:
        """A row per joint."""
        self.panel.set_robot(robot, self._bench.document.q)
        self.panel.set_editable(not self._bench.simulation.running)

    def _begin_drag(self, joint: int) -> None:
        self._drag = next_gesture()
        self._bench.replay.close(f"{self._bench.document.robot.joint_names[joint]} was moved by hand")
        if self._bench.simulation.running:
            self._bench.banner.show_message(Severity.INFO, "Pause the simulation (Space) to set joints by hand.")

    def _on_drag(self, joint: int, value: float) -> None:
        if not self._bench.simulation.running:
            self._bench.document.edit_joint(joint, value, self._drag)
