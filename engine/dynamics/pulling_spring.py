"""The workspace of the equations of motion, and a spring that pulls on a point of a body in it."""

from __future__ import annotations

import math

from armature.engine.dynamics.vector import along, cross, dot, load3, load_matrix, minus, plus_cross, times, transform
from armature.engine.jit import routine

# Columns of the workspace row of a body: pose R p; joint axis, velocity, acceleration and force as (linear, angular) about the
# world's origin; composite mass, first moment and inertia (xx xy xz yy yz zz) there.
POINT, AXIS, VELOCITY, ACCELERATION, FORCE, COMPOSITE = 9, 12, 18, 24, 30, 36
WORK = 46

SPRING_ROWS = 2
"""Rows of `wrench` below the bodies that hang a spring on one: its body, stiffness, damping and the grabbed point in the body's
axes; the point in the world it pulls to and the most it pulls with."""


@routine
def spring(wrench, n, Z):
    """Body, point p and force f of the spring below the `n` rows of bodies:  f = k (target − p) − d v,  |f| at most as given."""
    b, k, d = int(wrench[n, 0]), wrench[n, 1], wrench[n, 2]
    target, most = load3(wrench, n + 1, 0), wrench[n + 1, 3]
    p = transform(load3(Z, b, POINT), load_matrix(Z, b, 0), load3(wrench, n, 3))
    v = plus_cross(load3(Z, b, VELOCITY), load3(Z, b, VELOCITY + 3), p)
    f = minus(times(k, minus(target, p)), times(d, v))
    size = math.sqrt(dot(f, f))
    return b, p, times(most / size if size > most else 1.0, f)


@routine
def power_of(wrench, n, Z):
    """Power that wrench and spring supply at the velocities in Z, W:  Σ f·v + (n + p × f)·w, v at the world's origin."""
    power = 0.0
    for i in range(n):
        f, moment = load3(wrench, i, 0), load3(wrench, i, 3)
        power += along(load3(Z, i, VELOCITY), load3(Z, i, VELOCITY + 3), f, plus_cross(moment, load3(Z, i, POINT), f))
    b, p, f = spring(wrench, n, Z)
    return power + along(load3(Z, b, VELOCITY), load3(Z, b, VELOCITY + 3), f, cross(p, f))
