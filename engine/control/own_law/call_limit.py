"""`CallLimit`: a time limit for code that the user wrote and that runs in this process."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from armature.engine.errors import LawTimeoutError

LIMIT = 10.0
"""Seconds that one call may take."""
VARIABLE = "ARMATURE_CALL_LIMIT"
"""Environment variable with another limit in s; 0 for none."""
_LOOKS = 20  # at a call within the limit
_ABANDONED = 5  # attempts to interrupt a call, one at each look
_IDLE = 3  # looks without a call after which the thread ends
_DEBUGGERS = ("bdb.py", "pydevd.py")

_LOG = logging.getLogger("armature")


class _Overdue(BaseException):
    """Raised in the thread of an overdue call; no `except Exception` of the user's catches it."""


class CallLimit:
    """Context of one call of user code; raises LawTimeoutError, with file and line, in place of a call that does not return.

    `what` names the function, `place` is its file; `code` is the function itself, whose first line counts where no line of the
    file is being run.
    """

    __slots__ = ("_code", "_place", "_what", "began", "ident", "overdue", "tries")

    def __init__(self, what: str, place: str, code: Any = None):
        self._what, self._place, self._code = what, place, code
        self.overdue: LawTimeoutError | None = None
        self.tries = 0

    def __enter__(self) -> None:
        self.ident = threading.get_ident()
        self.began = time.monotonic()
        _WATCHDOG.calls[self.ident] = self
        if not _WATCHDOG.runs and _limit():
            _WATCHDOG.start()

    def __exit__(self, kind, error, traceback) -> None:
        _WATCHDOG.calls.pop(self.ident, None)
        if self.overdue is not None:
            _WATCHDOG.withdraw(self.ident)
            raise self.overdue from None

    def error(self, limit: float) -> LawTimeoutError | None:
        """The message with the present line; None while a debugger holds the call."""
        line, frame = None, sys._current_frames().get(self.ident)
        while frame is not None:
            if Path(frame.f_code.co_filename).name in _DEBUGGERS:
                return None
            if line is None and frame.f_code.co_filename == self._place:
                line = frame.f_lineno
            frame = frame.f_back
        if line is None:
            line = getattr(getattr(self._code, "__code__", None), "co_firstlineno", None)
        where = f", line {line}" if line else ""
        text = f"{self._what} in {Path(self._place).name} did not return within {limit:g} s{where}"
        return LawTimeoutError(text, self._place, line)


class _Watchdog:
    """One thread that looks at the calls of all threads while there are any."""

    def __init__(self) -> None:
        self.calls: dict[int, CallLimit] = {}
        self.lock = threading.Lock()
        self.runs = False
        self.abandon: Callable[[str], None] = _LOG.error

    def start(self) -> None:
        with self.lock:
            if not self.runs:
                self.runs = True
                threading.Thread(target=self._main, name="call-limit", daemon=True).start()

    def _main(self) -> None:
        idle = 0
        while True:
            limit = _limit()
            time.sleep(min(limit or LIMIT, LIMIT) / _LOOKS)
            idle = 0 if self.calls else idle + 1
            if idle >= _IDLE:
                with self.lock:
                    self.runs = False  # before the check: an earlier call is found by it, a later one restarts the thread
                    if not self.calls:
                        return
                    self.runs = True
            if limit:
                for call in list(self.calls.values()):
                    if time.monotonic() - call.began > limit:
                        self._end(call, limit)

    def _end(self, call: CallLimit, limit: float) -> None:
        """Interrupt an overdue call, as firmly as it needs."""
        with self.lock:
            error = call.overdue or call.error(limit)
            if error is None:
                return
            call.overdue = error  # first: a call that returns now sees it
            if self.calls.get(call.ident) is not call:
                return
            call.tries += 1
            if call.tries == _ABANDONED:
                self.abandon(str(error))
            is_main = call.ident == threading.main_thread().ident
            if is_main and call.tries % 2 == 0:  # it waits in code that is no Python
                _interrupt(call.ident, None)  # never two at once: the second would reach the caller
                _interrupt_main()
            else:
                _interrupt(call.ident, _Overdue)

    def withdraw(self, ident: int) -> None:
        """Raise and catch the pending interrupt of a call that is over; runs in the thread of the call.

        Deleting it would leave CPython 3.11's flag for pending exceptions set, and with that flag a traced function never starts:
        a debugger, coverage or `sys.settrace` would hang.
        """
        while True:
            try:
                with self.lock:  # the watchdog may be about to send one
                    _interrupt(ident, _Overdue)
                while True:
                    time.sleep(0)
            except _Overdue:
                return
            except KeyboardInterrupt:  # sent to the main thread a moment ago
                continue


_WATCHDOG = _Watchdog()


def _start_anew() -> None:
    """In a process that was forked: its parent's thread is not here."""
    global _WATCHDOG
    abandon, _WATCHDOG = _WATCHDOG.abandon, _Watchdog()
    _WATCHDOG.abandon = abandon


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)


@contextmanager
def abandoning_with(act: Callable[[str], None]) -> Iterator[None]:
    """Within it `act(message)` is called for a call that nothing interrupts, such as compiled code; elsewhere it is logged."""
    before, _WATCHDOG.abandon = _WATCHDOG.abandon, act
    try:
        yield
    finally:
        _WATCHDOG.abandon = before


def _limit() -> float:
    """Seconds a call may take, 0 for any time."""
    try:
        return max(0.0, float(os.environ.get(VARIABLE, LIMIT)))
    except ValueError:
        return LIMIT


def _interrupt(ident: int, kind: type[BaseException] | None) -> None:
    """Raise `kind` in a thread before its next line of Python; None deletes a pending one."""
    exception = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), exception)


def _interrupt_main() -> None:
    """Interrupt the main thread as Ctrl-C does."""
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
    else:  # Windows
        signal.raise_signal(signal.SIGINT)
