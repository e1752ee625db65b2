"""`RunTask` and `RunResult`: one run on its way to the process that performs it, and what comes back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from armature.engine.errors import Cancelled, EngineError, RecordingError
from armature.engine.simulation.runs.scenario_run import RunOutcome, ScenarioRun


@dataclass(frozen=True)
class RunTask:
    """The run of a sweep that has this number; `overwrite`: whether a recording in its place is replaced."""

    number: int
    run: ScenarioRun
    overwrite: bool = False


@dataclass(frozen=True)
class RunResult:
    """What became of a run: its outcome, or why there is none, and the seconds it took.

    `settled`: whether it would end so again, as a run that diverges does, and one that the disk broke off does not.
    """

    number: int
    outcome: RunOutcome | None
    trouble: str
    settled: bool
    seconds: float


def perform(task: RunTask, go_on: Callable[[float], bool]) -> RunResult:
    """Does the run here; `go_on` is told the share that is done, and stops it with False."""
    began = time.perf_counter()
    outcome, trouble, settled = None, "", True
    try:
        outcome = task.run.perform(task.overwrite, go_on)
    except EngineError as error:
        trouble, settled = str(error), not isinstance(error, RecordingError)
    except Cancelled:
        trouble, settled = "stopped", False
    return RunResult(task.number, outcome, trouble, settled, time.perf_counter() - began)
