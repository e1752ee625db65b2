"""How far the look ahead and the run are, told in the dock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from armature.app.trajectory.look_ahead import LookAhead
from armature.app.trajectory.panel import TrajectoryPanel
from armature.app.trajectory.trajectory_model import TrajectoryModel
from armature.app.trajectory.trajectory_run import TrajectoryRun

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class TrajectoryProgress(QObject):
    """A cursor in the plots, a slider and a line of words, only while the dock can be seen where the clock drives them."""

    def __init__(self, bench: Workbench, panel: TrajectoryPanel, model: TrajectoryModel, look: LookAhead, run: TrajectoryRun):
        super().__init__(bench.parent)
        self._panel, self._model, self._look, self._run = panel, model, look, run
        look.moved.connect(self._on_look)
        run.changed.connect(self._on_run)
        run.moved.connect(self._on_moved)
        bench.clock.reading.connect(self._on_reading)

    def _on_look(self) -> None:
        look = self._look
        self._panel.show_time(look.fraction, look.running)
        if self._run.followed is None:
            self._panel.plots.show_cursor(None if self._model.preview is None else look.t)

    def _on_run(self) -> None:
        if self._run.followed is None:
            self._panel.show_progress(self._run.over)

    def _on_moved(self) -> None:
        if self._model.is_shown:
            self._panel.plots.show_cursor(self._run.time)

    def _on_reading(self) -> None:
        if self._model.is_shown and self._run.followed is not None:
            self._panel.show_progress(self._run.words)
