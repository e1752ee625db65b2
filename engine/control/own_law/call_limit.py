"""`CallLimit`: a time limit for code that the user wrote and that runs in this process."""

from __future__ import annotations

import ctypes
import logging
import math
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
    """One call of user code; raises LawTimeoutError, with file and line, in place of a call that does not return.

    `what` names the function, `place` is its file; `code` is the function itself, whose first line counts where no line of the
    file is being run.
    """

    __slots__ = ("_code", "_place", "_what", "began", "ident", "over", "overdue", "tries")

    def __init__(self, what: str, place: str, code: Any = None):
        self._what, self._place, self._code = what, place, code
        self.ident = threading.get_ident()
        self.began = math.inf
        self.over = False
        self.overdue: LawTimeoutError | None = None
        self.tries = 0

    def call(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Return what the function returns.

        An interrupt may arrive wherever Python looks for one: at the start of a function, after a call and at the end of a turn
        of a loop. From the line that sets `began` to the end of this method each such place lies within a `try`, so that none
        reaches the caller.
        """
        _WATCHDOG.watch(self)
        try:
            try:
                self.began = time.monotonic()
                answer = function(*arguments, **named)
            finally:
                self.over = True  # no interrupt is sent from here on; one of each kind may be pending
        except BaseException:
            if self.overdue is None:
                raise
        if self.overdue is None:
            return answer
        # Deleting a pending interrupt would leave CPython 3.11's flag for it set, and with that flag a traced function never
        # starts: a debugger, coverage or `sys.settrace` would hang. So one is sent again and caught.
        try:
            try:
                _set_interrupt(self.ident, _Overdue)
                while True:
                    pass
            except KeyboardInterrupt:  # sent to the main thread a moment ago, and raised before the other kind
                _set_interrupt(self.ident, _Overdue)
                while True:
                    pass
        except _Overdue:
            pass
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

    def watch(self, call: CallLimit) -> None:
        self.calls[call.ident] = call
        if not self.runs and _limit():
            with self.lock:
                if not self.runs:
                    self.runs = True
                    threading.Thread(target=self._main, name="call-limit", daemon=True).start()

    def _main(self) -> None:
        idle = 0
        while True:
            limit = _limit()
            time.sleep(min(limit or LIMIT, LIMIT) / _LOOKS)
            running = [call for call in list(self.calls.values()) if not call.over]
            idle = 0 if running else idle + 1
            if idle >= _IDLE:
                with self.lock:
                    self.runs = False  # before the check: an earlier call is found by it, a later one restarts the thread
                    if all(call.over for call in list(self.calls.values())):
                        return
                    self.runs = True
            for call in running:
                if limit and time.monotonic() - call.began > limit:
                    self._end(call, limit)

    def _end(self, call: CallLimit, limit: float) -> None:
        """Interrupt an overdue call, as firmly as it needs."""
        error = call.overdue or call.error(limit)
        if error is None:
            return
        call.tries += 1
        if call.tries == _ABANDONED:
            self.abandon(str(error))
        waits = call.tries % 2 == 0 and call.ident == threading.main_thread().ident  # perhaps in code that is no Python
        interrupt, arguments = _like_ctrl_c(call.ident) if waits else (_set_interrupt, (call.ident, _Overdue))
        if not call.over:  # between this line and the built-in function Python does not change to another thread
            call.overdue = error
            interrupt(*arguments)


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


_set_interrupt: Any = ctypes.pythonapi.PyThreadState_SetAsyncExc
"""Raises an exception of a class in a thread, where Python next looks for one; a built-in function."""
_set_interrupt.argtypes = [ctypes.c_ulong, ctypes.py_object]


def _like_ctrl_c(main: int) -> tuple[Callable[..., None], tuple[int, ...]]:
    """A built-in function that interrupts the main thread as Ctrl-C does, with its arguments."""
    if hasattr(signal, "pthread_kill"):
        return signal.pthread_kill, (main, signal.SIGINT)
    return signal.raise_signal, (signal.SIGINT,)  # Windows
