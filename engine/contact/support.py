"""Farthest points of the cores of shapes along a direction."""

from __future__ import annotations

import math

from armature.engine.contact.packed_shapes import BOX, COUNT, CYLINDER, FIRST, HALF, HULL, KIND, POINT
from armature.engine.dynamics.vector import minus, rotate_transposed, times, transform
from armature.engine.jit import routine


@routine
def farthest(shapes, i, d, near):
    """Point of the core of shape i farthest along d, in its frame, and its vertex; the climb begins at the vertex `near`."""
    S, V, E = shapes
    kind = S[i, KIND]
    if kind == HULL:
        k = near
        best = V[k, 0] * d[0] + V[k, 1] * d[1] + V[k, 2] * d[2]
        climbed = S[i, COUNT] > 1.0
        while climbed:
            climbed = False
            for e in range(E[k], E[k + 1]):
                o = E[e]
                value = V[o, 0] * d[0] + V[o, 1] * d[1] + V[o, 2] * d[2]
                if value > best:
                    best, k, climbed = value, o, True
        return (V[k, 0], V[k, 1], V[k, 2]), k
    if kind == POINT:
        return (0.0, 0.0, 0.0), 0
    x, y, z = S[i, HALF], S[i, HALF + 1], math.copysign(S[i, HALF + 2], d[2])
    if kind == BOX:
        return (math.copysign(x, d[0]), math.copysign(y, d[1]), z), 0
    if kind == CYLINDER:
        across = math.sqrt(d[0] * d[0] + d[1] * d[1])
        if across > 0.0:
            return (x * d[0] / across, x * d[1] / across, z), 0
        return (x, 0.0, z), 0
    return (0.0, 0.0, z), 0


@routine
def first_vertices(shapes, i, j):
    """Vertices at which the climbs on two shapes begin."""
    S = shapes[0]
    return int(S[i, FIRST]), int(S[j, FIRST])


@routine
def farthest_of_both(shapes, i, j, R, p, d, near):
    """Support of the Minkowski difference of cores i and j along d, in the frame of i: w = a − b, a, b and their vertices.

    R and p are the pose of j in the frame of i.
    """
    a, m = farthest(shapes, i, d, near[0])
    b, n = farthest(shapes, j, times(-1.0, rotate_transposed(R, d)), near[1])
    b = transform(p, R, b)
    return minus(a, b), a, b, (m, n)
