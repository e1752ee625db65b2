"""Descent of `ik` from one start: damped steps until the target is reached or no step helps."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from armature.engine.jit import routine
from armature.engine.kinematics.pose_kernels import jacobian_columns
from armature.engine.linear_algebra import copy, factor_semidefinite, gram, solve
from armature.engine.model.body_placement import frame_in_world, place_in_world
from armature.engine.model.packed_model import SLIDES
from armature.engine.rotations import rotation_log

_log = routine(rotation_log)


@routine
def rotation_between(F, T, out):
    """out[3:6] = log(R_T R_Fᵀ), the rotation in rad about world axes that turns frame F into the target T."""
    out[3], out[4], out[5] = _log(
        (
            (_entry(F, T, 0, 0), _entry(F, T, 0, 1), _entry(F, T, 0, 2)),
            (_entry(F, T, 1, 0), _entry(F, T, 1, 1), _entry(F, T, 1, 2)),
            (_entry(F, T, 2, 0), _entry(F, T, 2, 1), _entry(F, T, 2, 2)),
        )
    )


@routine
def _entry(F, T, r, c):
    return T[r, 0] * F[c, 0] + T[r, 1] * F[c, 1] + T[r, 2] * F[c, 2]


@routine
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


@routine
def plain_error(e, weight):
    """|e / weight|, metres and radians side by side."""
    total = 0.0
    for k in range(e.size):
        total += (e[k] / weight[k]) ** 2
    return math.sqrt(total)


@routine
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


@routine
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


REACHED, STUCK, CUT_OFF = 0, 1, 2
"""End of a descent: target reached; no step is closer; out of iterations."""

_LONGEST = 1.0  # rad, longest motion of one joint in one step
_SHARP = 1e-12  # an error that needs no last step
_FLOOR = 1e-13  # least damping, of the squared characteristic length


class Task(NamedTuple):
    """Task of the arm P: the frame X_BF of a body is to reach a target in the `rows` of the error.

    The rows are along the axes of the frame X_axes of the body `axes_body`: −1 for the world, `AT_TARGET` for the target's axes.
    `weight` `(m,)` multiplies the rows, one radian counts `length` m, `low` and `high` `(n,)` are the limits, `tolerance` the
    largest error at the target.
    """

    P: np.ndarray
    body: int
    X_BF: np.ndarray
    axes_body: int
    X_axes: np.ndarray
    rows: np.ndarray
    weight: np.ndarray
    length: float
    low: np.ndarray
    high: np.ndarray
    tolerance: float


AT_TARGET = -2
"""`Task.axes_body` for the axes of the target."""


class DescentWork(NamedTuple):
    """Workspace of a descent.

    Placements X and world poses W `(n, 12)`, the frame F, the axes R of the task `(4, 4)`, the frame's Jacobian J `(6, n)`, that
    of the task's error A `(m, n)`, its square G `(m, m)`, and `(n,)` which joints are `free`; `vectors` has the rows named below.
    """

    X: np.ndarray
    W: np.ndarray
    F: np.ndarray
    R: np.ndarray
    J: np.ndarray
    A: np.ndarray
    G: np.ndarray
    vectors: np.ndarray
    free: np.ndarray


TWIST, ERROR, SOLVED, TRIAL_ERROR, STEP, DOWN, UP, TRIAL, CANDIDATE, GRADIENT, DIRECTION, VECTORS = range(12)
"""Rows of `DescentWork.vectors`, and how many there are."""


@routine
def workspace(n, m):
    """The `DescentWork` for n bodies and a task of m rows."""
    X, W, F, R = np.empty((n, 12)), np.empty((n, 12)), np.empty((4, 4)), np.empty((4, 4))
    J, A = np.empty((6, n)), np.empty((m, n))
    return DescentWork(X, W, F, R, J, A, np.empty((m, m)), np.zeros((VECTORS, max(6, n))), np.empty(n, np.bool_))


@routine
def error_at(task, T, q, work, twist, e):
    """Return `task_error` at q for the target T; world poses, frame and axes of the task are then in `work`."""
    place_in_world(task.P, q, work.X, work.W)
    frame_in_world(work.W, task.body, task.X_BF, work.F)
    if task.axes_body == AT_TARGET:
        for i in range(4):
            copy(work.R[i], T[i])
    else:
        frame_in_world(work.W, task.axes_body, task.X_axes, work.R)
    return task_error(work.F, T, work.R, task.rows, task.weight, twist, e)


@routine
def joint_unit(P, i, length):
    """Unit of joint i in a step: 1 rad, or `length` m."""
    return length if P[i, SLIDES] == 1.0 else 1.0


@routine
def attempt(task, T, q, budget, patience, work):
    """Move q `(n,)` downhill in place, by at most `budget` steps; stop after `patience` steps that gain less than 5 %.

    Each step minimises |A dy − e|² + μ |dy|² within the limits, μ = λ |e|². λ shrinks after steps that do as well as the linear
    model says, and grows after those that do not lower the error, which are undone.

    Returns:
        one of REACHED, STUCK, CUT_OFF; |e|²; iterations.
    """
    P, weight, length, low, high, tolerance = task.P, task.weight, task.length, task.low, task.high, task.tolerance
    J, A, vectors = work.J, work.A, work.vectors
    n, m = q.size, task.rows.size
    twist, e, y, e_trial = vectors[TWIST, :6], vectors[ERROR, :m], vectors[SOLVED, :m], vectors[TRIAL_ERROR, :m]
    dy, down, up, trial = vectors[STEP, :n], vectors[DOWN, :n], vectors[UP, :n], vectors[TRIAL, :n]
    total = error_at(task, T, q, work, twist, e)
    error = plain_error(e, weight)
    lam, slow, moved, sharpened = 0.1, 0, True, False
    for k in range(budget):
        if error <= tolerance:  # one step more costs little and leaves rounding only
            if sharpened or error < _SHARP:
                return REACHED, total, k
            sharpened = True
        if moved:
            jacobian_columns(P, work.W, task.body, work.F[:3, 3], J)
            task_jacobian(P, J, twist, task.axes_body, work.R, task.rows, weight, length, A)
            for i in range(n):
                unit = joint_unit(P, i, length)
                down[i], up[i] = min((q[i] - low[i]) / unit, _LONGEST), min((high[i] - q[i]) / unit, _LONGEST)
        damped_step(A, e, lam * total + _FLOOR * length * length, down, up, work.free, work.G, y, dy)
        expected = total - _squared_rest(A, e, dy)
        for i in range(n):
            trial[i] = min(max(q[i] + joint_unit(P, i, length) * dy[i], low[i]), high[i])
        gained = total - error_at(task, T, trial, work, twist, e_trial)
        moved = gained > 0.0
        if not moved:
            if error <= tolerance:
                return REACHED, total, k + 1
            if expected <= 1e-14 * total or lam > 1e8:
                return STUCK, total, k + 1
            lam = 8.0 * max(lam, 1e-3)
            continue
        slow = slow + 1 if gained < 0.05 * total else 0
        lam = max(lam * (0.2 if gained > 0.7 * expected else (1.0 if gained > 0.25 * expected else 3.0)), 1e-6)
        total, error = total - gained, plain_error(e_trial, weight)
        copy(q, trial)
        copy(e, e_trial)
        if slow >= patience and error > tolerance:
            return STUCK, total, k + 1
    return (REACHED if error <= tolerance else CUT_OFF), total, budget


@routine
def _squared_rest(A, e, dy):
    """|e − A dy|²: what the linear model leaves after a step."""
    total = 0.0
    for r in range(e.size):
        rest = e[r]
        for i in range(dy.size):
            rest -= A[r, i] * dy[i]
        total += rest * rest
    return total
