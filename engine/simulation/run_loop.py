"""The run loop: the steps of a simulation in batches, as fast as possible or in real time, with scheduled changes of the arm."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from armature.engine.errors import Cancelled, EngineError
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.simulation.commands import SetModel, SetPayload
from armature.engine.simulation.pacer import Pacer
from armature.engine.simulation.recorded_conditions import note_of
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper

BATCH = 5000  # steps between two checks for an interrupt
WAKE = 0.004  # s between two batches in real time
_EARLY = 1e-6  # of a step: rounding of the time that must not delay a change

Change = tuple[float, Payload | Robot | None]
"""Time in s, and the payload from then on, None for no payload, or the robot with other parameters."""


class Schedule:
    """Changes of the arm during a run, each at the first step at or after its time; `notes`: their events in a recording.

    Raises EngineError for a time or a value that is no `Change`.
    """

    def __init__(self, changes: Sequence[Change], dt: float):
        for t, what in changes:
            if not (isinstance(t, (int, float)) and t >= 0):
                raise EngineError(f"the time of a change must be 0 s or later, not {t!r}")
            if not (what is None or isinstance(what, (Payload, Robot))):
                raise EngineError(f"a change must be a Payload, None for no payload, or a Robot, not {what!r:.60}")
        self._due = sorted(((int(-(-(t / dt - _EARLY) // 1)), what) for t, what in changes), key=lambda change: change[0])
        self.notes: list[dict[str, Any]] = []

    def apply(self, stepper: Stepper) -> int | None:
        """Carry out the changes that are due; return the steps until the next one, None after the last."""
        while self._due and self._due[0][0] <= stepper.steps:
            _, what = self._due.pop(0)
            command = SetModel(what) if isinstance(what, Robot) else SetPayload(what)
            stepper.apply(command)
            self.notes.append({"row": stepper.steps, **note_of(stepper, command.kind)})
        return self._due[0][0] - stepper.steps if self._due else None


def run(
    stepper: Stepper,
    steps: int,
    most: int = BATCH,
    *,
    schedule: Schedule | None = None,
    pacer: Pacer | None = None,
    clock: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], None] = time.sleep,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[StepBatch]:
    """Yield `steps` steps in batches of at most `most`, then the sample at the end.

    With a `pacer` in real time by `clock`. Raises DivergenceError after the batch that diverged, and Cancelled if
    `cancelled` returns True before a batch.
    """
    if pacer is not None:
        stepper.probe()  # the first call loads compiled code, which is no cost of a step
        pacer.start(clock())
    left = steps
    while left:
        if cancelled():
            raise Cancelled
        free = None if schedule is None else schedule.apply(stepper)
        limit = min(left, most, free or left)
        batch = stepper.advance(limit) if pacer is None else advance_due(stepper, pacer, clock, limit)
        if batch is not None:
            yield batch
            if batch.divergence is not None:
                raise batch.divergence.error()
            left -= len(batch.states)
        if pacer is not None:
            sleep(min(WAKE, left * stepper.dt / pacer.speed))
    yield stepper.probe()


def advance_due(stepper: Stepper, pacer: Pacer, clock: Callable[[], float], most: int | None = None) -> StepBatch | None:
    """Take the steps that are due by `clock`, at most `most`, fewer with slow user code; return None if none is due."""
    start = clock()
    limits = most, stepper.control.batch_limit(stepper.dt)
    due = min([pacer.due(start), *(limit for limit in limits if limit is not None)])
    if not due:
        return None
    batch = stepper.advance(due)
    end = clock()
    pacer.done(end, len(batch.states), end - start)
    return batch
