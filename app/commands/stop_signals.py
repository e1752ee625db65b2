"""Requests to end, from the keyboard or the system, as one exception."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Stopped(KeyboardInterrupt):
    """The system asked the program to end; `code` is the exit code that says so."""

    def __init__(self, number: int):
        super().__init__()
        self.code = 128 + number


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Within it SIGTERM and a closed terminal interrupt as Ctrl-C does, so that what was recorded is kept."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known = signal.Signals.__members__  # Windows knows no SIGHUP
    before = {known[name]: signal.signal(known[name], _stop) for name in ("SIGTERM", "SIGHUP") if name in known}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number, frame):
    raise Stopped(number)
