"""How fast the tool moves and gathers speed, from the motion of the joints."""

from __future__ import annotations

import numpy as np

from armature.engine.kinematics.jacobian import jacobian, jacobian_dot
from armature.engine.model.robot import Robot


def tool_rates(robot: Robot, q, qd, qdd) -> tuple[np.ndarray, np.ndarray]:
    """The tool's twist xd = J qd and its derivative xdd = J qdd + Jdot qd.

    Args:
        q, qd, qdd: joint positions, velocities and accelerations `(n,)` or `(N, n)`, rad or m (per s, s²).

    Returns:
        Twice `(6,)` or `(N, 6)`; world axes, linear before angular, at the tool's origin.

    Raises:
        DimensionError.
    """
    J = jacobian(robot, q)
    twist = np.einsum("...ij,...j->...i", J, qd)
    rate = np.einsum("...ij,...j->...i", J, qdd) + np.einsum("...ij,...j->...i", jacobian_dot(robot, q, qd), qd)
    return twist, rate
