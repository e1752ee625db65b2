"""What was measured, beside the model: residuals of the torques, singularities met, followed, and simulated again beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.feature import Feature
from armature.app.plots.feature import PlotsFeature
from armature.app.recording.feature import RecordingFeature
from armature.app.recording.measured.panel import MeasuredPanel
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.joint_errors import largest
from armature.app.state.shared_sentences import no_masses, sentence
from armature.app.widgets.dock import Dock
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot, SingularityMet, TorqueResiduals

SIMULATED = "simulated"
STEP = 1e-3  # s


@dataclass(frozen=True, eq=False)
class _Facts:
    """What follows from a recording; `why` there are no residuals."""

    recording: Recording
    residuals: TorqueResiduals | None
    why: str
    met: tuple[SingularityMet, ...]
    threshold: float


class MeasuredFeature(Feature):
    """The dock *Measured*, which comes up where a recording was imported."""

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
        self._recording, self._tools = recording, tools
        self.panel = MeasuredPanel()
        self._looking, self._trajectory, self._running = (
            JobRunner(name, bench.parent) for name in ("measured", "recorded-way", "beside-measured")
        )

    def wire(self) -> None:
        """Wire panel, replay and threads."""
        bench, panel = self._bench, self.panel
        bench.replay.replaying_changed.connect(self._on_replaying)
        panel.sought.connect(self._seek)
        acts = {"follow": self._follow, "beside": self._simulate_beside, "torques": self._show_torques}
        panel.requested.connect(lambda name: acts[name]())
        self._looking.finished.connect(self._on_looked)
        self._trajectory.finished.connect(self._on_way)
        self._running.finished.connect(self._on_beside)
        for runner in (self._trajectory, self._running):
            runner.failed.connect(lambda text: panel.told.setText(sentence(text)))
        self._running.busy_changed.connect(lambda busy: panel.buttons["beside"].setEnabled(not busy and bench.replay.replaying))
        if bench.replay.replaying:
            self.on_opened(bench.replay.open)

    def shut_down(self) -> None:
        """End the threads."""
        for runner in (self._looking, self._trajectory, self._running):
            runner.stop()

    def on_opened(self, recording: Recording) -> None:
        """What follows from a recording; an imported one brings the dock up."""
        bench, taken = self._bench, recording.metadata.get(IMPORTED)
        self.panel.show_nothing()
        self.panel.show_recording(_about(taken), _lines(taken, "warnings"))
        robot, threshold = bench.document.robot, bench.preferences.now.warn_condition
        self._looking.start(lambda _: _facts(recording, robot, threshold))
        if taken:
            self.dock.bring_up()

    def _on_replaying(self, on: bool) -> None:
        if not on:
            self._looking.cancel()
            self._running.cancel()
            self.panel.show_nothing()

    def _on_looked(self, facts: _Facts) -> None:
        if self._bench.replay.recording is facts.recording:
            self.panel.show_residuals(facts.residuals, facts.why, self._bench.document.robot)
            self.panel.show_met(facts.met, facts.threshold)

    def _seek(self, t: float) -> None:
        replay = self._bench.replay
        if replay.recording is not None and replay.recording.duration > 0:
            replay.play(False)
            replay.seek((t - float(replay.recording.t[0])) / replay.recording.duration)

    @property
    def _part(self) -> tuple[float, float]:
        """Times of the marks."""
        recording = self._bench.replay.open
        first, last = (float(recording.t[0]) + mark * recording.duration for mark in self._tools.marks)
        return first, last

    # What can be done with it

    def _follow(self) -> None:
        recording, part = self._bench.replay.open, self._part
        self.panel.told.setText("")
        self._trajectory.start(lambda _: engine.recorded_trajectory(recording, *part))

    def _on_way(self, trajectory: engine.Trajectory) -> None:
        self._bench.files.follow_requested.emit(trajectory)

    def _simulate_beside(self) -> None:
        recording, part, robot = self._bench.replay.open, self._part, self._bench.document.robot
        if not robot.has_dynamics:
            self.panel.told.setText(no_masses(robot.name))
            return
        law, mass = self._control.to_follow()
        model = robot.with_payload(mass) if mass else None
        self.panel.told.setText("Simulating…")
        self._running.start(lambda job: _beside(recording, robot, part, law, model, job))

    def _on_beside(self, found: tuple[Recording, np.ndarray] | None) -> None:
        if found is not None and self._bench.replay.replaying:
            run, off = found
            most = largest(off, self._bench.document.robot, self._bench.preferences.units)
            self.panel.told.setText(f"Simulated along the measured motion: max. tracking error {most}.")
            self._tools.lay_beside(SIMULATED, run)
            self._recording.dock.bring_up()

    def _show_torques(self) -> None:
        self._plots.dock.bring_up()
        for name in ("tau_residual", "tau_model"):
            self._plots.panel.show_plot(name)


def _about(taken) -> list[str]:
    """What the metadata of an import tell, a line each."""
    if not isinstance(taken, Mapping):
        return ["Recorded by Armature; the recorded torques are motor torques."]
    warned = _lines(taken, "warnings")
    return [f"Imported from {taken.get('file', 'a log')}.", *(line for line in _lines(taken, "notes") if line not in warned)]


def _lines(taken, key: str) -> list[str]:
    """The lines under `key` of what an import tells, as sentences; none where there are none."""
    lines = taken.get(key) if isinstance(taken, Mapping) else None
    return [sentence(line) for line in lines if isinstance(line, str) and line] if isinstance(lines, list) else []


def _facts(recording: Recording, robot: Robot, threshold: float) -> _Facts:
    residuals, why = None, ""
    try:
        residuals = engine.torque_residuals(recording, robot)
    except engine.EngineError as error:
        why = sentence(str(error))
    return _Facts(recording, residuals, why, engine.singularities_met(recording, robot, threshold), threshold)


def _beside(
    recording: Recording, robot: Robot, part: tuple[float, float], law, model, job: Job
) -> tuple[Recording, np.ndarray] | None:
    """Return the run of the simulated arm along a part of a recording, at its times, and its largest errors `(n,)`, rad or m."""
    way = engine.recorded_trajectory(recording, *part)
    q, qd, _ = way.sample(0.0)
    if job.cancelled():
        return None
    run = engine.simulate(robot, q, qd, way.duration, STEP, law, trajectory=way, model=model)
    table = run.table()
    table[:, 0] += part[0]
    shifted = Recording.from_table(table, run.joint_names, run.metadata)
    off = np.array(
        [np.nanmax(np.abs(np.interp(shifted.t, recording.t, recording.q[:, k]) - run.q[:, k])) for k in range(robot.n)]
    )
    return shifted, off
