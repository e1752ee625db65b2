"""Long computations beside the GUI: one thread at a time, the latest request wins."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal

from armature.app.state.job import Job, JobStatus, ignore
from armature.engine.errors import Cancelled, EngineError
from armature.engine.kernel_wait import is_blocked

__all__ = ["Job", "JobRunner", "JobStatus"]
NICE = 10  # window and simulation come first where there are too few cores for all


_CANCELLED = object()  # result of a computation that raised Cancelled


class JobRunner(QObject):
    """Runs `function(job)` in a thread and reports on the GUI thread; results of an older request are dropped.

    `status` is a model. `finished` and `failed` are signals of all requests; after `Cancelled` the first is emitted with None.
    """

    progressed = Signal(int, int)
    finished = Signal(object)
    failed = Signal(str)
    busy_changed = Signal(bool)
    _reported = Signal(int, int, int)
    _ended = Signal(int, object, object)

    def __init__(self, name: str, parent: QObject | None = None):
        super().__init__(parent)
        self._name, self.status = name, JobStatus()
        self._count = 0
        self._job: Job | None = None
        self._threads: list[threading.Thread] = []
        self._reported.connect(self._on_report, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._on_end, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether a wanted computation is under way."""
        return self._job is not None

    @property
    def awaits_kernel(self) -> bool:
        """True while the running computation waits for a kernel that is not compiled yet."""
        return self._job is not None and is_blocked(self._threads[-1].ident or 0)

    def start(
        self, function: Callable[[Job], Any], take: Callable[[Any], object] = ignore, fail: Callable[[str], object] = ignore
    ):
        """Drop what runs and compute this instead; `take` receives its result unless it raises Cancelled, `fail` an error."""
        self.cancel()
        self._count += 1
        self._job = Job(self._count, self._tell_progress, take, fail)
        thread = threading.Thread(target=self._work, args=(self._job, function), name=f"job-{self._name}", daemon=True)
        self._threads = [t for t in self._threads if t.is_alive()] + [thread]
        thread.start()
        self._set_busy(True)

    def cancel(self):
        """Give up the running computation; its result will not be reported."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self._set_busy(False)

    def finish(self):
        """Wait for the running computation and report its result now."""
        while self._job is not None:
            self._threads[-1].join()
            QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)

    def finish_early(self):
        """Ask the running computation for what it has so far; its result is still reported."""
        if self._job is not None:
            self._job.cancel()

    def stop(self, timeout: float = 5.0):
        """Give up and wait, at most `timeout` seconds, for the threads to end."""
        self.cancel()
        end = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _work(self, job: Job, function: Callable[[Job], object]):
        try:
            _give_way()
            result, error = function(job), None
        except Cancelled:
            result, error = _CANCELLED, None
        except EngineError as problem:
            result, error = None, str(problem)
        except Exception:
            self._tell(self._ended, job.number, None, "The computation failed because of an internal error.")
            raise
        self._tell(self._ended, job.number, result, error)

    def _tell_progress(self, number: int, done: int, total: int):
        self._tell(self._reported, number, done, total)

    def _tell(self, signal, number: int, *what):
        """From the computing thread: of a job given up nothing is told, its runner may be gone by now."""
        job = self._job  # once: the GUI thread may give it up meanwhile
        if job is not None and job.number == number:
            signal.emit(number, *what)

    def _on_report(self, number: int, done: int, total: int):
        if self._job is not None and self._job.number == number:
            self.status.progress = done, total
            self.progressed.emit(done, total)

    def _on_end(self, number: int, result, error):
        job = self._job
        if job is None or job.number != number:
            return
        self._job = None
        self._set_busy(False)
        if error is not None:
            job.fail(error)
            self.failed.emit(error)
            return
        if result is not _CANCELLED:
            job.take(result)
        self.finished.emit(None if result is _CANCELLED else result)

    def _set_busy(self, busy: bool):
        self.status.is_busy, self.status.progress = busy, (0, 0)
        self.busy_changed.emit(busy)


def _give_way():
    """The calling thread no longer competes with window and simulation, as far as the system allows it to this user."""
    if sys.platform != "linux":  # where a thread has no priority of its own
        return
    thread = threading.get_native_id()
    with suppress(OSError):  # then it competes
        os.setpriority(os.PRIO_PROCESS, thread, max(NICE, os.getpriority(os.PRIO_PROCESS, thread)))  # never up: few may do that
