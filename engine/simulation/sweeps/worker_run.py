"""A run on a worker of a Dask cluster: what is sent to it, what it does, and how its recording is fetched."""

from __future__ import annotations

import pickle
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from armature.engine.simulation.sweeps.computing_facts import Facts, computing_facts, difference, facts_like, robot_facts
from armature.engine.simulation.sweeps.run_task import RunResult, RunTask, perform

_EVERY = 0.5  # s between two words on how far a run has come


@dataclass(frozen=True)
class WorkerAnswer:
    """What a worker at `address` gives back: the result, the files of its recording with their sizes in `folder`, or why not.

    `foreign` says how the worker is set apart from the machine that asks; it has then done nothing.
    """

    address: str
    foreign: str = ""
    result: RunResult | None = None
    folder: str = ""
    files: tuple[tuple[str, int], ...] = ()


def order_of(task: RunTask, topic: str) -> dict[str, Any]:
    """What a worker needs to do the run, with robot, trajectory and law: values that any worker can read."""
    record = task.run.record
    return {
        "facts": computing_facts() | robot_facts(task.run.robot),
        "topic": topic,
        "number": task.number,
        "record": None if record is None else record.name,
        "task": pickle.dumps(replace(task, run=replace(task.run, record=None))),
    }


def work_on(order: dict[str, Any]) -> bytes:
    """Does a run on the worker that calls this; its `WorkerAnswer`, pickled, as nobody on the way reads it."""
    from distributed import get_worker

    worker = get_worker()
    facts: Facts = order["facts"]
    if foreign := difference(facts, facts_like(facts)):
        return pickle.dumps(WorkerAnswer(worker.address, foreign))
    task: RunTask = pickle.loads(order["task"])
    folder = Path(worker.local_directory) / f"armature-{order['topic']}" / str(task.number)
    if order["record"] is not None:
        shutil.rmtree(folder, ignore_errors=True)  # of a run that was taken from this worker and given back
        folder.mkdir(parents=True)
        task = replace(task, run=replace(task.run, record=folder / order["record"]))
    result = perform(task, _told_to_client(worker, order))
    if order["record"] is None:
        return pickle.dumps(WorkerAnswer(worker.address, result=result))
    if result.outcome is None and not result.settled:
        remove_recording(str(folder))
        return pickle.dumps(WorkerAnswer(worker.address, result=result))
    files = tuple((file.name, file.stat().st_size) for file in sorted(folder.iterdir()))
    return pickle.dumps(WorkerAnswer(worker.address, result=result, folder=str(folder), files=files))


def recorded_piece(folder: str, name: str, offset: int, size: int) -> bytes:
    """At most so many bytes of a recording on this worker, from `offset` on."""
    with (Path(folder) / name).open("rb") as file:
        file.seek(offset)
        return file.read(size)


def remove_recording(folder: str) -> None:
    """Once it has been fetched, or is not wanted."""
    shutil.rmtree(folder, ignore_errors=True)


def _told_to_client(worker: Any, order: dict[str, Any]) -> Callable[[float], bool]:
    """Says how far the run is; ends it where it is no longer wanted."""
    key, next_word = worker.get_current_task(), 0.0

    def go_on(share: float) -> bool:
        nonlocal next_word
        if time.monotonic() >= next_word:
            next_word = time.monotonic() + _EVERY
            worker.log_event(order["topic"], (order["number"], share))
        state = worker.state.tasks.get(key)
        return state is not None and state.state != "cancelled"

    return go_on
