"""One damped step towards a target that no joint limit stands in the way of."""

from __future__ import annotations

import math

from armature.engine.jit import inner


@inner
def cholesky(G):
    """G = L Lᵀ into the lower triangle of G `(m, m)`, which is at least positive semi-definite.

    A pivot that vanishes becomes a tiny one, so that there is a step at singular poses, too. The routine for mass matrices,
    `armature.engine.dynamics.linear_solve.factor`, refuses such a pivot and names its joint.
    """
    m = G.shape[0]
    for j in range(m):
        pivot = G[j, j]
        for k in range(j):
            pivot -= G[j, k] * G[j, k]
        G[j, j] = math.sqrt(max(pivot, 1e-300))
        for i in range(j + 1, m):
            for k in range(j):
                G[i, j] -= G[i, k] * G[j, k]
            G[i, j] /= G[j, j]


@inner
def cholesky_solve(L, x):
    """x ← (L Lᵀ)⁻¹ x in place."""
    m = x.size
    for i in range(m):
        for k in range(i):
            x[i] -= L[i, k] * x[k]
        x[i] /= L[i, i]
    for i in range(m - 1, -1, -1):
        for k in range(i + 1, m):
            x[i] -= L[k, i] * x[k]
        x[i] /= L[i, i]


@inner
def gram(A, free, damping, G):
    """G = Σ a_i a_iᵀ + damping 1 over the columns i of A that are free; lower triangle."""
    m, n = A.shape
    for r in range(m):
        for c in range(r + 1):
            total = damping if r == c else 0.0
            for i in range(n):
                if free[i]:
                    total += A[r, i] * A[c, i]
            G[r, c] = total


@inner
def damped_step(A, e, damping, room_down, room_up, free, G, y, dy):
    """The step dy `(n,)` that minimises |A dy − e|² + damping |dy|² while −room_down ≤ dy ≤ room_up.

    dy = Aᵀ (A Aᵀ + damping 1)⁻¹ e over the free joints; a joint the step would take past its limit is put on it, what its motion
    does is taken off e, and the others make up for it. `free` `(n,)`, G `(m, m)` and y `(m,)` are workspace.

    Source: Levenberg-Marquardt with damping by error: Sugihara 2011, Solvability-unconcerned inverse kinematics by the
    Levenberg-Marquardt method, IEEE T-RO 27(5); joints on limits: Baerlocher, Boulic 2004, An inverse kinematics architecture
    enforcing an arbitrary number of strict priority levels.
    """
    m, n = A.shape
    for i in range(n):
        free[i] = True
    for _ in range(n + 1):
        for r in range(m):
            y[r] = e[r]
            for i in range(n):
                if not free[i]:
                    y[r] -= A[r, i] * dy[i]
        gram(A, free, damping, G)
        cholesky(G)
        cholesky_solve(G, y)
        worst, beyond = -1, 0.0
        for i in range(n):
            if free[i]:
                dy[i] = 0.0
                for r in range(m):
                    dy[i] += A[r, i] * y[r]
                past = max(dy[i] - room_up[i], -room_down[i] - dy[i])
                if past > beyond:
                    worst, beyond = i, past
        if worst < 0:
            return
        free[worst] = False
        dy[worst] = room_up[worst] if dy[worst] > 0.0 else -room_down[worst]
