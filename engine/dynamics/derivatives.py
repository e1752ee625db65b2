"""Derivatives of inverse and forward dynamics with respect to position, velocity and acceleration or torque."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.forward import forward_dynamics, no_inertia
from armature.engine.dynamics.inverse_slopes import NO_WRENCH, slopes_many
from armature.engine.dynamics.wrench import on_links
from armature.engine.jit import INT, OUT3, kernel
from armature.engine.linear_algebra import factor, solve
from armature.engine.model.robot import Robot


class RneaDerivatives(NamedTuple):
    """Partial derivatives of the torque tau of `rnea`, each `(…, n, n)`.

    Entry (i, j) of `dq` is ∂tau_i/∂q_j, of `dqd` ∂tau_i/∂qd_j, of `dqdd` ∂tau_i/∂qdd_j. For revolute joints `dq` is in N·m/rad,
    `dqd` in N·m·s/rad and `dqdd`, the mass matrix, in kg·m²; for prismatic joints N and m replace N·m and rad.
    """

    dq: np.ndarray
    dqd: np.ndarray
    dqdd: np.ndarray


class ForwardDerivatives(NamedTuple):
    """Partial derivatives of the acceleration qdd of `forward_dynamics`, each `(…, n, n)`.

    Entry (i, j) of `dq` is ∂qdd_i/∂q_j, of `dqd` ∂qdd_i/∂qd_j, of `dtau` ∂qdd_i/∂tau_j. For revolute joints `dq` is in 1/s²,
    `dqd` in 1/s and `dtau`, the inverse mass matrix, in 1/(kg·m²); for prismatic joints m and N replace rad and N·m.
    """

    dq: np.ndarray
    dqd: np.ndarray
    dtau: np.ndarray


def rnea_derivatives(robot: Robot, q, qd, qdd, f_ext=None) -> RneaDerivatives:
    """Return the analytical derivatives of tau = rnea(robot, q, qd, qdd, f_ext) in q, qd and qdd.

    ∂tau/∂q,  ∂tau/∂qd,  ∂tau/∂qdd = M(q);  f_ext keeps its world axes and moves with the origin of its link.

    Args:
        q, qd, qdd: joint positions, velocities, accelerations `(n,)` or `(N, n)`; rad, rad/s, rad/s² (prismatic: m, m/s, m/s²).
        f_ext: external wrench on each link `(n_links, 6)` or `(N, n_links, 6)`, force in N before moment in N·m, world axes,
            at the origin of the link frame; None: zero.

    Returns:
        `RneaDerivatives`: `dq`, `dqd` and `dqdd`, each `(n, n)`, or with a leading N.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Singh, Russell, Wensing, Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra, 2022.
    """
    batching.require_dynamics(robot)
    if robot.coupling is not None:
        q, qd, qdd = batching.on_tree(robot, q=q, qd=qd, qdd=qdd)
        return RneaDerivatives(*(robot.coupling.matrix(x) for x in rnea_derivatives(robot.tree, q, qd, qdd, f_ext)))
    (q, qd, qdd), single = batching.states(robot, q=q, qd=qd, qdd=qdd)
    if np.ndim(f_ext) == 3 and single:
        q, qd, qdd = (np.repeat(x, len(f_ext), axis=0) for x in (q, qd, qdd))
        single = False
    f = NO_WRENCH if f_ext is None else on_links(robot, len(q), f_ext)
    body, X_BL = robot.link_table
    slopes = np.empty((3, len(q), robot.n, robot.n))
    batching.run(lambda lo, hi: slopes_many.call(robot.packed, q, qd, qdd, f, body, X_BL, slopes, lo, hi), len(q))
    return RneaDerivatives(*(slopes[:, 0] if single else slopes))


def forward_dynamics_derivatives(robot: Robot, q, qd, tau, f_ext=None) -> ForwardDerivatives:
    """Return the analytical derivatives of qdd = forward_dynamics(robot, q, qd, tau, f_ext) in q, qd and tau.

    ∂qdd/∂tau = M⁻¹,  ∂qdd/∂q = −M⁻¹ ∂tau/∂q,  ∂qdd/∂qd = −M⁻¹ (∂tau/∂qd + B)  with ∂tau/∂q and ∂tau/∂qd of `rnea` at this qdd,
    and B = diag(viscous friction). Coulomb friction has derivative 0 while a joint moves, and is not differentiable where its
    direction changes.

    Args:
        q, qd: joint positions and velocities `(n,)` or `(N, n)`; rad and rad/s (prismatic: m and m/s).
        tau: motor torque or force `(n,)` or `(N, n)`, N·m or N.
        f_ext: as in `rnea_derivatives`.

    Returns:
        `ForwardDerivatives`: `dq`, `dqd` and `dtau`, each `(n, n)`, or with a leading N.

    Raises:
        DimensionError, MissingDynamicsError, SingularMassMatrixError (names the joint).

    Source: Carpentier, Mansard, Analytical derivatives of rigid body dynamics algorithms, RSS 2018.
    """
    qdd = forward_dynamics(robot, q, qd, tau, f_ext)
    slopes = rnea_derivatives(robot, q, qd, qdd, f_ext)
    n = robot.n
    viscous = np.diag([body.friction.viscous for body in robot.bodies])
    if robot.coupling is not None:
        viscous = robot.coupling.matrix(viscous)
    arrays = (slopes.dq, slopes.dqd + viscous, slopes.dqdd)
    dq, dqd, dtau = (np.ascontiguousarray(x).reshape(-1, n, n) for x in arrays)
    failures: list[int] = []
    batching.run(lambda lo, hi: failures.append(_through_inertia.call(dq, dqd, dtau, lo, hi)), len(dq))
    bad = [code for code in failures if code >= 0]
    if bad:
        raise no_inertia(robot, np.atleast_2d(np.asarray(q, float))[min(bad) // n], min(bad) % n)
    return ForwardDerivatives(*(x.reshape(qdd.shape + (n,)) for x in (dq, dqd, dtau)))


@kernel(OUT3, OUT3, OUT3, INT, INT)
def _through_inertia(dq, dqd, M, lo, hi):
    """dq ← −M⁻¹ dq,  dqd ← −M⁻¹ dqd,  M ← M⁻¹;  returns -1, or n·k + j for joint j of the first state k without M⁻¹."""
    n = M.shape[1]
    L, x = np.empty((n, n)), np.empty(n)
    for k in range(lo, hi):
        L[:, :] = M[k]
        bad = factor(L)
        if bad >= 0:
            return k * n + bad
        for j in range(n):
            x[:] = dq[k, :, j]
            solve(L, x)
            dq[k, :, j] = -x
            x[:] = dqd[k, :, j]
            solve(L, x)
            dqd[k, :, j] = -x
            x[:] = 0.0
            x[j] = 1.0
            solve(L, x)
            M[k, :, j] = x
    return -1
