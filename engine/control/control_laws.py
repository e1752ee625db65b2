"""The control laws as the stepping kernel runs them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from armature.engine.control.friction_compensation import Commanded, compensate
from armature.engine.control.packed_controller import (
    COMPUTED_TORQUE,
    CONSTANT,
    GRAVITY,
    HELD,
    IMPEDANCE,
    KD,
    KI,
    KIND,
    KP,
    MOST,
    NEXT,
    PD,
    PD_GRAVITY,
    PERIOD,
    PID,
    RESOLVED_RATE,
    SERVO,
    SETUP,
    TORQUE,
)
from armature.engine.control.tool_laws import impedance, resolved_rate
from armature.engine.dynamics.coupled import folded_equations
from armature.engine.dynamics.equations import equations_of_motion
from armature.engine.dynamics.pulling_spring import WORK
from armature.engine.jit import inlined, inner, lean

_EARLY = 1e-6  # of a period: rounding of the time that must not skip a look


class Desired(NamedTuple):
    """Where the arm should be now, and how it should move there, each `(n,)`."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


@inlined
def is_due(C, S, t):
    """Whether the law looks at the arm at time t s of the control; arguments as of `command`."""
    return not t < S[NEXT] - _EARLY * C[SETUP, PERIOD]


@lean
def command(C, P, S, t, dt, ref, q, qd, tau):
    """tau `(n,)` at time t s of the control: looked up anew when its period is over, else what it held.

    C is the packed controller, P the model it knows (as `step_model` makes it), S its memory, ref `(3 n,)` the
    desired q, qd, qdd now.
    """
    n, period = q.size, C[SETUP, PERIOD]
    if not is_due(C, S, t):
        for i in range(n):
            tau[i] = S[HELD + i]
        return
    S[NEXT] = period * (math.floor(t / period + _EARLY) + 1.0) if period > 0.0 else t
    _law(C, P, S, max(period, dt), Desired(ref[:n], ref[n : 2 * n], ref[2 * n :]), q, qd, tau)
    for i in range(n):
        tau[i] = min(max(tau[i], -C[MOST, i]), C[MOST, i])
        S[HELD + i] = tau[i]


@inner
def _law(C, P, S, h, desired, q, qd, tau):
    kind, n = int(C[SETUP, KIND]), q.size
    q_d, qd_d, qdd_d = desired
    for i in range(n):
        tau[i] = 0.0
    if kind == TORQUE:
        for i in range(n):
            tau[i] = C[CONSTANT, i]
    if kind in (PD, PD_GRAVITY, PID):
        for i in range(n):
            tau[i] = C[KP, i] * (q_d[i] - q[i]) + C[KD, i] * (qd_d[i] - qd[i])
    if kind == PID:
        _integrate(C, S, h, q_d, q, tau)
    if kind in (PD_GRAVITY, GRAVITY):
        Z, M, rest = _bias(P, q, np.zeros(n))
        for i in range(n):
            tau[i] -= rest[i]
    if kind == COMPUTED_TORQUE:
        Z, M, rest = _bias(P, q, qd)
        a = np.empty(n)
        for i in range(n):
            a[i] = qdd_d[i] + C[KD, i] * (qd_d[i] - qd[i]) + C[KP, i] * (q_d[i] - q[i])
        _drive(P, S, h, M, rest, a, Commanded(C[KD], qd_d, qd_d), qd, tau)
    if kind == IMPEDANCE:
        Z, M, rest = _bias(P, q, qd)
        Z_d, _, _ = _bias(P, q_d, qd_d)
        impedance(C, P, Z, Z_d, qd, tau)
        for i in range(n):
            tau[i] -= rest[i]
    if kind == RESOLVED_RATE:
        Z, M, rest = _bias(P, q, qd)
        Z_d, _, _ = _bias(P, q_d, qd_d)
        ahead, speed, a = np.empty(n), np.empty(n), np.empty(n)
        resolved_rate(C, P, Z, Z_d, qd, ahead, speed, a)
        _drive(P, S, h, M, rest, a, Commanded(np.full(n, C[SETUP, SERVO]), ahead, speed), qd, tau)


@inner
def _bias(P, q, qd):
    """Z of the bodies, M(q), and rest = −(C qd + g)."""
    n = q.size
    Z, M, rest = np.empty((P.shape[0] - 1, WORK)), np.empty((n, n)), np.zeros(n)
    none = np.empty((0, 6))
    if P.shape[0] == n + 1:
        equations_of_motion(P, q, qd, rest, none, Z, M, rest)
    else:
        folded_equations(P, q, qd, none, Z, M, rest)
    return Z, M, rest


@lean
def _drive(P, S, h, M, rest, a, commanded, qd, tau):
    """tau = M a + C qd + g + friction at the commanded speed."""
    n = tau.size
    for i in range(n):
        tau[i] = -rest[i]
    compensate(P, S, h, M, commanded, qd, tau)
    for i in range(n):
        for j in range(n):
            tau[i] += M[i, j] * a[j]


@lean
def _integrate(C, S, h, q_d, q, tau):
    """tau += Ki ∫ e;  the integral of a saturated joint does not grow further."""
    n = q.size
    for i in range(n):
        e, most = q_d[i] - q[i], C[MOST, i]
        wanted = tau[i] + C[KI, i] * (S[HELD + n + i] + h * e)
        if abs(wanted) <= most or wanted * e < 0.0:
            S[HELD + n + i] += h * e
        tau[i] += C[KI, i] * S[HELD + n + i]
