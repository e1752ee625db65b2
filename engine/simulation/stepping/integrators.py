"""One step by each integrator, from the equations at its start. Holds and sliding directions are constant during it.

`work`: the ledger `(4,)`, or empty; integrators of several stages add to it with their own weights, so that the errors match.
"""

from __future__ import annotations

import math

import numpy as np

from armature.engine.jit import routine
from armature.engine.model.packed_model import VISCOUS
from armature.engine.simulation.stepping.joint_holding import solve_free
from armature.engine.simulation.stepping.step_equations import equations, spend

EULER, RK4, MIDPOINT, GAUSS6 = range(4)  # which method
_ROUNDS = 50  # of the fixed point of an implicit method; it contracts by about dt·|∂f/∂z| each round
_CLOSE = 1e-15  # of the speed, where rounding ends the contraction


@routine
def semi_implicit_euler(scene, q, qd, dt, qdd, work):
    """(M + dt B) qdd = rest, qd += dt qdd, q += dt qd; viscous friction implicit, so never stiff.  Order 1.

    `qdd` holds `rest` on entry and the acceleration afterwards, as in the other methods. Returns -1 or the joint without inertia.
    """
    P, M = scene.P, scene.M
    for i in range(q.size):
        M[i, i] += dt * P[i, VISCOUS]
    bad = solve_free(M, qdd, scene.locked)
    if bad >= 0:
        return bad
    for i in range(q.size):
        qd[i] += dt * qdd[i]
        q[i] += dt * qd[i]
    if work.size:
        spend(scene, qd, dt, work)
    return -1


@routine
def runge_kutta_4(scene, q, qd, dt, stages, qdd, work):
    """The classical explicit method of order 4; `stages` `(5, n)` is a workspace."""
    n = q.size
    P, motor, wrench, direction, locked, Z, M, _ = scene
    bad = solve_free(M, qdd, locked)
    if bad >= 0:
        return bad
    if work.size:
        spend(scene, qd, dt / 6.0, work)
    qs, vs, a, dq, dv = stages[0], stages[1], stages[2], stages[3], stages[4]
    for i in range(n):
        vs[i], a[i], dq[i], dv[i] = qd[i], qdd[i], qd[i], qdd[i]
    for s in range(1, 4):
        h = dt if s == 3 else 0.5 * dt
        weight = 1.0 if s == 3 else 2.0
        for i in range(n):
            qs[i] = q[i] + h * vs[i]
            vs[i] = qd[i] + h * a[i]
        equations(P, qs, vs, motor, wrench, direction, Z, M, a)
        bad = solve_free(M, a, locked)
        if bad >= 0:
            return bad
        if work.size:
            spend(scene, vs, weight * dt / 6.0, work)
        for i in range(n):
            dq[i] += weight * vs[i]
            dv[i] += weight * a[i]
    for i in range(n):
        q[i] += dt / 6.0 * dq[i]
        qd[i] += dt / 6.0 * dv[i]
    return -1


@routine
def gauss(scene, q, qd, dt, A, b, qdd, work):
    """Gauss collocation with s stages, order 2s, symmetric in time: energy of free motion wanders but does not drift.

    V_i = qd + dt Σ A_ij a_j,  Q_i = q + dt Σ A_ij V_j,  a_i = qdd(Q_i, V_i), iterated to rounding; one stage is the implicit
    midpoint rule.   q += dt Σ b_j V_j,  qd += dt Σ b_j a_j.

    Source: Hairer, Lubich, Wanner, Geometric Numerical Integration, sections II.1.3 and VIII.6.
    """
    n, s = q.size, b.size
    P, motor, wrench, direction, locked, Z, M, _ = scene
    bad = solve_free(M, qdd, locked)
    if bad >= 0:
        return bad
    Q, V, a, before, work_before = np.empty((s, n)), np.empty((s, n)), np.empty((s, n)), np.empty(n), np.empty(work.size)
    for c in range(n):
        for i in range(s):
            a[i, c] = qdd[c]
    for c in range(work.size):
        work_before[c] = work[c]
    for _ in range(_ROUNDS):
        _collocate(A, qd, a, dt, V)
        _collocate(A, q, V, dt, Q)
        change, size = 0.0, 0.0
        for c in range(work.size):
            work[c] = work_before[c]
        for i in range(s):
            for c in range(n):
                before[c] = a[i, c]
            equations(P, Q[i], V[i], motor, wrench, direction, Z, M, a[i])
            bad = solve_free(M, a[i], locked)
            if bad >= 0:
                return bad
            if work.size:
                spend(scene, V[i], dt * b[i], work)
            for c in range(n):
                change = max(change, dt * abs(a[i, c] - before[c]))
                size = max(size, abs(V[i, c]), dt * abs(a[i, c]))
        if not change > _CLOSE * size:
            break
    _collocate(A, qd, a, dt, V)
    for j in range(s):
        for c in range(n):
            q[c] += dt * b[j] * V[j, c]
            qd[c] += dt * b[j] * a[j, c]
    return -1


@routine
def _collocate(A, start, slope, dt, out):
    """out_i = start + dt Σ A_ij slope_j."""
    for i in range(out.shape[0]):
        for c in range(out.shape[1]):
            total = 0.0
            for j in range(out.shape[0]):
                total += A[i, j] * slope[j, c]
            out[i, c] = start[c] + dt * total


@routine
def gauss_coefficients(s):
    """A `(s, s)` and b `(s,)` of Gauss collocation for one or three stages."""
    if s == 1:
        return np.array([[0.5]]), np.array([1.0])
    r = math.sqrt(15.0)
    A = np.array(
        [
            [5 / 36, 2 / 9 - r / 15, 5 / 36 - r / 30],
            [5 / 36 + r / 24, 2 / 9, 5 / 36 - r / 24],
            [5 / 36 + r / 30, 2 / 9 + r / 15, 5 / 36],
        ]
    )
    return A, np.array([5 / 18, 4 / 9, 5 / 18])
