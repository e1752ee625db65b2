"""The joints: the dock that shows and sets them, and the links dragged in the view."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtGui import QUndoCommand

from armature.app.feature import Feature
from armature.app.joints.motion_fields import SYMBOLS
from armature.app.joints.panel import JointsPanel
from armature.app.state.edits.pose_edit import next_gesture
from armature.app.state.posed_motion import PosedMotion
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import no_masses
from armature.app.state.shown_motion import shown_motion
from armature.app.widgets.dock import LEFT, Dock
from armature.app.widgets.on_screen import on_screen

if TYPE_CHECKING:
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench


class MotionEdit(QUndoCommand):
    """The motion of the arm, which stands, went from `old` to `new`."""

    def __init__(self, set_motion: Callable[[PosedMotion], None], old: PosedMotion, new: PosedMotion, text: str):
        super().__init__(text)
        self._set_motion, self._old, self._new = set_motion, old, new

    def redo(self):
        """Set the new motion."""
        self._set_motion(self._new)

    def undo(self):
        """Set the old motion."""
        self._set_motion(self._old)


class JointsFeature(Feature):
    """Joins document, dock and view: whoever moves a joint, the others follow."""

    def __init__(self, bench: Workbench):
        self._bench, self._drag = bench, next_gesture()
        self.panel = JointsPanel(bench.preferences.units)
        places = {"explore": 0, "singularity": 9, "workspace": 9, "trajectory": 9, "dynamics": 9, "equations": 9}
        self.dock = Dock("joints", "Joints", self.panel, LEFT, places)

    def wire(self) -> None:
        """Wire document, dock and view."""
        bench, panel = self._bench, self.panel
        bench.files.preparations.append(panel.make_rows)
        bench.document.q_changed.connect(panel.follow)
        bench.document.q_edited.connect(panel.set_q)
        panel.joint_edited.connect(bench.document.edit_joint)
        panel.joint_slid.connect(self._on_slide)
        panel.joint_hovered.connect(bench.scene.highlight_joint)
        bench.clock.reading.connect(panel.refresh)
        bench.preferences.units_changed.connect(panel.set_units)
        bench.scene.drag_started.connect(self._begin_drag)
        bench.scene.joint_dragged.connect(self._on_drag)
        bench.simulation.running_changed.connect(lambda running: panel.set_editable(not running))
        panel.switch.setChecked(bench.preferences.now.joint_motion)
        panel.switch.toggled.connect(self._on_switch)
        panel.motion_edited.connect(self._on_motion)
        bench.clock.reading.connect(self._show_motion)

    def set_robot(self, robot) -> None:
        """A row per joint."""
        self.panel.set_robot(robot, self._bench.document.q)
        self.panel.set_editable(not self._bench.simulation.running)
        self.panel.set_movable("" if robot.has_dynamics else no_masses(robot.name))

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """Joint speeds and accelerations that were entered."""
        motion = self._bench.simulation.motion
        return {} if motion is None else {"pose": {"qd": motion.qd.tolist(), "qdd": motion.qdd.tolist()}}

    def open_session(self, file: SessionFile) -> None:
        """Restore joint speeds and accelerations."""
        qd, qdd = np.array(file.pose.qd, float), np.array(file.pose.qdd, float)
        if len(qd) == len(qdd) == self._bench.document.robot.n and self._bench.document.robot.has_dynamics:
            self._set_motion(PosedMotion(qd, qdd))

    @property
    def _motion(self) -> PosedMotion:
        bench = self._bench
        return shown_motion(bench.simulation, bench.replay, bench.document.robot.n)

    def _show_motion(self) -> None:
        if self.panel.switch.isChecked() and on_screen(self.panel):
            motion = self._motion
            self.panel.show_motion(motion.qd, motion.qdd)

    def _on_motion(self, joint: int, order: int, value: float) -> None:
        """A person gave the arm a speed or an acceleration; the others are what was shown."""
        old, names = self._motion, self._bench.document.robot.joint_names
        self._bench.replay.close("a joint speed or acceleration was entered")
        text = f"{SYMBOLS[order][1]} of {names[joint]}"
        self._bench.document.undo_stack.push(MotionEdit(self._set_motion, old, old.with_value(order, joint, value), text))

    def _set_motion(self, motion: PosedMotion) -> None:
        self.panel.switch.setChecked(True)  # what is undone or done again is seen
        self._bench.simulation.pose_motion(motion)
        self._show_motion()

    def _on_switch(self, on: bool) -> None:
        """What nobody sees does not count: without the fields the arm stands."""
        bench = self._bench
        bench.preferences.set(joint_motion=on)
        if not on and bench.simulation.motion is not None:
            n = bench.document.robot.n
            bench.simulation.pose_motion(PosedMotion(np.zeros(n), np.zeros(n)))
        self._show_motion()

    def _begin_drag(self, joint: int) -> None:
        self._drag = next_gesture()
        self._bench.replay.close(f"{self._bench.document.robot.joint_names[joint]} was moved")
        if self._bench.simulation.running:
            self._bench.banner.show_message(Severity.INFO, "Pause the simulation (Space) to move joints by hand.")

    def _on_drag(self, joint: int, value: float) -> None:
        if not self._bench.simulation.running:
            self._bench.document.drag_joint(joint, value, self._drag)

    def _on_slide(self, joint: int, value: float, gesture: int) -> None:
        self._bench.document.drag_joint(joint, value, gesture)
        if self._bench.document.q[joint] != value:  # the drag ended before
            self.panel.set_q(self._bench.document.q)
