"""Which entries of a formula lack terms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armature.engine.formulas.formula import Formula
from armature.engine.formulas.sampled_equations import poses_in_range
from armature.engine.model.robot import Robot

POSES = 16
ROUNDING = 1e-9  # of the largest number of the whole matrix

Exact = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""The engine's numbers `(N, *shape)` in states q, qd `(N, n)`."""


class Shortened:
    """Called with a place: whether terms of that entry were left out, as it differs from the engine's number in some state."""

    def __init__(self, formula: Formula, robot: Robot, exact: Exact):
        self._formula, self._numbers = formula, None
        if formula.error:
            self._q = poses_in_range(robot)[:POSES]
            self._qd = np.cos(np.arange(self._q.size)).reshape(self._q.shape)  # no two speeds alike
            self._numbers = exact(self._q, self._qd)

    def __call__(self, place: tuple[int, ...]) -> bool:
        if self._numbers is None:
            return False
        states = (self._q, self._qd) if "qd" in self._formula.arguments else (self._q,)
        apart = np.moveaxis(self._numbers, 0, -1)[place] - self._formula[place].evaluate(*states)
        return bool(np.abs(apart).max() > ROUNDING * np.abs(self._numbers).max())
