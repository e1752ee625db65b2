"""Follows solutions of the inverse kinematics while the pose changes along a path, through complex positions."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.jit import INTS, MAT, OUT1, kernel, routine
from armature.engine.kinematics.continuation.complex_chain import (
    COMPLEX1,
    COMPLEX2,
    SLIDE,
    fill_jacobian,
    place,
    pose_at,
    twist_columns,
    way_columns,
    workspace,
)
from armature.engine.linear_algebra import copy, solve_columns

ARRIVED = 1.0
"""How far along its path a solution has been led: this far where it arrived, with a regular Jacobian there; else less."""

_AT_THE_END = 1.0 - 1e-9  # reached, but singular there
_FIRST_STEP, _LEAST_STEP, _MOST_STEPS = 0.05, 1e-8, 100
_LONGEST = 0.1  # rad and lengths of the chain that a prediction may be off
_SHRUNK = 0.06  # of a step of Newton that the next one may be
_FAR = 15.0  # imaginary part in rad, 1 / 1000 of a length, beyond which a solution does not return


@routine
def _slope(C, moving, rate, twist, q, dq, work):
    """dq/dt `(n,)` along the path at q: J dq = ξ with the entries of joints that do not follow given by `rate`."""
    M, B, J = work.M, work.B, work.J
    place(C, q, work)
    fill_jacobian(C, work)
    twist_columns(work.E, twist, B, 0)
    _without_given(moving, rate, J, B, 0)
    _system(moving, J, M)
    regular = solve_columns(M, B, 1)
    _spread(moving, rate, B, 0, dq)
    return regular


@routine
def _without_given(moving, rate, J, B, c):
    """B[:, c] less what the joints that have a rate of their own bring about."""
    if moving.size == rate.size:
        return
    for i in range(rate.size):
        for r in range(6):
            B[r, c] -= J[r, i] * rate[i]
    return


@routine
def _system(moving, J, M):
    for r in range(6):
        for k in range(6):
            M[r, k] = J[r, moving[k]]


@routine
def _spread(moving, rate, B, c, dq):
    """The column c of B on the joints that follow, `rate` on the others."""
    for i in range(dq.size):
        dq[i] = rate[i]
    for k in range(6):
        dq[moving[k]] = B[k, c]


@routine
def _corrected(C, moving, q, with_slope, rate, twist, work):
    """Make one Newton step from q towards the pose T of `work` in q; return its size, inf for a singular system.

    With `with_slope`, column 1 of B is the slope of the path at the start of the step.
    """
    M, B = work.M, work.B
    place(C, q, work)
    fill_jacobian(C, work)
    way_columns(work.E, work.T, B, 0)
    if with_slope:
        twist_columns(work.E, twist, B, 1)
        _without_given(moving, rate, work.J, B, 1)
    _system(moving, work.J, M)
    if not solve_columns(M, B, 2 if with_slope else 1):
        return np.inf
    size = 0.0
    for k in range(6):
        step = abs(B[k, 0].real) + abs(B[k, 0].imag)
        if not step < np.inf:
            return np.inf
        size = max(size, step)
        q[moving[k]] += B[k, 0]
    return size


@routine
def _predicted(C, moving, rate, twist, q, h, work):
    """A step h of Runge and Kutta from q along the slope in row 0 of `vectors`, into row 4."""
    k1, k2, k3, k4, y = work.vectors[0], work.vectors[1], work.vectors[2], work.vectors[3], work.vectors[4]
    n = q.size
    for i in range(n):
        y[i] = q[i] + 0.5 * h * k1[i]
    regular = _slope(C, moving, rate, twist, y, k2, work)
    for i in range(n):
        y[i] = q[i] + 0.5 * h * k2[i]
    regular = _slope(C, moving, rate, twist, y, k3, work) and regular
    for i in range(n):
        y[i] = q[i] + h * k3[i]
    regular = _slope(C, moving, rate, twist, y, k4, work) and regular
    for i in range(n):
        y[i] = q[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
    return regular


@routine
def _distance(C, q):
    """How far from real positions q is, rad; a slide counts by its length."""
    far = 0.0
    for i in range(q.size):
        far = max(far, abs(q[i].imag) if C[i, SLIDE] == 0.0 else 1e-3 * abs(q[i]))
    return far


@routine
def _follow(C, moving, rate, A, twist, q, work):
    """Leads q `(n,)` from A at t = 0 along its path in place; how far, ARRIVED at its end.

    After a prediction, the second Newton step must be at most a sixteenth of the first: then the prediction is deep within the
    basin of its own solution, however near another one is. The step size changes by the fifth root of the margin of that ratio.

    Source: Sommese, Wampler 2005, The numerical solution of systems of polynomials, 2.3, with the step's length from there.
    """
    if not _slope(C, moving, rate, twist, q, work.vectors[0], work):
        return 0.0
    y, slope = work.vectors[4], work.vectors[0]
    t, h = 0.0, _FIRST_STEP
    for _ in range(_MOST_STEPS):
        far = _distance(C, q)
        if far > _FAR or h < _LEAST_STEP:
            return t
        last = t + h >= 1.0
        h = 1.0 - t if last else h
        if not _predicted(C, moving, rate, twist, q, h, work):
            h *= 0.5
            continue
        pose_at(A, twist, 1.0 if last else t + h, work.T)
        first = _corrected(C, moving, y, False, rate, twist, work)
        if not first < _LONGEST:
            h *= 0.4
            continue
        second = _corrected(C, moving, y, True, rate, twist, work)
        if second > max(_SHRUNK * first, 1e-12 * math.exp(min(far, 12.0))):
            h *= 0.5
            continue
        copy(q, y)
        if last:
            return ARRIVED if _sharpened(C, moving, rate, twist, q, far, work) else _AT_THE_END
        _spread(moving, rate, work.B, 1, slope)
        t += h
        h *= min(3.0, max(0.5, 0.9 * (0.3 * _SHRUNK * max(first, 1e-7) / max(second, 1e-16)) ** 0.2))
    return t


@routine
def _sharpened(C, moving, rate, twist, q, far, work):
    """Steps of Newton in q until rounding is left; whether that is all."""
    for _ in range(4):
        size = _corrected(C, moving, q, False, rate, twist, work)
        if size < 1e-13:
            return True
    return size < 1e-8 * math.exp(min(far, 8.0))


@kernel(MAT, INTS, COMPLEX1, COMPLEX1, COMPLEX1, COMPLEX2, OUT1)
def follow_paths(C, moving, rate, A, twist, q, reached):
    """Leads every solution q `(K, n)` at the pose A `(12,)` to one at A exp ξ, in place; how far each came into `reached` `(K,)`.

    Of the chain C the six joints `moving` follow; the others change by `rate` `(n,)` on the way, 0 for those that follow.
    """
    work = workspace(q.shape[1])
    for k in range(q.shape[0]):
        reached[k] = _follow(C, moving, rate, A, twist, q[k], work)
