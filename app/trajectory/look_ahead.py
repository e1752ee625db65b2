"""`LookAhead`: a ghost of the arm at one time of the planned trajectory, or in motion."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.scene.arm.ghost_item import GhostLook
from armature.app.scene.gl import palette
from armature.app.state.evented import on
from armature.app.trajectory.clearance_check import EPSILON
from armature.app.trajectory.trajectory_model import TrajectoryModel

if TYPE_CHECKING:
    from armature.app.trajectory.trajectory_preview import Preview
    from armature.app.workbench import Workbench

EARLIEST = 1e-3  # s: no ghost is drawn at t = 0


class LookAhead(QObject):
    """The ghost is hidden with the dock and while the arm itself follows a trajectory. `moved` after each change of time or
    motion; the time changes with every frame and bypasses the binder."""

    moved = Signal()

    def __init__(self, bench: Workbench, model: TrajectoryModel):
        super().__init__(bench.parent)
        self._bench, self._model = bench, model
        self._preview: Preview | None = None
        self.t, self.running = 0.0, False
        self._last, self._is_awaited = 0.0, False  # whether the selected waypoint is shown as soon as its time is known

    def wire(self) -> None:
        """Show the ghost of the model's preview."""
        self._bench.scene.ghosts_dismissed.connect(self._on_dismissed)
        self._bench.look.changed.connect(lambda _: self.draw())
        self._bench.views.bind(self._show, on(self._model, "preview", "is_planned", "plan_error", "is_shown", "followed"))

    @property
    def fraction(self) -> float:
        """Time as a share of the trajectory, 0…1."""
        return self.t / self._preview.duration if self._preview is not None else 0.0

    @property
    def is_visible(self) -> bool:
        """True if the ghost can be seen."""
        return self._model.is_shown and self._model.followed is None

    def select(self, row: int) -> None:
        """Select a waypoint, −1 for none, and show the ghost there, now or as soon as the trajectory is planned."""
        if row < len(self._model.draft.waypoints):
            self._model.selected = row
            self._is_awaited = self._is_awaited or self._model.preview is None
            self._show_waypoint()
            self.draw()

    def seek(self, fraction: float) -> None:
        """Show the ghost at a share of the trajectory, 0…1."""
        if self._preview is not None:
            self.t = fraction * self._preview.duration
            self.draw()

    def show_contact(self) -> None:
        """Show the ghost at the first contact of the trajectory."""
        check = self._model.clearance
        if check is not None and check.first is not None:
            self.run(False)
            self.seek(max(check.first.time, EARLIEST) / check.preview.duration)

    def run(self, on: bool) -> None:
        """Move or stop the ghost."""
        if on == self.running:
            return
        self.running, self._last, clock = on, time.monotonic(), self._bench.clock
        (clock.tick.connect if on else clock.tick.disconnect)(self._on_tick)
        if on and self._preview is not None and self.t >= self._preview.duration:
            self.t = 0.0
        self.draw()

    def draw(self) -> None:
        """Draw the ghost, except at t = 0, where it would cover the arm."""
        if self.is_visible and self._preview is not None and (self.t > 0 or self.running):
            self._draw_pose(self._preview.robot, self._preview.q_at(self.t))
        else:
            self._bench.scene.stage.clearance.ahead = None
            self._bench.scene.clear_ghosts(self)
        self.moved.emit()

    def show_dragged(self, q: np.ndarray | None) -> None:
        """Draw the ghost at the dragged waypoint, `q` `(n,)`, or None where it is given by the pose of the tool."""
        self._is_awaited = True
        if q is not None and self.is_visible:
            self._draw_pose(self._model.robot, q)

    def _show(self) -> None:
        model, found = self._model, self._model.preview
        if found is None or not self.is_visible:
            self.run(False)
        is_new, self._preview = found is not self._preview, found
        if found is not None and is_new:
            self.t = min(self.t, found.duration)
            if self._is_awaited:
                self._is_awaited = model.is_dragged
                self._show_waypoint()
        is_computed = found is None and model.is_planned and not model.plan_error
        if not (is_computed and self.is_visible):  # the last picture remains until the next one
            self.draw()

    def _show_waypoint(self) -> None:
        preview, k = self._model.preview, self._model.selected
        if preview is not None and 0 <= k < len(preview.times):
            self._preview, self.t = preview, float(preview.times[k])

    def _draw_pose(self, robot: engine.Robot, q: np.ndarray) -> None:
        from armature.engine.contact.collision import pair_contact  # numba: not while a window opens

        check, clearance = self._model.clearance, self._bench.scene.stage.clearance
        contact = None if check is None else pair_contact(check.contacts, np.ascontiguousarray(q))
        clearance.ahead = None if contact is None or contact.distance > EPSILON else contact
        colour = self._bench.look.tokens.accent if clearance.ahead is None else palette.CONTACT
        poses, colours = engine.link_poses(robot, q)[None], (colour,)
        self._bench.scene.show_ghosts(self, poses, colours, GhostLook.AHEAD, "Trajectory preview")

    def _on_dismissed(self, owner: object) -> None:
        if owner is self:
            self.t = 0.0
            self.run(False)
            self.draw()

    def _on_tick(self) -> None:
        now, preview = time.monotonic(), self._preview
        self.t += now - self._last
        self._last = now
        if preview is not None and self.t >= preview.duration:
            if not preview.trajectory.loops:
                self.t = preview.duration
                self.run(False)
                return
            self.t %= preview.duration
        self.draw()
