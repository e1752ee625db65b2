"""Compiled distances of groups of shapes over many poses."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.contact.packed_shapes import BODY, COUNT, FIRST, POS, ROT
from armature.engine.contact.pair_distance import (
    DISTANCE,
    NORMAL,
    ORIGIN,
    PLACED,
    POINT_A,
    POINT_B,
    RESULT,
    lower_bound,
    pair_distance,
    scratch,
)
from armature.engine.dynamics.vector import cross, dot, load3, load_matrix, minus, rotate, store, transform
from armature.engine.jit import INT, INTS, MAT, MODEL, OUT3, REAL, kernel, routine
from armature.engine.model.body_placement import place_in_world
from armature.engine.model.packed_model import PARENT, SLIDES

PAIR = RESULT
"""Column of a result with the index of the pair; the gradient by joint follows."""
GRADIENT = PAIR + 1

ALL, NEAREST, VERDICT = 0, 1, 2
"""Modes: a result for each pair; for the nearest pair; for any pair whose shapes touch."""


@kernel(MODEL, MAT, MAT, MAT, INTS, INTS, INT, REAL, OUT3, INT, INT)
def contacts_many(P, q, S, V, E, pairs, mode, limit, out, lo, hi):
    """Results for rows lo…hi of q, into `out` `(N, rows, GRADIENT + n)`, with as many rows as pairs if all are requested.

    `pairs` `(2 m,)`: rows of S. `limit`: distance in m from which pairs are skipped; DISTANCE is then a lower bound of at least
    as much, and PAIR is −1. The gradient is n·(J_a − J_b) of the two points. In mode VERDICT, only PAIR is valid.
    """
    n, m = P.shape[0] - 1, pairs.size // 2
    X, B, Z = np.empty((n, 12)), np.empty((n, 12)), np.empty((S.shape[0], PLACED))
    bounds, shapes, work = np.empty(m), (S, V, E), scratch()
    for k in range(lo, hi):
        place_in_world(P, q[k], X, B)
        _place_rows(S, B, Z, k == lo)
        result = out[k]
        for c in range(m):
            bounds[c] = lower_bound(S, Z, pairs[2 * c], pairs[2 * c + 1])
        if mode == ALL:
            for c in range(m):
                row = result[c : c + 1]
                row[0, PAIR] = -1.0
                least = bounds[c]
                if least < limit:
                    least = _group_distance(shapes, Z, pairs, c, limit, mode == VERDICT, work, row)
                if row[0, PAIR] < 0.0:
                    row[0, DISTANCE] = least
                _gradient(P, B, S, pairs, row)
        else:
            _least(shapes, Z, pairs, bounds, limit, mode == VERDICT, work, result)
            if mode == NEAREST:
                _gradient(P, B, S, pairs, result)


@routine
def _place_rows(S, B, Z, first):
    """Poses Z of the rows of S in the world; of those fixed to the world only the first time."""
    for i in range(S.shape[0]):
        body = int(S[i, BODY])
        if body >= 0:
            R = load_matrix(B, body, 0)
            store(Z, i, ORIGIN, transform(load3(B, body, 9), R, load3(S, i, POS)))
            for c in range(3):
                x = rotate(R, (S[i, ROT + c], S[i, ROT + 3 + c], S[i, ROT + 6 + c]))
                Z[i, c], Z[i, 3 + c], Z[i, 6 + c] = x
        elif first:
            for c in range(PLACED):
                Z[i, c] = S[i, ROT + c]


@routine
def _least(shapes, Z, pairs, bounds, limit, first, work, result):
    """Result of the nearest pair below `limit` in `result`, by lower bounds in ascending order; of the first one if `first`."""
    result[0, DISTANCE], result[0, PAIR] = limit, -1.0
    while bounds.size > 0:
        c = bounds.size - 1
        for k in range(bounds.size):
            if bounds[k] < bounds[c]:
                c = k
        if not bounds[c] < result[0, DISTANCE]:
            break
        bounds[c] = math.inf
        _group_distance(shapes, Z, pairs, c, result[0, DISTANCE], first, work, result)
        if first and result[0, PAIR] >= 0.0:
            break


@routine
def _group_distance(shapes, Z, pairs, c, limit, first, work, result):
    """Distance and result of pair c of groups, if it is below `limit`; else a lower bound. If `first`, any that is below."""
    S = shapes[0]
    g, h = pairs[2 * c], pairs[2 * c + 1]
    best, least = limit, math.inf
    for i in range(int(S[g, FIRST]), int(S[g, FIRST]) + int(S[g, COUNT])):
        for j in range(int(S[h, FIRST]), int(S[h, FIRST]) + int(S[h, COUNT])):
            lower = lower_bound(S, Z, i, j)
            if lower < best:
                lower = pair_distance(shapes, Z, i, j, best, first, work, result)
            least = min(least, lower)
            if lower < best:
                best = lower
                result[0, PAIR] = c
                if first:
                    return best
    return least


@routine
def _gradient(P, B, S, pairs, result):
    """d(distance)/dq_i of the pair in `result`:  n·(J_a − J_b)_i at its points."""
    for i in range(P.shape[0] - 1):
        result[0, GRADIENT + i] = 0.0
    if result[0, PAIR] < 0.0:
        return
    c = int(result[0, PAIR])
    normal = load3(result, 0, NORMAL)
    for side in range(2):
        p = load3(result, 0, POINT_A if side == 0 else POINT_B)
        i = int(S[pairs[2 * c + side], BODY])
        while i >= 0:
            z = (B[i, 2], B[i, 5], B[i, 8])
            column = z if P[i, SLIDES] == 1.0 else cross(z, minus(p, load3(B, i, 9)))
            result[0, GRADIENT + i] += dot(normal, column) if side == 0 else -dot(normal, column)
            i = int(P[i, PARENT])
