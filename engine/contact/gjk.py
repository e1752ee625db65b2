"""Distance of two convex cores that are apart, by the algorithm of Gilbert, Johnson and Keerthi.

Source: Gilbert, Johnson, Keerthi, IEEE J. Robotics and Automation 4, 1988; van den Bergen, Collision Detection in Interactive 3D
Environments, 2003, chapter 4.
"""

from __future__ import annotations

import math

from armature.engine.contact.support import farthest_of_both, first_vertices
from armature.engine.dynamics.vector import cross, dot, load3, minus, plus, store, times
from armature.engine.jit import routine

TOLERANCE = 1e-12
"""Largest difference in m of the distance and its lower bound."""
TOUCHING = 1e-10
"""Distance in m up to which cores count as overlapping."""
_LIMIT = 200  # iterations
_FLAT = 1e-12  # volume relative to the product of three edges

# Columns of the simplex: w = a − b, a, b, the weight of the vertex, and a weight that is being tried.
W, A, B, WEIGHT, TRIED = 0, 3, 6, 9, 10

APART, BEYOND, OVERLAPPING = 0, 1, 2
"""Results of `gjk`."""


@routine
def gjk(shapes, i, j, R, p, beyond, within, Y):
    """Result, distance in m and number of vertices of the simplex in Y `(4, 11)`, of cores i and j in the frame of i.

    R and p are the pose of j. BEYOND: the distance is a lower bound greater than `beyond`. The search ends at a distance less
    than `within`, too.
    """
    v = times(-1.0, p)
    best, lower, n = math.inf, 0.0, 0
    near = first_vertices(shapes, i, j)
    if dot(v, v) == 0.0:
        v = (1.0, 0.0, 0.0)
    for _ in range(_LIMIT):
        w, a, b, near = farthest_of_both(shapes, i, j, R, p, times(-1.0, v), near)
        # every point of the difference is beyond the plane through w across v
        bound = dot(v, w) / math.sqrt(dot(v, v))
        lower = max(lower, bound)
        if lower > beyond:
            return BEYOND, lower, n
        if best - bound <= TOLERANCE:
            break
        store(Y, n, W, w)
        store(Y, n, A, a)
        store(Y, n, B, b)
        square = _nearest(Y, n + 1)
        distance = math.sqrt(square)
        if distance >= best or (distance <= TOUCHING < lower):  # only rounding is left
            return (APART, best, n) if lower > TOUCHING else (OVERLAPPING, 0.0, n)
        best = distance
        n = _keep(Y, n + 1)
        if distance <= TOUCHING:
            return OVERLAPPING, 0.0, n
        if distance < within:
            break
        v = weighted_sum(Y, n, W)
    return APART, best, n


@routine
def weighted_sum(Y, n, first):
    """Σ weight · vertex over the columns from `first` on."""
    x = (0.0, 0.0, 0.0)
    for k in range(n):
        x = plus(x, times(Y[k, WEIGHT], load3(Y, k, first)))
    return x


@routine
def _keep(Y, n):
    """Keep the vertices with a weight; return their number."""
    count = 0
    for k in range(n):
        if Y[k, TRIED] > 0.0:
            for c in range(WEIGHT):
                Y[count, c] = Y[k, c]
            Y[count, WEIGHT] = Y[k, TRIED]
            count += 1
    return count


@routine
def _nearest(Y, n):
    """Square of the distance from the origin to the simplex of n vertices; the weights of the nearest point become TRIED."""
    if n == 1:
        Y[0, TRIED] = 1.0
        w = load3(Y, 0, W)
        return dot(w, w)
    # variable rows, because numba compiles a routine again for every constant
    if n == 2:
        return _edge(Y, n - 2, n - 1, math.inf)
    if n == 3:
        return _triangle(Y, n - 3, n - 2, n - 1, math.inf)
    return _tetrahedron(Y)


@routine
def _weigh(Y, a, b, c, wb, wc):
    """Set the tried weights of three vertices, all others to 0."""
    for k in range(4):
        Y[k, TRIED] = 0.0
    Y[a, TRIED] = 1.0 - wb - wc
    Y[b, TRIED] = wb
    if wc > 0.0:
        Y[c, TRIED] = wc


@routine
def _edge(Y, a, b, best):
    """`best`, or the square of the distance to an edge where that is less."""
    u = load3(Y, a, W)
    e = minus(load3(Y, b, W), u)
    square = dot(e, e)
    t = min(1.0, max(0.0, -dot(u, e) / square)) if square > 0.0 else 0.0
    x = plus(u, times(t, e))
    square = dot(x, x)
    if square < best:
        _weigh(Y, a, b, a, t, 0.0)
        return square
    return best


@routine
def _triangle(Y, a, b, c, best):
    """`best`, or the square of the distance to a triangle where that is less."""
    u = load3(Y, a, W)
    e, f = minus(load3(Y, b, W), u), minus(load3(Y, c, W), u)
    n = cross(e, f)
    square = dot(n, n)
    # areas opposite the vertices: the origin's projection is inside where all are positive
    wb, wc = dot(n, cross(f, u)), dot(n, cross(u, e))
    wa = square - wb - wc
    if wa > 0.0 and wb > 0.0 and wc > 0.0:
        height = dot(n, u)
        height = height * height / square
        if height < best:
            _weigh(Y, a, b, c, wb / square, wc / square)
            return height
        return best
    if wa <= 0.0:
        best = _edge(Y, b, c, best)
    if wb <= 0.0:
        best = _edge(Y, a, c, best)
    if wc <= 0.0:
        best = _edge(Y, a, b, best)
    return best


@routine
def _tetrahedron(Y):
    """Square of the distance from the origin to the tetrahedron; 0 inside."""
    u = load3(Y, 0, W)
    e, f, g = minus(load3(Y, 1, W), u), minus(load3(Y, 2, W), u), minus(load3(Y, 3, W), u)
    fg = cross(f, g)
    volume = dot(e, fg)
    flat = volume * volume <= _FLAT * _FLAT * dot(e, e) * dot(f, f) * dot(g, g)
    scale = 0.0 if flat else 1.0 / volume
    # volumes opposite the vertices, relative to the whole
    wb, wc, wd = -dot(u, fg) * scale, -dot(u, cross(g, e)) * scale, -dot(u, cross(e, f)) * scale
    weights = (1.0 - wb - wc - wd, wb, wc, wd)
    if not flat and min(weights[0], wb, wc, wd) > 0.0:
        for k in range(4):
            Y[k, TRIED] = weights[k]
        return 0.0
    best = math.inf
    for k in range(4):
        if flat or weights[k] <= 0.0:
            best = _triangle(Y, (k + 1) % 4, (k + 2) % 4, (k + 3) % 4, best)
    return best
