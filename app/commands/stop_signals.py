"""Stop requests from the keyboard or the system, as one exception."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any


class Stopped(KeyboardInterrupt):
    """The system requested the program to end; `code` is the exit code that says so."""

    def __init__(self, number: int):
        super().__init__()
        self.code = 128 + number


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Within it SIGTERM and a closed terminal interrupt as Ctrl-C does, so that what was recorded is kept."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _handled(_stop, "SIGTERM", "SIGHUP"):
        yield


class StopNote:
    """`code` is the exit code that says how the program was requested to end; 0 while it was not."""

    def __init__(self):
        self.code = 0

    def hear(self, number, frame):
        """A handler of signals: the second one does not wait until the first is looked at."""
        if self.code:
            raise Stopped(number)
        self.code = 128 + number


@contextmanager
def noted_stops() -> Iterator[StopNote]:
    """Within it Ctrl-C, SIGTERM and a closed terminal are noted, and end what is under way when it looks."""
    note = StopNote()
    if threading.current_thread() is not threading.main_thread():
        yield note
        return
    with _handled(note.hear, "SIGINT", "SIGTERM", "SIGHUP"):
        yield note


@contextmanager
def _handled(handler: Callable[[int, Any], None], *names: str) -> Iterator[None]:
    """Within it `handler` hears these signals, apart from those that the program was begun to ignore, as by nohup."""
    known = signal.Signals.__members__  # Windows knows no SIGHUP
    heard = [known[name] for name in names if name in known and signal.getsignal(known[name]) != signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in heard}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)


@contextmanager
def unheard_by_processes() -> Iterator[None]:
    """Processes and threads that are begun within it, and what those begin, do not hear Ctrl-C; here it is heard afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # which would take the mask away with the first process
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop(number, frame):
    raise Stopped(number)
