"""Lagrange's method: the equations of motion from the energies alone, sharing nothing with RNEA and CRBA."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.mass_moments import MOMENTS, H, M, mass_moments, second_moment, spread
from armature.engine.dynamics.vector import cross, dot, joint_twist, minus, part, plus, put, times
from armature.engine.jit import INT, MAT, MODEL, OUT2, OUT3, inner, kernel
from armature.engine.model.body_placement import place_in_world
from armature.engine.model.packed_model import PARENT, ROTOR, SLIDES
from armature.engine.model.robot import Robot


class LagrangeTerms(NamedTuple):
    """Terms of tau = M qdd + c + g at one state or a batch.

    `M` `(…, n, n)`: mass matrix, kg·m², kg·m or kg. `c` `(…, n)`: Coriolis and centrifugal torque C(q, qd) qd, N·m or N.
    `g` `(…, n)`: gravity torque, N·m or N.
    """

    M: np.ndarray
    c: np.ndarray
    g: np.ndarray


def lagrange_terms(robot: Robot, q, qd) -> LagrangeTerms:
    """Return mass matrix, Coriolis and centrifugal torque, and gravity torque from the Lagrangian L = E_kin − E_pot.

    E_kin = ½ ∫ rd·rd dm = ½ Σ M_ij qd_i qd_j,  M_ij = ∫ ∂r/∂q_i·∂r/∂q_j dm, c_i = Σ_jk (∂M_ij/∂q_k − ½ ∂M_jk/∂q_i) qd_j qd_k,
    g_i = ∂E_pot/∂q_i;  r is the position of the mass element dm. The effort is O(n³), because M has n³ partial derivatives.

    Args:
        q, qd: joint positions and velocities `(n,)` or `(N, n)`; rad and rad/s (prismatic: m and m/s).

    Returns:
        `LagrangeTerms`: M `(n, n)`, c `(n,)`, g `(n,)`, or each with a leading N; kg·m², kg·m or kg, and N·m or N.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 7.1.
    """
    batching.require_dynamics(robot)
    if robot.coupling is not None:
        move, terms = robot.coupling, lagrange_terms(robot.tree, *batching.on_tree(robot, q=q, qd=qd))
        return LagrangeTerms(move.matrix(terms.M), move.force(terms.c), move.force(terms.g))
    (q, qd), single = batching.states(robot, q=q, qd=qd)
    N, n = q.shape
    M, c, g = np.empty((N, n, n)), np.empty((N, n)), np.empty((N, n))
    batching.run(lambda lo, hi: _many.call(robot.packed, q, qd, M, c, g, lo, hi), N)
    return LagrangeTerms(M[0], c[0], g[0]) if single else LagrangeTerms(M, c, g)


@inner
def _sum_over_subtrees(P, W, C):
    """Rows of C `(n, MOMENTS)`: ∫ dm, ∫ r dm, ∫ r rᵀ dm over all that joint i moves."""
    n = P.shape[0] - 1
    for i in range(n):
        mass_moments(P, W, i, C)
    for i in range(n - 1, -1, -1):
        k = int(P[i, PARENT])
        if k >= 0:
            for c in range(MOMENTS):
                C[k, c] += C[i, c]


@inner
def _mass_and_gravity(P, C, S, mass, g):
    """With ∂r/∂q_i = v_i + w_i × r, over what the outer joint i moves:

    M_ij = v_i·(m v_j + w_j × h) + w_i·(h × v_j + tr(E) w_j − E w_j),  g_i = −gravity·(m v_i + w_i × h).
    """
    n = P.shape[0] - 1
    for i in range(n):
        m, h, v, w = C[i, M], part(C, i, H), part(S, i, 0), part(S, i, 3)
        linear = plus(times(m, v), cross(w, h))
        angular = plus(cross(h, v), minus(times(spread(C, i), w), second_moment(C, i, w)))
        g[i] = -dot(part(P, n, 0), linear)
        j = i
        while j >= 0:
            mass[i, j] = mass[j, i] = dot(part(S, j, 0), linear) + dot(part(S, j, 3), angular)
            j = int(P[j, PARENT])
        mass[i, i] += P[i, ROTOR]


@inner
def _second_derivative(C, row, x, w_a, w_b):
    """∫ H dm and ∫ r × H dm for H = ∂²r/∂q_a∂q_b = x + w_a × (w_b × r), x = w_a × v_b, over what joint `row` moves.

    ∫ H dm = m x + w_b (w_a·h) − (w_a·w_b) h,  ∫ r × H dm = h × x + (E w_a) × w_b
    """
    h = part(C, row, H)
    linear = plus(times(C[row, M], x), minus(times(dot(w_a, h), w_b), times(dot(w_a, w_b), h)))
    return linear, plus(cross(h, x), cross(second_moment(C, row, w_a), w_b))


@inner
def _add_symbol(dM, i, a, b, value):
    """Adds ∫ ∂r/∂q_i·∂²r/∂q_a∂q_b dm to the slopes it is part of:  ∂M_ij/∂q_k = [i, jk] + [j, ik]."""
    dM[i, b, a] += value
    dM[b, i, a] += value
    if a != b:
        dM[i, a, b] += value
        dM[a, i, b] += value


@inner
def _slopes(P, C, S, dM):
    """dM[i, j, k] = ∂M_ij/∂q_k: for each joint b, each a from b to the base, and each i on one chain with them."""
    n = P.shape[0] - 1
    behind = np.zeros(n, np.bool_)
    for b in range(n):
        behind[:] = False
        for i in range(b + 1, n):
            k = int(P[i, PARENT])
            behind[i] = k == b or (k > b and behind[k])
        a = b
        while a >= 0:
            if P[a, SLIDES] == 0.0:
                w_a, w_b = part(S, a, 3), part(S, b, 3)
                x = cross(w_a, part(S, b, 0))
                linear, angular = _second_derivative(C, b, x, w_a, w_b)
                i = b
                while i >= 0:
                    _add_symbol(dM, i, a, b, dot(part(S, i, 0), linear) + dot(part(S, i, 3), angular))
                    i = int(P[i, PARENT])
                for i in range(b + 1, n):
                    if behind[i]:
                        linear, angular = _second_derivative(C, i, x, w_a, w_b)
                        _add_symbol(dM, i, a, b, dot(part(S, i, 0), linear) + dot(part(S, i, 3), angular))
            a = int(P[a, PARENT])


@kernel(MODEL, MAT, MAT, OUT3, OUT2, OUT2, INT, INT)
def _many(P, q, qd, mass, c, g, lo, hi):
    n = P.shape[0] - 1
    X, W, C, S, dM = np.empty((n, 12)), np.empty((n, 12)), np.empty((n, MOMENTS)), np.empty((n, 6)), np.empty((n, n, n))
    for s in range(lo, hi):
        place_in_world(P, q[s], X, W)
        for i in range(n):
            v, w = joint_twist(W, i, P[i, SLIDES] == 1.0)
            put(S, i, 0, v)
            put(S, i, 3, w)
        mass[s], c[s], dM[:] = 0.0, 0.0, 0.0
        _sum_over_subtrees(P, W, C)
        _mass_and_gravity(P, C, S, mass[s], g[s])
        _slopes(P, C, S, dM)
        for i in range(n):
            for j in range(n):
                for k in range(n):
                    c[s, i] += (dM[i, j, k] - 0.5 * dM[j, k, i]) * qd[s, j] * qd[s, k]
