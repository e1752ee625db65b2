"""Progress of a long command, as one line on the terminal."""

from __future__ import annotations

import sys
import time

_AFTER = 0.5  # s; a short run shows nothing
_EVERY = 0.1


class Progress:
    """Shows how much of `whole` is done on stderr, only where a person looks at it."""

    def __init__(self, whole: float, unit: str = "s"):
        self._unit, self._whole, self._next = unit, whole, time.monotonic() + _AFTER
        self._wanted, self._shown = sys.stderr.isatty(), False

    def show(self, t: float) -> None:
        """Say that it has come to `t`."""
        now = time.monotonic()
        if self._wanted and now >= self._next:
            self._next, self._shown = now + _EVERY, True
            print(f"\r\x1b[2K  {t:.1f} of {self._whole:g} {self._unit}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            self._shown = False
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)
