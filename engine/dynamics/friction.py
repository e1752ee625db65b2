"""Joint friction as the model file gives it: viscous, Coulomb and breakaway."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.jit import routine
from armature.engine.model.packed_model import COULOMB, VISCOUS
from armature.engine.model.robot import Robot


def friction_torque(robot: Robot, qd) -> np.ndarray:
    """Return the motor torque needed to overcome friction at joint velocity qd; it has the sign of qd.

    tau_f = B qd + F_c(sign qd) sign(qd),  0 at rest, where static friction can have any value up to its limit

    B is the viscous friction and F_c the Coulomb friction of the direction of motion, both from the robot file.

    Args:
        qd: joint velocities `(n,)` or `(N, n)`, rad/s or m/s.

    Returns:
        `(n,)` or `(N, n)`, N·m or N.

    Raises:
        DimensionError.

    Source: Armstrong-Hélouvry, Dupont, Canudas de Wit, A survey of models, analysis tools and compensation methods for the
    control of machines with friction, Automatica 30(7), 1994.
    """
    if robot.coupling is not None:
        return robot.coupling.force(friction_torque(robot.tree, *batching.on_tree(robot, qd=qd)))
    (qd,), single = batching.states(robot, qd=qd)
    P = robot.packed[:-1]
    out = P[:, VISCOUS] * qd + np.where(qd > 0, P[:, COULOMB], -P[:, COULOMB + 1]) * (qd != 0)
    return out[0] if single else out


@routine
def subtract_friction(P, qd, tau, out):
    """`out` `(n,)` ← tau − tau_f(qd): the torque that is left to accelerate the arm."""
    for i in range(qd.size):
        dry = P[i, COULOMB] if qd[i] > 0.0 else -P[i, COULOMB + 1] if qd[i] < 0.0 else 0.0
        out[i] = tau[i] - P[i, VISCOUS] * qd[i] - dry
