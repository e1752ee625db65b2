"""The Coriolis matrix in the Christoffel form, and the Christoffel symbols."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.derivatives import rnea_derivatives
from armature.engine.model.robot import Robot


def coriolis_matrix(robot: Robot, q, qd) -> np.ndarray:
    """Return the Coriolis matrix C(q, qd) from Christoffel symbols, so that Mdot − 2C is skew-symmetric.

    C_ij = Σ_k ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i) qd_k,  with the mass matrix M(q); C qd is a torque in N·m or N.

    Args:
        q, qd: joint positions and velocities `(n,)` or `(N, n)`; rad and rad/s (prismatic: m and m/s).

    Returns:
        `(n, n)` or `(N, n, n)`; N·m (prismatic joint i: N) per rad/s (prismatic joint j: per m/s).

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Echeandia, Wensing, Numerical methods to compute the Coriolis matrix and Christoffel symbols, 2021.
    """
    batching.require_dynamics(robot)
    # the torque C(q, qd) qd is quadratic in qd with coefficients symmetric in their last two indices:  ∂tau/∂qd = 2 C
    return 0.5 * rnea_derivatives(robot, q, qd, np.zeros(robot.n)).dqd


def christoffel(robot: Robot, q) -> np.ndarray:
    """Return the Christoffel symbols of the first kind of the mass matrix M(q), which give Coriolis and centrifugal torques.

    c_kij = ½ (∂M_kj/∂q_i + ∂M_ki/∂q_j − ∂M_ij/∂q_k),  so that C_kj = Σ_i c_kij qd_i and (C qd)_k = Σ_ij c_kij qd_i qd_j.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.

    Returns:
        `(n, n, n)` or `(N, n, n, n)`, entry [k, i, j], symmetric in i and j; N·m or N per (rad/s or m/s)².

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, eq. 7.63 (theirs is c_ijk for ours c_kij).
    """
    batching.require_dynamics(robot)
    (poses,), single = batching.vectors(robot, q=q)
    n = robot.n
    # C is linear in qd, so its value at the i-th unit speed is the slice [:, i, :]
    C = coriolis_matrix(robot, np.repeat(poses, n, axis=0), np.tile(np.eye(n), (len(poses), 1)))
    symbols = np.ascontiguousarray(C.reshape(len(poses), n, n, n).swapaxes(1, 2))
    return symbols[0] if single else symbols
