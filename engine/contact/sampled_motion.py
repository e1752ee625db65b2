"""`SampledMotion`: a motion through samples, such as the states of a simulation or the rows of a recording."""

from __future__ import annotations

import numpy as np


class SampledMotion:
    """Joint positions that are straight between samples.

    Args:
        t: times `(N,)`, s, ascending without repetition.
        q: joint positions `(N, n)`, rad or m.
        jumps: whether the joints are placed without a motion from each sample to the next, `(N − 1,)`; None: nowhere.
        most: number of spans, next to those at jumps.
    """

    def __init__(self, t: np.ndarray, q: np.ndarray, jumps: np.ndarray | None = None, most: int = 2000):
        self._t, self._q, self._most = t, q, most
        self._jumps = np.zeros(len(t) - 1, bool) if jumps is None else jumps
        steps = np.where(self._jumps[:, None], 0.0, np.abs(np.diff(q, axis=0)))
        self._travel = np.concatenate([np.zeros((1, q.shape[1])), np.cumsum(steps, axis=0)])  # of each joint since the start

    @property
    def spans(self) -> np.ndarray:
        """Starts and ends `(2, K)`, s, of intervals of continuous motion, at samples; of both equal for single poses."""
        last, jumps = len(self._t) - 1, np.flatnonzero(self._jumps)
        nodes = np.unique(np.concatenate([np.linspace(0, last, min(last, self._most) + 1).astype(int), jumps, jumps + 1]))
        ends = np.append(nodes[1:], last)
        ends = np.where(self._jumps[np.minimum(nodes, last - 1)] & (nodes < last), nodes, ends) if last else ends
        return self._t[np.stack([nodes, ends])]

    def positions(self, t: np.ndarray) -> np.ndarray:
        """Return the joint positions `(K, n)`, rad or m, at times `(K,)`, s."""
        return self._between(self._q, t)

    def paths(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return ∫ |qd| dt `(K, n)`, rad or m, from `start` to `end` `(K,)`, s."""
        return self._between(self._travel, end) - self._between(self._travel, start)

    def _between(self, rows: np.ndarray, t: np.ndarray) -> np.ndarray:
        if len(rows) == 1:
            return np.repeat(rows, len(t), axis=0)
        k = np.clip(np.searchsorted(self._t, t, side="right") - 1, 0, len(rows) - 2)
        share = ((t - self._t[k]) / (self._t[k + 1] - self._t[k]))[:, None]
        return (1.0 - share) * rows[k] + share * rows[k + 1]
