"""Rows that come block by block, put together as one table without a second copy of all of them in the memory."""

from __future__ import annotations

from collections import deque

import numpy as np

_SLAB = 40 << 20  # bytes: so large a piece goes back to the system when it is let go


class Rows:
    """Takes blocks `(k, width)`; `table` gives all of them at once and keeps nothing."""

    def __init__(self, width: int):
        self._width, self._per_slab = width, max(1, _SLAB // (8 * width))
        self._slabs: deque[np.ndarray] = deque()
        self._free = 0  # rows in the last slab
        self.count = 0

    def append(self, block: np.ndarray) -> None:
        """Copies a block."""
        first = 0
        while first < len(block):
            if not self._free:
                self._slabs.append(np.empty((self._per_slab, self._width)))
                self._free = self._per_slab
            part = block[first : first + self._free]
            at = self._per_slab - self._free
            self._slabs[-1][at : at + len(part)] = part
            self._free -= len(part)
            first += len(part)
        self.count += len(block)

    def table(self) -> np.ndarray:
        """All rows `(count, width)`; each slab is let go once it is copied."""
        table, at = np.empty((self.count, self._width)), 0
        while self._slabs:
            slab = self._slabs.popleft()[: self.count - at]
            table[at : at + len(slab)] = slab
            at += len(slab)
        return table
