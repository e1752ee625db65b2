"""`TrajectoryRun`: the arm goes to the start of a trajectory and follows it, simulated, or as planned where it has no masses."""

from __future__ import annotations

import time
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature.app.control.feature import ControlFeature
from armature.app.plots.feature import PlotsFeature
from armature.app.state.edits.pose_edit import next_gesture
from armature.app.state.joint_errors import largest
from armature.app.state.units import number
from armature.app.trajectory.trajectory_preview import Preview

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot, Trajectory
    from armature.engine.simulation.snapshot import Snapshot

STOPPED = "Stopped before reaching the start of the trajectory. "
OVER = "The run has ended. The controller is disabled."
EDITED = "Edited: the arm follows the previous trajectory until the next run. "
CHOSEN_FOR_YOU = "Switched to computed torque: the previous controller cannot follow a trajectory. "


class RunMode(Enum):
    """How the arm follows: not at all, on its way to the start, simulated under a controller, or shown as it is planned."""

    NONE = auto()
    APPROACH = auto()
    SIMULATED = auto()
    SHOWN = auto()


class TrajectoryRun(QObject):
    """`changed` when it begins or ends; `moved` when the arm went on along the trajectory."""

    changed = Signal()
    moved = Signal()

    def __init__(self, bench: Workbench, plots: PlotsFeature):
        super().__init__(bench.parent)
        self._bench, self._plots = bench, plots
        self.mode = RunMode.NONE
        self.followed: Preview | None = None
        self.t, self.remark = 0.0, ""
        self.off: np.ndarray | None = None  # |q_desired − q| `(n,)`, rad or m
        self.over = ""  # what is to be said once a run has ended
        self._placing, self._last, self._under_way, self._failed = False, 0.0, False, False
        self._could_be_old, self._way = False, 0.0  # whether snapshots may be of the run before; s on the way to the start
        self._control: ControlFeature | None = None
        self._approach: Trajectory | None = None
        self._gesture = 0

    def wire(self) -> None:
        """Follow the simulation, the clock, and whoever else moves the arm."""
        bench = self._bench
        bench.simulation.snapshot_taken.connect(self._on_snapshot)
        bench.simulation.failed.connect(self._on_failed)
        bench.document.q_edited.connect(self._on_hand)
        bench.document.robot_changed.connect(lambda _: self._forget())
        bench.replay.replaying_changed.connect(lambda on: on and self._give_way())

    @property
    def time(self) -> float:
        """Where the trajectory is, s from its beginning."""
        if self.followed is None:
            return 0.0
        T = self.followed.duration
        return self.t % T if self.followed.trajectory.loops else min(self.t, T)

    @property
    def arrived(self) -> bool:
        """Whether it is at its end, where the arm is held while time runs."""
        return self.followed is not None and self.t >= self.followed.duration and not self.followed.trajectory.loops

    @property
    def words(self) -> str:
        """How far it is, and how well the arm follows."""
        if self.followed is None:
            return ""
        if self.mode is RunMode.APPROACH and self._approach is not None:
            return f"{self.remark}Moving to the start: {number(self._way, 2)} of {number(self._approach.duration, 2)} s."
        what = f"{number(self.time, 2)} of {number(self.followed.duration, 2)} s"
        if self.mode is RunMode.SIMULATED:
            what = f"{'Arrived' if self.arrived else what}, {self._off_words(self.followed.robot)}."
        return self.remark + what

    def _off_words(self, robot: Robot) -> str:
        """The joints that are farthest off their way, in the window's units."""
        off = np.zeros(robot.n) if self.off is None else self.off
        return f"max. tracking error {largest(off, robot, self._bench.preferences.units)}"

    def start(self, preview: Preview, control: ControlFeature, approach: Trajectory | None = None):
        """Follow the trajectory from its beginning; `approach` leads there from where the arm is."""
        bench = self._bench
        bench.replay.close()
        self._leave_clock()
        self.followed, self.t, self.off, self.remark, self.over = preview, 0.0, None, "", ""
        self._under_way, self._could_be_old = False, bench.simulation.running
        bench.simulation.pause()
        if bench.document.robot.has_dynamics:
            self._control = control
            if control.follows:
                control.put_to_work()
            else:
                control.choose(control.FALLBACK)
                self.remark = CHOSEN_FOR_YOU
        if approach is None:
            self._follow(preview)
            return
        if self.mode is RunMode.SIMULATED:
            bench.simulation.set_trajectory(None)
        self.mode, self._approach, self._gesture = RunMode.APPROACH, approach, next_gesture()
        self._way, self._last = 0.0, time.monotonic()
        bench.clock.tick.connect(self._on_approach)
        self.changed.emit()

    def _on_approach(self):
        approach, now = self._approach, time.monotonic()
        if approach is None or self.followed is None:
            return
        if self._bench.simulation.meant_to_run:  # the user lets the arm go where it is
            self._let_go()
            return
        self._way, self._last = self._way + now - self._last, now
        if self._way < approach.duration:
            self._place(approach.sample(self._way)[0])
        else:
            self._leave_clock()
            self._follow(self.followed)

    def _follow(self, preview: Preview):
        """Begin at the start of the trajectory."""
        from armature.engine.simulation.runs.load_comparison import phases  # numba: not before the window is on screen

        bench, way = self._bench, preview.trajectory
        self._place(way.start)
        self._gesture = 0
        if not bench.document.robot.has_dynamics:
            self.mode, self._last = RunMode.SHOWN, time.monotonic()
            bench.simulation.set_replaying(True)
            bench.clock.tick.connect(self._on_tick)
            self.changed.emit()
            return
        self.mode = RunMode.SIMULATED
        bench.simulation.set_trajectory(way)
        self._plots.panel.clear()
        if way.payloads:
            self._plots.panel.set_phases(phases(way), way.duration if way.loops else 0.0)
        bench.simulation.reset()
        bench.simulation.run()
        self.changed.emit()

    def note_edit(self):
        """The trajectory that is followed is no longer the one in the dock."""
        if self.followed is not None:
            self.remark = EDITED

    def forget_last(self):
        """What was said of a run that is over is of another trajectory."""
        if self.followed is None and self.over:
            self.over = ""
            self.changed.emit()

    def stop(self):
        """Pause, and let go of trajectory and arm."""
        if self.mode is RunMode.SIMULATED:
            self._bench.simulation.pause()
        self._let_go()

    def _let_go(self):
        """The arm follows nothing any more, and is free."""
        if self.mode is RunMode.SIMULATED:
            self.over = OVER
            self._bench.simulation.set_trajectory(None)
        elif self.mode is RunMode.APPROACH:
            self.over = STOPPED
        self._forget()

    def _give_way(self):
        """A recording takes over the arm, and the simulation rests for that one now."""
        if self.mode is RunMode.SHOWN:
            self._bench.clock.tick.disconnect(self._on_tick)
            self.mode = RunMode.NONE
        self.stop()

    def _place(self, q: np.ndarray):
        self._placing = True
        self._bench.document.edit(q, self._gesture or None, "start of the trajectory")
        self._placing = False

    def _leave_clock(self):
        """End an approach or a shown run: the arm stays where it is, and the simulation begins there."""
        if self.mode is RunMode.APPROACH:
            self._bench.clock.tick.disconnect(self._on_approach)
        elif self.mode is RunMode.SHOWN:
            self._bench.clock.tick.disconnect(self._on_tick)
            self._bench.simulation.set_replaying(False)
        else:
            return
        self.mode, self._approach = RunMode.NONE, None

    def _forget(self):
        """Nothing is followed any more."""
        acts = self.mode in (RunMode.APPROACH, RunMode.SIMULATED)
        self._leave_clock()
        self._gesture = 0
        if self.followed is not None:
            if acts and self._control is not None:
                self._control.release()
            self.mode, self.followed, self._control = RunMode.NONE, None, None
            self.changed.emit()

    def _on_hand(self, _q):
        """A hand on the arm ends the run; undo and redo, too."""
        if self.followed is None or self._placing:
            return
        self._let_go()

    def _on_snapshot(self, snapshot: Snapshot):
        if self.mode is RunMode.SIMULATED and snapshot.q_desired is not None and (snapshot.running or snapshot.steps):
            self.t = snapshot.t
            self.off = np.abs(snapshot.q_desired - snapshot.q)
            self._under_way |= snapshot.running and not (self._could_be_old and self.arrived)  # of the run before this one
            self.moved.emit()
        self._failed &= not snapshot.running
        paused = not (snapshot.running or self._failed or self._bench.simulation.meant_to_run)
        if self.mode is RunMode.SIMULATED and self._under_way and self.arrived and paused:
            self._let_go()  # paused by a person, where it was to go

    def _on_failed(self):
        """A fault has paused the arm: once it is mended, the law holds it where it is."""
        self._failed = True

    def _on_tick(self):
        now, followed = time.monotonic(), self.followed
        self.t += now - self._last
        self._last = now
        if followed is None:
            return
        self._bench.document.follow(followed.q_at(self.time))
        if self.arrived:
            self._forget()
        else:
            self.moved.emit()
