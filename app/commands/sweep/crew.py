"""`Crew`: workers that simulate the runs of a sweep, a few at a time, so that memory does not grow with their number."""

from __future__ import annotations

import queue
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from armature.engine.simulation.sweeps.run_task import RunResult, RunTask

LOOK = 0.2  # s between two looks


class Crew(ABC):
    """`shares` are the runs under way, by number, and how much of each is done, 0 to 1."""

    def __init__(self):
        self.shares: dict[int, float] = {}
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._tasks: dict[Any, RunTask] = {}  # by their futures

    def results(self, tasks: Iterable[RunTask]) -> Iterator[RunResult | None]:
        """Of all tasks, as they end; None where nothing has ended for a while.

        Raises UsageError where they cannot be performed.
        """
        coming = iter(tasks)
        while True:
            while len(self._tasks) < self.room and (task := next(coming, None)) is not None:
                self.begin(task)
            if not self._tasks:
                return
            try:
                future = self._ended.get(timeout=LOOK)
            except queue.Empty:
                self.look()
                yield None
            else:
                yield self._taken(future)

    def finished(self) -> Iterator[RunResult]:
        """Results that came since the last look."""
        while not self._ended.empty():
            if (result := self._taken(self._ended.get())) is not None:
                yield result

    def begin(self, task: RunTask) -> None:
        """Hands a run on."""
        future = self.submit(task)
        self._tasks[future] = task
        future.add_done_callback(self._ended.put)

    def _taken(self, future: Any) -> RunResult | None:
        task = self._tasks.pop(future)
        result = self.result(future, task)
        self.shares.pop(task.number, None)
        return result

    @property
    @abstractmethod
    def room(self) -> int:
        """Runs to hand on ahead, at least one."""

    @abstractmethod
    def submit(self, task: RunTask) -> Any:
        """A future of the run."""

    @abstractmethod
    def result(self, future: Any, task: RunTask) -> RunResult | None:
        """Of a future that is done; None where the run was handed on again. Raises UsageError."""

    @abstractmethod
    def look(self) -> None:
        """Brings `shares` up to date."""

    @abstractmethod
    def stop(self) -> None:
        """Stops what is under way, which leaves nothing; what is finished can still be had."""

    @abstractmethod
    def end(self) -> None:
        """Lets everybody go."""
