"""One damped step towards a target that no joint limit stands in the way of."""

from __future__ import annotations

from armature.engine.jit import inner
from armature.engine.linear_algebra import factor_semidefinite, gram, solve


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
        factor_semidefinite(G)
        solve(G, y)
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
