"""Lagrange's method with everything it finds on its way: energies per mass, then three slopes per joint."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.christoffel import christoffel
from armature.engine.dynamics.lagrange import lagrange_terms
from armature.engine.dynamics.rnea_steps import Recursion
from armature.engine.model.robot import Robot


class LagrangeSteps(NamedTuple):
    """Intermediate quantities of Lagrange's method at one state (q, qd, qdd), or with a leading N for a batch.

    `K`, `P`: kinetic and potential energy of each body of `robot.bodies`, `(n_bodies,)` in J; K includes the rotor of its joint,
    P is 0 for a centre of mass at the height of the world's origin; L = ΣK − ΣP. Per joint `(n,)`: `dL_dqd` = ∂L/∂qd in N·m·s or
    N·s, `dL_dqd_dt` its time derivative and `dL_dq` = ∂L/∂q in N·m or N, and the torque `tau` = `dL_dqd_dt` − `dL_dq` in N·m or
    N. `slopes` `(n, n, n)`: [i, j, k] = ∂M_ij/∂q_k of the mass matrix M. `symbols` `(n, n, n)`: Christoffel symbols of the first
    kind, [k, i, j] = ½ (∂M_kj/∂q_i + ∂M_ki/∂q_j − ∂M_ij/∂q_k), as from `christoffel`.
    """

    K: np.ndarray
    P: np.ndarray
    dL_dqd: np.ndarray
    dL_dqd_dt: np.ndarray
    dL_dq: np.ndarray
    tau: np.ndarray
    slopes: np.ndarray
    symbols: np.ndarray


def lagrange_steps(robot: Robot, q, qd, qdd) -> LagrangeSteps:
    """Compute every intermediate quantity of Lagrange's method in the motion (q, qd, qdd).

    L = ½ qd·M qd − E_pot is the Lagrangian with the mass matrix M(q); with Mdot = Σ ∂M/∂q_k qd_k
        ∂L/∂qd = M qd,  d/dt ∂L/∂qd = M qdd + Mdot qd,  ∂L/∂q_k = ½ qd·(∂M/∂q_k) qd − ∂E_pot/∂q_k,
        tau = d/dt ∂L/∂qd − ∂L/∂q.

    Args:
        q, qd, qdd: joint positions, velocities, accelerations `(n,)` or `(N, n)`; rad, rad/s, rad/s² (prismatic: m, m/s, m/s²).

    Returns:
        `LagrangeSteps`, for a batch with a leading N; `tau` equals that of `rnea`.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 7.1.
    """
    batching.require_dynamics(robot)
    (q, qd, qdd), single = batching.vectors(robot, q=q, qd=qd, qdd=qdd)
    K, P = _energies(robot, q, qd)
    M, _, g = lagrange_terms(robot, q, qd)
    c = christoffel(robot, q)
    # c_ikj + c_jki = ∂M_ij/∂q_k
    slopes = c.swapaxes(2, 3) + np.einsum("sjki->sijk", c)
    Mdot = np.einsum("sijk,sk->sij", slopes, qd)
    dL_dqd = np.einsum("sij,sj->si", M, qd)
    dL_dqd_dt = np.einsum("sij,sj->si", M, qdd) + np.einsum("sij,sj->si", Mdot, qd)
    dL_dq = 0.5 * np.einsum("sijk,si,sj->sk", slopes, qd, qd) - g
    steps = (K, P, dL_dqd, dL_dqd_dt, dL_dq, dL_dqd_dt - dL_dq, slopes, c)
    return LagrangeSteps(*(x[0] for x in steps)) if single else LagrangeSteps(*steps)


def _energies(robot: Robot, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """K = ½ m v·v + ½ w·I w + ½ I_rotor qd² and P = −m gravity·r of each body, v and r of its centre of mass, `(N, n_bodies)`."""
    if robot.coupling is not None:
        q, qd = robot.coupling.position(q), robot.coupling.rate(qd)
    walk = Recursion(robot.tree, q, qd, np.zeros_like(q))
    walk.outward()
    mass = np.array([body.mass for body in robot.bodies])
    rotor = np.array([body.rotor_inertia for body in robot.bodies])
    inertia = np.array([body.inertia for body in robot.bodies])
    v = walk.v + np.cross(walk.w, walk.c)
    w = np.einsum("sbji,sbj->sbi", walk.R, walk.w)  # in axes of the body
    turning = np.einsum("sbi,bij,sbj->sb", w, inertia, w)
    K = 0.5 * (mass * np.sum(v * v, axis=2) + turning + rotor * qd**2)
    return K, -mass * ((walk.p + walk.c) @ robot.gravity)
