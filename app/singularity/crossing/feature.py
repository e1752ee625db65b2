"""Going through a singularity: three runs of one path computed in the background, as curves and as see-through arms."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.scene.arm.ghost_item import GhostLook
from armature.app.singularity.crossing.crossing_runs import METHODS, STEPS, CrossingRuns, cross, reason_against
from armature.app.singularity.crossing.panel import CrossingPanel
from armature.app.state.jobs import JobRunner
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

RUNNING = "Pause the simulation first: the path starts near the current pose."
CANCELLED = "Cancelled."
PAUSE = 0.6  # s that the arms rest at the end before they begin again


class CrossingFeature(Feature):
    """Joins the crossing dock with document, scene and clock."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock):
        self._bench, self.dock = bench, dock
        self.panel = CrossingPanel(bench.preferences.units)
        self.runner = JobRunner("crossing", bench.parent)
        self.runs: CrossingRuns | None = None
        self._began: float | None = None
        self._shown = False

    def wire(self) -> None:
        """Wire panel, runner, document and clock."""
        bench, panel = self._bench, self.panel
        for signal, slot in (
            (panel.compute_requested, self._compute),
            (panel.cancel_requested, self._cancel),
            (panel.clear_requested, self.clear),
            (panel.play_requested, self._play),
            (panel.seek_requested, self._seek),
            (panel.hidden, self._hide),
            (self.dock.visibilityChanged, self._on_visible),
            (self.runner.busy_changed, panel.path.show_busy),
            (self.runner.progressed, panel.path.show_progress),
            (self.runner.finished, self._on_finished),
            (self.runner.failed, self._on_failed),
            (bench.document.robot_changed, self._on_robot),
            (bench.document.q_changed, lambda _: self._hide()),
            (bench.simulation.running_changed, lambda _: self._show_possible()),
            (bench.preferences.units_changed, panel.set_units),
            (bench.look.changed, self._on_theme),
            (bench.clock.tick, self._on_tick),
            (bench.scene.ghosts_dismissed, lambda owner: owner is self and self._hide()),
        ):
            signal.connect(slot)
        panel.path.show_busy(False)
        self._on_robot(bench.document.robot)

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self._began = None
        self.runner.stop()

    def clear(self, why: str = "") -> None:
        """Drop the runs, the computation under way and the see-through arms."""
        self.runner.cancel()
        self._hide()
        self.runs = None
        self.panel.show_runs(None, *[why] * bool(why))
        self._show_possible(why)

    # -- what happens ----------------------------------------------------------------------------------------------------------

    def _on_robot(self, robot) -> None:
        self.panel.set_robot(robot)
        self.clear()

    def _on_theme(self, _) -> None:
        if self._shown:
            self._show(self.panel.timeline.value())

    def _show_possible(self, why: str = "") -> None:
        running = RUNNING if self._bench.simulation.running else ""
        self.panel.show_possible(reason_against(self._bench.document.robot) or running)
        if why:
            self.panel.show_runs(None, why)

    def _on_finished(self, runs: CrossingRuns | None) -> None:
        if runs is None:
            self.clear(CANCELLED)
            return
        self.runs = runs
        self.panel.show_runs(runs)
        self._seek(STEPS // 2)

    def _on_failed(self, text: str) -> None:
        self.clear(text)

    # -- requests ----------------------------------------------------------------------------------------------------------------

    def _compute(self) -> None:
        self.clear()
        self._bench.replay.close()
        document = self._bench.document
        self.runner.start(partial(cross, document.robot, document.q, self.panel.requested))

    def _cancel(self) -> None:
        self.clear(CANCELLED)

    def _play(self, on: bool) -> None:
        step = self.panel.timeline.value()
        start = 0 if step >= STEPS else step
        self._began = time.monotonic() - start / STEPS * self.runs.requested.duration if on and self.runs else None
        self.panel.show_playing(self._began is not None)

    def _seek(self, step: int) -> None:
        """A person chose a time."""
        self._began = None
        self.panel.show_playing(False)
        self._show(step)

    def _on_visible(self, seen: bool) -> None:
        """Behind another tab nothing is hidden for Qt."""
        if not seen:
            self._hide()

    def _on_tick(self) -> None:
        if self._began is not None and self.runs is not None:
            duration = self.runs.requested.duration
            t = (time.monotonic() - self._began) % (duration + PAUSE)
            self._show(min(STEPS, round(t / duration * STEPS)))

    def _show(self, step: int) -> None:
        """The three arms at a step of the runs."""
        if self.runs is not None:
            self.panel.show_step(step)
            if on_screen(self.panel):
                self._shown = True
                colours, title = self._bench.look.tokens.series[: len(METHODS)], "Crossing: one ghost arm per method"
                self._bench.scene.show_ghosts(self, self.runs.poses[:, step], colours, GhostLook.CROSSING, title)

    def _hide(self) -> None:
        """Not seen any more, or the arm was moved: no see-through arms; the curves stay."""
        self._began = None
        self.panel.show_playing(False)
        self._shown = False
        self._bench.scene.clear_ghosts(self)
