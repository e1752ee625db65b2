"""`Job`: one request for a long computation, and `JobStatus`: the state of the computations of a runner."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from armature.app.state.evented import Model
from armature.engine.errors import Cancelled

REPORT_EVERY = 0.05  # s between two reports of progress: a signal per chunk would flood the GUI


@dataclass(eq=False)
class JobStatus(Model):
    """Whether a computation is running, and how much of it is done; a total of 0 while that is unknown."""

    is_busy: bool = False
    progress: tuple[int, int] = 0, 0  # done, total


def ignore(_result: object) -> None:
    """Drop a result or an error."""


class Job:
    """One request: the computing thread calls `cancelled()` and `progress(done, total)`; the GUI thread then calls
    `take(result)`, or `fail(text)` after an error."""

    def __init__(self, number: int, report: Callable[[int, int, int], None], take: Callable = ignore, fail: Callable = ignore):
        self.number, self.take, self.fail = number, take, fail
        self._report, self._cancel, self._last = report, threading.Event(), 0.0

    def cancel(self):
        """Request the computation to end early."""
        self._cancel.set()

    def cancelled(self) -> bool:
        """Return whether the computation should end early."""
        return self._cancel.is_set()

    def check(self):
        """Raise Cancelled once `cancel` was called."""
        if self._cancel.is_set():
            raise Cancelled

    def progress(self, done: int, total: int):
        """Report how much is done; most calls are dropped."""
        now = time.monotonic()
        if done >= total or now - self._last >= REPORT_EVERY:
            self._last = now
            self._report(self.number, int(done), int(total))
