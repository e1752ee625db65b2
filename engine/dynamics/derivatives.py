"""Derivatives of inverse and forward dynamics with respect to position, velocity and acceleration or torque."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.forward import forward_dynamics, no_inertia
from armature.engine.dynamics.mass_moments import MOMENTS, H, M, mass_moments, second_moment, spread
from armature.engine.dynamics.vector import cross, dot, joint_twist, load3, minus, plus, store, times
from armature.engine.dynamics.wrench import on_links, states_with_wrench
from armature.engine.jit import CUBE, INT, INTS, MAT, MODEL, OUT3, OUT4, kernel, routine
from armature.engine.linear_algebra import copy, factor, solve
from armature.engine.model.body_placement import place_in_world
from armature.engine.model.packed_model import PARENT, ROTOR, SLIDES
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
        f_ext: external wrench on each link `(n_links, 6)` or `(N, n_links, 6)`, in the order of `robot.link_names` (base first);
            force in N before moment in N·m, world axes, at the origin of the link frame; None: zero.

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
    (q, qd, qdd), single = states_with_wrench(robot, f_ext, q=q, qd=qd, qdd=qdd)
    f = np.empty((0, 0, 0)) if f_ext is None else on_links(robot, len(q), f_ext)
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
        for i in range(n):
            copy(L[i], M[k, i])
        bad = factor(L)
        if bad >= 0:
            return k * n + bad
        for j in range(n):
            for d in (dq, dqd):
                copy(x, d[k, :, j])
                solve(L, x)
                for i in range(n):
                    d[k, i, j] = -x[i]
            x[:] = 0.0
            x[j] = 1.0
            solve(L, x)
            copy(M[k, :, j], x)
    return -1


# The recursion in world axes about the world's origin.
# Columns of the motion of joint i and of the body it carries; vectors come in pairs, linear before angular.
_S = 0  # joint twist
_S1, _S2 = 6, 12  # its first and second rate in the parent's motion
_V, _A = 18, 24  # twist and acceleration of the body; the base accelerates by −gravity
_MOTION = 30

# Columns of what a subtree is, behind its mass moments.
_P = MOMENTS  # Σ m rd
_D = _P + 3  # Σ m rd rᵀ row by row
_F = _D + 9  # Σ m rdd and Σ r × m rdd
_SUBTREE = _F + 6

# Columns of the external load on a subtree.
_EF, _EN = 0, 3  # force, and moment about the world's origin
_EK = 6  # Σ p fᵀ row by row, p where the wrench acts
_LOAD = 15


@routine
def _move(P, W, qd, qdd, K):
    """Fills the motion table K `(n, _MOTION)`, base first.

    S' = V_p × S,  S'' = A_p × S + V_p × S',  V = V_p + S qd,  A = A_p + S qdd + S' qd,  (v, w) × (s, z) = (w × s + v × z, w × z).
    """
    n = P.shape[0] - 1
    for i in range(n):
        k = int(P[i, PARENT])
        s, z = joint_twist(W, i, P[i, SLIDES] == 1.0)
        if k < 0:
            v, w, b = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
            a = (-P[n, 0], -P[n, 1], -P[n, 2])
        else:
            v, w, a, b = load3(K, k, _V), load3(K, k, _V + 3), load3(K, k, _A), load3(K, k, _A + 3)
        s1, z1 = plus(cross(w, s), cross(v, z)), cross(w, z)
        s2 = plus(plus(cross(b, s), cross(a, z)), plus(cross(w, s1), cross(v, z1)))
        z2 = plus(cross(b, z), cross(w, z1))
        store(K, i, _S, s)
        store(K, i, _S + 3, z)
        store(K, i, _S1, s1)
        store(K, i, _S1 + 3, z1)
        store(K, i, _S2, s2)
        store(K, i, _S2 + 3, z2)
        store(K, i, _V, plus(v, times(qd[i], s)))
        store(K, i, _V + 3, plus(w, times(qd[i], z)))
        store(K, i, _A, plus(a, plus(times(qdd[i], s), times(qd[i], s1))))
        store(K, i, _A + 3, plus(b, plus(times(qdd[i], z), times(qd[i], z1))))


@routine
def _weigh(P, W, K, C):
    """Fills rows of C `(n, _SUBTREE)` with each body's moments and momenta.

    rd = v + w × r,  rdd = a + b × r + w × rd;  Σ m rd = m v + w × h,  Σ m rd rᵀ = v hᵀ + [w]× E,
    Σ m rdd = m a + b × h + w × Σ m rd,  Σ r × m rdd = h × a + tr(E) b − E b + tr(D) w − D w.
    """
    for i in range(P.shape[0] - 1):
        mass_moments(P, W, i, C)
        m, h = C[i, M], load3(C, i, H)
        v, w, a, b = load3(K, i, _V), load3(K, i, _V + 3), load3(K, i, _A), load3(K, i, _A + 3)
        store(C, i, _P, plus(times(m, v), cross(w, h)))
        x = second_moment(C, i, (1.0, 0.0, 0.0))
        y = second_moment(C, i, (0.0, 1.0, 0.0))
        z = second_moment(C, i, (0.0, 0.0, 1.0))
        for c in range(3):
            turn = cross(w, (x, y, z)[c])
            for r in range(3):
                C[i, _D + 3 * r + c] = v[r] * h[c] + turn[r]
        store(C, i, _F, plus(plus(times(m, a), cross(b, h)), cross(w, load3(C, i, _P))))
        spin = minus(times(spread(C, i), b), second_moment(C, i, b))
        half_coriolis = _half_coriolis(C, i, w)[1]
        store(C, i, _F + 3, plus(plus(cross(h, a), spin), half_coriolis))


@routine
def _inertial(C, i, x, b):
    """Wrench that accelerates subtree i by (x, b):  m x + b × h,  h × x + tr(E) b − E b."""
    h = load3(C, i, H)
    moment = minus(times(spread(C, i), b), second_moment(C, i, b))
    return plus(times(C[i, M], x), cross(b, h)), plus(cross(h, x), moment)


@routine
def _half_coriolis(C, i, b):
    """Half the Coriolis wrench of subtree i for an angular velocity b:  Σ m b × rd,  Σ r × m (b × rd) = tr(D) b − D b."""
    trace = C[i, _D] + C[i, _D + 4] + C[i, _D + 8]
    D_b = dot(load3(C, i, _D), b), dot(load3(C, i, _D + 3), b), dot(load3(C, i, _D + 6), b)
    return cross(b, load3(C, i, _P)), minus(times(trace, b), D_b)


@routine
def _half_coriolis_transposed(C, i, s, z):
    """The b with b·x = (s, z)·half_coriolis(x) for all x:  p × s + tr(D) z − Dᵀ z."""
    trace = C[i, _D] + C[i, _D + 4] + C[i, _D + 8]
    columns = plus(plus(times(z[0], load3(C, i, _D)), times(z[1], load3(C, i, _D + 3))), times(z[2], load3(C, i, _D + 6)))
    return plus(cross(load3(C, i, _P), s), minus(times(trace, z), columns))


@routine
def _slopes(P, W, qd, qdd, K, C, dq, dqd, mass):
    """∂tau/∂q, ∂tau/∂qd and M, all `(n, n)`, from world poses W; for j = i or an ancestor of it, I and B of subtree i:

    ∂tau_i/∂q_j = S_i·(2 B S'_j + I S''_j),   ∂tau_j/∂q_i = S_j·(2 B S'_i + I S''_i + S_i ×* F),
    ∂tau_i/∂qd_j = S_i·(2 B S_j + 2 I S'_j),  ∂tau_j/∂qd_i = S_j·(2 B S_i + 2 I S'_i),  M_ij = S_i·I S_j (+ rotor).
    I accelerates, 2 B is the Coriolis wrench, F the subtree's inertia force.
    """
    n = P.shape[0] - 1
    dq[:, :] = 0.0
    dqd[:, :] = 0.0
    mass[:, :] = 0.0
    _move(P, W, qd, qdd, K)
    _weigh(P, W, K, C)
    for i in range(n - 1, -1, -1):
        s, z = load3(K, i, _S), load3(K, i, _S + 3)
        s1, z1 = load3(K, i, _S1), load3(K, i, _S1 + 3)
        force, moment = load3(C, i, _F), load3(C, i, _F + 3)
        i_l, i_a = _inertial(C, i, s, z)
        i1_l, i1_a = _inertial(C, i, s1, z1)
        i2_l, i2_a = _inertial(C, i, load3(K, i, _S2), load3(K, i, _S2 + 3))
        b_l, b_a = _half_coriolis(C, i, z)
        b1_l, b1_a = _half_coriolis(C, i, z1)
        q_l = plus(plus(times(2.0, b1_l), i2_l), cross(z, force))
        q_a = plus(plus(times(2.0, b1_a), i2_a), plus(cross(z, moment), cross(s, force)))
        b_t = times(2.0, _half_coriolis_transposed(C, i, s, z))
        j = i
        while j >= 0:
            s_j, z_j, s1_j, z1_j = load3(K, j, _S), load3(K, j, _S + 3), load3(K, j, _S1), load3(K, j, _S1 + 3)
            if j != i:
                dq[j, i] = dot(s_j, q_l) + dot(z_j, q_a)
                dqd[j, i] = 2.0 * (dot(s_j, plus(b_l, i1_l)) + dot(z_j, plus(b_a, i1_a)))
            dq[i, j] = dot(b_t, z1_j) + dot(i_l, load3(K, j, _S2)) + dot(i_a, load3(K, j, _S2 + 3))
            dqd[i, j] = dot(b_t, z_j) + 2.0 * (dot(i_l, s1_j) + dot(i_a, z1_j))
            mass[i, j] = mass[j, i] = dot(i_l, s_j) + dot(i_a, z_j)
            j = int(P[j, PARENT])
        mass[i, i] += P[i, ROTOR]
        k = int(P[i, PARENT])
        if k >= 0:
            for c in range(_SUBTREE):
                C[k, c] += C[i, c]


@routine
def _gather_loads(P, W, wrench, body, X_BL, L):
    """Rows of L `(n, _LOAD)`: the external load on every subtree, from `wrench` `(n_links, 6)` on links."""
    L[:, :] = 0.0
    for link in range(body.size):
        b = body[link]
        if b < 0:
            continue
        f, p = load3(wrench, link, 0), np.empty(3)
        for r in range(3):
            p[r] = W[b, 9 + r]
            for c in range(3):
                p[r] += W[b, 3 * r + c] * X_BL[link, c, 3]
        store(L, b, _EF, plus(load3(L, b, _EF), f))
        store(L, b, _EN, plus(load3(L, b, _EN), plus(load3(wrench, link, 3), cross(p, f))))
        for r in range(3):
            for c in range(3):
                L[b, _EK + 3 * r + c] += p[r] * f[c]
    for i in range(P.shape[0] - 2, -1, -1):
        k = int(P[i, PARENT])
        if k >= 0:
            for c in range(_LOAD):
                L[k, c] += L[i, c]


@routine
def _shifted_moment(L, i, s, z):
    """Change of the load's moment about the world's origin as its points move by (s, z):  s × f + Σ (z × p) × f."""
    trace = L[i, _EK] + L[i, _EK + 4] + L[i, _EK + 8]
    K_z = dot(load3(L, i, _EK), z), dot(load3(L, i, _EK + 3), z), dot(load3(L, i, _EK + 6), z)
    return plus(cross(s, load3(L, i, _EF)), minus(K_z, times(trace, z)))


@routine
def _add_load_slopes(P, K, L, dq):
    """dq −= ∂(Σ Jᵀ f_ext)/∂q: moving joint j turns the axis of i behind it, and carries along the points behind both."""
    for i in range(P.shape[0] - 1):
        s, z = load3(K, i, _S), load3(K, i, _S + 3)
        transform = _shifted_moment(L, i, s, z)
        j = i
        while j >= 0:
            s_j, z_j = load3(K, j, _S), load3(K, j, _S + 3)
            turn = plus(cross(z_j, s), cross(s_j, z))
            dq[i, j] -= dot(turn, load3(L, i, _EF)) + dot(cross(z_j, z), load3(L, i, _EN))
            dq[i, j] -= dot(z, _shifted_moment(L, i, s_j, z_j))
            if j != i:
                dq[j, i] -= dot(z_j, transform)
            j = int(P[j, PARENT])


@kernel(MODEL, MAT, MAT, MAT, CUBE, INTS, CUBE, OUT4, INT, INT)
def slopes_many(P, q, qd, qdd, wrench, body, X_BL, out, lo, hi):
    """`out` `(3, N, n, n)`: ∂tau/∂q, ∂tau/∂qd, M of the states lo…hi.

    `wrench` `(N, n_links, 6)` acts on links, in world axes, or is empty.
    """
    n = P.shape[0] - 1
    X, W, K, C = np.empty((n, 12)), np.empty((n, 12)), np.empty((n, _MOTION)), np.empty((n, _SUBTREE))
    L = np.empty((n, _LOAD))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        _slopes(P, W, qd[k], qdd[k], K, C, out[0, k], out[1, k], out[2, k])
        if wrench.size:
            _gather_loads(P, W, wrench[k], body, X_BL, L)
            _add_load_slopes(P, K, L, out[0, k])
