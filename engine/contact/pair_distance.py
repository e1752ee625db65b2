"""Signed distance of two placed convex shapes, its witness points and its normal."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.contact.epa import FACES, VERTICES, epa
from armature.engine.contact.gjk import BEYOND, OVERLAPPING, A, B, gjk, weighted_sum
from armature.engine.contact.packed_shapes import BALL, EDGES, HALFSPACE, KIND, RADIUS
from armature.engine.contact.support import farthest, first_vertices
from armature.engine.dynamics.vector import (
    dot,
    load3,
    load_matrix,
    minus,
    plus,
    rotate,
    rotate_transposed,
    store,
    times,
    transform,
)
from armature.engine.jit import routine

# Columns of a result: signed distance, unit normal from shape b to shape a, points on a and on b, all in W.
DISTANCE, NORMAL, POINT_A, POINT_B, RESULT = 0, 1, 4, 7, 10

# Columns of a placed row: R_WS row by row, p_WS.
ORIGIN, PLACED = 9, 12


@routine
def scratch():
    """Arrays in which `pair_distance` works."""
    simplex, polytope, faces = np.zeros((4, 11)), np.empty((VERTICES, 9)), np.empty((FACES, 4))
    return simplex, polytope, faces, np.empty((FACES, 3), np.int64), np.empty((FACES, 2), np.int64)


@routine
def pair_distance(shapes, Z, i, j, limit, verdict, work, out):
    """Signed distance of shapes i and j at the poses Z `(k, 12)`; if it is below `limit`, `out` `(1, ≥ RESULT)` is the result.

    Otherwise the returned number is only a lower bound that is not below `limit`. distance · normal = p_a − p_b. With `verdict`,
    only whether the returned number is below `limit` is valid.
    """
    S = shapes[0]
    if S[j, KIND] == HALFSPACE:
        return _over_halfspace(shapes, Z, i, j, limit, out, 1.0)
    if S[i, KIND] == HALFSPACE:
        return _over_halfspace(shapes, Z, j, i, limit, out, -1.0)
    R_i, p_i, R_j = load_matrix(Z, i, 0), load3(Z, i, ORIGIN), load_matrix(Z, j, 0)
    R, p = _relative(R_i, R_j), rotate_transposed(R_i, minus(load3(Z, j, ORIGIN), p_i))
    swept = S[i, RADIUS] + S[j, RADIUS]
    state, core, n = gjk(shapes, i, j, R, p, max(0.0, limit + swept), limit + swept if verdict else 0.0, work[0])
    if state == BEYOND or verdict:
        return core - swept
    if state == OVERLAPPING:
        core, normal, a, b = epa(shapes, i, j, R, p, n, work, -limit - swept)
        core, normal = -core, times(-1.0, normal)
    else:
        a, b = weighted_sum(work[0], n, A), weighted_sum(work[0], n, B)
        v = minus(a, b)
        core = math.sqrt(dot(v, v))
        normal = times(1.0 / core, v)
    if core - swept < limit:
        out[0, DISTANCE] = core - swept
        store(out, 0, NORMAL, rotate(R_i, normal))
        store(out, 0, POINT_A, transform(p_i, R_i, plus(a, times(-S[i, RADIUS], normal))))
        store(out, 0, POINT_B, transform(p_i, R_i, plus(b, times(S[j, RADIUS], normal))))
    return core - swept


@routine
def _relative(R, Q):
    """Rᵀ Q."""
    x = rotate_transposed(R, (Q[0], Q[3], Q[6]))
    y = rotate_transposed(R, (Q[1], Q[4], Q[7]))
    z = rotate_transposed(R, (Q[2], Q[5], Q[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@routine
def _over_halfspace(shapes, Z, i, j, limit, out, sign):
    """`pair_distance` of shape i and the half-space j; sign −1: with i as the second of the pair."""
    S, R = shapes[0], load_matrix(Z, i, 0)
    n = (Z[j, 2], Z[j, 5], Z[j, 8])
    a, _ = farthest(shapes, i, times(-1.0, rotate_transposed(R, n)), first_vertices(shapes, i, j)[0])
    a = plus(transform(load3(Z, i, ORIGIN), R, a), times(-S[i, RADIUS], n))
    distance = dot(n, minus(a, load3(Z, j, ORIGIN)))
    if distance < limit:
        out[0, DISTANCE] = distance
        store(out, 0, NORMAL, times(sign, n))
        b = plus(a, times(-distance, n))
        store(out, 0, POINT_A, a if sign > 0.0 else b)
        store(out, 0, POINT_B, b if sign > 0.0 else a)
    return distance


@routine
def lower_bound(S, Z, i, j):
    """Lower bound of the signed distance of rows i and j: that of their balls, or of the ball of one and the box of the other."""
    if S[j, KIND] == HALFSPACE:
        return _box_over(S, Z, i, j)
    if S[i, KIND] == HALFSPACE:
        return _box_over(S, Z, j, i)
    apart = minus(load3(Z, j, ORIGIN), load3(Z, i, ORIGIN))
    balls = math.sqrt(dot(apart, apart)) - S[i, BALL] - S[j, BALL]
    first = _outside(load3(S, i, EDGES), rotate_transposed(load_matrix(Z, i, 0), apart)) - S[j, BALL]
    second = _outside(load3(S, j, EDGES), rotate_transposed(load_matrix(Z, j, 0), apart)) - S[i, BALL]
    return max(balls, first, second)


@routine
def _box_over(S, Z, i, j):
    """Signed distance of the box or ball of row i, whichever is farther, and half-space j."""
    n = (Z[j, 2], Z[j, 5], Z[j, 8])
    height = dot(n, minus(load3(Z, i, ORIGIN), load3(Z, j, ORIGIN)))
    d = rotate_transposed(load_matrix(Z, i, 0), n)
    box = abs(d[0]) * S[i, EDGES] + abs(d[1]) * S[i, EDGES + 1] + abs(d[2]) * S[i, EDGES + 2]
    return height - min(box, S[i, BALL])


@routine
def _outside(half, x):
    """Signed distance of point x from a box around the origin."""
    dx, dy, dz = abs(x[0]) - half[0], abs(x[1]) - half[1], abs(x[2]) - half[2]
    inside = min(0.0, max(dx, dy, dz))
    dx, dy, dz = max(dx, 0.0), max(dy, 0.0), max(dz, 0.0)
    return inside + math.sqrt(dx * dx + dy * dy + dz * dz)
