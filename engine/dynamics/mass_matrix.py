"""The mass matrix by composite rigid bodies (CRBA)."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.vector import load3, load_matrix, load_symmetric, move_inertia, plus, plus_cross, rotate, store
from armature.engine.jit import INT, MAT, MODEL, OUT3, kernel, routine
from armature.engine.model.body_placement import place
from armature.engine.model.packed_model import MASS, PARENT, ROTOR, SLIDES
from armature.engine.model.robot import Robot

COMPOSITE = 10  # mass, first moment 3, inertia about the origin xx xy xz yy yz zz


def mass_matrix(robot: Robot, q) -> np.ndarray:
    """Return the joint-space mass matrix M(q), with rotor inertias added on the diagonal.

    E_kin = ½ qdᵀ M(q) qd

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.

    Returns:
        `(n, n)` or `(N, n, n)`, symmetric; kg·m² between revolute joints, kg between prismatic joints, else kg·m.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Featherstone, Rigid Body Dynamics Algorithms, table 6.2.
    """
    batching.require_dynamics(robot)
    if robot.coupling is not None:
        return robot.coupling.matrix(mass_matrix(robot.tree, *batching.on_tree(robot, q=q)))
    (q,), single = batching.states(robot, q=q)
    out = np.empty((len(q), robot.n, robot.n))
    batching.run(lambda lo, hi: mass_matrix_many.call(robot.packed, q, out, lo, hi), len(q))
    return out[0] if single else out


@routine
def composite_rigid_bodies(P, X, M, C):
    """M `(n, n)` from placements X; C `(n, COMPOSITE)` is the workspace: from the leaves inward."""
    n = P.shape[0] - 1
    for i in range(n):
        for c in range(COMPOSITE):
            C[i, c] = P[i, MASS + c]
        for j in range(n):
            M[i, j] = 0.0
    for i in range(n - 1, -1, -1):
        m, h, I = C[i, 0], load3(C, i, 1), load_symmetric(C, i, 4)
        j, k = i, int(P[i, PARENT])
        # (f, t) = I^c φ of the composite body i,  M_ii = φ·(f, t) + rotor
        if P[i, SLIDES] == 0.0:
            f, t = (-h[1], h[0], 0.0), (I[2], I[4], I[5])
            M[i, i] = t[2] + P[i, ROTOR]
        else:
            f, t = (0.0, 0.0, m), (h[1], -h[0], 0.0)
            M[i, i] = f[2] + P[i, ROTOR]
        if k >= 0:
            # I_p^c += I_i^c, moved to the parent
            h, I = move_inertia(load_matrix(X, i, 0), load3(X, i, 9), m, h, I)
            C[k, 0] += m
            store(C, k, 1, plus(load3(C, k, 1), h))
            for c in range(6):
                C[k, 4 + c] += I[c]
        while k >= 0:
            # f_p = R f,  t_p = R t + p × f_p;  M_ik = φ_k·(f_p, t_p) for every ancestor k
            R, p = load_matrix(X, j, 0), load3(X, j, 9)
            f = rotate(R, f)
            t = plus_cross(rotate(R, t), p, f)
            M[i, k] = M[k, i] = t[2] if P[k, SLIDES] == 0.0 else f[2]
            j, k = k, int(P[k, PARENT])


@kernel(MODEL, MAT, OUT3, INT, INT)
def mass_matrix_many(P, q, out, lo, hi):
    """M of rows lo…hi, into `out` `(N, n, n)`."""
    n = P.shape[0] - 1
    X, C = np.empty((n, 12)), np.empty((n, COMPOSITE))
    for k in range(lo, hi):
        place(P, q[k], X)
        composite_rigid_bodies(P, X, out[k], C)
