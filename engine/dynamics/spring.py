"""The workspace of the equations of motion, and a spring that pulls on a point of a body in it."""

from __future__ import annotations

import math

from engine.jit import inlined, inner

# Columns of the workspace row of a body: pose R p; joint axis, velocity, acceleration and force as (linear, angular) about the
# world's origin; composite mass, first moment and inertia (xx xy xz yy yz zz) there.
POINT, AXIS, VELOCITY, ACCELERATION, FORCE, COMPOSITE = 9, 12, 18, 24, 30, 36
WORK = 46

SPRING_ROWS = 2
"""Rows of `wrench` below the bodies that hang a spring on one: its body, stiffness, damping and the grabbed point in the body's
axes; the point in the world it pulls to and the most it pulls with."""


@inlined
def spring(wrench, n, Z):
    """Body, point p and force f of the spring below the `n` rows of bodies:  f = k (target − p) − d v,  |f| at most as given."""
    b = int(wrench[n, 0])
    k, d, x, y, z = wrench[n, 1], wrench[n, 2], wrench[n, 3], wrench[n, 4], wrench[n, 5]
    px = Z[b, POINT] + Z[b, 0] * x + Z[b, 1] * y + Z[b, 2] * z
    py = Z[b, POINT + 1] + Z[b, 3] * x + Z[b, 4] * y + Z[b, 5] * z
    pz = Z[b, POINT + 2] + Z[b, 6] * x + Z[b, 7] * y + Z[b, 8] * z
    wx, wy, wz = Z[b, VELOCITY + 3], Z[b, VELOCITY + 4], Z[b, VELOCITY + 5]
    vx = Z[b, VELOCITY] + wy * pz - wz * py
    vy = Z[b, VELOCITY + 1] + wz * px - wx * pz
    vz = Z[b, VELOCITY + 2] + wx * py - wy * px
    fx = k * (wrench[n + 1, 0] - px) - d * vx
    fy = k * (wrench[n + 1, 1] - py) - d * vy
    fz = k * (wrench[n + 1, 2] - pz) - d * vz
    size = math.sqrt(fx * fx + fy * fy + fz * fz)
    share = wrench[n + 1, 3] / size if size > wrench[n + 1, 3] else 1.0
    return b, (px, py, pz), (fx * share, fy * share, fz * share)


@inner
def power_of(wrench, n, Z):
    """Power that wrench and spring put in at the velocities in Z, W:  Σ f·v + (n + p × f)·w, v at the world's origin."""
    power = 0.0
    for i in range(n):
        fx, fy, fz = wrench[i, 0], wrench[i, 1], wrench[i, 2]
        px, py, pz = Z[i, POINT], Z[i, POINT + 1], Z[i, POINT + 2]
        power += fx * Z[i, VELOCITY] + fy * Z[i, VELOCITY + 1] + fz * Z[i, VELOCITY + 2]
        power += (wrench[i, 3] + py * fz - pz * fy) * Z[i, VELOCITY + 3]
        power += (wrench[i, 4] + pz * fx - px * fz) * Z[i, VELOCITY + 4]
        power += (wrench[i, 5] + px * fy - py * fx) * Z[i, VELOCITY + 5]
    b, (px, py, pz), (fx, fy, fz) = spring(wrench, n, Z)
    power += fx * Z[b, VELOCITY] + fy * Z[b, VELOCITY + 1] + fz * Z[b, VELOCITY + 2]
    power += (py * fz - pz * fy) * Z[b, VELOCITY + 3]
    power += (pz * fx - px * fz) * Z[b, VELOCITY + 4]
    power += (px * fy - py * fx) * Z[b, VELOCITY + 5]
    return power
