"""The Coriolis matrix in the Christoffel form."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.jit import INT, MAT, MODEL, OUT3, inner, kernel
from armature.engine.model.body_placement import body_velocities, place_in_world
from armature.engine.model.packed_model import INERTIA, MASS, MOMENT, PARENT, SLIDES
from armature.engine.model.robot import Robot


def coriolis_matrix(robot: Robot, q, qd) -> np.ndarray:
    """Return the Coriolis matrix C(q, qd) from Christoffel symbols, so that Mdot − 2C is skew-symmetric.

    C_ij = Σ_k ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i) qd_k,  with the mass matrix M(q); C qd is a torque in N·m or N.

    Args:
        q, qd: joint positions and velocities `(n,)` or `(N, n)`; rad and rad/s (prismatic: m and m/s).

    Returns:
        `(n, n)` or `(N, n, n)`; N·m (prismatic joint i: N) per rad/s (prismatic joint j: per m/s).

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Echeandia, Wensing, Numerical methods to compute the Coriolis matrix and Christoffel symbols, 2021, algorithm 1.
    """
    batching.require_dynamics(robot)
    if robot.coupling is not None:
        return robot.coupling.matrix(coriolis_matrix(robot.tree, *batching.on_tree(robot, q=q, qd=qd)))
    (q, qd), single = batching.states(robot, q=q, qd=qd)
    out = np.empty((len(q), robot.n, robot.n))
    batching.run(lambda lo, hi: _many.call(robot.packed, q, qd, out, lo, hi), len(q))
    return out[0] if single else out


@inner
def _cross(a):
    """[a]×."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


@inner
def _spatial_inertia(P, W, i):
    """I `(6, 6)` of body i about the world's origin, twists (v, w) linear first, and its first moment there."""
    R = W[i, :9].copy().reshape(3, 3)
    p, m = W[i, 9:12], P[i, MASS]
    h_B = R @ P[i, MOMENT : MOMENT + 3]
    J = np.empty((3, 3))
    J[0, 0], J[0, 1], J[0, 2] = P[i, INERTIA], P[i, INERTIA + 1], P[i, INERTIA + 2]
    J[1, 0], J[1, 1], J[1, 2] = P[i, INERTIA + 1], P[i, INERTIA + 3], P[i, INERTIA + 4]
    J[2, 0], J[2, 1], J[2, 2] = P[i, INERTIA + 2], P[i, INERTIA + 4], P[i, INERTIA + 5]
    h = h_B + m * p
    I = np.zeros((6, 6))
    I[:3, :3] = m * np.eye(3)
    I[:3, 3:] = -_cross(h)
    I[3:, :3] = _cross(h)
    # moved from the body's origin to the world's: I_O = I_B − [p]×[h_B]× − [h_B]×[p]× − m [p]×[p]×
    cp, ch = _cross(p), _cross(h_B)
    I[3:, 3:] = R @ J @ R.T - cp @ ch - ch @ cp - m * cp @ cp
    return I


@inner
def _twist_cross(V):
    """[V]× for twists: crm(V) `(6, 6)`, linear first; the wrench form is −crm(V)ᵀ."""
    X = np.zeros((6, 6))
    X[:3, :3] = _cross(V[3:])
    X[:3, 3:] = _cross(V[:3])
    X[3:, 3:] = _cross(V[3:])
    return X


@inner
def _wrench_bar(f):
    """f̄×* with (f̄×*) V = V ×* f, `(6, 6)`."""
    X = np.zeros((6, 6))
    X[:3, 3:] = -_cross(f[:3])
    X[3:, :3] = -_cross(f[:3])
    X[3:, 3:] = -_cross(f[3:])
    return X


@inner
def christoffel_matrix(P, W, V, qd, C):
    """C `(n, n)` from world poses W and body velocities V.

    B_k = ½ ((V×*) I − I (V×) + (I V)‾×*),  summed with I over the subtree;
    C_ij = φ_iᵀ (I_j^c φ_dot_j + B_j^c φ_j),  C_ji = φ_jᵀ (I_j^c φ_dot_i + B_j^c φ_i)  for i an ancestor of j or j itself.
    """
    n = P.shape[0] - 1
    I, B = np.empty((n, 6, 6)), np.empty((n, 6, 6))
    S, Sd = np.zeros((n, 6)), np.empty((n, 6))
    for i in range(n):
        z, p = np.array([W[i, 2], W[i, 5], W[i, 8]]), W[i, 9:12]
        if P[i, SLIDES] == 0.0:
            S[i, :3], S[i, 3:] = np.cross(p, z), z
        else:
            S[i, :3] = z
        twist = V[i].copy()
        twist[:3] -= np.cross(V[i, 3:], p)
        cross = _twist_cross(twist)
        Sd[i] = cross @ S[i]
        I[i] = _spatial_inertia(P, W, i)
        B[i] = 0.5 * (-cross.T @ I[i] - I[i] @ cross + _wrench_bar(I[i] @ twist))
    C[:, :] = 0.0
    for j in range(n - 1, -1, -1):
        f1, f2, f3 = I[j] @ Sd[j] + B[j] @ S[j], I[j] @ S[j], B[j].T @ S[j]
        i = j
        while i >= 0:
            C[i, j] = S[i] @ f1
            C[j, i] = Sd[i] @ f2 + S[i] @ f3
            i = int(P[i, PARENT])
        k = int(P[j, PARENT])
        if k >= 0:
            I[k] += I[j]
            B[k] += B[j]


@kernel(MODEL, MAT, MAT, OUT3, INT, INT)
def _many(P, q, qd, out, lo, hi):
    n = P.shape[0] - 1
    X, W, V = np.empty((n, 12)), np.empty((n, 12)), np.empty((n, 6))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        body_velocities(P, W, qd[k], V)
        christoffel_matrix(P, W, V, qd[k], out[k])
