"""`PosedMotion`: how fast an arm that stands is meant to move, and how fast to gather speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class PosedMotion:
    """`qd`, `qdd` `(n,)` in rad or m per s and s²."""

    qd: np.ndarray
    qdd: np.ndarray

    def with_value(self, order: int, joint: int, value: float) -> PosedMotion:
        """The same with another speed, order 1, or acceleration, order 2, of a joint."""
        both = [self.qd.copy(), self.qdd.copy()]
        both[order - 1][joint] = value
        return PosedMotion(*both)
