"""The mass matrix by composite rigid bodies (CRBA)."""

from __future__ import annotations

import numpy as np

from engine import batching
from engine.direct import ROWS, Direct, given, model, out_matrix, vector, work
from engine.jit import INT, MAT, MODEL, OUT3, inlined, inner, kernel
from engine.model.pack import MASS, PARENT, ROTOR, SLIDES
from engine.model.placement import place
from engine.model.robot import Robot

COMPOSITE = 10  # mass, first moment 3, inertia about the origin xx xy xz yy yz zz


def mass_matrix(robot: Robot, q) -> np.ndarray:
    """Joint-space mass matrix M(q), rotor inertia on the diagonal included.

    E_kin = ½ qdᵀ M(q) qd

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.

    Returns:
        `(n, n)` or `(N, n, n)`, symmetric; kg·m², kg·m or kg.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Featherstone, Rigid Body Dynamics Algorithms, table 6.2.
    """
    batching.require_dynamics(robot)
    M = np.empty((robot.n, robot.n))
    if _one.call(robot.packed, q, M) is M:
        return M
    # else not a plain float64 vector that fits: the checked path takes it or says why not
    if robot.coupling is not None:
        return robot.coupling.matrix(mass_matrix(robot.tree, *batching.on_tree(robot, q=q)))
    (q,), single = batching.states(robot, q=q)
    out = np.empty((len(q), robot.n, robot.n))
    batching.run(lambda lo, hi: _many.call(robot.packed, q, out, lo, hi), len(q))
    return out[0] if single else out


@inner
def composite_rigid_bodies(P, X, M, C):
    """M `(n, n)` from placements X; C `(n, COMPOSITE)` is the workspace.

    From the leaves inward: F = I_i^c φ_i,  M_ii = φ_i·F + rotor;  for each ancestor j: F moved to j,  M_ij = M_ji = φ_j·F;
    then I_p^c += I_i^c moved to the parent.
    """
    n = P.shape[0] - 1
    for i in range(n):
        for c in range(COMPOSITE):
            C[i, c] = P[i, MASS + c]
        for j in range(n):
            M[i, j] = 0.0
    for i in range(n - 1, -1, -1):
        if P[i, SLIDES] == 0.0:
            fx, fy, fz, nx, ny, nz = -C[i, 2], C[i, 1], 0.0, C[i, 6], C[i, 8], C[i, 9]
            M[i, i] = nz + P[i, ROTOR]
        else:
            fx, fy, fz, nx, ny, nz = 0.0, 0.0, C[i, 0], C[i, 2], -C[i, 1], 0.0
            M[i, i] = fz + P[i, ROTOR]
        j, k = i, int(P[i, PARENT])
        if k >= 0:
            _add_to_parent(X, i, C, k)
        while k >= 0:
            px, py, pz = X[j, 9], X[j, 10], X[j, 11]
            fx, fy, fz = (
                X[j, 0] * fx + X[j, 1] * fy + X[j, 2] * fz,
                X[j, 3] * fx + X[j, 4] * fy + X[j, 5] * fz,
                X[j, 6] * fx + X[j, 7] * fy + X[j, 8] * fz,
            )
            nx, ny, nz = (
                X[j, 0] * nx + X[j, 1] * ny + X[j, 2] * nz + py * fz - pz * fy,
                X[j, 3] * nx + X[j, 4] * ny + X[j, 5] * nz + pz * fx - px * fz,
                X[j, 6] * nx + X[j, 7] * ny + X[j, 8] * nz + px * fy - py * fx,
            )
            M[i, k] = M[k, i] = nz if P[k, SLIDES] == 0.0 else fz
            j, k = k, int(P[k, PARENT])


@inlined
def _add_to_parent(X, i, C, k):
    """m_p += m,  h_p += h' + m p,  I_p += R I Rᵀ + (2 p·h' + m p·p) 1 − (p h'ᵀ + h' pᵀ + m p pᵀ)  with h' = R h."""
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = X[i, 0], X[i, 1], X[i, 2], X[i, 3], X[i, 4], X[i, 5], X[i, 6], X[i, 7], X[i, 8]
    px, py, pz = X[i, 9], X[i, 10], X[i, 11]
    m, hx, hy, hz = C[i, 0], C[i, 1], C[i, 2], C[i, 3]
    xx, xy, xz, yy, yz, zz = C[i, 4], C[i, 5], C[i, 6], C[i, 7], C[i, 8], C[i, 9]
    hx, hy, hz = r0 * hx + r1 * hy + r2 * hz, r3 * hx + r4 * hy + r5 * hz, r6 * hx + r7 * hy + r8 * hz
    # R I
    a0, a1, a2 = r0 * xx + r1 * xy + r2 * xz, r0 * xy + r1 * yy + r2 * yz, r0 * xz + r1 * yz + r2 * zz
    a3, a4, a5 = r3 * xx + r4 * xy + r5 * xz, r3 * xy + r4 * yy + r5 * yz, r3 * xz + r4 * yz + r5 * zz
    a6, a7, a8 = r6 * xx + r7 * xy + r8 * xz, r6 * xy + r7 * yy + r8 * yz, r6 * xz + r7 * yz + r8 * zz
    C[k, 0] += m
    C[k, 1] += hx + m * px
    C[k, 2] += hy + m * py
    C[k, 3] += hz + m * pz
    qx, qy, qz = hx + hx + m * px, hy + hy + m * py, hz + hz + m * pz
    xx, yy, zz = px * qx, py * qy, pz * qz
    C[k, 4] += a0 * r0 + a1 * r1 + a2 * r2 + yy + zz
    C[k, 5] += a0 * r3 + a1 * r4 + a2 * r5 - (px * hy + hx * py + m * px * py)
    C[k, 6] += a0 * r6 + a1 * r7 + a2 * r8 - (px * hz + hx * pz + m * px * pz)
    C[k, 7] += a3 * r3 + a4 * r4 + a5 * r5 + xx + zz
    C[k, 8] += a3 * r6 + a4 * r7 + a5 * r8 - (py * hz + hy * pz + m * py * pz)
    C[k, 9] += a6 * r6 + a7 * r7 + a8 * r8 + xx + yy


@Direct
def _one(scratch, args, count):
    """(P, q, M): M of one state."""
    P, q, M = model(args), vector(args, 1), out_matrix(args, 2)
    n = P.shape[0] - 1
    if n > ROWS or q.size != n or not np.isfinite(q.sum()):
        return given(args, 0)
    X, C = work(scratch, 0, n, 12), work(scratch, 12 * n, n, COMPOSITE)
    place(P, q, X)
    composite_rigid_bodies(P, X, M, C)
    return given(args, 2)


@kernel(MODEL, MAT, OUT3, INT, INT)
def _many(P, q, out, lo, hi):
    n = P.shape[0] - 1
    X, C = np.empty((n, 12)), np.empty((n, COMPOSITE))
    for k in range(lo, hi):
        place(P, q[k], X)
        composite_rigid_bodies(P, X, out[k], C)
