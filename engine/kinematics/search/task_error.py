"""How far a frame is from its target: the error of a task, and how it changes with the joints."""

from __future__ import annotations

import math

from armature.engine.jit import inner
from armature.engine.model.packed_model import SLIDES
from armature.engine.rotations import rotation_log

_log = inner(rotation_log)


@inner
def rotation_between(F, T, out):
    """out[3:6] = log(R_T R_Fᵀ), the rotation in rad about world axes that turns frame F into the target T."""
    out[3], out[4], out[5] = _log(
        (
            (_entry(F, T, 0, 0), _entry(F, T, 0, 1), _entry(F, T, 0, 2)),
            (_entry(F, T, 1, 0), _entry(F, T, 1, 1), _entry(F, T, 1, 2)),
            (_entry(F, T, 2, 0), _entry(F, T, 2, 1), _entry(F, T, 2, 2)),
        )
    )


@inner
def _entry(F, T, r, c):
    return T[r, 0] * F[c, 0] + T[r, 1] * F[c, 1] + T[r, 2] * F[c, 2]


@inner
def task_error(F, T, R, rows, weight, twist, e):
    """Fills the `twist` `(6,)` of the frame F to the target T and the task's weighted rows e `(m,)`; returns |e|².

    twist = (p_T − p_F, log(R_T R_Fᵀ)),  e = weight · (Rᵀ twist)[rows], the columns of R `(4, 4)` being the axes of the task
    """
    for c in range(3):
        twist[c] = T[c, 3] - F[c, 3]
    rotation_between(F, T, twist)
    total = 0.0
    for k in range(rows.size):
        c, first = rows[k] % 3, 3 * (rows[k] // 3)
        e[k] = weight[k] * (R[0, c] * twist[first] + R[1, c] * twist[first + 1] + R[2, c] * twist[first + 2])
        total += e[k] * e[k]
    return total


@inner
def plain_error(e, weight):
    """|e / weight|, metres and radians side by side."""
    total = 0.0
    for k in range(e.size):
        total += (e[k] / weight[k]) ** 2
    return math.sqrt(total)


@inner
def task_jacobian(P, J, twist, turning, R, rows, weight, length, A):
    """A `(m, n)` = −de/dy for the error e of `task_error` and joints y in rad or in `length` metres.

    J `(6, n)` is the frame's Jacobian, whose rotational rows become those of the rotation vector. The joint `turning` (−1 for
    none) turns the axes R about its own, z: dRᵀ/dq twist = −Rᵀ (z × twist).

    d log(R_T R_Fᵀ)/dt = −J_r⁻¹(θ a) w  with  J_r⁻¹(r) w = w + ½ r × w + (1/θ² − cot(θ/2)/(2θ)) r × (r × w)

    Source: Chirikjian, Stochastic Models, Information Theory, and Lie Groups 2, section 10.8 (right Jacobian of SO(3)).
    """
    x, y, z = twist[3], twist[4], twist[5]
    square = x * x + y * y + z * z
    angle = math.sqrt(square)
    k = 1.0 / 12.0
    if angle > 1e-3:
        k = (1.0 - 0.5 * angle / math.tan(0.5 * angle)) / square
    zx, zy, zz = 0.0, 0.0, 0.0
    if turning >= 0:
        zx, zy, zz = J[3, turning], J[4, turning], J[5, turning]
    for i in range(J.shape[1]):
        wx, wy, wz = J[3, i], J[4, i], J[5, i]
        ax, ay, az = y * wz - z * wy, z * wx - x * wz, x * wy - y * wx
        J[3, i] = wx + 0.5 * ax + k * (y * az - z * ay)
        J[4, i] = wy + 0.5 * ay + k * (z * ax - x * az)
        J[5, i] = wz + 0.5 * az + k * (x * ay - y * ax)
        if i == turning:
            for first in (0, 3):
                a, b, d = twist[first], twist[first + 1], twist[first + 2]
                J[first, i] += zy * d - zz * b
                J[first + 1, i] += zz * a - zx * d
                J[first + 2, i] += zx * b - zy * a
        unit = length if P[i, SLIDES] == 1.0 else 1.0
        for r in range(rows.size):
            c, first = rows[r] % 3, 3 * (rows[r] // 3)
            A[r, i] = unit * weight[r] * (R[0, c] * J[first, i] + R[1, c] * J[first + 1, i] + R[2, c] * J[first + 2, i])
