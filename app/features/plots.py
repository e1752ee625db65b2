"""The plots: fed by the run or by recordings, remembered, and saved as CSV, PNG or SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QFileDialog

import engine
from app.curve_file import write_csv
from app.files import stamp
from app.jobs import JobRunner
from app.panels.plot_view import PlotView

if TYPE_CHECKING:
    from app.main_window import MainWindow

KINDS = {"csv": "Table (*.csv)", "png": "Picture (*.png)", "svg": "Drawing (*.svg)"}


class PlotsFeature:
    """Wires the plots dock."""

    def __init__(self, window: MainWindow):
        self.panels: dict = {}
        self._window = window
        self._runner = JobRunner("plot-file", window)
        self._runner.finished.connect(lambda path: window.files.message.emit("info", f"Saved {path}"))
        self._runner.failed.connect(lambda text: window.files.message.emit("error", f"The plot was not saved: {text}"))

    def connect(self) -> None:
        """Feed and remember."""
        window = self._window
        window.simulation.snapshot_taken.connect(self._on_snapshot)
        window.clock.plotting.connect(window.plots.refresh)
        window.plots.panes_changed.connect(lambda names: window.preferences.set(plots=names))
        window.plots.export_asked.connect(self._ask_export)

    def shut_down(self) -> None:
        """Let a file that is being written be finished."""
        self._runner.stop()

    def _on_snapshot(self, snapshot):
        window = self._window
        if not window.recordings.replaying and (snapshot.running or snapshot.steps):
            readout = window.readouts.latest
            sigma_min = np.nan if readout is None else readout.report.sigma_min  # as often as it is read, 16 times a second
            tool = engine.frame_pose(window.document.robot, snapshot.q)[:3, 3]
            window.plots.append(snapshot, tool, sigma_min)

    def _ask_export(self, view: PlotView, suffix: str):
        folder = self._window.files.recording_folder()
        start = (folder if folder.is_dir() else Path.home()) / f"{self._window.document.robot.name} {stamp()}.{suffix}"
        path, _ = QFileDialog.getSaveFileName(self._window, "Save plot", str(start), KINDS[suffix])
        if path:
            self.export(view, path if Path(path).suffix.lower() == f".{suffix}" else f"{path}.{suffix}")

    def export(self, view: PlotView, path: str) -> None:
        """Save one plot: its samples as CSV, or what is seen as PNG or SVG."""
        if path.lower().endswith(".csv"):
            curves = list(view.curves)
            self._runner.start(lambda job: write_csv(Path(path), curves, job.cancelled))
        elif view.save(path):
            self._window.files.message.emit("info", f"Saved {path}")
        else:
            self._window.files.message.emit("error", f"The plot was not saved: {path} cannot be written")
