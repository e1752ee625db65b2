"""The run loop: the steps of a simulation in batches, as fast as possible or in real time, with scheduled changes of the arm."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from math import floor
from statistics import median
from typing import Any

from armature.engine.errors import Cancelled, EngineError
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.simulation.commands import SetModel, SetPayload
from armature.engine.simulation.recorded_conditions import note_of
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper

BATCH = 5000  # steps between two checks for an interrupt
WAKE = 0.004  # s between two batches in real time
FRAME = 1 / 60  # s, one picture of the window
SHARE = 0.7  # of a frame that one batch may take
SLACK = 0.1  # s; a longer delay is dropped instead of caught up
WINDOW = 1.0  # s over which the real-time factor is measured
_FIRST = 8  # steps in a batch before any cost is known
_EARLY = 1e-6  # of a step: rounding of the time that must not delay a change

Change = tuple[float, Payload | Robot | None]
"""Time in s, and the payload from then on, None for no payload, or the robot with other parameters."""


class Pacer:
    """Computes the number of steps that are due, so that simulated time follows the wall clock.

    It counts steps from an anchor on the wall clock; the caller passes all times, in s.
    """

    def __init__(self, dt: float, speed: float = 1.0):
        self.dt, self.speed = dt, speed
        self._costs: deque[float] = deque(maxlen=9)
        self._history: deque[tuple[float, float]] = deque()
        self._wall, self._steps, self._simulated = 0.0, 0, 0.0

    def start(self, wall: float) -> None:
        """Set the anchor to `wall`: no step is due yet."""
        self._anchor(wall)
        self._history.clear()
        self._history.append((wall, 0.0))
        self._simulated = 0.0

    def retime(self, wall: float, dt: float | None = None, speed: float | None = None) -> None:
        """Continue with another time step or speed, without the steps that were due before."""
        self.dt = self.dt if dt is None else dt
        self.speed = self.speed if speed is None else speed
        self._anchor(wall)

    def due(self, wall: float) -> int:
        """Return the number of steps to take now, at most as many as 70 % of a frame permits."""
        owed, step = self._owed(wall), self.dt / self.speed
        if abs(owed) * step > SLACK + step:  # at slow speed one step may be longer than the slack
            self._anchor(wall)
            return 0
        return max(0, min(owed, self.batch_limit))

    def is_behind(self, wall: float) -> bool:
        """True if a step is due."""
        return self._owed(wall) > 0

    def done(self, wall: float, steps: int, seconds: float) -> None:
        """Count `steps` that were taken until `wall` and cost `seconds` of computing."""
        if steps <= 0:
            return
        self._steps += steps
        self._simulated += steps * self.dt
        self._costs.append(seconds / steps)
        self._history.append((wall, self._simulated))
        while len(self._history) > 2 and self._history[1][0] <= wall - WINDOW:
            self._history.popleft()

    @property
    def batch_limit(self) -> int:
        """Most steps in one batch, from the median cost of the last batches: a single slow one is caused by the system."""
        if not self._costs:
            return _FIRST
        return max(1, floor(SHARE * FRAME / max(median(self._costs), 1e-9)))

    @property
    def factor(self) -> float:
        """Simulated seconds per second over the last second; 0 before the first step."""
        (wall, simulated), (wall_now, simulated_now) = self._history[0], self._history[-1]
        return (simulated_now - simulated) / (wall_now - wall) if wall_now > wall else 0.0

    def _anchor(self, wall: float) -> None:
        self._wall, self._steps = wall, 0

    def _owed(self, wall: float) -> int:
        # 1e-6 of a step, so that rounding does not lose a step that is due right now
        return floor((wall - self._wall) * self.speed / self.dt + 1e-6) - self._steps


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
    """Yield `steps` steps, fewer if the run stops at a contact, in batches of at most `most`, then the sample at the end.

    With a `pacer` in real time by `clock`. Raises DivergenceError after the batch that diverged, and Cancelled if
    `cancelled` returns True before a batch.
    """
    if pacer is not None:
        stepper.sample()  # the first call loads compiled code, which is no cost of a step
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
            if batch.contact is not None:
                break
            left -= len(batch.states)
        if pacer is not None:
            sleep(min(WAKE, left * stepper.dt / pacer.speed))
    yield stepper.sample()


def advance_due(stepper: Stepper, pacer: Pacer, clock: Callable[[], float], most: int | None = None) -> StepBatch | None:
    """Take the steps that are due by `clock`, at most `most`, fewer with slow user code; return None if none is due."""
    start = clock()
    limits = most, stepper.control.batch_limit(stepper.dt, SHARE * FRAME)
    due = min([pacer.due(start), *(limit for limit in limits if limit is not None)])
    if not due:
        return None
    batch = stepper.advance(due)
    end = clock()
    pacer.done(end, len(batch.states), end - start)
    return batch
