"""The centre of mass of all moving bodies, and its Jacobian."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.mass_moments import MOMENTS, H, M, mass_moments
from armature.engine.dynamics.vector import cross, joint_twist, load3, plus, times
from armature.engine.errors import EngineError
from armature.engine.jit import INT, MAT, MODEL, OUT2, OUT3, kernel
from armature.engine.model.body_placement import place_in_world
from armature.engine.model.packed_model import MASS, PARENT, SLIDES
from armature.engine.model.robot import Robot


def center_of_mass(robot: Robot, q) -> np.ndarray:
    """Return the centre of mass of all moving bodies in the world frame, m.

    p_C = Σ m_i p_Ci / Σ m_i  with mass m_i and centre of mass p_Ci of each body.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.

    Returns:
        `(3,)` or `(N, 3)`, m, world axes.

    Raises:
        DimensionError, MissingDynamicsError; EngineError: the masses of the arm are all 0.
    """
    if robot.coupling is not None:
        return center_of_mass(robot.tree, *batching.on_tree(robot, q=q))
    p, _, single = _solve(robot, q)
    return p[0] if single else p


def com_jacobian(robot: Robot, q) -> np.ndarray:
    """Return the Jacobian J of the arm's centre of mass, whose velocity is J qd in m/s.

    J_i = z_i × (Σ_subtree m p_C − m_subtree p_i) / Σ m for a revolute joint, z_i m_subtree / Σ m for a prismatic one.

    z_i and p_i are the axis and origin of joint i, p_C the centre of mass of a body of mass m; the subtree are the bodies that
    joint i moves.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.

    Returns:
        `(3, n)` or `(N, 3, n)`, world axes; m per rad (prismatic joints: m per m).

    Raises:
        DimensionError, MissingDynamicsError; EngineError: the masses of the arm are all 0.

    Source: Sugihara, Nakamura, Inoue, ICRA 2002.
    """
    if robot.coupling is not None:
        return robot.coupling.columns(com_jacobian(robot.tree, *batching.on_tree(robot, q=q)))
    _, J, single = _solve(robot, q)
    return J[0] if single else J


def _solve(robot: Robot, q) -> tuple[np.ndarray, np.ndarray, bool]:
    batching.require_dynamics(robot)
    (q,), single = batching.states(robot, q=q)
    if not robot.packed[:-1, MASS].sum() > 0:
        raise EngineError(f"{robot.name}: all masses are 0, so the centre of mass is undefined")
    p, J = np.empty((len(q), 3)), np.empty((len(q), 3, robot.n))
    batching.run(lambda lo, hi: _many.call(robot.packed, q, p, J, lo, hi), len(q))
    return p, J, single


@kernel(MODEL, MAT, OUT2, OUT3, INT, INT)
def _many(P, q, p, J, lo, hi):
    """Sum mass and first moment over subtrees, from the leaves inward: m v + z × h is the momentum per unit speed."""
    n = P.shape[0] - 1
    X, W, C = np.empty((n, 12)), np.empty((n, 12)), np.empty((n, MOMENTS))
    total = P[:n, MASS].sum()
    for s in range(lo, hi):
        place_in_world(P, q[s], X, W)
        for i in range(n):
            mass_moments(P, W, i, C)
        p[s] = 0.0
        for i in range(n - 1, -1, -1):
            v, z = joint_twist(W, i, P[i, SLIDES] == 1.0)
            momentum = plus(times(C[i, M], v), cross(z, load3(C, i, H)))
            k = int(P[i, PARENT])
            for r in range(3):
                J[s, r, i] = momentum[r] / total
                if k >= 0:
                    C[k, H + r] += C[i, H + r]
                else:
                    p[s, r] += C[i, H + r] / total
            if k >= 0:
                C[k, M] += C[i, M]
