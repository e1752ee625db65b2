"""Identification: parameters of the arm from recordings, compared with those in its file, and an arm that has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.feature import Feature
from armature.app.identification import identification_jobs as jobs
from armature.app.identification.identification_model import FIT, STEPS, Entry, IdentificationModel, Options, Outcome
from armature.app.identification.panel import IdentificationPanel
from armature.app.state.engine_startup import KernelStage
from armature.app.state.files import RECORDINGS, with_format
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import sentence
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.trajectory.trajectory_draft import draft_of
from armature.app.trajectory.trajectory_model import RunMode
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import BOTTOM, Dock
from armature.engine.recording.recording_notes import RecordingEvent

if TYPE_CHECKING:
    from armature.app.state.jobs import Job
    from armature.app.widgets.controls import Act
    from armature.app.workbench import Workbench
    from armature.engine import Recording, Robot, Trajectory
    from armature.engine.simulation.simulation_event import Event

CANCELLED = "Cancelled."
EXAMPLE_DURATION, EXAMPLE_HARMONICS = 10.0, 5


class IdentificationFeature(Feature):
    """The dock *Identify*."""

    dock: Dock

    commands = block(
        "Simulation",
        3.3,
        Command(
            "identify", "Identify the arm…", tip="Estimate masses, inertias and friction from recordings, with uncertainties"
        ),
        Command(
            "identify_example",
            "Example: simulate, disturb, identify, compare",
            tip="Identify an arm that differs from its robot file, step by step",
        ),
    )
    needs = (TrajectoryFeature,)

    def __init__(self, bench: Workbench, trajectory: TrajectoryFeature):
        self._bench, self._trajectory, self.model = bench, trajectory, IdentificationModel(bench.document.robot)
        names = "exciting-motion", "identify", "identify-example"
        self._motion, self._fit, self._example = self._runners = tuple(JobRunner(name, bench.parent) for name in names)
        self._recorded: Trajectory | None = None  # is recorded when the arm begins to follow it
        self._is_recording = False
        acts: dict[str, Act] = {
            "make": self._make,
            "cancel_make": self._cancel_make,
            "run": lambda: self._run(False),
            "record": lambda: self._run(True),
            "draft": self._draft,
            "add": self._ask_files,
            "identify": self._identify,
            "cancel_identify": self._cancel_identify,
            "accept": self._accept,
            "save": self._ask_save,
            "cancel_example": self._cancel_example,
            **{f"step_{step}": partial(self._start_step, step) for step in STEPS},
        }
        self.panel = IdentificationPanel(self.model, acts)
        self.dock = Dock("identify", "Identify", self.panel, BOTTOM, {"dynamics": 7})

    def wire(self) -> None:
        """Bind the views, and follow runs and recordings."""
        bench, run = self._bench, self._trajectory.run
        run.changed.connect(self._on_run)
        run.moved.connect(self._on_moved)
        bench.simulation.event_arrived.connect(self._on_event)
        bench.files.recording_opened.connect(self._on_opened)
        bench.startup.when(KernelStage.ALL, self._on_ready)
        bench.actions.on("identify", self.dock.bring_up)
        bench.actions.on("identify_example", self._open_example)
        motion, fit, example = (runner.status for runner in self._runners)
        self.panel.bind(bench.views, bench.state, (motion, fit, example))

    def shut_down(self) -> None:
        """End the computations."""
        for runner in self._runners:
            runner.stop()

    def set_robot(self, robot: Robot) -> None:
        """Discard the results of another arm; the same arm with other parameters keeps them."""
        is_same_arm = self._bench.document.same_arm
        if not is_same_arm:
            self._cancel_all()
        self.model.change_robot(robot, is_same_arm)

    def _cancel_all(self) -> None:
        for runner in self._runners:
            runner.cancel()

    def _on_ready(self) -> None:
        self._cancel_all()
        self.model.is_ready = True
        self.model.begin_anew()

    # -- excitation trajectory -----------------------------------------------------------------------------------------------

    def _make(self) -> None:
        model = self.model
        make = partial(jobs.excitation_motion, model.robot, model.duration, round(model.harmonics))
        self._motion.start(make, model.take_motion, self._note_motion)

    def _cancel_make(self) -> None:
        self._motion.cancel()
        self._note_motion(CANCELLED)

    def _note_motion(self, text: str) -> None:
        self.model.motion_note = sentence(text)

    def _run(self, is_recorded: bool) -> None:
        """Let the arm follow the trajectory, as it follows one of the dock *Trajectory*."""
        if self.model.motion is not None:
            trajectory = self.model.motion.trajectory
            self._recorded = trajectory if is_recorded else None
            self._bench.files.follow_requested.emit(trajectory)

    def _draft(self) -> None:
        """Edit the waypoints of the trajectory in the dock Trajectory."""
        if self.model.motion is None:
            return
        about = "exciting_motion", "Excitation trajectory for identifying masses and friction"
        try:
            plan = engine.plan_through(self.model.motion.trajectory, self.model.robot, *about)
        except engine.EngineError as error:
            self._note_motion(str(error))
            return
        self._trajectory.model.edit(draft_of(plan), "excitation trajectory")
        self._trajectory.bring_up()

    def _on_run(self) -> None:
        model = self._trajectory.model
        if model.followed is not None and model.followed.trajectory is self._recorded and model.mode is RunMode.SIMULATED:
            self._is_recording, self._recorded = True, None
            self._bench.actions["record"].setChecked(True)
        elif model.followed is None and self._is_recording:
            self._bench.actions["record"].setChecked(False)

    def _on_moved(self) -> None:
        if self._is_recording and self._trajectory.run.arrived:
            self._bench.simulation.pause()

    # -- recordings and identification ---------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        if event.kind is RecordingEvent.STOPPED and event.path is not None:
            self.model.add(Entry(event.path.name, event.path, *((FIT,) if self._is_recording else ())))
            if self._is_recording:
                self.panel.show_page("Recordings")
        if event.kind in (RecordingEvent.STOPPED, RecordingEvent.FAILED):
            self._is_recording = False

    def _on_opened(self, recording: Recording, path: Path) -> None:
        if len(recording.joint_names) == self.model.robot.n:
            self.model.add(Entry(path.name, path))

    def _ask_files(self) -> None:
        folder = self._bench.files.recording_folder()
        kinds = f"Recordings ({' '.join(f'*{suffix}' for suffix in RECORDINGS)})"
        paths, _ = QFileDialog.getOpenFileNames(self._bench.parent, "Add recordings", str(folder), kinds)
        self.model.add(*(Entry(path.name, path, FIT) for path in map(Path, paths)))

    def _identify(self, options: Options | None = None) -> None:
        model = self.model
        identify = partial(jobs.identify, model.entries, model.robot, options or model.options)
        self._fit.start(identify, self._take_outcome, model.fail)

    def _take_outcome(self, outcome: Outcome) -> None:
        self.model.take_outcome(outcome)
        if self.panel.page == "Recordings":
            self.panel.show_page("Result")

    def _cancel_identify(self) -> None:
        self._fit.cancel()
        self.model.note = CANCELLED

    # -- result --------------------------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        if self.model.outcome is not None:
            self._bench.document.edit_robot(self.model.outcome.found.robot, "identified arm")

    def _ask_save(self) -> None:
        outcome = self.model.outcome
        if outcome is None:
            return
        start = self._bench.files.recording_folder() / f"{outcome.file.name}_identified.toml"
        path, kind = QFileDialog.getSaveFileName(self._bench.parent, "Save the identified arm", str(start), "Robots (*.toml)")
        if path:
            self._save(outcome, with_format(path, kind))

    def _save(self, outcome: Outcome, path: Path) -> None:
        """Write the identified arm as a robot file."""
        from armature.engine.identification.identified_robot import save_identified

        message = self._bench.files.message_about
        try:
            save_identified(outcome.found, path)
        except engine.EngineError as error:
            message.emit("save", Severity.ERROR, f"The arm could not be saved: {error}")
            return
        self._bench.preferences.add_recent(str(path.resolve()))
        message.emit("save", Severity.INFO, f"Saved {path}")

    # -- example -------------------------------------------------------------------------------------------------------------

    def _open_example(self) -> None:
        self.panel.show_page("Example")
        self.dock.bring_up()

    def _start_step(self, step: str) -> None:
        model, robot = self.model, self.model.robot
        model.begin_step(step)
        match step:
            case "disturb":
                model.take_step(step, jobs.true_arm(robot))
                return
            case "motion":
                compute: Callable[[Job], object] = partial(jobs.excitation_motion, robot, EXAMPLE_DURATION, EXAMPLE_HARMONICS)
            case "simulate":
                compute = partial(jobs.simulate_measurement, robot, model.result("motion").trajectory)
            case "identify":
                model.use_example(model.result("simulate"))
                self._identify(Options())
                return
            case "compare":
                compute = partial(jobs.compare_models, robot, model.result("identify").robot)
        self._example.start(compute, partial(self._take_step, step), partial(model.fail_step, step))

    def _take_step(self, step: str, result: object) -> None:
        self.model.take_step(step, result)
        if step == "motion":
            self.model.take_motion(self.model.result(step))

    def _cancel_example(self) -> None:
        self.model.step = ""
        self._example.cancel()
        self._fit.cancel()
