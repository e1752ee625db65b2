"""The dock *Measured*: torques of a recording compared with the model, singular poses, and its motion followed or simulated."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.feature import Feature
from armature.app.plots.feature import PlotsFeature
from armature.app.recording.feature import RecordingFeature
from armature.app.recording.measured.measured_model import MeasuredModel, facts_of, simulated_part
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.app.state.evented import Binder, on
from armature.app.state.job import JobStatus
from armature.app.state.jobs import JobRunner
from armature.app.state.joint_errors import largest
from armature.app.state.shared_sentences import no_masses
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.section import Section, note, page, warning
from armature.app.widgets.tables.read_only_table import ReadOnlyTable
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED

if TYPE_CHECKING:
    from collections.abc import Callable

    from armature.app.widgets.controls import Act
    from armature.app.widgets.dock import Dock
    from armature.app.workbench import Workbench

SIMULATED = "simulated"
HEADS = {
    "Measured": "Root mean square of the measured torque",
    "Residual": "Root mean square of measured − model",
    "Largest": "Largest absolute value of measured − model; click to go to that time",
    "at [s]": "Time of the largest residual; click to go to that time",
}
FOLLOW = "Run the measured motion, or the part between the marks, with the arm in the view and the current controller"
COMPARE = "Simulate this run in the background and show it next to the measurement, as curves and as a ghost"
LINES = 5  # of the list of singular poses, at most


class ResidualTable(ReadOnlyTable):
    """Table that is as high as its rows."""

    def fit(self) -> None:
        """Adapt to the present font."""
        super().fit()
        self.resizeRowsToContents()
        heights = sum(self.rowHeight(k) for k in range(self.rowCount()))
        self.setFixedHeight(heights + self.horizontalHeader().sizeHint().height() + 4)


class MeasuredPanel(QWidget):
    """`acts` are follow, simulate and plot; `seek(t)` shows time t of the recording in s."""

    def __init__(self, model: MeasuredModel, acts: tuple[Act, Act, Act], seek: Callable[[float], None]):
        super().__init__()
        self._model, self._seek, (follow, simulate, plot) = model, seek, acts
        self._about, self.warned = named(note(), "measured_about"), named(warning(), "measured_warning")
        self.follow = button("measured_follow", "Follow", tip=FOLLOW, act=follow)
        self.simulate = button("measured_beside", "Simulate and compare", tip=COMPARE, act=simulate)
        self._note = named(note(), "measured_told")
        torques, singular = Section("Measured and model torques"), Section("Singular poses crossed")
        self.why = torques.add(named(note(), "measured_why"))
        self.table = torques.add(ResidualTable("measured_residuals", "Residuals of the torques by joint", HEADS))
        self.table.fit_columns()
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.cellClicked.connect(self._on_cell)
        tip = "Show both torques and the residual in Plots"
        self._plot = torques.add(row(button("measured_torques", "Show the curves", tip=tip, act=plot), None))
        self._none = singular.add(named(note(), "measured_none"))
        self.list = singular.add(named(QListWidget(), "measured_singularities", "Singular poses crossed; click to go there"))
        self.list.itemClicked.connect(self._on_item)
        self.list.itemActivated.connect(self._on_item)
        content = page(self, "Measured")
        for part in (self._about, self.warned, row(self.follow, self.simulate, None), self._note, torques, singular):
            content.addWidget(part)
        content.addStretch(1)

    def bind(self, views: Binder, simulating: JobStatus) -> None:
        """Bind the views."""
        model = self._model
        views.bind(self._show_recording, on(model, "recording"))
        views.bind(lambda: self._show_possible(simulating.is_busy), on(model, "recording"), on(simulating, "is_busy"))
        views.bind(self._show_facts, on(model, "facts"))
        views.bind(lambda: self._note.setText(model.note), on(model, "note"))

    def _show_recording(self) -> None:
        self._about.setText(self._model.about)
        self.warned.setText("\n".join(self._model.warnings))
        self.warned.setVisible(bool(self._model.warnings))

    def _show_possible(self, is_simulating: bool) -> None:
        is_open = self._model.recording is not None
        self.follow.setEnabled(is_open)
        self.simulate.setEnabled(is_open and not is_simulating)

    def _show_facts(self) -> None:
        facts = self._model.facts
        text, crossings = ("", []) if facts is None else (facts.text, facts.crossings)
        has_residuals = facts is not None and facts.residuals is not None
        self.why.setText(text)
        self.why.setVisible(bool(text))
        self.table.setVisible(has_residuals)
        self._plot.setVisible(has_residuals)
        if facts is not None and has_residuals:
            self.table.show_rows(facts.rows)
        self.list.clear()
        self.list.addItems(crossings)
        self.list.setVisible(bool(crossings))
        lines = min(max(len(crossings), 1), LINES)
        self.list.setFixedHeight(lines * (self.list.fontMetrics().height() + 8) + 6)
        self._none.setVisible(not crossings)
        self._none.setText("" if facts is None else f"None: the condition number is always below {facts.threshold:g}.")

    def _on_cell(self, joint: int, column: int) -> None:
        facts = self._model.facts
        if column >= 2 and facts is not None and facts.residuals is not None and np.isfinite(facts.residuals.at[joint]):
            self._seek(float(facts.residuals.at[joint]))

    def _on_item(self, item: QListWidgetItem) -> None:
        if self._model.facts is not None:
            self._seek(self._model.facts.met[self.list.row(item)].t)


class MeasuredFeature(Feature):
    """The dock *Measured*, which is shown when an imported recording is opened."""

    dock: Dock

    def __init__(
        self,
        bench: Workbench,
        dock: Dock,
        control: ControlFeature,
        plots: PlotsFeature,
        recording: RecordingFeature,
        tools: ReplayToolsFeature,
    ):
        self._bench, self.dock, self._control, self._plots = bench, dock, control, plots
        self._recording, self._tools, self.model = recording, tools, MeasuredModel()
        names = "measured", "recorded-way", "beside-measured"
        self._facts, self._trajectory, self._simulation = self._runners = tuple(JobRunner(name, bench.parent) for name in names)
        self.panel = MeasuredPanel(self.model, (self._follow, self._simulate, self._plot), self._seek)

    def wire(self) -> None:
        """Bind the views, and follow the replay."""
        bench = self._bench
        bench.replay.replaying_changed.connect(lambda is_on: None if is_on else self._close())
        self.panel.bind(bench.views, self._simulation.status)
        if bench.replay.replaying:
            self.on_opened(bench.replay.open)

    def shut_down(self) -> None:
        """End the computations."""
        for runner in self._runners:
            runner.stop()

    def on_opened(self, recording: Recording) -> None:
        """Compare a recording with the model; an imported one brings the dock up."""
        bench, model = self._bench, self.model
        model.open(recording)
        robot, threshold = bench.document.robot, bench.preferences.now.warn_condition
        self._facts.start(lambda _: facts_of(recording, robot, threshold), partial(setattr, model, "facts"))
        if recording.metadata.get(IMPORTED):
            self.dock.bring_up()

    def _close(self) -> None:
        self._facts.cancel()
        self._simulation.cancel()
        self.model.open(None)

    def _seek(self, t: float) -> None:
        replay, fraction = self._bench.replay, self.model.fraction(t)
        if fraction is not None:
            replay.play(False)
            replay.seek(fraction)

    @property
    def _part(self) -> tuple[float, float]:
        """Times of the marks, s."""
        recording = self._bench.replay.open
        first, last = (float(recording.t[0]) + mark * recording.duration for mark in self._tools.marks)
        return first, last

    def _follow(self) -> None:
        recording, part, model = self._bench.replay.open, self._part, self.model
        model.note = ""
        follow = self._bench.files.follow_requested.emit
        self._trajectory.start(lambda _: engine.recorded_trajectory(recording, *part), follow, model.fail)

    def _simulate(self) -> None:
        recording, robot, model = self._bench.replay.open, self._bench.document.robot, self.model
        if not robot.has_dynamics:
            model.note = no_masses(robot.name)
            return
        law, mass = self._control.to_follow()
        known = robot.with_payload(mass) if mass else None
        model.note = "Simulating…"
        self._simulation.start(partial(simulated_part, recording, robot, self._part, law, known), self._show_run, model.fail)

    def _show_run(self, found: tuple[Recording, np.ndarray]) -> None:
        if self._bench.replay.replaying:
            run, off = found
            most = largest(off, self._bench.document.robot, self._bench.state.units)
            self.model.note = f"Simulated along the measured motion: max. tracking error {most}."
            self._tools.lay_beside(SIMULATED, run)
            self._recording.dock.bring_up()

    def _plot(self) -> None:
        self._plots.dock.bring_up()
        for name in ("tau_residual", "tau_model"):
            self._plots.panel.show_plot(name)
