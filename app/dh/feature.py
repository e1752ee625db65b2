"""The DH stepper: the frames of the open arm built move by move, in the dock and in the scene."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from armature import engine
from armature.app.dh.panel import DHStepsPanel
from armature.app.feature import Feature
from armature.app.scene.overlays.dh_walk import DHWalk
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.playing.step_player import StepPlayer

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import DHDescription


class DHSteps(Feature):
    """Works while its dock can be seen: then the scene shows the walk, and time runs where it is played."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock):
        self._bench, self.dock, self.player = bench, dock, StepPlayer()
        self.panel = DHStepsPanel(bench.preferences.units)
        self.walk: DHWalk | None = None
        self._active, self._stale, self._last = False, False, 0.0

    def wire(self) -> None:
        """Wire panel, document, view and dock."""
        bench, panel = self._bench, self.panel
        panel.requested.connect(self._on_requested)
        panel.seek_requested.connect(self._seek)
        panel.speed_chosen.connect(self.player.set_speed)
        panel.loop_chosen.connect(self.player.set_loop)
        panel.convention_chosen.connect(self._start_over)
        bench.document.robot_changed.connect(lambda _: self._forget())
        bench.document.q_changed.connect(self._on_q)
        bench.preferences.units_changed.connect(self._on_units)
        self.dock.visibilityChanged.connect(lambda _: QTimer.singleShot(0, self.panel, self._look))
        self._show()

    def shut_down(self) -> None:
        """Nothing of the clock's is waited for any more."""
        self._set_active(False)

    def show_chain(self, chain: DHDescription) -> None:
        """Build these frames of the open arm, until another convention or another robot is chosen."""
        document = self._bench.document
        self._begin(DHWalk(document.robot, document.q, chain=chain))
        self.bring_up()

    def bring_up(self) -> None:
        """Show it; its keys work at once."""
        self.dock.bring_up()
        self.panel.setFocus()

    def _look(self):
        """The dock was opened, closed, or went behind another tab."""
        self._set_active(self.dock.isVisible() and on_screen(self.panel))

    def _set_active(self, on: bool):
        if on == self._active:
            return
        self._active, clock = on, self._bench.clock
        if on:
            clock.tick.connect(self._on_tick)
            clock.reading.connect(self._on_reading)
            self._start_over() if self.walk is None else self._on_q(self._bench.document.q)
        else:
            clock.tick.disconnect(self._on_tick)
            clock.reading.disconnect(self._on_reading)
            self.player.go_to(self.player.p)
            self._bench.scene.set_dh_step(None)
        self._show()

    def _forget(self):
        """Another robot."""
        self.walk = None
        self.player.go_to(0.0)
        if self._active:
            self._start_over()

    def _start_over(self, convention: str | None = None):
        """From the base, in this convention, or the robot's own."""
        document = self._bench.document
        try:
            walk = DHWalk(document.robot, document.q, convention)
        except engine.ModelError as error:
            self.walk = None
            self.panel.show_nothing(f"Cannot build a DH chain for this arm. {error}")
            self._bench.scene.set_dh_step(None)
            return
        self._begin(walk)

    def _begin(self, walk: DHWalk):
        """Walk along this one, from its start."""
        self.walk = walk
        self.player.go_to(0.0)
        self.player.set_moves(walk.still)
        self.panel.set_walk(walk)
        self._show()

    def _on_q(self, q):
        if self._active and self.walk is not None:
            self.walk.set_q(q)
            self.player.set_moves(self.walk.still)
            self._show_scene()
            self._stale = True

    def _on_requested(self, name: str):
        """A button or a key."""
        if self.walk is None:
            return
        self._last = time.monotonic()
        self.player.obey(name, self.walk.joint_stops)
        self._show()

    def _seek(self, p: float):
        self.player.go_to(p)
        self._show()

    def _on_units(self, units):
        self.panel.set_units(units)
        self._show()

    def _on_tick(self):
        """One frame of the clock."""
        if self.player.busy:
            self._go_on()

    def _go_on(self):
        now = time.monotonic()
        before = self.player.p
        self.player.advance(now - self._last)
        self._last = now
        if not self.player.busy:
            self._show()
        elif self.player.p != before:
            self.panel.show_time(self.player.p, self.player.playing)
            self._show_scene()
            self._stale = True

    def _on_reading(self):
        """Numbers, as often as they can be read."""
        if self._stale and self.walk is not None:
            self._stale = False
            self.panel.show_step(self.walk.step(self.player.p))

    def _show(self):
        """Everything, now."""
        if not self._active or self.walk is None:
            return
        self.panel.show_time(self.player.p, self.player.playing)
        self._stale = True
        self._on_reading()
        self._show_scene()

    def _show_scene(self):
        if self.walk is not None:
            step = self.walk.step(self.player.p)
            self._bench.scene.set_dh_step(step, step.value(self._bench.preferences.units))
