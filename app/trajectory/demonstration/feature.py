"""Learning from demonstration: a motion shown by hand becomes a trajectory, and the arm repeats it under a law."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.control.offered_laws import law_named
from armature.app.feature import Feature
from armature.app.state.jobs import JobRunner
from armature.app.state.joint_errors import largest, rms
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import sentence
from armature.app.state.units import number
from armature.app.trajectory.demonstration.panel import DemonstrationPanel
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.dock import Dock

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Demonstration
    from armature.engine.simulation.snapshot import Snapshot


class DemonstrationFeature(Feature):
    """Takes every pose of the arm, with the time on the wall, while the switch is on."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock, trajectory: TrajectoryFeature, control: ControlFeature):
        self._bench, self.dock, self._trajectory, self._control = bench, dock, trajectory, control
        self.panel = DemonstrationPanel()
        self._making = JobRunner("demonstration", bench.parent)
        self._times: list[float] = []
        self._poses: list[np.ndarray] = []
        self.found: Demonstration | None = None
        self._count, self._squares, self._most, self._last = 0, np.zeros(0), np.zeros(0), -1.0

    def wire(self) -> None:
        """Wire switch, document and simulation."""
        bench, panel = self._bench, self.panel
        panel.record.toggled.connect(self._on_switch)
        panel.repeat_wanted.connect(self._repeat)
        bench.document.robot_changed.connect(lambda _: self._forget())
        bench.simulation.snapshot_taken.connect(self._on_snapshot)
        self._making.finished.connect(self._on_made)
        self._making.failed.connect(lambda text: panel.show_state(sentence(text), False, Severity.WARNING))

    def shut_down(self) -> None:
        """End what is computed."""
        self._making.stop()

    def _on_switch(self, on: bool) -> None:
        if on:
            self._times, self._poses, self.found = [], [], None
            self.panel.show_error("")
            self.panel.show_state("Recording: drag the arm.", False)
            self._take(self._bench.document.q)
            self._bench.document.q_changed.connect(self._take)
            return
        self._bench.document.q_changed.disconnect(self._take)
        if self._times:
            robot, t, q = self._bench.document.robot, np.array(self._times), np.array(self._poses)
            self.panel.show_state("Computing…", False)
            self._making.start(lambda _: engine.demonstrated_trajectory(robot, t - t[0], q))

    def _take(self, q: np.ndarray) -> None:
        self._times.append(time.monotonic())
        self._poses.append(np.array(q))

    def _forget(self) -> None:
        """What was shown was shown to another arm."""
        self._times, self._poses, self.found = [], [], None
        self.panel.record.setChecked(False)
        self.panel.show_state("", False)
        self.panel.show_error("")

    def _on_made(self, found: Demonstration | None) -> None:
        if found is None or found.trajectory.n != self._bench.document.robot.n:
            return
        self.found = found
        text = f"Trajectory of {number(found.trajectory.duration, 2)} s."
        if found.why is not None:
            text += f" {number(found.slower, 2)} times slower than demonstrated: {found.why.text}."
        self.panel.show_state(text, True)

    def _repeat(self) -> None:
        if self.found is not None:
            self.panel.record.setChecked(False)
            self._count, self._last = 0, -1.0
            self._squares, self._most = np.zeros((2, self.found.trajectory.n))
            self._bench.files.follow_requested.emit(self.found.trajectory)

    def _on_snapshot(self, snapshot: Snapshot) -> None:
        followed, t = self._trajectory.model.followed, snapshot.t
        if self.found is None or followed is None or followed.trajectory is not self.found.trajectory:
            return
        if snapshot.q_desired is None or not self._last < t <= followed.duration:
            return
        off, self._last = np.abs(snapshot.q_desired - snapshot.q), t
        self._count, self._squares, self._most = self._count + 1, self._squares + off**2, np.maximum(self._most, off)
        robot, units = self._bench.document.robot, self._bench.preferences.units
        mean, most = rms(self._squares / self._count, robot, units), largest(self._most, robot, units)
        self.panel.show_error(f"{law_named(self._control.shown).title}: tracking error {mean} RMS; max. {most}.")
