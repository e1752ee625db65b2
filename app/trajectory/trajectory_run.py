"""`TrajectoryRun`: the arm follows a trajectory, simulated under a controller, or as it is planned where it has no masses."""

from __future__ import annotations

import time
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature.app.control.feature import ControlFeature
from armature.app.plots.feature import PlotsFeature
from armature.app.state.units import number
from armature.app.trajectory.trajectory_preview import Preview

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot
    from armature.engine.simulation.snapshot import Snapshot

OVER = "The run is over, its law rests and the arm is free."
EDITED = "Edited: the arm goes on along the way as it was until the next Run. "
CHOSEN_FOR_YOU = "Computed torque was chosen: the law before follows no trajectory. "


class RunMode(Enum):
    """How the arm follows: not at all, simulated under a controller, or shown as it is planned."""

    NONE = auto()
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
        self.t, self.off, self.remark = 0.0, (0, 0.0), ""
        self.over = ""  # what is to be said once a run has ended
        self._placing, self._last, self._under_way, self._failed = False, 0.0, False, False
        self._control: ControlFeature | None = None

    def connect(self) -> None:  # type: ignore[override]  # of a feature; nothing calls QObject.connect
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
        what = f"{number(self.time, 2)} of {number(self.followed.duration, 2)} s"
        if self.mode is RunMode.SIMULATED:
            what = f"{'Arrived' if self.arrived else what}, {self._off_words(self.followed.robot)}."
        return self.remark + what

    def _off_words(self, robot: Robot) -> str:
        """The joint that is farthest off its way, in the window's units."""
        (joint, value), units = self.off, self._bench.preferences.units
        slides = bool(robot.prismatic[joint])
        return f"{robot.joint_names[joint]} farthest off by {units.text(value, slides)}"

    def start(self, preview: Preview, control: ControlFeature):
        """From the beginning: put the arm there and go."""
        from armature.engine.simulation.runs.load_comparison import phases  # numba: not before the window is on screen

        bench = self._bench
        bench.replay.close()
        self._end_shown()
        self.followed, self.t, self.off, self.remark, self.over = preview, 0.0, (0, 0.0), "", ""
        self._under_way = False
        bench.simulation.pause()
        self._place(preview.trajectory.start)
        if not bench.document.robot.has_dynamics:
            self.mode, self._last = RunMode.SHOWN, time.monotonic()
            bench.simulation.set_replaying(True)
            bench.clock.tick.connect(self._on_tick)
            self.changed.emit()
            return
        self.mode, self._control = RunMode.SIMULATED, control
        if control.follows:
            control.put_to_work()
        else:
            control.choose(control.FALLBACK)
            self.remark = CHOSEN_FOR_YOU
        bench.simulation.set_trajectory(preview.trajectory)
        self._plots.panel.clear()
        if preview.trajectory.payloads:
            way = preview.trajectory
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
        self._forget()

    def _give_way(self):
        """A recording takes over the arm, and the simulation rests for that one now."""
        if self.mode is RunMode.SHOWN:
            self._bench.clock.tick.disconnect(self._on_tick)
            self.mode = RunMode.NONE
        self.stop()

    def _place(self, q: np.ndarray):
        self._placing = True
        self._bench.document.edit(q, text="start of the trajectory")
        self._placing = False

    def _end_shown(self):
        """The arm stays where it was shown last, and the simulation begins there."""
        if self.mode is RunMode.SHOWN:
            self._bench.clock.tick.disconnect(self._on_tick)
            self.mode = RunMode.NONE
            self._bench.simulation.set_replaying(False)

    def _forget(self):
        """Nothing is followed any more."""
        self._end_shown()
        if self.followed is not None:
            if self.mode is RunMode.SIMULATED and self._control is not None:
                self._control.release()
            self.mode, self.followed = RunMode.NONE, None
            self.changed.emit()

    def _on_hand(self, _q):
        """A hand on the arm ends the run; undo and redo, too."""
        if self.followed is None or self._placing:
            return
        self._let_go()

    def _on_snapshot(self, snapshot: Snapshot):
        if self.mode is RunMode.SIMULATED and snapshot.q_desired is not None and (snapshot.running or snapshot.steps):
            self.t = snapshot.t
            error = np.abs(snapshot.q_desired - snapshot.q)
            self.off = (int(error.argmax()), float(error.max()))
            self._under_way |= snapshot.running and not self.arrived  # a snapshot may be of the run before this one
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
