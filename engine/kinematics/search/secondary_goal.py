"""What a redundant arm does with its spare motion: stay off its limits, or away from singular poses."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.jit import inner
from armature.engine.kinematics.pose_kernels import jacobian_columns
from armature.engine.kinematics.search.search_attempt import (
    CANDIDATE,
    DIRECTION,
    ERROR,
    GRADIENT,
    REACHED,
    SOLVED,
    TWIST,
    attempt,
    error_at,
    joint_unit,
)
from armature.engine.kinematics.search.task_error import task_jacobian
from armature.engine.linear_algebra import factor_semidefinite, gram, solve
from armature.engine.model.packed_model import PARENT

GOALS = {"limits": 1, "manipulability": 2}

_STEPS = 200
_FIRST, _LONGEST, _SHORTEST = 0.1, 0.5, 1e-5  # rad, steps of the joint that moves most
_SPARE = 1e-9  # a direction shorter than this, of the gradient it was projected from, is rounding


@inner
def improve(target, goal, q, work):
    """Moves q `(n,)`, which meets its target, to where the goal is highest while the target stays met; returns the iterations.

    Steps along the gradient's part in the null space, dy = (1 − A⁺A) ∇h, each followed by steps back onto the target and kept
    when h rose.

    Source: Liégeois 1977, Automatic supervisory control of the configuration and behavior of multibody mechanisms, IEEE T-SMC 7.
    """
    n, P, low, high, length, vectors = q.size, target.P, target.low, target.high, target.length, work.vectors
    trial, gradient, direction = vectors[CANDIDATE, :n], vectors[GRADIENT, :n], vectors[DIRECTION, :n]
    height, spent, size, moved = _height(target, goal, q, work), 0, _FIRST, True
    for _ in range(_STEPS):
        if moved:
            _gradient(target, goal, q, gradient, work)
            longest = _spare(target, q, gradient, direction, work)
            if longest == 0.0:
                break
        for i in range(n):
            trial[i] = min(max(q[i] + joint_unit(P, i, length) * direction[i] * size / longest, low[i]), high[i])
        end, _, steps = attempt(target, trial, 10, 10, work)
        spent += steps
        reached = _height(target, goal, trial, work)
        moved = end == REACHED and reached > height + 1e-12 * abs(height)
        size = min(2.0 * size, _LONGEST) if moved else size / 3.0
        if moved:
            height = reached
            q[:] = trial
        elif size < _SHORTEST:
            break
    return spent


@inner
def _height(target, goal, q, work):
    """The goal h: −½ Σ ((q − mid)/half)² over the joints with limits, or ln √det(J Jᵀ) of the weighted task Jacobian."""
    low, high, G, vectors = target.low, target.high, work.G, work.vectors
    m, n = work.A.shape
    if goal == 1:
        total = 0.0
        for i in range(n):
            if high[i] - low[i] < np.inf and high[i] > low[i]:
                x = (2.0 * q[i] - low[i] - high[i]) / (high[i] - low[i])
                total -= 0.5 * x * x
        return total
    error_at(target, q, work, vectors[TWIST, :6], vectors[ERROR, :m])
    _factor(target, work)
    total = 0.0
    for r in range(m):
        total -= math.log(G[r, r])  # 1 / L_rr
    return total


@inner
def _factor(target, work):
    """J, its weighted task rows A, and the Cholesky factor of A Aᵀ in G, all at the frame in `work`."""
    rows, weight, J, A = target.rows, target.weight, work.J, work.A
    jacobian_columns(target.P, work.W, target.body, work.F[:3, 3], J)
    work.free[:] = True
    for r in range(rows.size):
        for i in range(J.shape[1]):
            A[r, i] = weight[r] * J[rows[r], i]
    gram(A, work.free, 0.0, work.G)
    factor_semidefinite(work.G)


@inner
def _gradient(target, goal, q, gradient, work):
    """∇h per unit of each joint, and in A the Jacobian of the task's error, both at q."""
    P, low, high, length, J, A, vectors = target.P, target.low, target.high, target.length, work.J, work.A, work.vectors
    m, n = A.shape
    twist = vectors[TWIST, :6]
    error_at(target, q, work, twist, vectors[ERROR, :m])
    gradient[:] = 0.0
    if goal == 1:
        for i in range(n):
            if high[i] - low[i] < np.inf and high[i] > low[i]:
                half = 0.5 * (high[i] - low[i])
                gradient[i] = -(q[i] - 0.5 * (low[i] + high[i])) / (half * half)
    else:
        _factor(target, work)
        _volume_gradient(target, work, vectors[SOLVED, :m], gradient)
    for i in range(n):
        gradient[i] *= joint_unit(P, i, length)
    jacobian_columns(P, work.W, target.body, work.F[:3, 3], J)
    task_jacobian(P, J, twist, target.axes_body, work.R, target.rows, target.weight, length, A)


@inner
def _volume_gradient(target, work, y, gradient):
    """∂/∂q_k ln √det(A Aᵀ) = Σ_i (∂a_i/∂q_k)ᵀ (A Aᵀ)⁻¹ a_i, with the Cholesky factor of A Aᵀ in G; y `(m,)` is workspace.

    For joint k no farther out than i: ∂J_i/∂q_k = (w_k × v_i, w_k × w_i); else (w_i × v_k, 0), with J_i = (v_i, w_i).

    Source: Bruyninckx, De Schutter 1996, Symbolic differentiation of the velocity mapping for a serial kinematic chain.
    """
    P, body, rows, weight, J, A = target.P, target.body, target.rows, target.weight, work.J, work.A
    d = np.zeros(6)
    i = body
    while i >= 0:
        for r in range(rows.size):
            y[r] = A[r, i]
        solve(work.G, y)
        k, outer = body, True
        while k >= 0:
            outer = outer and k != i
            a, b = (i, k) if outer else (k, i)
            d[:3] = np.cross(J[3:, a], J[:3, b])
            d[3:] = 0.0
            if not outer:
                d[3:] = np.cross(J[3:, k], J[3:, i])
            for r in range(rows.size):
                gradient[k] += y[r] * weight[r] * d[rows[r]]
            k = int(P[k, PARENT])
        i = int(P[i, PARENT])


@inner
def _spare(target, q, gradient, direction, work):
    """direction = the gradient's part that A does not feel, no joint pushed past a limit it stands on; returns its longest entry,
    0.0 where there is none."""
    low, high, length, A, G, free = target.low, target.high, target.length, work.A, work.G, work.free
    m, n = A.shape
    y = work.vectors[SOLVED, :m]
    for i in range(n):
        free[i] = True
    for _ in range(n + 1):
        for r in range(m):
            y[r] = 0.0
            for i in range(n):
                if free[i]:
                    y[r] += A[r, i] * gradient[i]
        gram(A, free, 1e-12 * length * length, G)
        factor_semidefinite(G)
        solve(G, y)
        longest, steepest, blocked = 0.0, 0.0, -1
        for i in range(n):
            direction[i] = 0.0
            if not free[i]:
                continue
            direction[i] = gradient[i]
            for r in range(m):
                direction[i] -= A[r, i] * y[r]
            if (direction[i] > 0.0 and q[i] >= high[i]) or (direction[i] < 0.0 and q[i] <= low[i]):
                blocked = i
            longest, steepest = max(longest, abs(direction[i])), max(steepest, abs(gradient[i]))
        if blocked < 0:
            return longest if longest > _SPARE * steepest else 0.0
        free[blocked] = False
    return 0.0
