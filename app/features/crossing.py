"""Going through a singularity: three runs of one path computed in the background, as curves and as see-through arms."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from app.crossing_runs import METHODS, STEPS, CrossingRuns, cross, reason_against
from app.jobs import JobRunner
from app.panels.crossing import CrossingPanel

if TYPE_CHECKING:
    from app.main_window import MainWindow

RUNNING = "Pause the simulation first: the path begins near the pose that the arm has."
CANCELLED = "Cancelled."
PAUSE = 0.6  # s that the arms rest at the end before they begin again


class CrossingFeature:
    """Joins the crossing dock with document, scene and clock."""

    def __init__(self, window: MainWindow):
        self._window = window
        self.panel = CrossingPanel(window.preferences.units)
        self.panels = {"crossing": self.panel}
        self.runner = JobRunner("crossing", window)
        self.runs: CrossingRuns | None = None
        self._began: float | None = None
        self._shown = False

    def connect(self) -> None:
        """Wire panel, runner, document and clock."""
        window, panel = self._window, self.panel
        for signal, slot in (
            (panel.compute_asked, self._compute),
            (panel.cancel_asked, self._cancel),
            (panel.clear_asked, self.clear),
            (panel.play_asked, self._play),
            (panel.seek_asked, self._seek),
            (panel.hidden, self._hide),
            (self.runner.busy_changed, panel.path.show_busy),
            (self.runner.progressed, panel.path.show_progress),
            (self.runner.finished, self._on_finished),
            (self.runner.failed, self._on_failed),
            (window.document.robot_changed, self._on_robot),
            (window.document.q_changed, lambda _: self._hide()),
            (window.simulation.running_changed, lambda _: self._show_possible()),
            (window.preferences.units_changed, panel.set_units),
            (window.themed, self._on_theme),
            (window.clock.tick, self._on_tick),
        ):
            signal.connect(slot)
        panel.path.show_busy(False)
        self._on_robot(window.document.robot)

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
        running = RUNNING if self._window.simulation.running else ""
        self.panel.show_possible(reason_against(self._window.document.robot) or running)
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

    # -- what is asked for -----------------------------------------------------------------------------------------------------

    def _compute(self) -> None:
        self.clear()
        self._window.recordings.close_replay()
        document = self._window.document
        self.runner.start(partial(cross, document.robot, document.q, self.panel.asked))

    def _cancel(self) -> None:
        self.clear(CANCELLED)

    def _play(self, on: bool) -> None:
        step = self.panel.timeline.value()
        start = 0 if step >= STEPS else step
        self._began = time.monotonic() - start / STEPS * self.runs.asked.duration if on and self.runs else None
        self.panel.show_playing(self._began is not None)

    def _seek(self, step: int) -> None:
        """A person chose a time."""
        self._began = None
        self.panel.show_playing(False)
        self._show(step)

    def _on_tick(self) -> None:
        if self._began is not None:
            duration = self.runs.asked.duration
            t = (time.monotonic() - self._began) % (duration + PAUSE)
            self._show(min(STEPS, round(t / duration * STEPS)))

    def _show(self, step: int) -> None:
        """The three arms at a step of the runs."""
        if self.runs is not None:
            self._shown = True
            self._window.scene.show_ghosts(self, self.runs.poses[:, step], self._window.tokens.series[: len(METHODS)])
            self.panel.show_step(step)

    def _hide(self) -> None:
        """Nobody looks, or the arm was moved: no see-through arms; the curves stay."""
        self._began = None
        self.panel.show_playing(False)
        self._shown = False
        self._window.scene.clear_ghosts(self)
