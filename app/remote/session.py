"""`Session`: one script that drives the window, from its first word to its last."""

from __future__ import annotations

import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from armature.engine.errors import one_line
from armature.engine.remote.messages import LARGEST, BadMessageError, Parted, Report, Update, read_script
from armature.engine.remote.script_connection import CoalescingSender

LISTEN = 0.1  # s between two looks whether it is still wanted


class Session:
    """What a script says waits here until the window takes it once per frame: updates that follow each other are one by then."""

    def __init__(self, connection: Connection, name: str, pid: int):
        self._connection, self.name, self.pid = connection, one_line(name, 60), pid
        self._waiting: list[Any] = []
        self._lock = threading.Lock()
        self.gone, self.left = threading.Event(), threading.Event()
        self.seen = False  # by the window
        self._courier: CoalescingSender[Report] = CoalescingSender(connection, Report, self.gone.set)

    def listen(self) -> None:
        """Gather what the script says until one side leaves; on a thread of its own."""
        try:
            while not self.gone.is_set():
                if self._connection.poll(LISTEN):
                    self._gather(read_script(self._connection.recv_bytes(LARGEST)))
        except (OSError, EOFError, BadMessageError):
            pass
        self.gone.set()
        self._courier.stop()  # what waits still goes
        self._connection.close()
        self.left.set()

    def _gather(self, message: Any) -> None:
        with self._lock:
            last = self._waiting[-1] if self._waiting else None
            if isinstance(message, Update) and isinstance(last, Update):
                last.add(message)
            else:
                self._waiting.append(message)

    def take(self) -> list[Any]:
        """What has come since the last time."""
        with self._lock:
            taken, self._waiting = self._waiting, []
        return taken

    def tell(self, change: Callable[[Report], object]) -> None:
        """Change the report that goes next."""
        self._courier.tell(change)

    def post(self, message: Any) -> None:
        """Say something of its own, in turn."""
        self._courier.post(message)

    def part(self, why: str) -> None:
        """Let go of the script, which is told why; waits for nothing, for the script may hang."""
        self._courier.post(Parted(why))
        self.gone.set()
