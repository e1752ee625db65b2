"""Target poses as a user gives them: checked, and made exact where they were printed with few digits."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.errors import DimensionError, EngineError
from armature.engine.jit import CUBE, OUT1, kernel
from armature.engine.model.robot import Robot

_CRUDE = 1e-3  # of R Rᵀ − 1, up to which a matrix passes for a rotation printed with few digits
_ROUNDING = 1e-12


def target_poses(robot: Robot, X_target) -> tuple[np.ndarray, bool]:
    """Targets `(N, 4, 4)` with exact rotations, and whether the caller gave one. Raises DimensionError, EngineError."""
    T = batching.floats(robot, "X_target", X_target)
    if T.ndim not in (2, 3) or T.shape[-2:] != (4, 4):
        raise DimensionError(f"{robot.name}: X_target has shape {T.shape}; expected (4, 4) or (N, 4, 4)")
    single, T = T.ndim == 2, np.array(T.reshape(-1, 4, 4), order="C")
    off = np.empty(len(T))
    worst = _defects.call(T, off)
    if worst > _CRUDE:
        which = "" if single else f"[{int(np.argmax(off > _CRUDE))}]"
        expected = "a right-handed orthonormal rotation, a position, and the last row 0 0 0 1"
        raise EngineError(f"{robot.name}: X_target{which} is not a pose, which needs {expected}")
    if worst > _ROUNDING:
        U, _, Vt = np.linalg.svd(T[:, :3, :3])  # U Vᵀ is the nearest rotation
        T[:, :3, :3] = U @ Vt
    return T, single


@kernel(CUBE, OUT1)
def _defects(T, off):
    """How far each T is from a pose: the largest entry of |R Rᵀ − 1|, inf where R mirrors or the last row is not 0 0 0 1."""
    worst = 0.0
    for k in range(T.shape[0]):
        X, largest = T[k], 0.0
        for i in range(3):
            for j in range(i + 1):
                dot = X[i, 0] * X[j, 0] + X[i, 1] * X[j, 1] + X[i, 2] * X[j, 2]
                largest = max(largest, abs(dot - (1.0 if i == j else 0.0)))
        volume = (
            X[0, 0] * (X[1, 1] * X[2, 2] - X[1, 2] * X[2, 1])
            - X[0, 1] * (X[1, 0] * X[2, 2] - X[1, 2] * X[2, 0])
            + X[0, 2] * (X[1, 0] * X[2, 1] - X[1, 1] * X[2, 0])
        )
        last = X[3, 0] == 0.0 and X[3, 1] == 0.0 and X[3, 2] == 0.0 and X[3, 3] == 1.0
        off[k] = largest if volume > 0.0 and last else np.inf
        worst = max(worst, off[k])
    return worst
