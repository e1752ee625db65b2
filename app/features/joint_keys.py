"""A joint chosen by keyboard: it is outlined in the view, marked among the joints, and moved by the view's keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.main_window import MainWindow

SHOWN = 6000  # ms


class JointKeysFeature:
    """Chooses the next or previous joint, and says what can be done with it."""

    def __init__(self, window: MainWindow):
        self.panels: dict = {}
        self._window = window

    def connect(self) -> None:
        """Wire the two commands and the mark."""
        self._window.actions_.on("joint_next", lambda: self._choose(1))
        self._window.actions_.on("joint_previous", lambda: self._choose(-1))
        self._window.scene.joint_selected.connect(self._on_selected)

    def shut_down(self) -> None:
        """Nothing is held."""

    def _choose(self, step: int) -> None:
        scene = self._window.scene
        if scene.robot is not None:
            first = -1 if step > 0 else 0
            scene.select_joint((max(scene.selected, first) + step) % scene.robot.n)
            scene.setFocus()

    def _on_selected(self, joint: int) -> None:
        self._window.joints.set_selected(joint)
        if joint >= 0:
            name = self._window.document.robot.joint_names[joint]
            self._window.status_line.showMessage(f"{name} is selected: ↑ ↓ move it, F frames it, Esc lets go", SHOWN)
        else:
            self._window.status_line.clearMessage()
