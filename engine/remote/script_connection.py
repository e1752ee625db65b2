"""`ScriptConnection`: messages between a script and its window, on background threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from armature.engine.errors import ViewError
from armature.engine.remote.messages import (
    Answer,
    BadMessageError,
    CloseWindow,
    Order,
    Parted,
    Report,
    RobotShown,
    Update,
    encode,
    read_window,
)

State = TypeVar("State")
PACE = 0.004  # s between two states; changes within that time are sent together
LISTEN = 0.1  # s between two checks whether the connection is still used
LONGEST, CLOSING = 120.0, 10.0  # s that the window may take for an order, and to close
CLOSED = "the window was closed"


class CoalescingSender(Generic[State]):
    """Send messages in their order on a background thread; changes by `tell` are merged into one state until it is sent.

    `lost` is called on that thread when the connection is closed.
    """

    def __init__(self, connection: Connection, state: Callable[[], State], lost: Callable[[], None]):
        self._connection, self._new, self._lost = connection, state, lost
        self._waiting: list[Any] = []
        self._open: State | None = None  # the last of those that wait, where it is a state
        self._changed = threading.Condition()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="courier", daemon=True)
        self._thread.start()

    def tell(self, change: Callable[[State], object]) -> None:
        """Change the state that goes next."""
        with self._changed:
            if self._open is None:
                self._open = self._new()
                self._waiting.append(self._open)
            change(self._open)
            self._changed.notify()

    def post(self, message: Any) -> None:
        """A message of its own, after everything that waits."""
        with self._changed:
            self._waiting.append(message)
            self._open = None
            self._changed.notify()

    def stop(self, timeout: float = 2.0) -> None:
        """Send what waits, and end."""
        with self._changed:
            self._ends.set()
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout)

    def _run(self) -> None:
        try:
            while (taken := self._next()) is not None:
                message, is_state = taken
                self._connection.send_bytes(encode(message))
                if is_state:
                    self._ends.wait(PACE)
        except (OSError, ValueError):
            self._lost()

    def _next(self) -> tuple[Any, bool] | None:
        """Next message and whether it is a state; None at the end."""
        with self._changed:
            while not self._waiting:
                if self._ends.is_set():
                    return None
                self._changed.wait()
            message = self._waiting.pop(0)
            is_state = message is self._open
            if is_state:
                self._open = None
            return message, is_state


class ScriptConnection:
    """Two threads: one sends, one listens and calls `heard()` after each report. After its end every use raises ViewError."""

    def __init__(self, connection: Connection, heard: Callable[[], None]):
        self._connection, self._heard = connection, heard
        self._changed = threading.Condition()
        self._answers: dict[int, str] = {}
        self._orders, self._over = 0, ""
        self.report = Report()
        self.robot = RobotShown("", "", [], [], [])
        self._courier: CoalescingSender[Update] = CoalescingSender(connection, Update, lambda: self.end(CLOSED))
        self._listener = threading.Thread(target=self._listen, name="view", daemon=True)
        self._listener.start()

    @property
    def over(self) -> str:
        """Why it is over; empty while it is not."""
        return self._over

    def check(self) -> None:
        """Raise ViewError with the reason if the connection has ended."""
        if self._over:
            raise ViewError(self._over)

    def tell(self, change: Callable[[Update], object]) -> None:
        """Set something; the window shows the latest."""
        self.check()
        self._courier.tell(change)

    def order(self, what: Any) -> None:
        """Have something done, and wait until it is. Raises ViewError where it cannot be done."""
        self.check()
        with self._changed:
            self._orders += 1
            number = self._orders
        patience = CLOSING if isinstance(what, CloseWindow) else LONGEST
        self._courier.post(Order(number, what))
        with self._changed:
            done = self._changed.wait_for(lambda: number in self._answers or bool(self._over), patience)
            error = self._answers.pop(number, None)
        if error is None and isinstance(what, CloseWindow):
            return
        if error is None:
            self.check()
        if error or not done:
            raise ViewError(error or f"the window did not answer within {patience:g} s")

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over; whether it is."""
        end = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while not self._over and (end is None or time.monotonic() < end):
                left = 0.2 if end is None else min(0.2, max(0.0, end - time.monotonic()))
                self._changed.wait(left)  # short: Windows does not interrupt this wait by Ctrl+C
            return bool(self._over)

    def end(self, why: str) -> None:
        """It is over; the first reason counts."""
        with self._changed:
            self._over = self._over or why
            self._changed.notify_all()

    def part(self, why: str) -> None:
        """Send what waits, and hang up."""
        self._courier.stop()
        self.end(why)
        if threading.current_thread() is not self._listener:
            self._listener.join(2.0)

    def _listen(self) -> None:
        try:
            while not self._over:
                if self._connection.poll(LISTEN):
                    self._take(read_window(self._connection.recv_bytes()))
        except (OSError, EOFError, BadMessageError):
            self.end(CLOSED)
        self._courier.stop()
        self._connection.close()
        self._heard()

    def _take(self, message: Any) -> None:
        with self._changed:
            if isinstance(message, Report):
                self.report = message
            elif isinstance(message, RobotShown):
                self.robot = message
            elif isinstance(message, Answer):
                self._answers[message.number] = message.error
            elif isinstance(message, Parted):
                self._over = self._over or message.why
            self._changed.notify_all()
        self._heard()
