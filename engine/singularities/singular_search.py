"""Search of `nearest_singularity`: rays through the pose in every plane of two joints, then descents from zeros and minima."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import types

from armature.engine.jit import INT, INTS, MAT, MODEL, OUT1, OUT2, REAL, VEC, kernel, routine
from armature.engine.linear_algebra import copy, signed_volume
from armature.engine.singularities.singular_problem import Arm
from armature.engine.singularities.singular_step import descend, distance, low_direction, restore, step_work, task_matrix

_LEAST_ANGLES, _MOST_ANGLES, _ARC = 16, 48, 0.4  # of the rays in one plane, and rad between their ends
_SPACING = 0.15  # rad, of the poses on a ray
_WIDER = 1.8  # times the nearest distance so far: zeros beyond it are on no nearer singularity (√(n/2) for flat ones)
_ROOTS = 16  # descents from them
_DIPS, _APART = 2, 0.6  # of one plane, and rad between them
ARM = types.Tuple((MODEL, INT, MAT, INTS, VEC, VEC, REAL, VEC, VEC))
"""Types of an `Arm`, which a kernel accepts as a plain tuple."""


class Ray(NamedTuple):
    """Ray from q0 `(n,)` in the plane of joints i and j, with the components ci and cj in the joints' units."""

    q0: np.ndarray
    i: int
    ci: float
    j: int
    cj: float


@routine
def _along(arm, ray, r, q, work):
    """Return the signed volume at q = q0 + r (ci e_i + cj e_j), clipped to the limits, and set q `(n,)`."""
    q0, i, ci, j, cj = ray
    metric, low, high = arm.metric, arm.low, arm.high
    copy(q, q0)
    q[i] = min(max(q0[i] + r * ci / math.sqrt(metric[i]), low[i]), high[i])
    if j != i:
        q[j] = min(max(q0[j] + r * cj / math.sqrt(metric[j]), low[j]), high[j])
    task_matrix(arm, q, work)
    return signed_volume(work.A, work.M)


@routine
def _room(arm, q0, i, c, farthest):
    """Distance along a ray with the component c of joint i to that joint's limit, at most `farthest`."""
    speed = c / math.sqrt(arm.metric[i])
    if abs(c) < 1e-12:
        return farthest
    return min(farthest, ((arm.high[i] if c > 0.0 else arm.low[i]) - q0[i]) / speed)


@routine
def _root(arm, ray, a, va, b, vb, q, work):
    """Set q to the zero of the volume on a ray between a and b, by the Illinois method."""
    for _ in range(40):
        r = (a * vb - b * va) / (vb - va)
        v = _along(arm, ray, r, q, work)
        if v == 0.0 or abs(r - b) < 1e-10:
            return
        if (v > 0.0) == (vb > 0.0):
            va *= 0.5
        else:
            a, va = b, vb
        b, vb = r, v


@routine
def _keep(found, count, key, q):
    """Add a row (key, q) to `found`, in place of the worst if it is full; return the new count."""
    if count < found.shape[0]:
        found[count, 0] = key
        copy(found[count, 1:], q)
        return count + 1
    worst = 0
    for k in range(1, count):
        if found[k, 0] > found[worst, 0]:
            worst = k
    if key < found[worst, 0]:
        found[worst, 0] = key
        copy(found[worst, 1:], q)
    return count


@routine
def _keep_apart(found, count, key, q, metric):
    """Add a row as `_keep` does, but only the best of rows nearer to each other than `_APART`, so that every valley has a row."""
    for k in range(count):
        if distance(found[k, 1:], q, metric) < _APART:
            if key < found[k, 0]:
                found[k, 0] = key
                copy(found[k, 1:], q)
            return count
    return _keep(found, count, key, q)


@routine
def _known(metric, q0, q, best, nearest):
    """True if q is in the plane through `best` normal to the line from q0, as all poses of a wrist or elbow singularity are."""
    ahead = 0.0
    for i in range(q.size):
        ahead += metric[i] * (best[i] - q0[i]) * (q[i] - best[i])
    return nearest < np.inf and abs(ahead) < 1e-7 * nearest


@routine
def _scan(arm, q0, deciding, farthest, best, nearest, roots, dips, work):
    """Scan the rays of the joints `deciding` within `farthest` rad; return the numbers of rows written to `roots` and `dips`.

    Rows (distance, q) of `roots` are zeros of det A for a square A, rows (volume, q) of `dips` the lowest minima of the volume in
    each plane. Zeros on the singularity of `best` are skipped, so that those behind it are found.
    """
    metric = arm.metric
    m, n = work.A.shape
    n_roots, n_dips, q, lowest = 0, 0, np.empty(n), np.empty((_DIPS, n + 1))
    angles = min(max(4 * math.ceil(0.5 * math.pi * farthest / _ARC), _LEAST_ANGLES), _MOST_ANGLES)
    for first in range(deciding.size):
        for second in range(first, deciding.size):
            i, j, n_lowest = deciding[first], deciding[second], 0
            for k in range(angles):
                along_one = k % (angles // 4) == 0
                if along_one if i != j else k % (angles // 2) != 0:
                    continue  # the axes of a plane are scanned once, not in every plane
                ci, cj = math.cos(2 * math.pi * k / angles), math.sin(2 * math.pi * k / angles)
                ray = Ray(q0, i, ci, j, cj)
                room = _room(arm, q0, i, ci, farthest)
                if i != j:  # beyond one joint's limit the ray continues along it
                    room = max(room, _room(arm, q0, j, cj, farthest))
                rings = max(3, math.ceil(room / _SPACING))
                before, last, v = np.inf, np.inf, 0.0
                for ring in range(rings + 1):
                    r = room * ring / rings
                    v = _along(arm, ray, r, q, work)
                    if m == n and ring > 0 and (v > 0.0) != (last > 0.0):
                        _root(arm, ray, r - room / rings, last, r, v, q, work)
                        if not _known(metric, q0, q, best, nearest):
                            n_roots = _keep(roots, n_roots, distance(q, q0, metric), q)
                            break
                    if ring > 1 and abs(last) < abs(before) and abs(last) <= abs(v):
                        _along(arm, ray, r - room / rings, q, work)
                        n_lowest = _keep_apart(lowest, n_lowest, abs(last), q, metric)
                    before, last = last, v
                if abs(v) < abs(before) and v == last and room > 0.0:
                    n_lowest = _keep_apart(lowest, n_lowest, abs(v), q, metric)
            for k in range(n_lowest):
                copy(dips[n_dips], lowest[k])
                n_dips += 1
    return n_roots, n_dips


@routine
def _try(arm, q0, q, x, k, best, nearest, work):
    """Restore and descend from q along the k-th lowest singular value; save a nearer pose in `best`, return its distance."""
    task_matrix(arm, q, work)
    low_direction(work.A, k, x)
    if not restore(arm, q, x, work) or _known(arm.metric, q0, q, best, nearest):
        return nearest
    there = descend(arm, q0, q, x, work)
    if there < nearest:
        copy(best, q)
        return there
    return nearest


@kernel(ARM, MAT, INTS, REAL, OUT2, OUT1, INT, INT)
def nearest_many(given, q0, deciding, farthest, best, nearest, lo, hi):
    """Write the nearest singular pose of rows lo…hi of q0 to `best` `(N, n)`, and its distance to `nearest` `(N,)`, inf for none.

    `deciding`: the joints on which the rank depends.
    """
    arm = Arm(*given)
    n, m, metric, low, high = q0.shape[1], arm.rows.size, arm.metric, arm.low, arm.high
    work = step_work(n, m)
    start, q, x = np.empty(n), np.empty(n), np.empty(min(m, n))
    roots, dips = np.empty((_ROOTS, n + 1)), np.empty((_DIPS * n * (n + 1) // 2, n + 1))
    for row in range(lo, hi):
        for i in range(n):
            start[i] = min(max(q0[row, i], low[i]), high[i])
        nearest[row] = np.inf
        for k in range(x.size):
            copy(q, start)
            nearest[row] = _try(arm, q0[row], q, x, k, best[row], nearest[row], work)
        reach = min(farthest, _WIDER * nearest[row])
        n_roots, n_dips = _scan(arm, start, deciding, reach, best[row], nearest[row], roots, dips, work)
        order = np.argsort(roots[:n_roots, 0])
        for k in range(n_roots):
            copy(q, roots[order[k], 1:])
            if roots[order[k], 0] < _WIDER * nearest[row] and not _known(metric, start, q, best[row], nearest[row]):
                nearest[row] = _try(arm, q0[row], q, x, 0, best[row], nearest[row], work)
        for k in range(n_dips):
            copy(q, dips[k, 1:])
            if distance(q, q0[row], metric) < _WIDER * nearest[row]:
                nearest[row] = _try(arm, q0[row], q, x, 0, best[row], nearest[row], work)


@kernel(ARM, MAT, INT, OUT2, OUT1, INT, INT)
def restore_many(given, q0, k, out, reached, lo, hi):
    """Write singular poses within the limits, found from rows lo…hi of q0 by their k-th lowest singular value, to `out` `(N, n)`.

    `reached` `(N,)`: their distances in rad, inf without one.
    """
    arm, n = Arm(*given), q0.shape[1]
    m = arm.rows.size
    work, x = step_work(n, m), np.empty(min(m, n))
    for row in range(lo, hi):
        out[row] = q0[row]
        task_matrix(arm, out[row], work)
        low_direction(work.A, k, x)
        reached[row] = distance(out[row], q0[row], arm.metric) if restore(arm, out[row], x, work) else np.inf


@kernel(ARM, VEC, INT, INT, MAT, OUT2, INT, INT)
def segment_roots(given, q0, i, j, ends, out, lo, hi):
    """Write the zeros of det A on segments in the plane of joints i and j to the rows (q_i, q_j) of `out`.

    Rows of `ends`: (q_i, q_j, q_i, q_j) with det A of opposite signs. Metric and limits of the arm are ignored.
    """
    a, n = Arm(*given), q0.size
    free = np.full(n, np.inf)
    arm = Arm(a.P, a.body, a.X_BF, a.rows, a.scale, np.ones(n), 1.0, -free, free)
    work, q, start = step_work(n, arm.rows.size), np.empty(n), np.empty(n)
    for k in range(lo, hi):
        copy(start, q0)
        start[i], start[j] = ends[k, 0], ends[k, 1]
        ray = Ray(start, i, ends[k, 2] - ends[k, 0], j, ends[k, 3] - ends[k, 1])
        va, vb = _along(arm, ray, 0.0, q, work), _along(arm, ray, 1.0, q, work)
        _root(arm, ray, 0.0, va, 1.0, vb, q, work)
        out[k, 0], out[k, 1] = q[i], q[j]
