"""The guided example, step by step: what can be done next, done on a thread, and told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject

from armature.app.identification import example
from armature.app.identification.chosen_recordings import FIT, UNUSED, ChosenRecordings, Entry, Options
from armature.app.identification.example_page import STEPS, ExamplePage, worth
from armature.app.identification.identify_run import IdentifyRun, Outcome
from armature.app.identification.motion_run import Motion, made
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.shared_sentences import sentence
from armature.app.state.units import grouped, number, significant

if TYPE_CHECKING:
    from armature.engine import Identification, Recording, Robot

NAME = "Example: arm with changed parameters"
DURATION, HARMONICS = 10.0, 5


class ExampleRun(QObject):
    """Goes through the steps on `page`; identifies through `identify`, so that the pages show what was found."""

    def __init__(self, page: ExamplePage, identify: IdentifyRun, show: Callable[[Motion], None], parent: QObject):
        super().__init__(parent)
        self._page, self._identify, self._show = page, identify, show
        self.runner = JobRunner("identify-example", parent)
        self._robot: Robot | None = None
        self._why_not, self._step = "", ""
        self._done: dict[str, Any] = {}  # what came of each step

    def wire(self) -> None:
        """Wire page and threads."""
        page, identify = self._page, self._identify
        page.step_wanted.connect(self._start)
        page.cancel_wanted.connect(self._cancel)
        for runner in (self.runner, identify.runner):
            runner.progressed.connect(self._on_progress)
        self.runner.busy_changed.connect(lambda _: self._allow())
        identify.runner.busy_changed.connect(lambda _: self._allow())
        self.runner.finished.connect(self._on_done)
        self.runner.failed.connect(self._on_failed)
        identify.found.connect(self._on_identified)
        identify.failed.connect(self._on_unidentified)

    def set_robot(self, robot: Robot, why_not: str) -> None:
        """Begin anew with another arm."""
        self.runner.cancel()
        self._robot, self._why_not, self._step, self._done = robot, why_not, "", {}
        for name in STEPS:
            self._page.tell(name, "")
        self._page.show_compared(None)
        self._allow()

    def _start(self, name: str) -> None:
        robot, done = self._robot, self._done
        if robot is None:
            return
        for later in list(STEPS)[list(STEPS).index(name) :]:  # what was found from an earlier step's result is not of this one
            done.pop(later, None)
            self._page.tell(later, "")
        self._page.show_compared(None)
        self._step = name
        if name == "disturb":
            self._on_done(example.true_arm(robot))
        elif name == "motion":
            self.runner.start(lambda job: made(robot, DURATION, HARMONICS, job))
        elif name == "simulate":
            motion = done["motion"].trajectory
            self.runner.start(lambda _: example.recorded(robot, motion))
        elif name == "identify":
            others = (replace(entry, use=UNUSED) for entry in self._identify.chosen.entries if entry.name != NAME)
            self._identify.choose(ChosenRecordings((*others, Entry(NAME, done["simulate"], FIT))))
            self._identify.start(robot, Options())
        else:
            found = done["identify"].robot
            self.runner.start(lambda job: _compared(robot, found, job))

    def _cancel(self) -> None:
        self._step = ""
        self.runner.cancel()
        self._identify.runner.cancel()

    def _on_progress(self, done: int, total: int) -> None:
        if self._step:
            self._page.show_progress(done, total)

    def _on_unidentified(self, text: str) -> None:
        if self._step == "identify":
            self._on_failed(text)

    def _on_identified(self, outcome: Outcome) -> None:
        if self._step == "identify":
            self._on_done(outcome.found)

    def _on_done(self, result: Any) -> None:
        step, self._step = self._step, ""
        if not step or result is None:
            return
        self._done[step] = result
        self._page.tell(step, SAID[step](result))
        if step == "motion":
            self._show(result)
        elif step == "compare":
            self._page.show_compared(result)
        self._allow()

    def _on_failed(self, text: str) -> None:
        if self._step:
            self._page.tell(self._step, sentence(text))
        self._step = ""
        self._allow()

    def _allow(self) -> None:
        busy = self.runner.busy or (self._step == "identify" and self._identify.runner.busy)
        self._page.show_busy(busy)
        names = list(STEPS)
        ready = names[: len(self._done) + 1]
        possible = not (busy or self._identify.runner.busy or self._why_not)
        self._page.show_possible(tuple(ready) if possible else (), self._why_not)
        self._page.show_next(ready[-1] if possible and len(self._done) < len(names) else "")


def _disturbed(arm: Robot) -> str:
    mass = sum(body.mass for body in arm.bodies)
    return f"Its moving mass is now {significant(mass, 3)} kg instead of {significant(mass / example.MASSES, 3)} kg."


def _excited(motion: Motion) -> str:
    return f"Condition number {significant(float(motion.excitation.condition), 3)}; view or run it on the “Motion” tab."


def _simulated(recording: Recording) -> str:
    return f"{grouped(len(recording))} samples in {number(recording.duration, 1)} s; listed under “Recordings” as “{NAME}”."


def _identified(found: Identification) -> str:
    percent = float(np.nanmean(found.residual.percent))
    return f"{len(found.base.names)} parameters; the residual on held-out data is {number(percent, 1)} % of the torque."


SAID: dict[str, Callable[[Any], str]] = {
    "disturb": _disturbed,
    "motion": _excited,
    "simulate": _simulated,
    "identify": _identified,
    "compare": worth,
}


def _compared(robot: Robot, found: Robot, job: Job) -> example.Comparison:
    def tell(done: int, total: int) -> None:
        job.check()
        job.progress(done, total)

    return example.compared(robot, found, tell)
