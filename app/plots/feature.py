"""The plots: fed by the run or by recordings, remembered, and saved as CSV, PNG or SVG."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.feature import Feature
from armature.app.plots.curve_file import write_csv
from armature.app.plots.panel import PlotsPanel
from armature.app.plots.plot_view import PlotView
from armature.app.state.files import stamp
from armature.app.state.jobs import JobRunner
from armature.app.state.plot_names import checked
from armature.app.state.severity import Severity
from armature.app.widgets.dock import BOTTOM, Dock
from armature.engine import EngineError
from armature.engine.simulation.simulation_event import Event, EventKind

if TYPE_CHECKING:
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench
    from armature.engine import Robot

KINDS = {"csv": "Table (*.csv)", "png": "Picture (*.png)", "svg": "Drawing (*.svg)"}

AS_DRAWN = ". It contains the plotted samples only; a recording contains every time step."


class PlotsFeature(Feature):
    """Wires the plots dock."""

    dock: Dock

    def __init__(self, bench: Workbench):
        self._bench, self._steps = bench, 0
        self.panel = PlotsPanel(bench.preferences.units, bench.preferences.now.plots)
        self.dock = Dock("plots", "Plots", self.panel, BOTTOM, {"trajectory": 4, "dynamics": 5})
        self._runner = JobRunner("plot-file", bench.parent)
        self._runner.finished.connect(self._saved)
        self._runner.failed.connect(self._not_saved)

    def wire(self) -> None:
        """Feed and remember."""
        bench, panel = self._bench, self.panel
        bench.simulation.snapshot_taken.connect(self._on_snapshot)
        bench.simulation.event_arrived.connect(self._on_event)
        bench.clock.plotting.connect(panel.refresh)
        bench.replay.moved.connect(lambda t, _: panel.show_cursor(bench.replay.open.t[0] + t))
        bench.preferences.units_changed.connect(panel.set_units)
        bench.actions.on("reset", lambda: bench.replay.replaying or panel.clear())
        panel.panes_changed.connect(lambda names: bench.preferences.set(plots=names))
        panel.export_requested.connect(self._ask_export)

    def set_robot(self, robot) -> None:
        """Other signals, and nothing to show of them yet."""
        self.panel.set_robot(robot, partial(tool_motion, robot), self._bench.document.same_arm)

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """Names of the plots."""
        return {"window": {"plots": list(self._bench.preferences.now.plots)}}

    def open_session(self, file: SessionFile) -> None:
        """Restore the plots."""
        for name in file.window.plots:
            checked(name)
        self.panel.set_plots(file.window.plots)

    def shut_down(self) -> None:
        """Let a file that is being written be finished."""
        self._runner.stop()

    def _on_snapshot(self, snapshot):
        bench = self._bench
        posed = not snapshot.running and snapshot.steps in (0, self._steps)  # and no part of a run
        self._steps = snapshot.steps
        if not bench.replay.replaying and not posed:
            readout = bench.readouts.latest
            sigma_min = np.nan if readout is None else readout.report.sigma_min  # as often as it is read, 10 times a second
            self.panel.append(snapshot, sigma_min)

    def _on_event(self, event: Event):
        if event.kind is EventKind.STOPPED:
            self.panel.show_contact(event.t)

    def _ask_export(self, view: PlotView, suffix: str):
        folder = self._bench.files.recording_folder()
        start = (folder if folder.is_dir() else Path.home()) / f"{self._bench.document.robot.name} {stamp()}.{suffix}"
        path, _ = QFileDialog.getSaveFileName(self._bench.parent, "Save plot", str(start), KINDS[suffix])
        if path:
            self.export(view, path if Path(path).suffix.lower() == f".{suffix}" else f"{path}.{suffix}")

    def export(self, view: PlotView, path: str) -> None:
        """Save one plot: its samples as CSV, or what is seen as PNG or SVG."""
        if path.lower().endswith(".csv"):
            curves, remark = list(view.curves), "" if self.panel.shows_recordings else AS_DRAWN
            self._runner.start(lambda job: f"{write_csv(Path(path), curves, job.cancelled)}{remark}")
            return
        try:
            view.save(Path(path))
        except EngineError as error:
            self._not_saved(str(error))
        else:
            self._saved(path)

    def _saved(self, what: str):
        self._bench.files.message_about.emit("plot", Severity.INFO, f"Saved {what}")

    def _not_saved(self, why: str):
        self._bench.files.message_about.emit("plot", Severity.ERROR, f"The plot could not be saved: {why}")


def tool_motion(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place, velocity and acceleration of the tool, `(k, 3)` each, of samples `(k, n)`."""
    from armature.engine.kinematics.jacobian import tool_rates  # numba: not before the window is on screen

    twist, rate = tool_rates(robot, q, qd, qdd)
    return engine.frame_pose(robot, q)[:, :3, 3], twist[:, :3], rate[:, :3]
