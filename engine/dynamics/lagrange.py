"""Lagrange's method: the equations of motion from the energies alone, and its intermediate quantities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.coriolis import christoffel
from armature.engine.dynamics.mass_moments import MOMENTS, H, M, mass_moments, second_moment, spread
from armature.engine.dynamics.rnea_steps import body_motion
from armature.engine.dynamics.vector import cross, dot, joint_twist, load3, minus, plus, store, times
from armature.engine.jit import INT, MAT, MODEL, OUT2, OUT3, kernel, routine
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


@routine
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


@routine
def _mass_and_gravity(P, C, S, mass, g):
    """With ∂r/∂q_i = v_i + w_i × r, over what the outer joint i moves:

    M_ij = v_i·(m v_j + w_j × h) + w_i·(h × v_j + tr(E) w_j − E w_j),  g_i = −gravity·(m v_i + w_i × h).
    """
    n = P.shape[0] - 1
    for i in range(n):
        m, h, v, w = C[i, M], load3(C, i, H), load3(S, i, 0), load3(S, i, 3)
        linear = plus(times(m, v), cross(w, h))
        angular = plus(cross(h, v), minus(times(spread(C, i), w), second_moment(C, i, w)))
        g[i] = -dot(load3(P, n, 0), linear)
        j = i
        while j >= 0:
            mass[i, j] = mass[j, i] = dot(load3(S, j, 0), linear) + dot(load3(S, j, 3), angular)
            j = int(P[j, PARENT])
        mass[i, i] += P[i, ROTOR]


@routine
def _second_derivative(C, row, x, w_a, w_b):
    """∫ H dm and ∫ r × H dm for H = ∂²r/∂q_a∂q_b = x + w_a × (w_b × r), x = w_a × v_b, over what joint `row` moves.

    ∫ H dm = m x + w_b (w_a·h) − (w_a·w_b) h,  ∫ r × H dm = h × x + (E w_a) × w_b
    """
    h = load3(C, row, H)
    linear = plus(times(C[row, M], x), minus(times(dot(w_a, h), w_b), times(dot(w_a, w_b), h)))
    return linear, plus(cross(h, x), cross(second_moment(C, row, w_a), w_b))


@routine
def _add_symbol(dM, i, a, b, value):
    """Adds ∫ ∂r/∂q_i·∂²r/∂q_a∂q_b dm to the derivatives it is part of:  ∂M_ij/∂q_k = [i, jk] + [j, ik]."""
    dM[i, b, a] += value
    dM[b, i, a] += value
    if a != b:
        dM[i, a, b] += value
        dM[a, i, b] += value


@routine
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
                w_a, w_b = load3(S, a, 3), load3(S, b, 3)
                x = cross(w_a, load3(S, b, 0))
                linear, angular = _second_derivative(C, b, x, w_a, w_b)
                i = b
                while i >= 0:
                    _add_symbol(dM, i, a, b, dot(load3(S, i, 0), linear) + dot(load3(S, i, 3), angular))
                    i = int(P[i, PARENT])
                for i in range(b + 1, n):
                    if behind[i]:
                        linear, angular = _second_derivative(C, i, x, w_a, w_b)
                        _add_symbol(dM, i, a, b, dot(load3(S, i, 0), linear) + dot(load3(S, i, 3), angular))
            a = int(P[a, PARENT])


@kernel(MODEL, MAT, MAT, OUT3, OUT2, OUT2, INT, INT)
def _many(P, q, qd, mass, c, g, lo, hi):
    n = P.shape[0] - 1
    X, W, C, S, dM = np.empty((n, 12)), np.empty((n, 12)), np.empty((n, MOMENTS)), np.empty((n, 6)), np.empty((n, n, n))
    for s in range(lo, hi):
        place_in_world(P, q[s], X, W)
        for i in range(n):
            v, w = joint_twist(W, i, P[i, SLIDES] == 1.0)
            store(S, i, 0, v)
            store(S, i, 3, w)
        mass[s], c[s], dM[:] = 0.0, 0.0, 0.0
        _sum_over_subtrees(P, W, C)
        _mass_and_gravity(P, C, S, mass[s], g[s])
        _slopes(P, C, S, dM)
        for i in range(n):
            for j in range(n):
                for k in range(n):
                    c[s, i] += (dM[i, j, k] - 0.5 * dM[j, k, i]) * qd[s, j] * qd[s, k]


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
    _, motion = body_motion(robot.tree, q, qd, np.zeros_like(q))
    R, p, v, _, w, _, c, *_ = (x[:, :-1] for x in motion)
    mass = np.array([body.mass for body in robot.bodies])
    rotor = np.array([body.rotor_inertia for body in robot.bodies])
    inertia = np.array([body.inertia for body in robot.bodies])
    v = v + np.cross(w, c)
    w = np.einsum("sbji,sbj->sbi", R, w)  # in axes of the body
    rotation = np.einsum("sbi,bij,sbj->sb", w, inertia, w)
    K = 0.5 * (mass * np.sum(v * v, axis=2) + rotation + rotor * qd**2)
    return K, -mass * ((p + c) @ robot.gravity)
