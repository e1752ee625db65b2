"""Sums of products, evaluated for many states at once."""

from __future__ import annotations

import numpy as np

from armature.engine.formulas.factor import Factor, Terms

_NUMBERS = 2_000_000  # in memory at once


class TermTable:
    """The terms of several sums as arrays: each term its coefficient, and its factors as rows of a table of values."""

    def __init__(self, sums: list[Terms]):
        index: dict[Factor, int] = {}
        rows = [[index.setdefault(f, len(index)) for f, power in m for _ in range(power)] for terms in sums for m in terms]
        self.factors = list(index)
        longest = max(map(len, rows), default=0)
        self.rows = np.full((longest, len(rows)), len(index))  # the last row of the table holds 1
        for column, row in enumerate(rows):
            self.rows[: len(row), column] = row
        self.coefficients = np.array([float(value) for terms in sums for value in terms.values()])
        self.owner = np.repeat(np.arange(len(sums)), [len(terms) for terms in sums])
        self.count = len(sums)

    def values(self, q: np.ndarray, qd: np.ndarray | None = None, qdd: np.ndarray | None = None) -> np.ndarray:
        """The sums `(N, count)` at states `(N, n)`."""
        out = np.zeros((len(q), self.count))
        step = max(1, _NUMBERS // max(1, len(self.coefficients)))
        for low in range(0, len(q), step):
            part = slice(low, low + step)
            states = q[part], None if qd is None else qd[part], None if qdd is None else qdd[part]
            table = np.ones((len(self.factors) + 1, len(out[part])))
            for k, factor in enumerate(self.factors):
                table[k] = factor.values(*states)
            products = np.repeat(self.coefficients[:, None], len(out[part]), axis=1)
            for row in self.rows:
                products *= table[row]
            if len(products):
                starts = np.searchsorted(self.owner, np.unique(self.owner))
                out[part, np.unique(self.owner)] = np.add.reduceat(products, starts, axis=0).T
        return out
