"""Control laws that look at the tool: impedance and resolved rate."""

from __future__ import annotations

import numpy as np

from armature.engine.control.packed_controller import BODY, DAMPING, FRAME, KD, LAMBDA, ROWS_WANTED, SERVO, SETUP, STIFFNESS
from armature.engine.dynamics.coupled import DRIVER, MULTIPLIER
from armature.engine.dynamics.pulling_spring import AXIS, POINT, VELOCITY
from armature.engine.jit import inner
from armature.engine.kinematics.search.task_error import rotation_between
from armature.engine.linear_algebra import factor, gram, solve
from armature.engine.model.packed_model import PARENT


@inner
def _tool(C, Z, F):
    """Rotation and position of the tool into F `(3, 4)`."""
    b = int(C[SETUP, BODY])
    for r in range(3):
        for c in range(3):
            F[r, c] = 0.0
            for k in range(3):
                F[r, c] += Z[b, 3 * r + k] * C[FRAME, 3 * k + c]
        F[r, 3] = Z[b, POINT + r]
        for k in range(3):
            F[r, 3] += Z[b, 3 * r + k] * C[FRAME, 9 + k]


@inner
def _jacobian(C, P, Z, F, J):
    """J `(6, n)` of the tool from the joint axes in Z:  (s + t × p, t) of every joint on the way to it."""
    n = J.shape[1]
    first = 0 if P.shape[0] == n + 1 else n
    J[:, :] = 0.0
    px, py, pz = F[0, 3], F[1, 3], F[2, 3]
    b = int(C[SETUP, BODY])
    while b >= 0:
        i, m = b, 1.0
        if first > 0:
            i, m = int(P[first + b, DRIVER]), P[first + b, MULTIPLIER]
        tx, ty, tz = Z[b, AXIS + 3], Z[b, AXIS + 4], Z[b, AXIS + 5]
        J[0, i] += m * (Z[b, AXIS] + ty * pz - tz * py)
        J[1, i] += m * (Z[b, AXIS + 1] + tz * px - tx * pz)
        J[2, i] += m * (Z[b, AXIS + 2] + tx * py - ty * px)
        J[3, i] += m * tx
        J[4, i] += m * ty
        J[5, i] += m * tz
        b = int(P[first + b, PARENT])


@inner
def _error(C, Z, Z_d, F, e, twist):
    """Tool pose F; e `(6,)` from the tool to its desired pose, and the desired `twist` `(6,)`, world axes."""
    F_d = np.empty((3, 4))
    _tool(C, Z, F)
    _tool(C, Z_d, F_d)
    rotation_between(F, F_d, e)
    b = int(C[SETUP, BODY])
    px, py, pz = F_d[0, 3], F_d[1, 3], F_d[2, 3]
    wx, wy, wz = Z_d[b, VELOCITY + 3], Z_d[b, VELOCITY + 4], Z_d[b, VELOCITY + 5]
    twist[0] = Z_d[b, VELOCITY] + wy * pz - wz * py
    twist[1] = Z_d[b, VELOCITY + 1] + wz * px - wx * pz
    twist[2] = Z_d[b, VELOCITY + 2] + wx * py - wy * px
    twist[3], twist[4], twist[5] = wx, wy, wz
    for r in range(3):
        e[r] = F_d[r, 3] - F[r, 3]


@inner
def _damped_square(J, damping):
    """J Jᵀ + λ² 1, factored."""
    G = np.empty((6, 6))
    gram(J, None, damping * damping, G)
    factor(G)
    return G


@inner
def impedance(C, P, Z, Z_d, qd, tau):
    """tau += Jᵀ (K e + D (V_d − J qd)) − N (d qd),  N = 1 − Jᵀ (J Jᵀ + λ² 1)⁻¹ J."""
    n = qd.size
    F, J, e, twist, y = np.empty((3, 4)), np.empty((6, n)), np.empty(6), np.empty(6), np.zeros(6)
    _error(C, Z, Z_d, F, e, twist)
    _jacobian(C, P, Z, F, J)
    for r in range(6):
        rate = twist[r]
        for i in range(n):
            rate -= J[r, i] * qd[i]
            y[r] += J[r, i] * C[KD, i] * qd[i]
        e[r] = C[STIFFNESS, r] * e[r] + C[DAMPING, r] * rate
    solve(_damped_square(J, C[SETUP, LAMBDA]), y)
    for i in range(n):
        tau[i] -= C[KD, i] * qd[i]
        for r in range(6):
            tau[i] += J[r, i] * (e[r] + y[r])


@inner
def resolved_rate(C, P, Z, Z_d, qd, ahead, speed, a):
    """speed `(n,)` ← Jᵀ (J Jᵀ + λ² 1)⁻¹ (V_d + k e) on the weighted rows of the task, ahead ← V_d's part;  a ← s (speed − qd)."""
    n = qd.size
    F, J, e, twist = np.empty((3, 4)), np.empty((6, n)), np.empty(6), np.empty(6)
    _error(C, Z, Z_d, F, e, twist)
    _jacobian(C, P, Z, F, J)
    for r in range(6):
        e[r] *= C[ROWS_WANTED, r] * C[STIFFNESS, r]
        twist[r] *= C[ROWS_WANTED, r]
        for i in range(n):
            J[r, i] *= C[ROWS_WANTED, r]
    G = _damped_square(J, C[SETUP, LAMBDA])
    solve(G, e)
    solve(G, twist)
    for i in range(n):
        ahead[i] = speed[i] = 0.0
        for r in range(6):
            ahead[i] += J[r, i] * twist[r]
            speed[i] += J[r, i] * (twist[r] + e[r])
        a[i] = C[SETUP, SERVO] * (speed[i] - qd[i])
