"""The energy ledger inside a step: work of motor, friction and hand, by the quadrature of the integrator itself."""

from __future__ import annotations

from armature.engine.dynamics.pulling_spring import COMPOSITE, power_of
from armature.engine.jit import lean
from armature.engine.model.packed_model import PARENT
from armature.engine.simulation.stepping.joint_holding import friction
from armature.engine.simulation.stepping.step_equations import scene_equations

MOTOR, FRICTION, HAND, STOP = range(4)


@lean
def spend(scene, qd, h, work):
    """work += h · power of motor, friction and hand at one stage of weight h s; Z holds the state of that stage."""
    n, P, motor, direction = qd.size, scene.P, scene.motor, scene.direction
    for i in range(n):
        work[MOTOR] += h * motor[i] * qd[i]
        work[FRICTION] -= h * friction(P, i, qd[i], direction[i]) * qd[i]
    if scene.wrench.size:
        work[HAND] += h * power_of(scene.wrench[0], P.shape[0] - 1 - (0 if P.shape[0] == n + 1 else n), scene.Z)


@lean
def energy(scene, q, qd, rest):
    """E = ½ qdᵀ M qd − Σ gravity · first moment, J; rest `(n,)` is a workspace."""
    n, P, Z, M = q.size, scene.P, scene.Z, scene.M
    scene_equations(scene, q, qd, rest)
    first = 0 if P.shape[0] == n + 1 else n
    last = P.shape[0] - 1
    total = 0.0
    for i in range(n):
        for j in range(n):
            total += 0.5 * qd[i] * M[i, j] * qd[j]
    for b in range(last - first):
        if P[first + b, PARENT] < 0.0:  # of a root, all that hangs on it
            for c in range(3):
                total -= P[last, c] * Z[b, COMPOSITE + 1 + c]
    return total
