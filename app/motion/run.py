"""`MotionRun`: the arm follows a trajectory, simulated under a controller, or as it is planned where it has no masses."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.motion.preview import Preview

if TYPE_CHECKING:
    from app.main_window import MainWindow

SIMULATED, SHOWN = "simulated", "shown"
CHOSEN_FOR_YOU = "Computed torque was chosen, because the controller before follows no trajectory. "


class MotionRun(QObject):
    """`changed` when it begins or ends; `moved` when the arm went on along the trajectory."""

    changed = Signal()
    moved = Signal()

    def __init__(self, window: MainWindow):
        super().__init__(window)
        self._window = window
        self.mode, self.motion, self.t, self.off, self.remark = "", None, 0.0, (0, 0.0), ""
        self._placing, self._last = False, 0.0

    def connect(self):
        """Follow the simulation, the clock, and whoever else moves the arm."""
        window = self._window
        window.simulation.snapshot_taken.connect(self._on_snapshot)
        window.document.q_edited.connect(self._on_hand)
        window.document.robot_changed.connect(lambda _: self._forget())
        window.recordings.replaying_changed.connect(lambda on: on and self._give_way())

    @property
    def time(self) -> float:
        """Where the trajectory is, s from its beginning."""
        if self.motion is None:
            return 0.0
        T = self.motion.duration
        return self.t % T if self.motion.trajectory.loops else min(self.t, T)

    @property
    def words(self) -> str:
        """How far it is, and how well the arm follows."""
        what = f"{self.time:.2f} of {self.motion.duration:.2f} s"
        if self.mode == SIMULATED:
            arrived = self.t >= self.motion.duration and not self.motion.trajectory.loops
            what = f"{'Arrived' if arrived else what}, {self._off_words()}."
        return self.remark + what

    def _off_words(self) -> str:
        """The joint that is farthest off its way, in the window's units."""
        joint, value = self.off
        robot, units = self.motion.robot, self._window.preferences.units
        slides = bool(robot.prismatic[joint])
        return f"{robot.joint_names[joint]} farthest off by {units.text(value, slides)}"

    def start(self, motion: Preview, control):
        """From the beginning: put the arm there and go."""
        window = self._window
        window.recordings.close_replay()
        self._end_shown()
        self.motion, self.t, self.off, self.remark = motion, 0.0, (0, 0.0), ""
        window.simulation.pause()
        self._place(motion.trajectory.start)
        if not window.document.robot.has_dynamics:
            self.mode, self._last = SHOWN, time.monotonic()
            window.simulation.set_replaying(True)
            window.clock.tick.connect(self._on_tick)
            self.changed.emit()
            return
        self.mode = SIMULATED
        if not control.follows:
            control.choose(control.FALLBACK)
            self.remark = CHOSEN_FOR_YOU
        window.simulation.set_trajectory(motion.trajectory)
        window.plots.clear()
        window.simulation.reset()
        window.simulation.run()
        self.changed.emit()

    def stop(self):
        """Pause and let go of the trajectory."""
        if self.mode == SIMULATED:
            self._window.simulation.pause()
            self._window.simulation.set_trajectory(None)
        self._end_shown()
        self._forget()

    def _give_way(self):
        """A recording takes over the arm, and the simulation rests for that one now."""
        if self.mode == SHOWN:
            self._window.clock.tick.disconnect(self._on_tick)
            self.mode = ""
        self.stop()

    def _place(self, q: np.ndarray):
        self._placing = True
        self._window.document.edit(q, text="start of the trajectory")
        self._placing = False

    def _end_shown(self):
        """The arm stays where it was shown last, and the simulation begins there."""
        if self.mode == SHOWN:
            self._window.clock.tick.disconnect(self._on_tick)
            self.mode = ""
            self._window.simulation.set_replaying(False)

    def _forget(self):
        """Nothing is followed any more."""
        self._end_shown()
        if self.motion is not None:
            self.mode, self.motion = "", None
            self.changed.emit()

    def _on_hand(self, _q):
        """A hand on the arm ends the run; undo and redo, too."""
        if self.motion is None or self._placing:
            return
        if self.mode == SIMULATED:
            self._window.simulation.set_trajectory(None)
        self._forget()

    def _on_snapshot(self, snapshot):
        if self.mode == SIMULATED and snapshot.q_desired is not None and (snapshot.running or snapshot.steps):
            self.t = snapshot.t
            error = np.abs(snapshot.q_desired - snapshot.q)
            self.off = (int(error.argmax()), float(error.max()))
            self.moved.emit()

    def _on_tick(self):
        now = time.monotonic()
        self.t += now - self._last
        self._last = now
        self._window.document.follow(self.motion.q_at(self.time))
        if self.t >= self.motion.duration and not self.motion.trajectory.loops:
            self._forget()
        else:
            self.moved.emit()
