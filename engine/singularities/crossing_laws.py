"""Three ways to turn a wanted tool velocity into joint speeds near a singularity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.kinematics.task import RANK_TOLERANCE
from armature.engine.kinematics.task_axes import scaled_jacobian
from armature.engine.model.robot import Robot
from armature.engine.thresholds import CONDITION_WARN

METHODS = ("pseudo_inverse", "damped", "damped_null_space")

_AWAY = 1.0  # rad/s, speed of the motion along the null space
_STEP = 1e-5  # rad or m, of the differences for ∇σ_min


@dataclass(frozen=True, eq=False)
class Law:
    """One of `METHODS` for a robot."""

    robot: Robot
    method: str

    def speed(self, q: np.ndarray, A: np.ndarray, wanted: np.ndarray, frame: str | None, rows: np.ndarray) -> np.ndarray:
        """qd `(n,)` at q for a scaled task velocity `(m,)` and the scaled task Jacobian A; see `cross_singularity`."""
        U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
        if self.method == "pseudo_inverse":
            inverse = np.where(sigma > RANK_TOLERANCE * sigma[0], 1.0 / np.maximum(sigma, np.finfo(float).tiny), 0.0)
            return Vt.T @ (inverse * (U.T @ wanted))
        near = sigma[0] / CONDITION_WARN
        damping = (0.5 * near) ** 2 * max(0.0, 1.0 - (sigma[-1] / near) ** 2)
        factor = sigma / (sigma**2 + max(damping, np.finfo(float).tiny))
        qd = Vt.T @ (factor * (U.T @ wanted))
        if self.method == "damped" or damping == 0.0:
            return qd
        rise = self._rise(q, U[:, -1], Vt[-1], frame, rows)
        size = np.linalg.norm(rise)
        if size < 1e-9 * sigma[0]:
            return qd
        # (1 − A# A) ∇σ_min, fading in with the damping so that the speed has no jump
        free = rise - Vt.T @ (factor * sigma * (Vt @ rise))
        return qd + _AWAY * (1.0 - sigma[-1] / near) * free / size

    def _rise(self, q: np.ndarray, u: np.ndarray, v: np.ndarray, frame: str | None, rows: np.ndarray) -> np.ndarray:
        """∇σ_min `(n,)` = uᵀ (∂A/∂q_k) v, with u, v the singular vectors to σ_min."""
        steps = _STEP * np.eye(self.robot.n)
        A = scaled_jacobian(self.robot, np.concatenate([q + steps, q - steps]), frame, rows)
        n = self.robot.n
        return np.einsum("r,krc,c->k", u, (A[:n] - A[n:]) / (2 * _STEP), v)
