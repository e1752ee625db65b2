"""The columns whose condition says how well a motion tells parameters: base parameters, friction and offset of every joint."""

from __future__ import annotations

import numpy as np

from armature.engine.dynamics.base_parameters import BaseParameters
from armature.engine.dynamics.regressor import regressor
from armature.engine.model.robot import Robot

FRICTION = ("viscous", "Coulomb", "offset")
"""Columns of a joint's own after the base parameters: qd, sign qd, 1. Coulomb friction of both directions is their span, too."""


def excited_columns(robot: Robot, base: BaseParameters, q, qd, qdd, rise: np.ndarray | float = 0.0) -> np.ndarray:
    """`(N, n, r + 3 n)` at states `(N, n)`; with `rise` per s the sign is tanh(qd / rise), which has slopes."""
    Y = regressor(robot, q, qd, qdd)[:, :, base.columns]
    sign = np.tanh(qd / rise) if np.any(rise) else np.sign(qd)
    columns = [kind[:, :, None] * np.eye(robot.n) for kind in (qd, sign, np.ones_like(qd))]
    return np.concatenate([Y, *columns], axis=2)


def column_names(robot: Robot, base: BaseParameters) -> tuple[str, ...]:
    """What each column belongs to."""
    own = [f"{kind} of {name}" for kind in FRICTION for name in robot.joint_names]
    return (*base.names, *own)


def scaled(W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns of length 1, and how long they were; a column of zeros stays."""
    norms = np.linalg.norm(W, axis=0)
    return W / np.where(norms > 0, norms, 1.0), norms


def condition(W: np.ndarray) -> float:
    """σ max / σ min of the columns scaled to length 1."""
    s = np.linalg.svd(scaled(W)[0], compute_uv=False)
    return float(s[0] / s[-1]) if s[-1] > 0 else float("inf")
