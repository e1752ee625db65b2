"""The camera's choices that last: perspective or not, gliding or not, and where it stood for each robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.settings import with_camera

if TYPE_CHECKING:
    from app.main_window import MainWindow


class CameraFeature:
    """Keeps in the settings how each robot was looked at last."""

    def __init__(self, window: MainWindow):
        self.panels: dict = {}
        self._window = window
        self._cameras = window.preferences.now.cameras

    def connect(self) -> None:
        """Wire the actions and follow the view."""
        window, scene, now = self._window, self._window.scene, self._window.preferences.now
        for name, choose in (("orthographic", scene.set_orthographic), ("camera_glides", self._set_glides)):
            action = window.actions_[name]
            action.setChecked(getattr(now, name))
            choose(action.isChecked())
            action.toggled.connect(choose)
            action.toggled.connect(lambda on, name=name: window.preferences.set(**{name: on}))
        scene.robot_shown.connect(self._recall)
        scene.view_chosen.connect(self._remember)

    def shut_down(self) -> None:
        """Keep what is remembered."""
        self._window.scene.flight.finish()
        self._window.preferences.set(cameras=self._cameras)

    def _set_glides(self, on: bool) -> None:
        self._window.scene.glides = on

    def _remember(self) -> None:
        scene = self._window.scene
        if scene.robot is not None:
            self._cameras = with_camera(self._cameras, _key(scene.robot), scene.chosen_view())

    def _recall(self, robot) -> None:
        self._window.preferences.set(cameras=self._cameras)
        if known := self._cameras.get(_key(robot)):
            self._window.scene.recall_view(known)


def _key(robot) -> str:
    """What tells robots apart: the file, or the name of one that has none."""
    return str(robot.source or robot.name)
