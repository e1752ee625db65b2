"""Search of `ik`: descents from several starts until a target is reached, then the secondary goal."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import types

from armature.engine.jit import CUBE, INT, INTS, MAT, MODEL, OUT2, REAL, VEC, kernel, routine
from armature.engine.kinematics.pose_kernels import cross, jacobian_columns
from armature.engine.kinematics.search.search_attempt import (
    CANDIDATE,
    DIRECTION,
    ERROR,
    GRADIENT,
    REACHED,
    SOLVED,
    TWIST,
    Task,
    attempt,
    error_at,
    joint_unit,
    plain_error,
    task_jacobian,
    workspace,
)
from armature.engine.linear_algebra import copy, factor_semidefinite, gram, solve
from armature.engine.model.packed_model import PARENT, SLIDES

GOALS = {"limits": 1, "manipulability": 2}

_GOAL_STEPS = 200
_FIRST, _LONGEST, _SHORTEST = 0.1, 0.5, 1e-5  # rad, steps of the joint that moves most
_SPARE = 1e-9  # a direction shorter than this, of the gradient it was projected from, is rounding


@routine
def improve(task, T, goal, q, work):
    """Move q `(n,)`, which reaches its target, to the maximum of the goal on the target; return the iterations.

    Steps along the gradient's part in the null space, dy = (1 − A⁺A) ∇h, each followed by steps back onto the target, and undone
    unless h rose.

    Source: Liégeois 1977, Automatic supervisory control of the configuration and behavior of multibody mechanisms, IEEE T-SMC 7.
    """
    n, P, low, high, length, vectors = q.size, task.P, task.low, task.high, task.length, work.vectors
    trial, gradient, direction = vectors[CANDIDATE, :n], vectors[GRADIENT, :n], vectors[DIRECTION, :n]
    height, spent, size, moved = _height(task, T, goal, q, work), 0, _FIRST, True
    for _ in range(_GOAL_STEPS):
        if moved:
            _gradient(task, T, goal, q, gradient, work)
            longest = _spare(task, q, gradient, direction, work)
            if longest == 0.0:
                break
        for i in range(n):
            trial[i] = min(max(q[i] + joint_unit(P, i, length) * direction[i] * size / longest, low[i]), high[i])
        end, _, steps = attempt(task, T, trial, 10, 10, work)
        spent += steps
        reached = _height(task, T, goal, trial, work)
        moved = end == REACHED and reached > height + 1e-12 * abs(height)
        size = min(2.0 * size, _LONGEST) if moved else size / 3.0
        if moved:
            height = reached
            copy(q, trial)
        elif size < _SHORTEST:
            break
    return spent


@routine
def _height(task, T, goal, q, work):
    """The goal h: −½ Σ ((q − mid)/half)² over the joints with limits, or ln √det(J Jᵀ) of the weighted task Jacobian."""
    low, high, G, vectors = task.low, task.high, work.G, work.vectors
    m, n = work.A.shape
    if goal == 1:
        total = 0.0
        for i in range(n):
            if high[i] - low[i] < np.inf and high[i] > low[i]:
                x = (2.0 * q[i] - low[i] - high[i]) / (high[i] - low[i])
                total -= 0.5 * x * x
        return total
    error_at(task, T, q, work, vectors[TWIST, :6], vectors[ERROR, :m])
    _factor(task, work)
    total = 0.0
    for r in range(m):
        total -= math.log(G[r, r])  # 1 / L_rr
    return total


@routine
def _factor(task, work):
    """J, its weighted task rows A, and the Cholesky factor of A Aᵀ in G, all at the frame in `work`."""
    rows, weight, J, A = task.rows, task.weight, work.J, work.A
    jacobian_columns(task.P, work.W, task.body, work.F[:3, 3], J)
    work.free[:] = True
    for r in range(rows.size):
        for i in range(J.shape[1]):
            A[r, i] = weight[r] * J[rows[r], i]
    gram(A, work.free, 0.0, work.G)
    factor_semidefinite(work.G)


@routine
def _gradient(task, T, goal, q, gradient, work):
    """∇h per unit of each joint, and in A the Jacobian of the task's error, both at q."""
    P, low, high, length, J, A, vectors = task.P, task.low, task.high, task.length, work.J, work.A, work.vectors
    m, n = A.shape
    twist = vectors[TWIST, :6]
    error_at(task, T, q, work, twist, vectors[ERROR, :m])
    gradient[:] = 0.0
    if goal == 1:
        for i in range(n):
            if high[i] - low[i] < np.inf and high[i] > low[i]:
                half = 0.5 * (high[i] - low[i])
                gradient[i] = -(q[i] - 0.5 * (low[i] + high[i])) / (half * half)
    else:
        _factor(task, work)
        _volume_gradient(task, work, vectors[SOLVED, :m], gradient)
    for i in range(n):
        gradient[i] *= joint_unit(P, i, length)
    jacobian_columns(P, work.W, task.body, work.F[:3, 3], J)
    task_jacobian(P, J, twist, task.axes_body, work.R, task.rows, task.weight, length, A)


@routine
def _volume_gradient(task, work, y, gradient):
    """∂/∂q_k ln √det(A Aᵀ) = Σ_i (∂a_i/∂q_k)ᵀ (A Aᵀ)⁻¹ a_i, with the Cholesky factor of A Aᵀ in G; y `(m,)` is workspace.

    For joint k no farther out than i: ∂J_i/∂q_k = (w_k × v_i, w_k × w_i); else (w_i × v_k, 0), with J_i = (v_i, w_i).

    Source: Bruyninckx, De Schutter 1996, Symbolic differentiation of the velocity mapping for a serial kinematic chain.
    """
    P, body, rows, weight, J, A = task.P, task.body, task.rows, task.weight, work.J, work.A
    i = body
    while i >= 0:
        for r in range(rows.size):
            y[r] = A[r, i]
        solve(work.G, y)
        k, outer = body, True
        while k >= 0:
            outer = outer and k != i
            a, b = (i, k) if outer else (k, i)
            v = cross((J[3, a], J[4, a], J[5, a]), (J[0, b], J[1, b], J[2, b]))
            w = (0.0, 0.0, 0.0) if outer else cross((J[3, k], J[4, k], J[5, k]), (J[3, i], J[4, i], J[5, i]))
            for r in range(rows.size):
                d = v[rows[r]] if rows[r] < 3 else w[rows[r] - 3]
                gradient[k] += y[r] * weight[r] * d
            k = int(P[k, PARENT])
        i = int(P[i, PARENT])


@routine
def _spare(task, q, gradient, direction, work):
    """Set direction to the gradient projected onto the null space of A and the limits; return its largest entry, or 0.0."""
    low, high, length, A, G, free = task.low, task.high, task.length, work.A, work.G, work.free
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


_CANDIDATES = 24  # random poses drawn for each start; the one nearest to the target is taken
_STEPS, _PATIENCE = 60, 3  # of each walk; most that fail do so early
_LAST_STEPS, _LAST_PATIENCE = 500, 1000  # of the walk that leads the nearest pose found as near as it gets

TASK = types.Tuple((MODEL, INT, MAT, INT, MAT, INTS, VEC, REAL, VEC, VEC, REAL))
"""Types of a `Task`, which a kernel accepts as a plain tuple."""
PLAN = types.UniTuple(INT, 4)
"""Types of a `Plan`."""


class Plan(NamedTuple):
    """How a target is looked for: from `restarts` random poses, drawn by `seed`, and before from the one given where `from_q`.

    `goal`, where it is not 0, is a value of `GOALS`, and what spare motion is for.
    """

    restarts: int
    seed: int
    from_q: int
    goal: int


@routine
def _uniform(state):
    """The next random number in [0, 1) of `state` `(1,)` uint64.

    Source: Steele, Lea, Flood 2014, Fast splittable pseudorandom number generators (SplitMix64).
    """
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@routine
def _range(P, i, length, low, high):
    """Range of random positions of joint i: its limits, or without them one turn or four characteristic lengths."""
    span = 4.0 * length if P[i, SLIDES] == 1.0 else 2.0 * math.pi
    if low[i] == -np.inf and high[i] == np.inf:
        return -0.5 * span, 0.5 * span
    if low[i] == -np.inf:
        return high[i] - span, high[i]
    if high[i] == np.inf:
        return low[i], low[i] + span
    return low[i], high[i]


@routine
def _random_start(task, T, state, q, work):
    """Sets the joints of the chain in q to the nearest to the target of a few random poses within the limits."""
    P, vectors = task.P, work.vectors
    twist, e, trial = vectors[TWIST, :6], vectors[ERROR, : task.rows.size], vectors[CANDIDATE, : q.size]
    nearest = np.inf
    copy(trial, q)
    for _ in range(_CANDIDATES):
        i = task.body
        while i >= 0:
            a, b = _range(P, i, task.length, task.low, task.high)
            trial[i] = a + (b - a) * _uniform(state)
            i = int(P[i, PARENT])
        total = error_at(task, T, trial, work, twist, e)
        if total < nearest:
            nearest = total
            copy(q, trial)


@routine
def _search(task, T, plan, q, best, work):
    """Solve for one target T into q `(n,)`; return the end of the search and the iterations. `best` `(n,)` is workspace.

    If no start reaches the target, q becomes the nearest pose found, moved as close to the target as further steps get it.
    """
    restarts, state = plan.restarts, np.empty(1, np.uint64)
    state[0] = np.uint64(plan.seed)
    nearest, spent = np.inf, 0
    for k in range(restarts + 2):
        last = k == restarts + 1
        if last:
            copy(q, best)
        elif k > 0 or plan.from_q == 0:
            _random_start(task, T, state, q, work)
        budget, patience = (_LAST_STEPS, _LAST_PATIENCE) if last else (_STEPS, _PATIENCE)
        end, total, steps = attempt(task, T, q, budget, patience, work)
        spent += steps
        if end == REACHED or last:
            return end, spent
        if total < nearest:
            nearest = total
            copy(best, q)
    return end, spent


@kernel(CUBE, TASK, PLAN, OUT2, OUT2, OUT2, INT, INT)
def search_many(T, task_tuple, plan_tuple, q, twist, info, lo, hi):
    """Solve the targets lo…hi of T `(N, 4, 4)` for q `(N, n)`, which has the starts; the rest goes into `twist` `(N, 6)`.

    Rows of `info` `(N, 3)`: end of the search, iterations, plain error.
    """
    task, plan, n = Task(*task_tuple), Plan(*plan_tuple), q.shape[1]
    work, best = workspace(n, task.rows.size), np.empty(n)
    for k in range(lo, hi):
        end, steps = _search(task, T[k], plan, q[k], best, work)
        if plan.goal > 0 and end == REACHED:
            steps += improve(task, T[k], plan.goal, q[k], work)
        e = work.vectors[ERROR, : task.rows.size]
        error_at(task, T[k], q[k], work, twist[k], e)
        info[k, 0], info[k, 1], info[k, 2] = end, steps, plain_error(e, task.weight)
