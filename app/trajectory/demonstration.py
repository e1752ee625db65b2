"""Learning from demonstration: a motion by hand becomes a trajectory, and the arm repeats it under a controller."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.control.offered_laws import law_named
from armature.app.feature import Feature
from armature.app.state.evented import on
from armature.app.state.jobs import JobRunner
from armature.app.trajectory.demonstration_model import DemonstrationModel
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.controls import button, check, named, row
from armature.app.widgets.dock import Dock
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note, page

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine.simulation.snapshot import Snapshot

WORDS = (
    "Start recording and drag joints, links or the tool in the view, or Ctrl-drag the simulated arm under gravity compensation."
    " The motion is smoothed, trimmed to its moving part, and slowed down to respect the limits."
)


class DemonstrationFeature(Feature):
    """The dock *Demonstration*. Samples and tracking errors are stored with every frame."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock, trajectory: TrajectoryFeature, control: ControlFeature):
        self._bench, self.dock, self._trajectory, self._control = bench, dock, trajectory, control
        self.model = DemonstrationModel(bench.document.robot)
        self._runner = JobRunner("demonstration", bench.parent)
        self.panel = QWidget()
        content, tip = page(self.panel, "demonstration"), "Follow the demonstrated motion under the current controller"
        self._record = check("demonstration_record", "Record a demonstration", "Record every motion of the arm")
        self._repeat = button("demonstration_repeat", "Repeat", "Repeat the demonstration", tip, act=self._on_repeat)
        self._status, self._error = named(note(), "demonstration_state"), named(note(), "demonstration_error")
        for part in (note(WORDS), row(self._record, self._repeat, None), self._status, self._error):
            content.addWidget(part)
        content.addStretch(1)

    def wire(self) -> None:
        """Bind the views, and follow document and simulation."""
        bench, model = self._bench, self.model
        self._record.toggled.connect(self._on_record)
        bench.document.q_changed.connect(lambda q: model.add(time.monotonic(), q))
        bench.simulation.snapshot_taken.connect(self._on_snapshot)
        bench.views.bind(self._show, on(model, "is_recording", "found", "status"))
        bench.views.bind(lambda: self._error.setText(model.error_text(bench.state.units)), on(model, "errors"))

    def set_robot(self, robot: engine.Robot) -> None:
        """Forget the motion, which is of another arm."""
        self._runner.cancel()
        self.model.clear(robot)

    def shut_down(self) -> None:
        """End the computation."""
        self._runner.stop()

    def _show(self) -> None:
        model = self.model
        with QSignalBlocker(self._record):
            self._record.setChecked(model.is_recording)
        self._repeat.setEnabled(model.found is not None)
        self._status.setText(model.status.text)
        set_style_property(self._status, "severity", model.status.severity.value)

    def _on_record(self, is_on: bool) -> None:
        robot, model = self._bench.document.robot, self.model
        if is_on:
            self._runner.cancel()
            model.clear(robot, is_recording=True)
            model.add(time.monotonic(), self._bench.document.q)
        else:
            t, q = model.end()
            self._runner.start(lambda _: engine.demonstrated_trajectory(robot, t, q), model.take, model.fail)

    def _on_repeat(self) -> None:
        if self.model.found is not None:
            self.model.errors = None
            self._bench.files.follow_requested.emit(self.model.found.trajectory)

    def _on_snapshot(self, snapshot: Snapshot) -> None:
        found, followed = self.model.found, self._trajectory.model.followed
        if found is None or followed is None or followed.trajectory is not found.trajectory:
            return
        if snapshot.q_desired is not None and snapshot.t <= followed.duration:
            off = np.abs(snapshot.q_desired - snapshot.q)
            self.model.add_error(law_named(self._control.shown).title, snapshot.t, off)
