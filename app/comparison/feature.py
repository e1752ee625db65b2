"""Two arms: a second arm in the view and in the plots, which follows the first, and the table of both."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.comparison.panel import SecondArmPanel
from armature.app.comparison.second_arm_model import (
    COPY,
    FILE,
    IDENTIFIED,
    NO_TRAJECTORY,
    NONE,
    NOT_BUILT_IN,
    OUT_OF_REACH,
    SIMULATED,
    SecondArm,
    SecondArmModel,
)
from armature.app.comparison.second_motion import SecondMotion
from armature.app.comparison.second_on_page import SecondForPage
from armature.app.comparison.second_replay import second_recording
from armature.app.feature import Feature
from armature.app.identification.feature import IdentificationFeature
from armature.app.page.feature import PageFeature, SecondOfPage
from armature.app.plots.feature import PlotsFeature, tool_motion
from armature.app.plots.plot_signals import RecordingSource
from armature.app.plots.second_curves import SecondCurves
from armature.app.robots.meshes.arm_meshes import FLUID, load
from armature.app.robots.robot_meshes import MeshesFeature
from armature.app.scene.arm.built_arm import built_arm
from armature.app.scene.gl import gl_format
from armature.app.session.session_robot import local_file
from armature.app.state.edits.field_edit import FieldEdit
from armature.app.state.engine_startup import KernelStage
from armature.app.state.evented import on
from armature.app.state.jobs import Job, JobRunner
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import RIGHT, Dock
from armature.engine.errors import shown
from armature.engine.simulation.commands import SetController, SetFollower

if TYPE_CHECKING:
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench
    from armature.engine import Robot
    from armature.engine.simulation.runs.arm_comparison import Controllers
    from armature.engine.simulation.snapshot import Snapshot

ROBOTS = "Robot files (*.toml *.urdf *.xacro *.xml *.mjcf)"


class SecondArmFeature(Feature):
    """The dock *Compare*. Poses of the second arm bypass the binder: they follow each pose of the first.

    `motion` has the second robot and its joint positions, None without one; the view displaces it by `scene.stage.second.shift`.
    """

    dock: Dock
    needs = (PlotsFeature, TrajectoryFeature, IdentificationFeature, MeshesFeature, PageFeature)
    commands = block(
        "View",
        2.3,
        Command("compare_with", "Compare with…", tip="Show a second arm that has the same joints, tool path or torques"),
    )

    def __init__(
        self,
        bench: Workbench,
        plots: PlotsFeature,
        trajectory: TrajectoryFeature,
        identification: IdentificationFeature,
        meshes: MeshesFeature,
        page: PageFeature,
    ):
        self._bench, self._plots, self._trajectory = bench, plots.panel, trajectory.model
        self._identification, self._cache = identification.model, meshes.cache
        page.second = self._on_page
        stack = bench.document.undo_stack
        self.model = SecondArmModel(bench.simulation.robot, lambda *step: stack.push(FieldEdit(*step)))
        self.panel = SecondArmPanel(self.model, bench.state, self.choose, lambda: self._identification.outcome is not None)
        self.dock = Dock("compare", "Compare", self.panel, RIGHT, {})
        self._reading, self._comparing = JobRunner("second-arm", bench.parent), JobRunner("compare-arms", bench.parent)
        self._replaying = JobRunner("second-replay", bench.parent)
        self.motion: SecondMotion | None = None
        self._followed: tuple[object, ...] = ()  # arms and drive of the motion

    def wire(self) -> None:
        """Bind the views, and follow the first arm."""
        bench, model, views = self._bench, self.model, self._bench.views
        bench.actions.on("compare_with", self.dock.bring_up)
        bench.document.q_changed.connect(self._on_pose)
        bench.simulation.snapshot_taken.connect(self._on_snapshot)
        bench.replay.replaying_changed.connect(lambda _: self._record())
        bench.scene.arm_built.connect(lambda _: self._draw())
        views.bind(self._show, on(model, "second", "drive", "captions"))
        views.bind(self._compare, on(model, "second", "drive"), on(self._trajectory, "preview"))
        bench.cell.changed.connect(self._compare)
        bench.simulation.control_changed.connect(lambda: self._compare() if model.drive == "trajectory" else None)
        self.panel.bind(views)

    def set_robot(self, robot: Robot) -> None:
        """Compare with another first arm."""
        self.model.first = self._bench.simulation.robot

    def shut_down(self) -> None:
        """End the computations."""
        self._reading.stop()
        self._comparing.stop()
        self._replaying.stop()

    # -- selection -------------------------------------------------------------------------------------------------------------

    def choose(self, source: str, **fields: Any) -> None:
        """Read a second arm from a source, as a step of undo; "" for none. `fields` of `SecondArm` change with it."""
        if source == FILE:
            path, _ = QFileDialog.getOpenFileName(self._bench.parent, "Compare with", str(Path.home()), ROBOTS)
            if path:
                self.choose(path)
            return
        self._reading.cancel()
        if not source:
            self.model.change("end comparison", source="", robot=None, solids=None)
            return
        outcome = self._identification.outcome
        given = {COPY: self._bench.simulation.robot, IDENTIFIED: None if outcome is None else outcome.found.robot}.get(source)
        most = FLUID if gl_format.is_software() else None
        read = partial(_read, source, given, most, self._cache)
        take, refuse = partial(self._take, source, fields), lambda why: self._report(f"This robot cannot be shown: {why}")
        self._bench.startup.when(KernelStage.ALL, lambda: self._reading.start(read, take, refuse))

    def _take(self, source: str, fields: dict[str, Any], read: tuple[Robot, Any]) -> None:
        robot, solids = read
        self._report("")
        title = f"compare with {robot.name}"
        self.model.change(title, source=source, robot=robot, solids=solids, control=self._built_in, **fields)

    def _report(self, problem: str) -> None:
        self.model.problem = problem

    # -- view and plots --------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Show the selected arm from the present pose of the first on, in view and plots."""
        model, bench = self.model, self._bench
        second = model.second
        choice = model.choice
        followed = model.first, choice.robot, choice.extra, model.drive, choice.control
        if second is not None and self.motion is not None and followed == self._followed:
            self._draw()
            return
        self._followed = followed
        control = choice.control if model.drive == "trajectory" else None
        bench.simulation.send(SetFollower(second if model.drive in SIMULATED else None, control))
        if second is None:
            self.motion, model.problem = None, ""
            bench.scene.clear_second()
            self._plots.set_second(None)
            return
        self.motion = motion = SecondMotion(model.first, second, model.drive == "tool")
        names = model.captions
        self._plots.set_second(SecondCurves(second, names, motion.sample, partial(tool_motion, second)))
        motion.follow(bench.document.q)
        self._report("" if motion.reached else OUT_OF_REACH)
        self._draw()
        self._record()

    def _record(self) -> None:
        """Compute what the second arm does during the replay, for the plots."""
        motion, recording, drive = self.motion, self._bench.replay.recording, self.model.drive
        self._replaying.cancel()
        self._plots.show_second_replay(None)
        if motion is None or recording is None or drive in SIMULATED:
            return
        first, robot = motion.first, motion.robot

        def work(job: Job) -> RecordingSource:
            return RecordingSource(second_recording(recording, first, robot, drive == "tool", job.check), "", robot).prepared()

        def take(source: RecordingSource) -> None:
            if self._bench.replay.recording is recording and self.motion is motion:
                self._plots.show_second_replay(source)

        self._bench.startup.when(KernelStage.ALL, lambda: self._replaying.start(work, take))

    def _draw(self) -> None:
        """Draw the second arm after a change of one of the arms."""
        model, motion = self.model, self.motion
        if motion is None or model.choice.solids is None or model.choice.robot is not self._followed[1]:
            return
        self._bench.scene.show_second(motion.robot, model.choice.solids, motion.q, model.choice.beside, model.captions)

    def _on_pose(self, q: np.ndarray) -> None:
        """Move the second arm with the first; a simulated one moves by itself."""
        motion = self.motion
        if motion is None or len(q) != motion.first.n or (self.model.drive in SIMULATED and not self._bench.replay.replaying):
            return
        motion.follow(q)
        self._move(motion, "" if motion.reached else OUT_OF_REACH)

    def _on_snapshot(self, snapshot: Snapshot) -> None:
        self.model.first = self._bench.simulation.robot
        motion, follower = self.motion, snapshot.follower
        if motion is not None and follower is not None and len(follower.q) == motion.robot.n:
            motion.q = follower.q
            self._move(motion, follower.failure)

    def _move(self, motion: SecondMotion, problem: str) -> None:
        self._bench.scene.set_second(engine.link_poses(motion.robot, motion.q))
        self._report(problem)

    def _on_page(self) -> SecondOfPage | None:
        """Return the function that adds the second arm to a web page."""
        model, motion, bench, preview = self.model, self.motion, self._bench, self._trajectory.preview
        if motion is None or model.second is None:
            return None
        trajectory = None if preview is None or bench.replay.replaying else preview.trajectory
        held = None if bench.simulation.carries else bench.simulation.payload
        return SecondForPage(
            motion, model.drive, model.captions_for, bench.scene.stage.second.shift, trajectory, held, self._controllers
        ).arm

    # -- table -----------------------------------------------------------------------------------------------------------------

    def _compare(self) -> None:
        """Compute the table for the present arms and trajectory."""
        model, bench, preview = self.model, self._bench, self._trajectory.preview
        first, second = model.first, model.second
        self._comparing.cancel()
        if second is None:
            model.table, model.note = None, NONE
            return
        trajectory = None if preview is None or preview.trajectory.n != first.n else preview.trajectory
        why = NO_TRAJECTORY
        if model.drive == "trajectory" and self._built_in is None:
            trajectory, why = None, NOT_BUILT_IN
        drive, cell, held = model.drive, bench.cell.now, None if bench.simulation.carries else bench.simulation.payload

        found = partial(engine.compare, drive=drive, cell=cell, samples=501, controllers=self._controllers)

        def work(job: Job) -> tuple[engine.ArmComparison, str]:
            a, b = (first, second) if held is None else (held.held_by(first), held.held_by(second))
            if trajectory is None:
                return engine.compare(a, b), why
            try:
                return found(a, b, trajectory, cancelled=job.cancelled), ""
            except engine.TrajectoryError as error:
                return engine.compare(a, b), str(error)

        bench.startup.when(KernelStage.ALL, lambda: self._comparing.start(work, self._take_table, self._without_table))

    @property
    def _built_in(self) -> SetController | None:
        """Controller of the open arm; None for no controller and for user code, which only one arm can run."""
        from armature.engine.simulation.live.torque_follower import is_built_in  # numba: not before the window is shown

        control = self._bench.simulation.control
        return control if is_built_in(control.controller) else None

    @property
    def _controllers(self) -> Controllers | None:
        own = self.model.choice.control
        return None if own is None else (self._bench.simulation.control, own)

    def _take_table(self, found: tuple[engine.ArmComparison, str]) -> None:
        self.model.table, self.model.note = found

    def _without_table(self, why: str) -> None:
        self.model.table, self.model.note = None, why

    # -- session ---------------------------------------------------------------------------------------------------------------

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """Name or file of the second arm and its settings; copies and identified arms are not saved."""
        choice = self.model.choice
        if choice.source in ("", COPY, IDENTIFIED):
            return {}
        return {
            "comparison": {"arm": choice.source, "drive": choice.drive, "beside": choice.beside, "extra_payload": choice.extra}
        }

    def open_session(self, file: SessionFile) -> None:
        """Show the second arm of the session. Raises ValueError for a file that this machine lacks."""
        table = file.comparison
        self.model.choice = SecondArm()
        if table.arm and table.arm not in engine.shipped_robots() and local_file(table.arm) is None:
            raise ValueError(f"the file of the second arm is missing: {shown(table.arm)}")
        if table.arm:
            self.choose(table.arm, drive=table.drive, beside=table.beside, extra=table.extra_payload)


def _read(source: str, given: Robot | None, most: int | None, cache: Any, job: Job) -> tuple[Robot, Any]:
    """Return the robot and its solids."""
    robot = engine.load_robot(source) if given is None else given
    built = built_arm(robot)[1]
    meshes = load(robot, "visual", most, cache, cancelled=job.cancelled)
    return robot, built if meshes is None or meshes.solids is None else meshes.solids
