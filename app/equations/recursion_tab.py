"""Tab *Recursion*: Newton–Euler walked move by move, in the dock and in the view."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from armature.app.equations.recursion_motion import RecursionMotion, Walked
from armature.app.equations.recursion_page import RecursionPage
from armature.app.equations.tab import EquationTab
from armature.app.scene.overlays.newton_euler.rnea_walk import Phase, RneaWalk
from armature.app.state.shared_sentences import no_masses
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.playing.step_player import StepPlayer

if TYPE_CHECKING:
    from armature.app.state.slices import Steps
    from armature.app.style.colour_tokens import Tokens
    from armature.app.workbench import Workbench
    from armature.engine import Robot


class RecursionTab(EquationTab):
    """While it is seen the view shows the move, the arm is followed, and time runs where the walk is played."""

    title = "Recursion"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self.player, self.page = StepPlayer(), RecursionPage()
        self.walk: RneaWalk | None = None
        self._walked: Walked | None = None
        self._robot: Robot | None = None
        self._seen, self._stale, self._drawn, self._last = False, False, False, 0.0

    def making(self) -> Steps:
        """The page."""
        self.column.addWidget(self.page)
        yield from self.page.making()

    def connect_bench(self) -> None:
        """Wire the page."""
        self._motion = RecursionMotion(self.bench)
        transport = self.page.transport
        transport.requested.connect(self._on_requested)
        transport.seek_requested.connect(self._seek)
        transport.speed_chosen.connect(self.player.set_speed)
        transport.loop_chosen.connect(self.player.set_loop)
        self.page.axes_chosen.connect(self._write)

    def set_robot(self, robot: Robot) -> None:
        """Another walk, from its start."""
        self._robot, self.walk, self._walked = robot, None, None
        self.player.go_to(0.0)
        self.page.set_robot(robot)
        self.page.show_obstacle("" if robot.has_dynamics else no_masses(robot.name))
        if self._seen:
            self.bench.scene.set_rnea_step(None)

    def follow(self) -> None:
        """Numbers as often as they can be read; from now on the view follows every frame."""
        if not self._seen:
            self._seen, self._stale, self._drawn = True, True, False  # words now, arrows with the next frame
            self.bench.clock.tick.connect(self._on_tick)
            self._look()
        if self._stale:
            self._write()

    def leave(self) -> None:
        """Neither seen nor reckoned any more."""
        if self._seen:
            self._seen = False
            self.bench.clock.tick.disconnect(self._on_tick)
            self.player.go_to(self.player.p)
            self.bench.scene.set_rnea_step(None)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of page and text."""
        self.page.set_theme(tokens)
        self._stale = True

    def shut_down(self) -> None:
        """End the thread."""
        self.leave()
        self._motion.stop()

    def _look(self) -> bool:
        """Take the motion on screen; whether it is another one."""
        if self._robot is None or not self._robot.has_dynamics:
            return False
        walked = self._motion.now()
        if isinstance(walked, str):
            changed = self.walk is not None
            self.walk = self._walked = None
            self.page.show_obstacle(walked)
            return changed
        if len(walked.q) != self._robot.n or walked.equals(self._walked):
            return False
        if self.walk is None:
            self.page.show_obstacle("")
        self._walked = walked
        self.walk = RneaWalk(walked.robot, walked.q, walked.qd, walked.qdd)
        if self.player.count != self.walk.count:
            self.player.set_moves((False,) * self.walk.count)
            self.page.transport.set_count(self.walk.count)
        return True

    def _on_tick(self) -> None:
        """One frame of the clock."""
        if not on_screen(self):
            self.leave()
            return
        before = self.player.p
        if self.player.busy:
            now = time.monotonic()
            self.player.advance(now - self._last)
            self._last = now
        if self._look() or self.player.p != before:
            self._drawn, self._stale = False, True
        if not self._drawn:
            self._draw()
        self.page.transport.show_time(self.player.p, self.player.playing)

    def _on_requested(self, name: str) -> None:
        """A button or a key."""
        if self.walk is None:
            return
        stops = [self.walk.stop(phase) for phase in Phase if phase != Phase.START] + [self.walk.count]
        self._last = time.monotonic()
        self.player.obey(name, stops)
        self._show()

    def _seek(self, p: float) -> None:
        self.player.go_to(p)
        self._show()

    def _show(self) -> None:
        """Everything, now."""
        if self._seen:
            self.page.transport.show_time(self.player.p, self.player.playing)
            self._draw()
            self._write()

    def _draw(self) -> None:
        """Arrows in the view."""
        self._drawn = True
        self.bench.scene.set_rnea_step(None if self.walk is None else self.walk.moment(self.player.p))

    def _write(self) -> None:
        """Words and numbers."""
        if self.walk is not None and self._walked is not None:
            self._stale = False
            self.page.show_moment(self.walk, self.player.p, self._walked.source)
