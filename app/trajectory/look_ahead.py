"""`LookAhead`: a look ahead at a trajectory with a ghost of the arm, at one moment of it or in motion."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.scene.arm.ghost_item import GhostLook
from armature.app.trajectory.trajectory_preview import Preview

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class LookAhead(QObject):
    """`moved` when it is at another moment, begins or stops; the ghost is there only while it is `visible`."""

    moved = Signal()

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench = bench
        self.preview: Preview | None = None
        self.t, self.running, self.visible = 0.0, False, False
        self._last = 0.0
        bench.scene.ghosts_dismissed.connect(self._on_dismissed)

    @property
    def fraction(self) -> float:
        """The moment as a share of the trajectory, 0…1."""
        return self.t / self.preview.duration if self.preview is not None else 0.0

    def take(self, preview: Preview | None) -> None:
        """Another trajectory, from the same moment on; without one it stops, and the last picture stands until there is one."""
        if preview is None:
            self.run(False)
        else:
            self.t = min(self.t, preview.duration)
        self.preview = preview

    def seek(self, t: float) -> None:
        """Go to a moment, s from the beginning."""
        if self.preview is not None:
            self.t = t
            self.draw()

    def run(self, on: bool) -> None:
        """Let the ghost go on, or stand."""
        if on == self.running:
            return
        self.running, self._last, clock = on, time.monotonic(), self._bench.clock
        (clock.tick.connect if on else clock.tick.disconnect)(self._on_tick)
        if on and self.preview is not None and self.t >= self.preview.duration:
            self.t = 0.0
        self.draw()

    def draw(self) -> None:
        """The ghost where the arm will be; none at the very beginning, where it has just been put."""
        if self.visible and self.preview is not None and (self.t > 0 or self.running):
            self.show_pose(self.preview.robot, self.preview.q_at(self.t))
        else:
            self._bench.scene.clear_ghosts(self)
        self.moved.emit()

    def show_pose(self, robot: engine.Robot, q: np.ndarray) -> None:
        """The ghost at any q `(n,)`."""
        poses, colours = engine.link_poses(robot, q)[None], (self._bench.look.tokens.accent,)
        self._bench.scene.show_ghosts(self, poses, colours, GhostLook.AHEAD, "Trajectory preview")

    def _on_dismissed(self, owner: object) -> None:
        """Back to the beginning, where the arm itself stands."""
        if owner is self:
            self.t = 0.0
            self.run(False)
            self.draw()

    def _on_tick(self) -> None:
        now, preview = time.monotonic(), self.preview
        self.t += now - self._last
        self._last = now
        if preview is not None and self.t >= preview.duration:
            if not preview.trajectory.loops:
                self.t = preview.duration
                self.run(False)
                return
            self.t %= preview.duration
        self.draw()
