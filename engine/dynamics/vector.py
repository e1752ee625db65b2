"""Three-vectors as tuples, so that compiled formulas read as they are written and allocate nothing."""

from __future__ import annotations

from engine.jit import inner


@inner
def part(rows, i, first):
    """The vector at columns first…first + 2 of row i."""
    return rows[i, first], rows[i, first + 1], rows[i, first + 2]


@inner
def put(rows, i, first, a):
    """Writes the vector a to columns first…first + 2 of row i."""
    rows[i, first], rows[i, first + 1], rows[i, first + 2] = a


@inner
def dot(a, b):
    """a·b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inner
def cross(a, b):
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inner
def plus(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inner
def minus(a, b):
    """a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inner
def times(s, a):
    """s a."""
    return s * a[0], s * a[1], s * a[2]


@inner
def turned(W, i, a):
    """R_WB a, from the axes of body i into those of the world; row i of W `(n, 12)` begins with R_WB."""
    return (
        W[i, 0] * a[0] + W[i, 1] * a[1] + W[i, 2] * a[2],
        W[i, 3] * a[0] + W[i, 4] * a[1] + W[i, 5] * a[2],
        W[i, 6] * a[0] + W[i, 7] * a[1] + W[i, 8] * a[2],
    )


@inner
def axis(W, i):
    """z of joint i in world axes."""
    return W[i, 2], W[i, 5], W[i, 8]


@inner
def joint_twist(W, i, slides):
    """(v, w) per unit speed of joint i, at the world's origin:  (p × z, z) where it turns, (z, 0) where it slides."""
    z = axis(W, i)
    if slides:
        return z, (0.0, 0.0, 0.0)
    return cross(part(W, i, 9), z), z
