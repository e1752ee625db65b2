"""`RecordingFeed`: samples and events of a simulation, from batches of steps to a file or a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.recording.derived_columns import Completer
from armature.engine.recording.recording_columns import Layout
from armature.engine.recording.recording_notes import LoggedRows
from armature.engine.recording.recording_writer import RecordingClock
from armature.engine.simulation.step_batch import StepBatch


class RecordingFeed:
    """Passes samples to `put(states, arm)` and events to `note(event)`.

    `measured`: samples include the readings of the sensors. `clock`: time axis of a recording in which the arm is also posed,
    None for simulated time.
    """

    def __init__(
        self,
        put: Callable[[np.ndarray, Robot], object],
        note: Callable[[Mapping[str, Any]], object],
        measured: bool,
        clock: RecordingClock | None = None,
    ):
        self._put, self._note, self._measured, self._clock = put, note, measured, clock
        self._logged = LoggedRows()

    def steps(self, batch: StepBatch) -> None:
        """Add steps at their simulated times."""
        times = batch.states[:, 0]
        self._add(batch, times if self._clock is None else self._clock.simulated(times))

    def pose(self, batch: StepBatch, wall: float) -> None:
        """Add a pose at wall time `wall`, s."""
        assert self._clock is not None
        self._add(batch, self._clock.posed(wall))

    def close(self) -> None:
        """Note the remaining logged values."""
        for event in self._logged.rest():
            self._note(event)

    def _add(self, batch: StepBatch, times: np.ndarray) -> None:
        first = 0
        for arm, states in batch.parts(self._measured):
            rows = states.copy()
            rows[:, 0] = times[first : first + len(rows)]
            first += len(rows)
            if len(rows):
                self._put(rows, arm)
        for event in self._logged.take(batch.logs, len(batch.states)):
            self._note(event)


class RecordedTable:
    """Recording in memory: `values` `(rows, columns)`, of which `count` rows are complete, and `events`."""

    def __init__(self, robot: Robot, rows: int, measured: bool):
        self.values = np.empty((rows, Layout(robot.n, measured).width))
        self.count = 0
        self.events: list[dict[str, Any]] = []
        self._completer = Completer(robot)

    def put(self, states: np.ndarray, arm: Robot) -> None:
        """Add samples with their derived columns."""
        self.values[self.count : self.count + len(states)] = self._completer.complete(states, arm)
        self.count += len(states)

    def note(self, event: Mapping[str, Any]) -> None:
        """Add an event."""
        self.events.append({"row": 0, **event})
