"""`ScriptHistory`: the samples of one plot of a script."""

from __future__ import annotations

import numpy as np

from armature.engine.remote.messages import Samples

CAPACITY = 20_000


class ScriptHistory:
    """The last samples; older ones make room. One from before the last begins anew, as a run that is started again does."""

    def __init__(self, names: list[str]):
        self.names = tuple(names)
        self._rows = np.empty((2 * CAPACITY, 1 + len(names)))
        self._end = 0

    def append(self, samples: Samples) -> None:
        """More samples; those that do not fit are left out."""
        width = len(self.names)
        rows = [(t, *row) for t, row in zip(samples.t, samples.rows) if len(row) == width and np.isfinite(t)][-CAPACITY:]
        if not rows:
            return
        block = np.array(rows, float)
        back = np.flatnonzero(np.diff(block[:, 0], prepend=self._rows[self._end - 1, 0] if self._end else -np.inf) < 0.0)
        if len(back):
            block, self._end = block[back[-1] :], 0
        if self._end + len(block) > len(self._rows):
            keep = CAPACITY - len(block)
            self._rows[:keep] = self._rows[self._end - keep : self._end]
            self._end = keep
        self._rows[self._end : self._end + len(block)] = block
        self._end += len(block)

    @property
    def t(self) -> np.ndarray:
        """Times `(k,)`, s."""
        return self._rows[max(0, self._end - CAPACITY) : self._end, 0]

    @property
    def values(self) -> np.ndarray:
        """Values `(k, curves)`."""
        return self._rows[max(0, self._end - CAPACITY) : self._end, 1:]
