"""`Pull`: a spring that pulls on a point of the arm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.dynamics.pulling_spring import SPRING_ROWS
from armature.engine.errors import EngineError
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot

_NO_LOADS = np.zeros((0, 0, 0))


@dataclass(frozen=True, eq=False)
class Pull(Frozen):
    """f = stiffness (target − p) − damping v on the point p of a body, at most `most` N.

    `body` 0-based; `point` `(3,)` m in the body's axes; `target` `(3,)` m in the world; `stiffness` N/m, `damping` N·s/m.
    """

    body: int
    point: np.ndarray
    target: np.ndarray
    stiffness: float
    damping: float
    most: float = 1e4

    def __post_init__(self):
        for name, place in (("point", self.point), ("target", self.target)):
            try:
                at = read_only(place)
            except (TypeError, ValueError, OverflowError):
                at = np.empty(0)
            if at.shape != (3,) or not np.isfinite(at).all():
                raise EngineError(f"the {name} of a pull must be three finite numbers [x, y, z] in m")
            vars(self).update({name: at})
        for name, value in (("stiffness", self.stiffness), ("damping", self.damping), ("most", self.most)):
            if not (isinstance(value, (int, float, np.number)) and 0 <= value <= 1e9):
                raise EngineError(f"the {name} of a pull must be from 0 to 1e9, not {value!r}")

    def rows(self, robot: Robot) -> np.ndarray:
        """Return the rows for kernels below the wrenches of the bodies. Raises EngineError for an unknown body."""
        if not (isinstance(self.body, (int, np.integer)) and 0 <= self.body < len(robot.bodies)):
            raise EngineError(f"{robot.name} has no body {self.body!r} to pull on; valid: 0 to {len(robot.bodies) - 1}")
        rows = np.zeros((SPRING_ROWS, 6))
        rows[0] = self.body, self.stiffness, self.damping, *self.point
        rows[1, :4] = *self.target, self.most
        return rows


def packed_loads(robot: Robot, wrench: np.ndarray, pull: Pull | None) -> np.ndarray:
    """Return the loads for kernels `(1, n_bodies + 2, 6)`: wrenches `(n_bodies, 6)` and pull; empty without both."""
    if pull is None and not wrench.any():
        return _NO_LOADS
    rows = np.zeros((SPRING_ROWS, 6)) if pull is None else pull.rows(robot)
    return np.vstack([wrench, rows])[None]
