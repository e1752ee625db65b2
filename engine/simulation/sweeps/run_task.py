"""`RunTask` and `RunResult`: one run in the process that performs it, here or on a worker of a Dask cluster."""

from __future__ import annotations

import pickle
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from armature.engine.errors import Cancelled, EngineError, RecordingError
from armature.engine.simulation.runs.scenario_run import RunOutcome, ScenarioRun
from armature.engine.simulation.sweeps.computing_facts import Facts, computing_facts, difference, facts_like, robot_facts


@dataclass(frozen=True)
class RunTask:
    """One run of a sweep; `overwrite`: replace its existing recording."""

    number: int
    run: ScenarioRun
    overwrite: bool = False


@dataclass(frozen=True)
class RunResult:
    """Outcome of a run, or the `trouble` that prevented it, after `seconds`.

    `settled`: a repetition would have the same result, as for a run that diverges, but not after a disk error.
    """

    number: int
    outcome: RunOutcome | None
    trouble: str
    settled: bool
    seconds: float


def perform(task: RunTask, go_on: Callable[[float], bool]) -> RunResult:
    """Perform a run in this process; `go_on` is called with the completed share, and cancels the run with False."""
    began = time.perf_counter()
    outcome, trouble, settled = None, "", True
    try:
        outcome = task.run.perform(task.overwrite, go_on)
    except EngineError as error:
        trouble, settled = str(error), not isinstance(error, RecordingError)
    except Cancelled:
        trouble, settled = "stopped", False
    return RunResult(task.number, outcome, trouble, settled, time.perf_counter() - began)


_EVERY = 0.5  # s between two reports of progress


@dataclass(frozen=True)
class WorkerAnswer:
    """Answer of the worker at `address`: the result, and the files of its recording in `folder` with their sizes.

    `foreign`: difference between the worker and this machine, for which it did not perform the run.
    """

    address: str
    foreign: str = ""
    result: RunResult | None = None
    folder: str = ""
    files: tuple[tuple[str, int], ...] = ()


def order_of(task: RunTask, topic: str) -> dict[str, Any]:
    """Return a run, with robot, trajectory and controller, as values that any worker can read."""
    record = task.run.record
    return {
        "facts": computing_facts() | robot_facts(task.run.robot),
        "topic": topic,
        "number": task.number,
        "record": None if record is None else record.name,
        "task": pickle.dumps(replace(task, run=replace(task.run, record=None))),
    }


def work_on(order: dict[str, Any]) -> bytes:
    """Perform a run on the calling worker; return its `WorkerAnswer`, pickled, because the scheduler cannot read it."""
    from distributed import get_worker

    worker = get_worker()
    facts: Facts = order["facts"]
    if foreign := difference(facts, facts_like(facts)):
        return pickle.dumps(WorkerAnswer(worker.address, foreign))
    task: RunTask = pickle.loads(order["task"])
    folder = Path(worker.local_directory) / f"armature-{order['topic']}" / str(task.number)
    if order["record"] is not None:
        shutil.rmtree(folder, ignore_errors=True)  # of an earlier attempt on this worker
        folder.mkdir(parents=True)
        task = replace(task, run=replace(task.run, record=folder / order["record"]))
    result = perform(task, _progress(worker, order))
    if order["record"] is None:
        return pickle.dumps(WorkerAnswer(worker.address, result=result))
    if result.outcome is None and not result.settled:
        remove_recording(str(folder))
        return pickle.dumps(WorkerAnswer(worker.address, result=result))
    files = tuple((file.name, file.stat().st_size) for file in sorted(folder.iterdir()))
    return pickle.dumps(WorkerAnswer(worker.address, result=result, folder=str(folder), files=files))


def recorded_piece(folder: str, name: str, offset: int, size: int) -> bytes:
    """Return at most `size` bytes of a recording on this worker, from `offset`."""
    with (Path(folder) / name).open("rb") as file:
        file.seek(offset)
        return file.read(size)


def remove_recording(folder: str) -> None:
    """Delete a recording on this worker."""
    shutil.rmtree(folder, ignore_errors=True)


def _progress(worker: Any, order: dict[str, Any]) -> Callable[[float], bool]:
    """Return a function that reports progress to the client, and returns False for a cancelled run."""
    key, next_report = worker.get_current_task(), 0.0

    def go_on(share: float) -> bool:
        nonlocal next_report
        if time.monotonic() >= next_report:
            next_report = time.monotonic() + _EVERY
            worker.log_event(order["topic"], (order["number"], share))
        state = worker.state.tasks.get(key)
        return state is not None and state.state != "cancelled"

    return go_on
