"""Where the arrow and the ring of every load stand; compiled, since they are placed anew for every frame."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numba import types

from armature.engine.jit import CUBE, MAT, OUT1, OUT2, VEC, kernel, routine

GLOSS = 0.2
OUT_BODIES = types.float32[:, ::1]


@routine
def _axes(x, y, z, R):
    """Rows x, y, z of axes whose last points along a vector, y as low as it can be; where there is none, it points up."""
    size = sqrt(x * x + y * y + z * z)
    if size > 1e-12:
        x, y, z = x / size, y / size, z / size
    else:
        x, y, z = 0.0, 0.0, 1.0
    a, b, c = (z, 0.0, -x) if abs(z) > 0.999 else (-y, x, 0.0)  # y × z or up × z
    length = sqrt(a * a + b * b + c * c)
    a, b, c = a / length, b / length, c / length
    R[0, 0], R[0, 1], R[0, 2] = a, b, c
    R[1, 0], R[1, 1], R[1, 2] = y * c - z * b, z * a - x * c, x * b - y * a
    R[2, 0], R[2, 1], R[2, 2] = x, y, z
    return size


@routine
def _put(R, wide, long, place, ahead, colour, body):
    """One part as BODY has it: `wide` across and `long` along z, so far ahead of its place."""
    for j in range(3):
        body[j], body[4 + j], body[8 + j] = wide * R[0, j], wide * R[1, j], long * R[2, j]
        body[12 + j], body[16 + j] = place[j] + ahead * R[2, j], colour[j]
    body[3], body[7], body[11], body[15], body[19] = 0.0, 0.0, 0.0, 1.0, GLOSS


@kernel(MAT, CUBE, VEC, VEC, MAT, OUT_BODIES, OUT2, OUT2, OUT2, OUT1)
def placed_loads(loads, slots, scales, lengths, shades, bodies, sizes, share, spots, largest):
    """Shaft and head of an arrow along each force, and a ring about each moment; they grow with the root of the share.

    Args:
        loads: force and moment `(k, 6)` in W, N and N·m.
        slots: X_WS `(k + 1, 4, 4)`, the world first; the origins of the others are where they act.
        scales: force and moment at which the shares are 1 `(2,)`.
        lengths: of an arrow and radius of a ring of share 1, radius of a shaft and length of a head, m.
        shades: linear colours from share 0 to 1 `(s, 3)`.
        bodies: shaft, head and ring of each, as BODY `(3 k, 20)`.
        sizes: of forces and moments `(2, k)`, N and N·m.
        share: of the scales, at most 1, `(2, k)`.
        spots: tips of the arrows, then the lowest of each ring, `(2 k, 3)` in W, m.
        largest: of the sizes `(2,)`.
    """
    R, many = np.empty((3, 3)), len(loads)
    largest[:] = 0.0
    for k in range(many):
        force, moment, place = loads[k, :3], loads[k, 3:], slots[k + 1, :3, 3]
        sizes[0, k] = _axes(force[0], force[1], force[2], R)
        largest[0], share[0, k] = max(largest[0], sizes[0, k]), min(sizes[0, k] / scales[0], 1.0)
        length, colour = sqrt(share[0, k]) * lengths[0], shades[int(share[0, k] * (len(shades) - 1))]
        head = min(lengths[3], length)
        _put(R, lengths[2] * head / lengths[3], length - 0.98 * head, place, 0.0, colour, bodies[3 * k])
        _put(R, head, head, place, length - head, colour, bodies[3 * k + 1])
        for j in range(3):
            spots[k, j] = place[j] + length * R[2, j]
        sizes[1, k] = _axes(moment[0], moment[1], moment[2], R)
        largest[1], share[1, k] = max(largest[1], sizes[1, k]), min(sizes[1, k] / scales[1], 1.0)
        radius, colour = sqrt(share[1, k]) * lengths[1], shades[int(share[1, k] * (len(shades) - 1))]
        _put(R, radius, radius, place, 0.0, colour, bodies[3 * k + 2])
        for j in range(3):
            spots[many + k, j] = place[j] - radius * R[1, j]
