"""Torques of the model for a measured motion, and the torque constants with which currents become them."""

from __future__ import annotations

import numpy as np

from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.model.robot import Robot

_ALIKE = 0.5  # correlation of current and torque below which the one does not tell the other


def model_torque(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """Torque of the motors `(N, n)` by the model, friction included; NaN where the motion is not known, 0 without masses."""
    tau = np.full_like(q, np.nan)
    known = np.isfinite(q).all(axis=1) & np.isfinite(qd).all(axis=1) & np.isfinite(qdd).all(axis=1)
    if not robot.has_dynamics:
        tau[known] = 0.0
    elif known.any():
        tau[known] = rnea(robot, q[known], qd[known], qdd[known]) + friction_torque(robot, qd[known])
    return tau


def fitted_constants(current: np.ndarray, model: np.ndarray) -> np.ndarray:
    """Torque per current `(n,)` of currents and torques of the model `(N, n)`; NaN where these do not tell it.

    k = Σ τ² / Σ i τ

    That is the slope of the current over the torque, turned over: the noise is in the current, and would make the slope of the
    torque over the current too small. It tells nothing where the two are hardly alike, or have opposite signs.
    """
    both = np.isfinite(current) & np.isfinite(model)
    i, tau = np.where(both, current, 0.0), np.where(both, model, 0.0)
    product, square = (i * tau).sum(axis=0), (tau * tau).sum(axis=0)
    told = product > _ALIKE * np.sqrt((i * i).sum(axis=0) * square)
    return np.where(told, square / np.where(told, product, 1.0), np.nan)


def untold_constants(robot: Robot, untold: np.ndarray) -> str:
    """Why the joints that are `untold` `(n,)` have no constant."""
    names = [name for name, one in zip(robot.joint_names, untold, strict=True) if one]
    if not robot.has_dynamics:
        return f"{robot.name} has no masses to fit torque constants; give the constants"
    one = len(names) == 1
    return f"the torques of {', '.join(names)} are too small to fit {'its constant' if one else 'their constants'}"
