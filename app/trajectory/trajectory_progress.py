"""How far the look ahead and the run are, told in the dock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from armature.app.trajectory.panel import TrajectoryPanel
from armature.app.trajectory.trajectory_run import TrajectoryRun
from armature.app.trajectory.trajectory_scene import TrajectoryScene

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class TrajectoryProgress(QObject):
    """A cursor in the plots, a slider and a line of words, only while the dock can be seen where the clock drives them."""

    def __init__(self, bench: Workbench, panel: TrajectoryPanel, scene: TrajectoryScene, run: TrajectoryRun):
        super().__init__(bench.parent)
        self._panel, self._scene, self._run = panel, scene, run
        scene.look.moved.connect(self._on_look)
        run.changed.connect(self._on_run)
        run.moved.connect(self._on_moved)
        bench.clock.reading.connect(self._on_reading)

    def _on_look(self) -> None:
        look = self._scene.look
        self._panel.show_time(look.fraction, look.running)
        if self._run.followed is None:
            self._panel.plots.show_cursor(None if look.preview is None else look.t)

    def _on_run(self) -> None:
        if self._run.followed is None:
            self._panel.show_progress(self._run.over)

    def _on_moved(self) -> None:
        if self._scene.active:
            self._panel.plots.show_cursor(self._run.time)

    def _on_reading(self) -> None:
        if self._scene.active and self._run.followed is not None:
            self._panel.show_progress(self._run.words)
