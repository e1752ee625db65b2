"""Frames laid by rule at the open arm, before the DH moves; and rotations turned by hand."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QTimer

from armature.app.dh.frames.frame_walk import FrameWalk
from armature.app.dh.frames.panel import FramesPanel
from armature.app.dh.frames.rotation_text import rotation_sketch
from armature.app.feature import Feature
from armature.app.late_feature import LateFeature
from armature.app.state.jobs import JobRunner
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.playing.step_player import StepPlayer
from armature.engine.model.dh.dh_moves import chain_positions
from armature.engine.model.dh.frame_rules import LaidFrames, lay_frames

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot


class FramesFeature(Feature):
    """Works while its dock can be seen: then the scene shows what is laid, and time runs where it is played."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock, steps: LateFeature):
        self._bench, self.dock, self._steps, self.player = bench, dock, steps, StepPlayer()
        self.panel = FramesPanel(bench.preferences.units)
        self.runner = JobRunner("frames", bench.parent)
        self.walk: FrameWalk | None = None
        self._wanted: dict[int, str] = {}
        self._active, self._stale, self._last = False, False, 0.0

    def wire(self) -> None:
        """Wire pages, document, view and dock."""
        bench, assign = self._bench, self.panel.assign
        transport = assign.transport
        transport.requested.connect(self._on_requested)
        transport.seek_requested.connect(self._seek)
        transport.speed_chosen.connect(self.player.set_speed)
        transport.loop_chosen.connect(self.player.set_loop)
        assign.option_chosen.connect(self._choose)
        assign.build_wanted.connect(self._build)
        self.panel.rotations.turned.connect(self._draw)
        self.panel.turned_over.connect(self._show)
        self.runner.finished.connect(self._on_laid)
        self.runner.failed.connect(self._on_failed)
        bench.document.robot_changed.connect(lambda _: self._forget())
        bench.document.q_changed.connect(self._on_q)
        bench.preferences.units_changed.connect(self._on_units)
        self.dock.visibilityChanged.connect(lambda _: QTimer.singleShot(0, self.panel, self._look))
        self._look()

    def shut_down(self) -> None:
        """Nothing of the clock's is waited for any more."""
        self._set_active(False)
        self.runner.stop()

    def bring_up(self, tab: int) -> None:
        """Show a page of it."""
        self.panel.bar.setCurrentIndex(tab)
        self.dock.bring_up()
        self.panel.assign.setFocus()

    def _look(self) -> None:
        """The dock was opened, closed, or went behind another tab."""
        self._set_active(self.dock.isVisible() and on_screen(self.panel))

    def _set_active(self, on: bool) -> None:
        if on == self._active:
            return
        self._active, clock = on, self._bench.clock
        if on:
            clock.tick.connect(self._on_tick)
            clock.reading.connect(self._on_reading)
            if self.walk is None:
                self._lay()
            self._show()
        else:
            clock.tick.disconnect(self._on_tick)
            clock.reading.disconnect(self._on_reading)
            self.player.go_to(self.player.p)
            self._bench.scene.set_sketch(None)

    # -- which frames ----------------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        """Another robot."""
        self.runner.cancel()
        self.walk, self._wanted = None, {}
        self.player.go_to(0.0)
        if self._active:
            self._lay()

    def _lay(self) -> None:
        self.runner.start(partial(_laid, self._bench.document.robot, dict(self._wanted)))

    def _on_laid(self, found: tuple[Robot, LaidFrames]) -> None:
        robot, laid = found
        if robot is not self._bench.document.robot:
            return
        self.walk = FrameWalk(robot, laid)
        self.player.set_moves((False,) * self.walk.count)
        self.panel.assign.set_walk(self.walk)
        self._show()

    def _on_failed(self, why: str) -> None:
        self.walk = None
        self.panel.assign.show_obstacle(f"Cannot assign frames to this arm. {why}")
        self._draw()

    def _choose(self, k: int, option: int) -> None:
        """A person chose between what the rules leave open."""
        if self.walk is not None:
            self._wanted[k] = self.walk.laid.options[k][option]
            self._lay()

    def _build(self) -> None:
        if self.walk is not None:
            self._steps.feature.show_chain(self.walk.laid.description)

    # -- time ------------------------------------------------------------------------------------------------------------------

    def _on_requested(self, name: str) -> None:
        """A button or a key."""
        if self.walk is not None:
            self._last = time.monotonic()
            self.player.obey(name, self.walk.stops)
            self._show()

    def _seek(self, p: float) -> None:
        self.player.go_to(p)
        self._show()

    def _on_units(self, units) -> None:
        self.panel.set_units(units)
        self._show()

    def _on_q(self, _q) -> None:
        if self._active:
            self._draw()
            self._stale = True

    def _on_tick(self) -> None:
        """One frame of the clock."""
        if self.player.busy:
            self._go_on()

    def _go_on(self) -> None:
        now, before = time.monotonic(), self.player.p
        self.player.advance(now - self._last)
        self._last = now
        if not self.player.busy:
            self._show()
        elif self.player.p != before:
            self.panel.assign.transport.show_time(self.player.p, self.player.playing)
            self._draw()
            self._stale = True

    def _on_reading(self) -> None:
        """Words and numbers, as often as they can be read."""
        if self._stale and self.walk is not None:
            self._stale = False
            self.panel.assign.show_moment(self.player.p, self._q)

    @property
    def _q(self) -> np.ndarray:
        """Positions of the chain's joints."""
        assert self.walk is not None
        return chain_positions(self.walk.robot, self.walk.laid.description, self._bench.document.q)

    def _show(self) -> None:
        """Everything, now."""
        if self._active:
            self.panel.assign.transport.show_time(self.player.p, self.player.playing)
            self._stale = True
            self._on_reading()
            self._draw()

    def _draw(self) -> None:
        """The page that is seen, in the view."""
        if not self._active:
            return
        document = self._bench.document
        if self.panel.bar.currentIndex() == 1:
            self._bench.scene.set_sketch(rotation_sketch(self.panel.rotations.angles, document.robot.reach))
        elif self.walk is not None and self.walk.robot is document.robot:
            self._bench.scene.set_sketch(self.walk.sketch(self.player.p, document.q))
        else:
            self._bench.scene.set_sketch(None)


def _laid(robot: Robot, wanted: dict[int, str], _job) -> tuple[Robot, LaidFrames]:
    return robot, lay_frames(robot, wanted)
