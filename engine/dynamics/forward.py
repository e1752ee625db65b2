"""Forward dynamics: the joint acceleration under a motor torque, by the mass matrix (CRBA) or by articulated bodies (ABA)."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.equations import equations_of_motion, outward
from armature.engine.dynamics.friction import friction_torque, subtract_friction
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.dynamics.pulling_spring import ACCELERATION, AXIS, COMPOSITE, FORCE, WORK
from armature.engine.dynamics.uncompiled import inertia_cause
from armature.engine.dynamics.vector import (
    along,
    load3,
    load_matrix,
    load_symmetric,
    minus_outer,
    minus_outer_sym,
    plus,
    rotate,
    rotate_transposed,
    store,
    sym_mul,
    times,
)
from armature.engine.dynamics.wrench import on_bodies, states_with_wrench
from armature.engine.errors import EngineError, SingularMassMatrixError
from armature.engine.jit import CUBE, INT, MAT, MODEL, OUT1, OUT2, kernel, routine
from armature.engine.linear_algebra import factor, solve
from armature.engine.model.packed_model import PARENT, ROTOR, SLIDES
from armature.engine.model.robot import Robot

# Columns of the row of a body: its articulated inertia I^A = [[M, Hᵀ], [H, J]] about the world's origin in world axes, with M and
# J symmetric; the force U = I^A S of the joint's unit acceleration; D = S·U + rotor; the torque u left to the joint.
_M, _H, _J, _U, _D, _TORQUE = 0, 6, 15, 21, 27, 28
ARTICULATED = 29


@routine
def articulated_bodies(P, q, qd, tau, wrench, Z, A, qdd):
    """qdd `(n,)` under `tau`, from which friction is subtracted, and `wrench` `(n, 6)` on bodies in world axes, or empty.

    Z `(n, WORK)` and A `(n, ARTICULATED)` are workspaces. The acceleration of body i is that of `outward` plus d_i, the effect of
    the joint accelerations; the force on it is F_i of `outward` plus I_i d_i.

    Inward:   U = I^A S,  D = S·U + rotor,  u = tau − S·F;  I_p^A += I^A − U Uᵀ/D,  F_p += F + U u/D.
    Outward:  qdd = (u − U·d_p)/D,  d = d_p + S qdd.

    Returns -1, or the index of the joint whose articulated inertia vanished.

    Source: Featherstone, Rigid Body Dynamics Algorithms, table 7.1, with all quantities in one frame.
    """
    n = P.shape[0] - 1
    outward(P, q, qd, wrench, Z)
    for i in range(n):
        m, h = Z[i, COMPOSITE], load3(Z, i, COMPOSITE + 1)
        store(A, i, _M, (m, 0.0, 0.0, m, 0.0, m))
        store(A, i, _H, (0.0, -h[2], h[1], h[2], 0.0, -h[0], -h[1], h[0], 0.0))
        store(A, i, _J, load_symmetric(Z, i, COMPOSITE + 4))
    size = 0.0
    for i in range(n - 1, -1, -1):
        s, t = load3(Z, i, AXIS), load3(Z, i, AXIS + 3)
        M, H, J = load_symmetric(A, i, _M), load_matrix(A, i, _H), load_symmetric(A, i, _J)
        f, c = plus(sym_mul(M, s), rotate_transposed(H, t)), plus(rotate(H, s), sym_mul(J, t))
        D = along(s, t, f, c) + P[i, ROTOR]
        # D is a difference of numbers as large as the inertia about the world's origin
        size = max(size, J[0] + J[3] + J[5] if P[i, SLIDES] == 0.0 else M[0] + M[3] + M[5])
        if not 1e-14 * size < D:
            return i
        F, N = load3(Z, i, FORCE), load3(Z, i, FORCE + 3)
        u = tau[i] - along(s, t, F, N)
        store(A, i, _U, f)
        store(A, i, _U + 3, c)
        A[i, _D], A[i, _TORQUE] = D, u
        k = int(P[i, PARENT])
        if k >= 0:
            store(Z, k, FORCE, plus(load3(Z, k, FORCE), plus(F, times(u / D, f))))
            store(Z, k, FORCE + 3, plus(load3(Z, k, FORCE + 3), plus(N, times(u / D, c))))
            g, e = times(1.0 / D, f), times(1.0 / D, c)
            store(A, i, _M, minus_outer_sym(M, f, g))
            store(A, i, _H, minus_outer(H, c, g))
            store(A, i, _J, minus_outer_sym(J, c, e))
            for column in range(_U):
                A[k, column] += A[i, column]
    for i in range(n):
        k = int(P[i, PARENT])
        d, e = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if k >= 0:
            d, e = load3(Z, k, ACCELERATION), load3(Z, k, ACCELERATION + 3)
        qdd[i] = (A[i, _TORQUE] - along(d, e, load3(A, i, _U), load3(A, i, _U + 3))) / A[i, _D]
        store(Z, i, ACCELERATION, plus(d, times(qdd[i], load3(Z, i, AXIS))))
        store(Z, i, ACCELERATION + 3, plus(e, times(qdd[i], load3(Z, i, AXIS + 3))))
    return -1


METHODS = ("crba", "aba")


def forward_dynamics(robot: Robot, q, qd, tau, f_ext=None, method: str = "crba") -> np.ndarray:
    """Return the joint acceleration under motor torque tau, friction included.

    qdd = M(q)⁻¹ (tau − C(q, qd) qd − g(q) − tau_friction(qd) + Σ J_iᵀ f_ext_i)

    J_i is the Jacobian of the frame of link i, tau_friction the result of `friction_torque`.

    Args:
        q, qd: joint positions and velocities `(n,)` or `(N, n)`; rad and rad/s (prismatic: m and m/s).
        tau: motor torque or force `(n,)` or `(N, n)`, N·m or N.
        f_ext: external wrench on each link `(n_links, 6)` or `(N, n_links, 6)`, in the order of `robot.link_names` (base first);
            force in N before moment in N·m, world axes, at the origin of the link frame; None: zero.
        method: "crba" (M by composite bodies, bias by RNEA, Cholesky) or "aba" (articulated bodies).

    Returns:
        `(n,)` or `(N, n)`, rad/s² or m/s².

    Raises:
        DimensionError, MissingDynamicsError, SingularMassMatrixError (names the joint).

    Source: Featherstone, Rigid Body Dynamics Algorithms, chapters 6 and 7.
    """
    batching.require_dynamics(robot)
    if method not in METHODS:
        raise EngineError(f"forward_dynamics: unknown method {method!r}; valid are {', '.join(METHODS)}")
    if robot.coupling is not None:
        return _coupled(robot, q, qd, tau, f_ext, method)
    (q, qd, tau), single = states_with_wrench(robot, f_ext, q=q, qd=qd, tau=tau)
    f = np.empty((0, 0, 0)) if f_ext is None else on_bodies(robot, q, f_ext, world_axes=True)
    out = np.empty((len(q), robot.n))
    route = aba_many if method == "aba" else forward_dynamics_many
    failures: list[int] = []
    batching.run(lambda lo, hi: failures.append(route.call(robot.packed, q, qd, tau, f, out, lo, hi)), len(q))
    bad = [code for code in failures if code >= 0]
    if bad:
        raise no_inertia(robot, q[min(bad) // robot.n], min(bad) % robot.n)
    return out[0] if single else out


def _coupled(robot: Robot, q, qd, tau, f_ext, method: str) -> np.ndarray:
    """qdd of an arm with mimic joints: the constrained M and bias are small and dense, whatever the tree."""
    if method == "aba":
        raise EngineError(f"{robot.name}: method aba does not support mimic joints; use method crba")
    (q, qd, tau), single = states_with_wrench(robot, f_ext, q=q, qd=qd, tau=tau)
    rest = tau - friction_torque(robot, qd) - rnea(robot, q, qd, np.zeros_like(q), f_ext)
    for M, x, pose in zip(mass_matrix(robot, q), rest, q, strict=True):
        bad = _factor_and_solve.call(M, x)
        if bad >= 0:
            raise no_inertia(robot, pose, bad)
    return rest[0] if single else rest


def no_inertia(robot: Robot, q: np.ndarray, joint: int) -> SingularMassMatrixError:
    """The error for a mass matrix that has no inverse at q because of `joint`."""
    cause = inertia_cause(robot)
    if cause:
        text = f"{cause}; the acceleration is undefined. Give the link an inertia about this axis, or the joint a rotor inertia"
        return SingularMassMatrixError(f"{robot.name}: the mass matrix is singular: {text}", joint)
    pose = ", ".join(f"{name} = {x:.6g}" for name, x in zip(robot.joint_names, q, strict=True))
    return SingularMassMatrixError(
        f"{robot.name}: the mass matrix is singular at {pose}: {robot.joint_names[joint]} moves no inertia in this "
        "pose. Give it a rotor inertia or change the pose",
        joint,
    )


@routine
def accelerate(P, q, qd, tau, wrench, Z, M, qdd):
    """qdd `(n,)` ← M⁻¹ (tau − bias); leaves the Cholesky factor in M; -1 or the joint without inertia."""
    equations_of_motion(P, q, qd, tau, wrench, Z, M, qdd)
    bad = factor(M)
    if bad < 0:
        solve(M, qdd)
    return bad


@kernel(OUT2, OUT1)
def _factor_and_solve(M, rest):
    """rest ← M⁻¹ rest; -1 or the joint without inertia."""
    bad = factor(M)
    if bad < 0:
        solve(M, rest)
    return bad


@kernel(MODEL, MAT, MAT, MAT, CUBE, OUT2, INT, INT)
def forward_dynamics_many(P, q, qd, tau, wrench, out, lo, hi):
    """qdd of rows lo…hi, friction included, into `out` `(N, n)`.

    Returns -1, or n·k + j for joint j of the first state k without M⁻¹.
    """
    n = P.shape[0] - 1
    Z, M, none = np.empty((n, WORK)), np.empty((n, n)), np.empty((0, 6))
    for k in range(lo, hi):
        subtract_friction(P, qd[k], tau[k], out[k])
        bad = accelerate(P, q[k], qd[k], out[k], wrench[k] if wrench.size else none, Z, M, out[k])
        if bad >= 0:
            return k * n + bad
    return -1


@kernel(MODEL, MAT, MAT, MAT, CUBE, OUT2, INT, INT)
def aba_many(P, q, qd, tau, wrench, out, lo, hi):
    """`forward_dynamics_many` by articulated bodies."""
    n = P.shape[0] - 1
    Z, A, none = np.empty((n, WORK)), np.empty((n, ARTICULATED)), np.empty((0, 6))
    for k in range(lo, hi):
        subtract_friction(P, qd[k], tau[k], out[k])
        bad = articulated_bodies(P, q[k], qd[k], out[k], wrench[k] if wrench.size else none, Z, A, out[k])
        if bad >= 0:
            return k * n + bad
    return -1
