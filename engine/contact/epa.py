"""Depth of penetration of two convex cores by the expanding polytope algorithm.

The polytope grows inside the Minkowski difference of the cores until its face nearest to the origin is one of the difference.
Source: van den Bergen, Collision Detection in Interactive 3D Environments, 2003, section 4.3.8.
"""

from __future__ import annotations

import math

from armature.engine.contact.gjk import A, B, W
from armature.engine.contact.support import farthest_of_both, first_vertices
from armature.engine.dynamics.vector import cross, dot, load3, minus, plus, store, times
from armature.engine.jit import routine

VERTICES = 256
FACES = 3 * VERTICES  # a polytope has 2 (vertices − 2); removed and new ones coexist
_TOLERANCE = 1e-10  # m
_SAME_PLANE = 1e-13  # m: a face this far below a new vertex is removed, too
_THIN = 1e-11  # m: extent below which the difference is flat


@routine
def epa(shapes, i, j, R, p, n, work, deepest):
    """Depth in m, outward normal and witness points a and b of overlapping cores i and j, in the frame of i.

    R and p are the pose of j; the simplex in Y has n vertices. A depth less than `deepest` is only an upper bound.
    """
    Y, Q, F, T, H = work
    near = first_vertices(shapes, i, j)
    for k in range(n):
        for c in range(9):
            Q[k, c] = Y[k, c]
    count, flat = _spanned(shapes, i, j, R, p, n, Q, near)
    if count < 4:
        return _flat(Q, count, flat)
    _first_faces(Q, F, T)
    faces = count
    while True:
        nearest = faces - 1
        for k in range(faces):
            if F[k, 3] < F[nearest, 3]:
                nearest = k
        d = load3(F, nearest, 0)
        w, a, b, near = farthest_of_both(shapes, i, j, R, p, d, near)
        extent = dot(d, w)
        if extent < deepest:
            return extent, d, a, b
        if extent - F[nearest, 3] <= _TOLERANCE or count == VERTICES:
            break
        store(Q, count, W, w)
        store(Q, count, A, a)
        store(Q, count, B, b)
        faces = _expand(Q, F, T, H, faces, count)
        if faces > FACES - 3 * 64:
            break
        count += 1
    return _on_face(Q, F, T, nearest)


@routine
def _spanned(shapes, i, j, R, p, n, Q, near):
    """Number of vertices once up to four span a volume, and a direction in which the difference has no extent."""
    d = (0.0, 0.0, 1.0)
    if n == 4:
        e, f, g = _edges(Q)
        if abs(dot(e, cross(f, g))) <= _THIN * math.sqrt(dot(cross(e, f), cross(e, f))):
            n = 3
    if n == 3:
        e, f, _ = _edges(Q)
        c = cross(e, f)
        if dot(c, c) <= _THIN * _THIN * dot(e, e):
            n = 2
    if n == 2 and dot(_edges(Q)[0], _edges(Q)[0]) <= _THIN * _THIN:
        n = 1
    while n < 4:
        before = n
        for k in range(3):
            d = _across(Q, n, k)
            for sign in (1.0, -1.0):
                w, a, b, near = farthest_of_both(shapes, i, j, R, p, times(sign, d), near)
                if n == before and sign * dot(d, minus(w, load3(Q, 0, W))) > _THIN:
                    store(Q, n, W, w)
                    store(Q, n, A, a)
                    store(Q, n, B, b)
                    n += 1
        if n == before:
            break
    return n, d


@routine
def _edges(Q):
    """Edges from vertex 0 to the vertices 1, 2 and 3."""
    u = load3(Q, 0, W)
    return minus(load3(Q, 1, W), u), minus(load3(Q, 2, W), u), minus(load3(Q, 3, W), u)


@routine
def _across(Q, n, k):
    """Unit vector k of those orthogonal to the simplex of n vertices; they repeat where there are fewer than three."""
    if n == 1:
        return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    e, f, _ = _edges(Q)
    if n == 3:
        c = cross(e, f)
        return times(1.0 / math.sqrt(dot(c, c)), c)
    x, y, z = abs(e[0]), abs(e[1]), abs(e[2])
    least = (1.0, 0.0, 0.0) if x <= y and x <= z else (0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0)
    c = cross(e, least)
    c = times(1.0 / math.sqrt(dot(c, c)), c)
    if k != 1:
        return c
    c = cross(e, c)
    return times(1.0 / math.sqrt(dot(c, c)), c)


@routine
def _flat(Q, n, d):
    """Result for a difference without extent along d: depth 0, at the point of the simplex nearest to the origin."""
    if n == 3:
        u, (e, f, _) = load3(Q, 0, W), _edges(Q)
        c = cross(e, f)
        wb, wc = dot(c, cross(f, u)) / dot(c, c), dot(c, cross(u, e)) / dot(c, c)
    elif n == 2:
        e = _edges(Q)[0]
        wb, wc = -dot(load3(Q, 0, W), e) / dot(e, e), 0.0
    else:
        wb, wc = 0.0, 0.0
    a, b = load3(Q, 0, A), load3(Q, 0, B)
    if n > 1:
        a = plus(a, times(wb, minus(load3(Q, 1, A), load3(Q, 0, A))))
        b = plus(b, times(wb, minus(load3(Q, 1, B), load3(Q, 0, B))))
    if n > 2:
        a = plus(a, times(wc, minus(load3(Q, 2, A), load3(Q, 0, A))))
        b = plus(b, times(wc, minus(load3(Q, 2, B), load3(Q, 0, B))))
    return 0.0, d, a, b


@routine
def _first_faces(Q, F, T):
    """Four faces of the tetrahedron, counter-clockwise from outside."""
    e, f, g = _edges(Q)
    positive = dot(e, cross(f, g)) > 0.0
    for k in range(4):
        a, b, c = (k + 1) % 4, (k + 2) % 4, (k + 3) % 4
        if positive == (k % 2 == 1):
            b, c = c, b
        _face(Q, F, T, k, a, b, c)


@routine
def _face(Q, F, T, k, a, b, c):
    """Face k: its vertices, its outward normal and the distance of its plane from the origin; ∞ where it has no area."""
    T[k, 0], T[k, 1], T[k, 2] = a, b, c
    u = load3(Q, a, W)
    n = cross(minus(load3(Q, b, W), u), minus(load3(Q, c, W), u))
    length = math.sqrt(dot(n, n))
    if length > 0.0:
        n = times(1.0 / length, n)
        F[k, 3] = dot(n, u)
    else:
        F[k, 3] = math.inf
    store(F, k, 0, n)


@routine
def _expand(Q, F, T, H, faces, new):
    """Replace the faces that vertex `new` sees by a fan around it; return the number of faces."""
    w = load3(Q, new, W)
    edges, k = 0, 0
    while k < faces:
        if F[k, 3] == math.inf or dot(load3(F, k, 0), w) - F[k, 3] <= -_SAME_PLANE:
            k += 1
            continue
        for side in range(3):
            edges = _add_edge(H, edges, T[k, side], T[k, (side + 1) % 3])
        faces -= 1
        for c in range(3):
            T[k, c] = T[faces, c]
        for c in range(4):
            F[k, c] = F[faces, c]
    for e in range(edges):
        _face(Q, F, T, faces, H[e, 0], H[e, 1], new)
        faces += 1
    return faces


@routine
def _add_edge(H, edges, a, b):
    """Add a directed edge to the horizon, or remove its reverse; return the number of edges."""
    for e in range(edges):
        if H[e, 0] == b and H[e, 1] == a:
            H[e, 0], H[e, 1] = H[edges - 1, 0], H[edges - 1, 1]
            return edges - 1
    H[edges, 0], H[edges, 1] = a, b
    return edges + 1


@routine
def _on_face(Q, F, T, k):
    """Depth, normal and witness points at the origin's projection on face k."""
    i, j, m = T[k, 0], T[k, 1], T[k, 2]
    u = load3(Q, i, W)
    e, f = minus(load3(Q, j, W), u), minus(load3(Q, m, W), u)
    n = cross(e, f)
    square = dot(n, n)
    wb, wc = dot(n, cross(f, u)) / square, dot(n, cross(u, e)) / square
    a, b = load3(Q, i, A), load3(Q, i, B)
    a = plus(a, plus(times(wb, minus(load3(Q, j, A), a)), times(wc, minus(load3(Q, m, A), a))))
    b = plus(b, plus(times(wb, minus(load3(Q, j, B), b)), times(wc, minus(load3(Q, m, B), b))))
    return F[k, 3], load3(F, k, 0), a, b
