"""`TrajectoryRun`: the arm goes to the start of a trajectory and follows it, simulated, or as planned where it has no masses."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.plots.feature import PlotsFeature
from armature.app.state.edits.pose_edit import next_gesture
from armature.app.state.jobs import JobRunner
from armature.app.state.joint_errors import largest
from armature.app.state.severity import Severity
from armature.app.state.units import number
from armature.app.trajectory.trajectory_model import RunMode, TrajectoryModel
from armature.app.trajectory.trajectory_preview import Preview, previewed
from armature.app.trajectory.trajectory_texts import refusal

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot, Trajectory
    from armature.engine.simulation.snapshot import Snapshot

NEAR = 1e-6  # rad or m: the arm is at the start
APPROACH_SPEED = 0.5  # share of the joints' limits
STOPPED = "Stopped before reaching the start of the trajectory. "
OVER = "The run has ended. The controller is disabled."
EDITED = "Edited: the arm follows the previous trajectory until the next run. "
CHOSEN_FOR_YOU = "Switched to computed torque: the previous controller cannot follow a trajectory. "


class TrajectoryRun(QObject):
    """Sets mode and followed trajectory of the model. `changed` is emitted at once when a run begins or ends, `moved` after each
    motion of the arm along the trajectory; readers of `t` and `off` bypass the binder."""

    changed = Signal()
    moved = Signal()

    def __init__(self, bench: Workbench, model: TrajectoryModel, control: ControlFeature, plots: PlotsFeature):
        super().__init__(bench.parent)
        self._bench, self._model, self._control, self._plots = bench, model, control, plots
        self.t, self._is_switched = 0.0, False
        self.off: np.ndarray | None = None  # |q_desired − q| `(n,)`, rad or m
        self._placing, self._last, self._under_way, self._failed = False, 0.0, False, False
        self._could_be_old, self._way = False, 0.0  # whether snapshots may be of the run before; s on the way to the start
        self._approach: Trajectory | None = None
        self._gesture = 0
        self._following = JobRunner("follow", bench.parent)

    def wire(self) -> None:
        """Follow the simulation, the clock, and all other sources of motion."""
        bench = self._bench
        self._following.finished.connect(self._on_to_follow)
        bench.files.follow_requested.connect(self._follow_other)
        bench.simulation.snapshot_taken.connect(self._on_snapshot)
        bench.simulation.failed.connect(self._on_failed)
        bench.document.q_edited.connect(self._on_hand)
        bench.document.robot_changed.connect(lambda _: self._forget())
        bench.replay.replaying_changed.connect(lambda on: on and self._give_way())

    def shut_down(self) -> None:
        """End the background computation."""
        self._following.stop()

    def request(self) -> None:
        """Run the planned trajectory. If it violates a limit, or if it or its approach is below the floor, it is refused with a
        message, and run when it is requested again."""
        from armature.engine.trajectory.motion_limits import floor_violation  # numba: not before the window is on screen

        model, preview = self._model, self._model.preview
        if preview is None:
            return
        approach = self._approach_to(preview)
        below = None if approach is None else floor_violation(preview.robot, approach)
        if below is not None and below.t == 0.0:  # the arm is below the floor already, and this leads out
            below = None
        if (preview.violations or below is not None) and not model.is_refused:
            model.refused, why = preview, refusal(preview, below, self._bench.state.units)
            model.report(why)
            if not model.is_shown:
                self._bench.banner.show_message(Severity.INFO, why)
        else:
            self._start(preview, approach)

    def _approach_to(self, preview: Preview) -> Trajectory | None:
        """Return a joint motion from the pose of the arm to the start; None if the arm is there."""
        here, start = self._bench.document.q, preview.trajectory.start
        if np.abs(here - start).max() < NEAR:
            return None
        plan = engine.Plan((engine.Waypoint(q=here), engine.Waypoint(q=start)), speed=APPROACH_SPEED)
        return plan.trajectory(preview.robot)

    def _follow_other(self, trajectory: Trajectory) -> None:
        """Run a trajectory that is not the draft's, such as an excitation trajectory."""
        robot = self._bench.document.robot
        self._following.start(lambda job: previewed(robot, trajectory, 2, job.cancelled))

    def _on_to_follow(self, preview: Preview | None) -> None:
        if preview is not None and preview.robot is self._bench.document.robot:
            self._start(preview, self._approach_to(preview))

    @property
    def time(self) -> float:
        """Time of the trajectory, s from its beginning."""
        followed = self._model.followed
        if followed is None:
            return 0.0
        return self.t % followed.duration if followed.trajectory.loops else min(self.t, followed.duration)

    @property
    def arrived(self) -> bool:
        """True if the trajectory has ended and the arm is held there."""
        followed = self._model.followed
        return followed is not None and self.t >= followed.duration and not followed.trajectory.loops

    @property
    def text(self) -> str:
        """Elapsed time and tracking error."""
        model, followed = self._model, self._model.followed
        if followed is None:
            return model.run_note
        remark = EDITED if model.is_edited else CHOSEN_FOR_YOU if self._is_switched else ""
        if model.mode is RunMode.APPROACH and self._approach is not None:
            return f"{remark}Moving to the start: {number(self._way, 2)} of {number(self._approach.duration, 2)} s."
        what = f"{number(self.time, 2)} of {number(followed.duration, 2)} s"
        if model.mode is RunMode.SIMULATED:
            what = f"{'Arrived' if self.arrived else what}, {self._off_words(followed.robot)}."
        return remark + what

    def _off_words(self, robot: Robot) -> str:
        """The joints that are farthest off their way, in the window's units."""
        off = np.zeros(robot.n) if self.off is None else self.off
        return f"max. tracking error {largest(off, robot, self._bench.preferences.units)}"

    def _start(self, preview: Preview, approach: Trajectory | None):
        """Follow the trajectory from its beginning; `approach` leads there from the pose of the arm."""
        bench, control, model = self._bench, self._control, self._model
        bench.replay.close()
        self._leave_clock()
        model.begin_run(preview)
        self.t, self.off, self._is_switched = 0.0, None, False
        self._under_way, self._could_be_old = False, bench.simulation.running
        bench.simulation.pause()
        if preview.robot.has_dynamics:
            self._is_switched = not control.follows
            if control.follows:
                control.put_to_work()
            else:
                control.choose(control.FALLBACK)
        if approach is None:
            self._follow(preview)
            return
        if model.mode is RunMode.SIMULATED:
            bench.simulation.set_trajectory(None)
        model.mode, self._approach, self._gesture = RunMode.APPROACH, approach, next_gesture()
        self._way, self._last = 0.0, time.monotonic()
        bench.clock.tick.connect(self._on_approach)
        self.changed.emit()

    def _on_approach(self):
        approach, now = self._approach, time.monotonic()
        if approach is None or self._model.followed is None:
            return
        if self._bench.simulation.meant_to_run:  # the user lets the arm go where it is
            self._let_go()
            return
        self._way, self._last = self._way + now - self._last, now
        if self._way < approach.duration:
            self._place(approach.sample(self._way)[0])
        else:
            self._leave_clock()
            self._follow(self._model.followed)

    def _follow(self, preview: Preview):
        """Begin at the start of the trajectory."""
        from armature.engine.simulation.runs.load_comparison import phases  # numba: not before the window is on screen

        bench, way = self._bench, preview.trajectory
        self._place(way.start)
        self._gesture = 0
        if not bench.document.robot.has_dynamics:
            self._model.mode, self._last = RunMode.SHOWN, time.monotonic()
            bench.simulation.set_replaying(True)
            bench.clock.tick.connect(self._on_tick)
            self.changed.emit()
            return
        self._model.mode = RunMode.SIMULATED
        bench.simulation.set_trajectory(way)
        self._plots.panel.clear()
        if way.payloads:
            self._plots.panel.set_phases(phases(way), way.duration if way.loops else 0.0)
        bench.simulation.reset()
        bench.simulation.run()
        self.changed.emit()

    def stop(self):
        """Pause, and let go of trajectory and arm."""
        if self._model.mode is RunMode.SIMULATED:
            self._bench.simulation.pause()
        self._let_go()

    def _let_go(self):
        """The arm follows nothing any more, and is free."""
        if self._model.mode is RunMode.SIMULATED:
            self._model.run_note = OVER
            self._bench.simulation.set_trajectory(None)
        elif self._model.mode is RunMode.APPROACH:
            self._model.run_note = STOPPED
        self._forget()

    def _give_way(self):
        """A recording takes over the arm, and the simulation rests for that one now."""
        if self._model.mode is RunMode.SHOWN:
            self._bench.clock.tick.disconnect(self._on_tick)
            self._model.mode = RunMode.NONE
        self.stop()

    def _place(self, q: np.ndarray):
        self._placing = True
        self._bench.document.edit(q, self._gesture or None, "start of the trajectory")
        self._placing = False

    def _leave_clock(self):
        """End an approach or a shown run: the arm stays where it is, and the simulation begins there."""
        if self._model.mode is RunMode.APPROACH:
            self._bench.clock.tick.disconnect(self._on_approach)
        elif self._model.mode is RunMode.SHOWN:
            self._bench.clock.tick.disconnect(self._on_tick)
            self._bench.simulation.set_replaying(False)
        else:
            return
        self._model.mode, self._approach = RunMode.NONE, None

    def _forget(self):
        """End the run; a controller that was enabled for it is disabled."""
        model = self._model
        acts = model.mode in (RunMode.APPROACH, RunMode.SIMULATED)
        self._leave_clock()
        self._gesture = 0
        if model.followed is not None:
            if acts and model.followed.robot.has_dynamics:
                self._control.release()
            model.end_run()
            self.changed.emit()

    def _on_hand(self, _q):
        """A hand on the arm ends the run; undo and redo, too."""
        if self._model.followed is None or self._placing:
            return
        self._let_go()

    def _on_snapshot(self, snapshot: Snapshot):
        if self._model.mode is RunMode.SIMULATED and snapshot.q_desired is not None and (snapshot.running or snapshot.steps):
            self.t = snapshot.t
            self.off = np.abs(snapshot.q_desired - snapshot.q)
            self._under_way |= snapshot.running and not (self._could_be_old and self.arrived)  # of the run before this one
            self.moved.emit()
        self._failed &= not snapshot.running
        paused = not (snapshot.running or self._failed or self._bench.simulation.meant_to_run)
        if self._model.mode is RunMode.SIMULATED and self._under_way and self.arrived and paused:
            self._let_go()  # paused by a person, where it was to go

    def _on_failed(self):
        """A fault has paused the arm: once it is mended, the law holds it where it is."""
        self._failed = True

    def _on_tick(self):
        now, followed = time.monotonic(), self._model.followed
        self.t += now - self._last
        self._last = now
        if followed is None:
            return
        self._bench.document.follow(followed.q_at(self.time))
        if self.arrived:
            self._forget()
        else:
            self.moved.emit()
