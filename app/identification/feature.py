"""Identification: the arm's parameters from recordings, seen beside the file's, and an arm that has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.feature import Feature
from armature.app.identification.chosen_recordings import FIT, ChosenRecordings, Entry
from armature.app.identification.example_run import ExampleRun
from armature.app.identification.identify_run import IdentifyRun, Outcome
from armature.app.identification.motion_run import Motion, MotionRun
from armature.app.identification.panel import IdentificationPanel
from armature.app.state.engine_startup import COMPILING, KernelStage
from armature.app.state.files import RECORDINGS, with_format
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import no_masses, sentence
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.trajectory.trajectory_draft import draft_of
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import BOTTOM, Dock
from armature.engine.recording.recording_notes import RecordingEvent

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Identification, Recording, Robot
    from armature.engine.simulation.simulation_event import Event

CANCELLED = "Cancelled."


class IdentificationFeature(Feature):
    """The dock *Identify*. What it shows is of the open robot, or of the file's that this one was identified from."""

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
        self._bench, self._trajectory, self.panel = bench, trajectory, IdentificationPanel(bench.preferences.units)
        self.dock = Dock("identify", "Identify", self.panel, BOTTOM, {"dynamics": 7})
        self.identify, self.motion = IdentifyRun(bench.parent), MotionRun(bench, trajectory.model, trajectory.run)
        self.example = ExampleRun(self.panel.example, self.identify, self._on_motion, bench.parent)
        self.outcome: Outcome | None = None
        self._accepted: Robot | None = None  # the arm of the outcome, as it goes by in the window
        self._ready = False

    def wire(self) -> None:
        """Wire pages, threads, and whoever makes recordings."""
        bench, panel, run = self._bench, self.panel, self.identify
        self._connect_motion()
        self._connect_recordings()
        run.found.connect(self._on_found)
        panel.result.accepted.connect(self._accept)
        panel.result.save_wanted.connect(self._ask_save)
        self.example.wire()
        bench.files.recording_opened.connect(self._on_opened)
        bench.simulation.event_arrived.connect(self._on_event)
        bench.startup.when(KernelStage.ALL, self._on_ready)
        bench.preferences.units_changed.connect(panel.motion.set_units)
        bench.actions.on("identify", self.dock.bring_up)
        bench.actions.on("identify_example", self._open_example)
        self._begin_anew()

    def _connect_motion(self) -> None:
        page, motion = self.panel.motion, self.motion
        page.make_wanted.connect(lambda *figures: motion.make(self._bench.document.robot, *figures))
        page.cancel_wanted.connect(motion.runner.cancel)
        page.cancel_wanted.connect(lambda: page.tell(CANCELLED))
        page.run_wanted.connect(self._run)
        page.draft_wanted.connect(self._draft)
        motion.runner.busy_changed.connect(page.show_busy)
        motion.runner.progressed.connect(page.show_progress)
        motion.runner.failed.connect(lambda text: page.tell(sentence(text)))
        motion.found.connect(self._on_motion)
        motion.recorded.connect(self._on_recorded)
        motion.wire()

    def _connect_recordings(self) -> None:
        page, run = self.panel.recordings, self.identify
        page.add_wanted.connect(self._ask_files)
        page.use_chosen.connect(lambda k, use: run.choose(run.chosen.with_use(k, use)))
        page.remove_wanted.connect(lambda k: run.choose(run.chosen.without(k)))
        page.options_changed.connect(self._show_possible)
        page.identify_wanted.connect(self._identify)
        page.cancel_wanted.connect(run.runner.cancel)
        page.cancel_wanted.connect(lambda: page.tell(CANCELLED))
        run.changed.connect(self._show_chosen)
        run.runner.busy_changed.connect(page.show_busy)
        run.runner.progressed.connect(page.show_progress)
        run.failed.connect(lambda text: page.tell(sentence(text)))

    def shut_down(self) -> None:
        """No computation outlives the window."""
        for runner in (self.identify.runner, self.motion.runner, self.example.runner):
            runner.stop()

    # Which arm

    def set_robot(self, robot: Robot) -> None:
        """Another arm begins with nothing; the same one with other figures keeps what was found."""
        if not self._bench.document.same_arm:
            self._begin_anew()
        elif self.outcome is not None:
            self.panel.result.show_working(robot is self._accepted)

    def _begin_anew(self) -> None:
        panel, robot = self.panel, self._bench.document.robot
        for runner in (self.identify.runner, self.motion.runner):
            runner.cancel()
        self.outcome = None
        panel.motion.show_motion(None, None, None)
        panel.result.show_found(None, None)
        panel.curves.show_found(None, None)
        panel.parameters.show_found(None, None)
        panel.recordings.show_joints(robot.joint_names)
        self.identify.choose(ChosenRecordings())
        panel.motion.show_possible(self._why_not())
        self.example.set_robot(robot, self._why_not())

    def _why_not(self) -> str:
        robot = self._bench.document.robot
        if not robot.has_dynamics:
            return no_masses(robot.name)
        return "" if self._ready else COMPILING

    def _on_ready(self) -> None:
        self._ready = True
        self._begin_anew()

    def _open_example(self) -> None:
        self.panel.show_page(self.panel.example)
        self.dock.bring_up()

    # Motion and recordings

    def _on_motion(self, motion: Motion) -> None:
        self.panel.motion.show_motion(motion.robot, motion.trajectory, motion.excitation)

    def _run(self, record: bool) -> None:
        trajectory = self.panel.motion.trajectory
        if trajectory is not None:
            self.motion.start(trajectory, record)

    def _draft(self) -> None:
        """The motion becomes the trajectory of that dock."""
        trajectory, robot = self.panel.motion.trajectory, self._bench.document.robot
        if trajectory is not None:
            try:
                plan = engine.plan_through(
                    trajectory, robot, "exciting_motion", "Excitation trajectory for identifying masses and friction"
                )
            except engine.EngineError as error:
                self.panel.motion.tell(sentence(str(error)))
                return
            self._trajectory.model.edit(draft_of(plan), "excitation trajectory")
            self._trajectory.bring_up()

    def _on_recorded(self, path: Path) -> None:
        self.identify.choose(self.identify.chosen.with_entry(Entry(path.name, path, FIT)))
        self.panel.show_page(self.panel.recordings)

    def _on_event(self, event: Event) -> None:
        if event.kind is RecordingEvent.STOPPED and event.path is not None:
            self.identify.choose(self.identify.chosen.with_entry(Entry(event.path.name, event.path)))

    def _on_opened(self, recording: Recording, path: Path) -> None:
        if len(recording.joint_names) == self._bench.document.robot.n:
            self.identify.choose(self.identify.chosen.with_entry(Entry(path.name, path)))

    def _ask_files(self) -> None:
        folder = self._bench.files.recording_folder()
        kinds = f"Recordings ({' '.join(f'*{suffix}' for suffix in RECORDINGS)})"
        paths, _ = QFileDialog.getOpenFileNames(self._bench.parent, "Add recordings", str(folder), kinds)
        chosen = self.identify.chosen
        for path in map(Path, paths):
            chosen = chosen.with_entry(Entry(path.name, path, FIT))
        self.identify.choose(chosen)

    def _show_chosen(self) -> None:
        self.panel.recordings.show_chosen(self.identify.chosen)
        self._show_possible()

    def _show_possible(self) -> None:
        page = self.panel.recordings
        why_not = page.options.why_not(self._bench.document.robot)
        page.show_possible(self._why_not() or self.identify.chosen.why_not() or (sentence(why_not) if why_not else ""))

    # Result

    def _identify(self) -> None:
        self.panel.recordings.tell("Identifying…")
        self.identify.start(self._bench.document.robot, self.panel.recordings.options)

    def _on_found(self, outcome: Outcome) -> None:
        panel, found = self.panel, outcome.found
        self.outcome = outcome
        panel.result.show_found(found, outcome.file)
        panel.curves.show_found(found, outcome.file, outcome.names)
        panel.parameters.show_found(found, outcome.file)
        panel.recordings.tell("Done. See Result, Torques and Parameters.")
        if panel.bar.currentIndex() == 1:
            panel.show_page(panel.result)

    def _accept(self) -> None:
        if self.outcome is not None:
            self._accepted = self.outcome.found.robot
            self._bench.document.edit_robot(self._accepted, "identified arm")

    def _ask_save(self) -> None:
        if self.outcome is None:
            return
        start = self._bench.files.recording_folder() / f"{self.outcome.file.name}_identified.toml"
        path, kind = QFileDialog.getSaveFileName(self._bench.parent, "Save the identified arm", str(start), "Robots (*.toml)")
        if path:
            self._save(self.outcome.found, with_format(path, kind))

    def _save(self, found: Identification, path: Path) -> None:
        """Write the new arm as a robot file."""
        from armature.engine.identification.identified_robot import save_identified

        try:
            save_identified(found, path)
        except engine.EngineError as error:
            self._bench.files.message_about.emit("save", Severity.ERROR, f"The arm could not be saved: {error}")
            return
        self._bench.preferences.add_recent(str(path.resolve()))
        self._bench.files.message_about.emit("save", Severity.INFO, f"Saved {path}")
