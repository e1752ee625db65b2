"""A one-slot mailbox: the newest snapshot replaces the one before, and neither side waits."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Mailbox(Generic[T]):
    """Holds the latest item put in until it is taken; safe between threads."""

    def __init__(self) -> None:
        # append and pop of a bounded deque are atomic: no lock that one side could hold while the other draws a frame
        self._slot: deque[T] = deque(maxlen=1)

    def put(self, item: T) -> None:
        """Replaces whatever was not taken."""
        self._slot.append(item)

    def take(self) -> T | None:
        """The newest item, or None if there was none since the last call."""
        try:
            return self._slot.pop()
        except IndexError:
            return None
