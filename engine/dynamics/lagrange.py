"""Lagrange's method: the equations of motion from the energies alone, sharing nothing with RNEA and CRBA."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import batching
from engine.jit import INT, MAT, MODEL, OUT2, OUT3, inner, kernel
from engine.model.pack import INERTIA, MASS, MOMENT, PARENT, ROTOR, SLIDES
from engine.model.placement import place_in_world
from engine.model.robot import Robot


class LagrangeTerms(NamedTuple):
    """tau = M qdd + c + g: M `(…, n, n)`, c and g `(…, n)`."""

    M: np.ndarray
    c: np.ndarray
    g: np.ndarray


def lagrange_terms(robot: Robot, q, qd) -> LagrangeTerms:
    """Mass matrix, Coriolis and centrifugal torque, gravity torque from L = E_kin − E_pot.

    M = Σ m J_vᵀJ_v + J_wᵀ I J_w,  c_i = Σ_jk (∂M_ij/∂q_k − ½ ∂M_jk/∂q_i) qd_j qd_k,  g_i = ∂E_pot/∂q_i

    Args:
        q, qd: joint positions and velocities `(n,)` or `(N, n)`, rad or m (per s).

    Returns:
        M `(n, n)`, c `(n,)`, g `(n,)`, or with a leading N.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 7.1.
    """
    batching.require_dynamics(robot)
    (q, qd), single = batching.states(robot, q=q, qd=qd)
    N, n = q.shape
    M, c, g = np.empty((N, n, n)), np.empty((N, n)), np.empty((N, n))
    batching.run(lambda lo, hi: _many.call(robot.packed, q, qd, M, c, g, lo, hi), N)
    return LagrangeTerms(M[0], c[0], g[0]) if single else LagrangeTerms(M, c, g)


@inner
def _inertia_at_com(P, b):
    """CoM `(3,)` and I_c `(3, 3)` of body b in its own axes:  I_c = I_o + m [c]×[c]×."""
    m = P[b, MASS]
    c = P[b, MOMENT : MOMENT + 3] / m if m > 0.0 else np.zeros(3)
    I = np.empty((3, 3))
    I[0, 0], I[1, 1], I[2, 2] = P[b, INERTIA], P[b, INERTIA + 3], P[b, INERTIA + 5]
    I[0, 1] = I[1, 0] = P[b, INERTIA + 1]
    I[0, 2] = I[2, 0] = P[b, INERTIA + 2]
    I[1, 2] = I[2, 1] = P[b, INERTIA + 4]
    return c, I - m * ((c @ c) * np.eye(3) - np.outer(c, c))


@inner
def _chain(P, b):
    """Joints that move body b, base first."""
    count, i = 0, b
    while i >= 0:
        count, i = count + 1, int(P[i, PARENT])
    chain, i = np.empty(count, np.int64), b
    for k in range(count - 1, -1, -1):
        chain[k], i = i, int(P[i, PARENT])
    return chain


@inner
def _partials(P, chain, z, p, com, Jv, dz, dJv):
    """J_v and the partial derivatives of the columns of J_v and J_w = z:  dz[j, k] = ∂z_j/∂q_k,  dJv[j, k] = ∂J_v,j/∂q_k."""
    for j in range(chain.size):
        slides = P[chain[j], SLIDES] == 1.0
        Jv[j] = z[j] if slides else np.cross(z[j], com - p[j])
        for k in range(chain.size):
            dz[j, k, :] = 0.0
            turns = P[chain[k], SLIDES] == 0.0
            if k < j and turns:
                dz[j, k] = np.cross(z[k], z[j])
            if slides:
                dJv[j, k] = dz[j, k]
                continue
            arm = (np.cross(z[k], com - p[k]) if turns else z[k]).copy()
            if k < j:
                arm -= np.cross(z[k], p[j] - p[k]) if turns else z[k]
            dJv[j, k] = np.cross(dz[j, k], com - p[j]) + np.cross(z[j], arm)


@inner
def _add_body(P, W, b, M, dM, g):
    """Adds what body b brings to M, to dM[i, j, k] = ∂M_ij/∂q_k and to g."""
    n = P.shape[0] - 1
    chain = _chain(P, b)
    count, m = chain.size, P[b, MASS]
    c, I_c = _inertia_at_com(P, b)
    R = W[b, :9].copy().reshape(3, 3)
    com, I_w = W[b, 9:12] + R @ c, R @ I_c @ R.T
    z, p, Jv = np.empty((count, 3)), np.empty((count, 3)), np.empty((count, 3))
    dz, dJv = np.empty((count, count, 3)), np.empty((count, count, 3))
    Jw = np.zeros((count, 3))
    for j in range(count):
        i = chain[j]
        z[j, 0], z[j, 1], z[j, 2] = W[i, 2], W[i, 5], W[i, 8]
        p[j] = W[i, 9:12]
        if P[i, SLIDES] == 0.0:
            Jw[j] = z[j]
    _partials(P, chain, z, p, com, Jv, dz, dJv)
    for i in range(count):
        a = chain[i]
        g[a] -= m * (P[n, :3] @ Jv[i])
        for j in range(count):
            M[a, chain[j]] += m * (Jv[i] @ Jv[j]) + Jw[i] @ I_w @ Jw[j]
            for k in range(count):
                d = m * (dJv[i, k] @ Jv[j] + Jv[i] @ dJv[j, k])
                if P[a, SLIDES] == 0.0 and P[chain[j], SLIDES] == 0.0:
                    d += dz[i, k] @ I_w @ Jw[j] + Jw[i] @ I_w @ dz[j, k]
                    # ∂I/∂q_k = [z_k]× I − I [z_k]×
                    d += Jw[i] @ np.cross(Jw[k], I_w @ Jw[j]) - Jw[i] @ I_w @ np.cross(Jw[k], Jw[j])
                dM[a, chain[j], chain[k]] += d


@kernel(MODEL, MAT, MAT, OUT3, OUT2, OUT2, INT, INT)
def _many(P, q, qd, M, c, g, lo, hi):
    n = P.shape[0] - 1
    X, W, dM = np.empty((n, 12)), np.empty((n, 12)), np.empty((n, n, n))
    for s in range(lo, hi):
        place_in_world(P, q[s], X, W)
        M[s], c[s], g[s] = 0.0, 0.0, 0.0
        dM[:] = 0.0
        for b in range(n):
            _add_body(P, W, b, M[s], dM, g[s])
        for i in range(n):
            M[s, i, i] += P[i, ROTOR]
            for j in range(n):
                for k in range(n):
                    c[s, i] += (dM[i, j, k] - 0.5 * dM[j, k, i]) * qd[s, j] * qd[s, k]
