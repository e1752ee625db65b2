"""The shapes of URDF robots in the view: read in the background, then drawn in place of the body built from the joints."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from app.jobs import JobRunner
from app.meshes.arm_meshes import FLUID, ArmMeshes, load, shapes_of
from app.meshes.cache import MeshCache
from app.scene import gl_format

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from engine import Robot

PATIENCE = 0.3  # s before progress is shown; most robots are there by then


class MeshesFeature:
    """Follows the robot and the choice of what is shown; the latest wins."""

    def __init__(self, window: MainWindow):
        self.panels: dict = {}
        self.cache = MeshCache()
        self.runner = JobRunner("meshes", window)
        self._window = window
        self._robot: Robot | None = None
        self._loaded: tuple = ()
        self._started, self._note = 0.0, ""

    def connect(self) -> None:
        """Follow the view's robot and the settings."""
        self._window.scene.arm_built.connect(self._on_robot)
        self._window.preferences.changed.connect(lambda name: self._on_choice() if name == "shapes" else None)
        self.runner.progressed.connect(self._on_progress)
        self.runner.finished.connect(self._on_loaded)
        self.runner.failed.connect(partial(self._window.banner.show_message, "error"))
        self.runner.busy_changed.connect(lambda busy: None if busy else self._hide_note())

    def shut_down(self) -> None:
        """End the reading."""
        self.runner.stop()

    def _on_robot(self, robot: Robot) -> None:
        self._robot = robot
        shown = self._window.preferences.now.shapes
        if self._loaded and self._loaded[0] is robot.visuals and self._loaded[1] == shown:
            self._window.scene.set_solids(self._loaded[2])  # the same robot with another load or tool
            return
        self._loaded = ()
        self._load(robot, shown)

    def _on_choice(self) -> None:
        if self._robot is not None:
            self._load(self._robot, self._window.preferences.now.shapes)

    def _load(self, robot: Robot, shown: str) -> None:
        self.runner.cancel()
        if not any(shapes_of(robot, shown)):
            self._window.scene.set_solids(None)
            if robot.visuals or robot.collisions:
                self._window.banner.show_message("info", f"The file of {robot.name} gives no {shown} shapes.")
            return
        self._started = time.monotonic()
        most = FLUID if gl_format.is_software() else None
        self.runner.start(lambda job: load(robot, shown, most, self.cache, job.progress, job.cancelled))

    def _on_progress(self, done: int, total: int) -> None:
        banner = self._window.banner
        if time.monotonic() - self._started > PATIENCE and (self._note or not banner.isVisible()):
            self._note = f"Reading the meshes of {self._robot.name}"
            banner.show_progress(self._note, done, total)

    def _hide_note(self) -> None:
        if self._note and self._window.banner.text.text() == self._note:
            self._window.banner.hide()
        self._note = ""

    def _on_loaded(self, loaded: ArmMeshes) -> None:
        robot, window = self._robot, self._window
        self._loaded = (robot.visuals, window.preferences.now.shapes, loaded.solids)
        window.scene.set_solids(loaded.solids)
        if loaded.problems:
            window.banner.show_message("warning", _summary(robot.name, loaded), loaded.problems)


def _summary(name: str, loaded: ArmMeshes) -> str:
    count = len(loaded.problems)
    files = "1 mesh file" if count == 1 else f"{count} mesh files"
    instead = "the arm is drawn from its joints" if loaded.solids is None else "boxes stand in"
    return f"{name}: {files} cannot be shown; {instead}."
