"""`LocalProcesses`: the runs of a sweep in parallel processes of this machine."""

from __future__ import annotations

import signal
import time
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from armature.app.commands.command_arguments import UsageError
from armature.app.commands.stop_signals import unheard_by_processes
from armature.app.commands.sweep.crew import LOOK, Crew
from armature.engine.simulation.sweeps.run_task import RunResult, RunTask, perform


class LocalProcesses(Crew):
    """So many processes, which this one starts when there is something to do."""

    def __init__(self, jobs: int):
        super().__init__()
        self._jobs = jobs
        context = get_context("spawn")
        self._stop, self._told = context.Event(), context.SimpleQueue()
        self._executor = ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(self._stop, self._told))

    @property
    def room(self) -> int:
        """As of `Crew`."""
        return 2 * self._jobs

    def submit(self, task: RunTask) -> Future[RunResult]:
        """As of `Crew`."""
        with unheard_by_processes():
            return self._executor.submit(_perform, task)

    def result(self, future: Future[RunResult], task: RunTask) -> RunResult:
        """As of `Crew`."""
        try:
            return future.result()
        except BrokenProcessPool:
            raise UsageError("a simulation process was killed; finished runs are saved") from None
        except CancelledError:
            return RunResult(task.number, None, "stopped", False, 0.0)

    def look(self) -> None:
        """As of `Crew`."""
        while not self._told.empty():
            number, share = self._told.get()
            self.shares[number] = share

    def stop(self) -> None:
        """As of `Crew`."""
        self._stop.set()
        self._executor.shutdown(wait=True, cancel_futures=True)

    def end(self) -> None:
        """As of `Crew`; they went when they were stopped."""


_channel: dict[str, Any] = {}  # what a process is given when it starts


def _begin(stop, told) -> None:
    """In each process, first of all."""
    _channel.update(stop=stop, told=told)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _perform(task: RunTask) -> RunResult:
    """One run, in a process of the pool."""
    stop, told = _channel["stop"], _channel["told"]
    next_word = 0.0

    def go_on(share: float) -> bool:
        nonlocal next_word
        if time.monotonic() >= next_word:
            next_word = time.monotonic() + LOOK
            told.put((task.number, share))
        return not stop.is_set()

    return perform(task, go_on)
