"""A ring of samples for plotting."""

from __future__ import annotations

import numpy as np

CAPACITY = 4096  # about a minute at 60 samples a second


class History:
    """The last samples of t, q, qd, tau `(n,)` each and the energies; older ones make room."""

    def __init__(self, n: int, capacity: int = CAPACITY):
        self._n, self._capacity = n, capacity
        self._rows = np.empty((2 * capacity, 3 * n + 3))
        self._end = 0

    def __len__(self) -> int:
        return min(self._end, self._capacity)

    def append(self, t: float, q, qd, tau, kinetic: float, potential: float):
        """Take over one sample; one from before the last starts the ring anew."""
        if self._end and t < self._rows[self._end - 1, 0]:
            self.clear()
        if self._end == len(self._rows):  # the second half moves to the front, so that a window is always one block
            self._rows[: self._capacity] = self._rows[self._capacity :]
            self._end = self._capacity
        row, n = self._rows[self._end], self._n
        row[0], row[1 : n + 1], row[n + 1 : 2 * n + 1], row[2 * n + 1 : 3 * n + 1] = t, q, qd, tau
        row[-2:] = kinetic, potential
        self._end += 1

    def extend(self, rows: np.ndarray):
        """Take over a whole block `(k, 3n + 3)` in place of what is there; only its last samples fit."""
        rows = rows[-self._capacity :]
        self._rows[: len(rows)] = rows
        self._end = len(rows)

    def clear(self):
        """Forget everything."""
        self._end = 0

    def window(self, seconds: float) -> np.ndarray:
        """The samples of the last `seconds`, `(k, 3n + 3)`: t, q, qd, tau, kinetic, potential."""
        rows = self._rows[max(0, self._end - self._capacity) : self._end]
        return rows[np.searchsorted(rows[:, 0], rows[-1, 0] - seconds) :] if len(rows) else rows
