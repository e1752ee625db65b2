"""The search of `ik`: walks from one start after the other until a target is met, then the secondary goal."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import types

from armature.engine.jit import CUBE, INT, INTS, MAT, MODEL, OUT2, REAL, VEC, inner, kernel
from armature.engine.kinematics.search.search_attempt import (
    CANDIDATE,
    ERROR,
    REACHED,
    TWIST,
    Target,
    attempt,
    error_at,
    workspace,
)
from armature.engine.kinematics.search.secondary_goal import improve
from armature.engine.kinematics.search.task_error import plain_error
from armature.engine.model.packed_model import PARENT, SLIDES

_CANDIDATES = 24  # random poses drawn for each start; the one nearest to the target is taken
_STEPS, _PATIENCE = 60, 3  # of each walk; most that fail do so early
_LAST_STEPS, _LAST_PATIENCE = 500, 1000  # of the walk that leads the nearest pose found as near as it gets

TASK = types.Tuple((MODEL, INT, MAT, INT, MAT, INTS, VEC, REAL, VEC, VEC, REAL))
"""A `Target` without its T."""
PLAN = types.UniTuple(INT, 4)
"""A `Plan`."""


class Plan(NamedTuple):
    """How a target is looked for: from `restarts` random poses, drawn by `seed`, and before from the one given where `from_q`.

    `goal`, where it is not 0, is a value of `GOALS`, and what spare motion is for.
    """

    restarts: int
    seed: int
    from_q: int
    goal: int


@inner
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


@inner
def _range(P, i, length, low, high):
    """The range to draw joint i from: its limits, or a turn or four characteristic lengths where there are none."""
    span = 4.0 * length if P[i, SLIDES] == 1.0 else 2.0 * math.pi
    if low[i] == -np.inf and high[i] == np.inf:
        return -0.5 * span, 0.5 * span
    if low[i] == -np.inf:
        return high[i] - span, high[i]
    if high[i] == np.inf:
        return low[i], low[i] + span
    return low[i], high[i]


@inner
def _random_start(target, state, q, work):
    """Sets the joints of the chain in q to the nearest to the target of a few random poses within the limits."""
    P, length, low, high, vectors = target.P, target.length, target.low, target.high, work.vectors
    twist, e, trial = vectors[TWIST, :6], vectors[ERROR, : target.rows.size], vectors[CANDIDATE, : q.size]
    nearest = np.inf
    trial[:] = q
    for _ in range(_CANDIDATES):
        i = target.body
        while i >= 0:
            a, b = _range(P, i, length, low, high)
            trial[i] = a + (b - a) * _uniform(state)
            i = int(P[i, PARENT])
        total = error_at(target, trial, work, twist, e)
        if total < nearest:
            nearest = total
            q[:] = trial


@inner
def _search(target, plan, q, best, work):
    """Solves one target into q `(n,)`; returns how it ended and the iterations. `best` `(n,)` is workspace.

    Where no start arrives, q becomes the nearest pose seen, led on as near as steps bring it.
    """
    restarts, state = plan.restarts, np.empty(1, np.uint64)
    state[0] = np.uint64(plan.seed)
    nearest, spent = np.inf, 0
    for k in range(restarts + 2):
        last = k == restarts + 1
        if last:
            q[:] = best
        elif k > 0 or plan.from_q == 0:
            _random_start(target, state, q, work)
        budget, patience = (_LAST_STEPS, _LAST_PATIENCE) if last else (_STEPS, _PATIENCE)
        end, total, steps = attempt(target, q, budget, patience, work)
        spent += steps
        if end == REACHED or last:
            return end, spent
        if total < nearest:
            nearest = total
            best[:] = q
    return end, spent


@kernel(CUBE, TASK, PLAN, OUT2, OUT2, OUT2, INT, INT)
def search_many(T, task, planned, q, twist, info, lo, hi):
    """Targets lo…hi of T `(N, 4, 4)`: joints into q `(N, n)` from the starts found there, what is left of the way into `twist`
    `(N, 6)`; rows of info: how it ended, iterations, plain error."""
    plan, work, best = Plan(*planned), workspace(q.shape[1], task[5].size), np.empty(q.shape[1])
    for k in range(lo, hi):
        target = Target(T[k], *task)
        end, steps = _search(target, plan, q[k], best, work)
        if plan.goal > 0 and end == REACHED:
            steps += improve(target, plan.goal, q[k], work)
        e = work.vectors[ERROR, : target.rows.size]
        error_at(target, q[k], work, twist[k], e)
        info[k, 0], info[k, 1], info[k, 2] = end, steps, plain_error(e, target.weight)
