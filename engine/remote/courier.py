"""`Courier`: sends without holding up whoever has something to say."""

from __future__ import annotations

import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from armature.engine.remote.messages import encode

State = TypeVar("State")
PACE = 0.004  # s between two states: what comes faster goes together


class Courier(Generic[State]):
    """Messages in their order, on a thread of its own; what is `tell`-ed is gathered in one state until it can go.

    `lost` is called, on that thread, when the other side is gone.
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
        """What goes next, and whether it is a state; None at the end."""
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
