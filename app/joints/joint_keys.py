"""A joint chosen by keyboard: it is outlined in the view, marked among the joints, and moved by the view's keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.joints.feature import JointsFeature
from armature.app.widgets.actions import Command, block

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

SHOWN = 6000  # ms


class JointKeysFeature(Feature):
    """Chooses the next or previous joint, and says what can be done with it."""

    commands = (
        *block(
            "Edit",
            3.1,
            Command("joint_next", "Next joint", "", (".",), "Select the next joint; the arrow keys then move it"),
            Command("joint_previous", "Previous joint", "", (",",), "Select the previous joint; the arrow keys then move it"),
        ),
    )
    needs = (JointsFeature,)

    def __init__(self, bench: Workbench, joints: JointsFeature):
        self._bench, self._joints = bench, joints

    def wire(self) -> None:
        """Wire the two commands and the mark."""
        self._bench.actions.on("joint_next", lambda: self._choose(1))
        self._bench.actions.on("joint_previous", lambda: self._choose(-1))
        self._bench.scene.joint_selected.connect(self._on_selected)

    def _choose(self, step: int) -> None:
        scene = self._bench.scene
        if scene.robot is not None:
            first = -1 if step > 0 else 0
            scene.select_joint((max(scene.selected, first) + step) % scene.robot.n)
            scene.setFocus()

    def _on_selected(self, joint: int) -> None:
        self._joints.panel.set_selected(joint)
        if joint >= 0:
            name = self._bench.document.robot.joint_names[joint]
            self._bench.status_line.showMessage(f"{name} selected: ↑ ↓ move it, F frames it, Esc deselects", SHOWN)
        else:
            self._bench.status_line.clearMessage()
