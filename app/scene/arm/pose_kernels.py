"""What follows the arm's pose from frame to frame, compiled: bodies on links, frames and their names, gauges, ellipsoids."""

from __future__ import annotations

from math import cos, inf, sin, sqrt

import numpy as np
from numba import types

from armature.engine.jit import CUBE, INTS, MAT, OUT1, OUT2, OUT3, REAL, VEC, inner, kernel

RECORDS, IN_RECORDS = types.float32[:, ::1], types.Array(types.float32, 2, "C", readonly=True)
FLAGS = types.uint8[:, :, ::1]

BEYOND = (1.42, 1.3, 1.3)  # of a joint's value and both its limits, in radii of the arc
RULER = 4.0  # far edge of a ruler, in radii
REACHES_OUT = 1.5  # of an axis beyond its joint, in radii
SWEEPS = 12  # of the Jacobi method: three squares of 3 × 3 converge in half of them


@kernel(CUBE, INTS, CUBE, RECORDS)
def placed(slots, carriers, X_SB, bodies):
    """Poses of bodies that hang on slots: X_WS X_SB.

    Args:
        slots: X_WS `(s, 4, 4)`.
        carriers: slot of each body `(k,)`.
        X_SB: `(k, 4, 4)`; columns may be of any length.
        bodies: as BODY `(≥ k, 20)`; only the poses of the first k are written.
    """
    for k in range(len(carriers)):
        X_WS, X = slots[carriers[k]], X_SB[k]
        for j in range(4):
            for i in range(3):
                moved = X_WS[i, 0] * X[0, j] + X_WS[i, 1] * X[1, j] + X_WS[i, 2] * X[2, j]
                bodies[k, 4 * j + i] = moved + (X_WS[i, 3] if j == 3 else 0.0)  # transposed, as GLSL has it


@kernel(CUBE, INTS, CUBE, OUT3)
def slot_poses(X_WL, links, X_LS, slots):
    """Poses of all slots, the world first, from those of links: X_WS = X_WL X_LS.

    Args:
        X_WL: poses of links `(l, 4, 4)`.
        links: that each slot but the world is fixed to `(n,)`.
        X_LS: the slot seen from it `(n, 4, 4)`.
        slots: `(n + 1, 4, 4)`.
    """
    for i in range(4):
        for j in range(4):
            slots[0, i, j] = 1.0 if i == j else 0.0
    for k in range(len(links)):
        A, B, out = X_WL[links[k]], X_LS[k], slots[k + 1]
        for i in range(4):
            for j in range(4):
                out[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j] + A[i, 3] * B[3, j]


@kernel(CUBE, MAT, OUT1)
def centre_of_mass(slots, shares, centre):
    """c = Σ X_WS (m_S c_S, m_S) / m.

    Args:
        slots: X_WS `(s, 4, 4)`.
        shares: (m_S c_S, m_S) / m of each `(s, 4)`.
        centre: `(3,)` in W, m.
    """
    for i in range(3):
        centre[i] = 0.0
        for s in range(len(slots)):
            X, c = slots[s], shares[s]
            centre[i] += X[i, 0] * c[0] + X[i, 1] * c[1] + X[i, 2] * c[2] + X[i, 3] * c[3]


@kernel(CUBE, INTS, MAT, VEC, REAL, OUT1)
def depths_below(slots, carriers, points, radii, height, depths):
    """How deep the lowest points of balls are below a floor, m.

    Args:
        slots: X_WS `(s, 4, 4)`.
        carriers: slot of each ball `(k,)`.
        points: its centre there `(k, 3)`, m.
        radii: `(k,)` m.
        height: of the floor, m.
        depths: `(k,)`.
    """
    for k in range(len(carriers)):
        X, p = slots[carriers[k]], points[k]
        depths[k] = height + radii[k] - (X[2, 0] * p[0] + X[2, 1] * p[1] + X[2, 2] * p[2] + X[2, 3])


@kernel(IN_RECORDS, MAT, RECORDS)
def edge_lines(bodies, edges, lines):
    """Edges of bodies in W, m.

    Args:
        bodies: as BODY `(k, 20)`.
        edges: both ends in the axes of each `(e, 6)`.
        lines: as LINE `(k e, 9)`; only the ends are written.
    """
    for k in range(len(bodies)):
        X = bodies[k]
        for e in range(len(edges)):
            line = lines[k * len(edges) + e]
            for end in range(0, 6, 3):
                a, b, c = edges[e, end], edges[e, end + 1], edges[e, end + 2]
                for i in range(3):
                    line[end + i] = X[i] * a + X[4 + i] * b + X[8 + i] * c + X[12 + i]


@kernel(CUBE, INTS, CUBE, VEC, VEC, VEC, OUT3, RECORDS, OUT3, FLAGS)
def placed_frames(slots, carriers, X_SF, stretches, beyond, same_if, X_WF, bodies, tips, same):
    """Frames on slots, where their names stand, and which of their axes coincide.

    Args:
        slots: X_WS `(s, 4, 4)`.
        carriers: slot of each frame `(k,)`.
        X_SF: `(k, 4, 4)`.
        stretches: how much longer each is drawn `(k,)`.
        beyond: from its origin to the names of its axes `(k,)`, m.
        same_if: origins are nearer than this, m, and axes closer than this cosine.
        X_WF: `(k, 4, 4)`.
        bodies: as BODY `(k, 20)`; only the poses are written.
        tips: of the axes x, y and z `(3, k, 3)` in W, m.
        same: of x, y and z by pairs of frames `(3, k, k)`, 1 where they coincide.
    """
    for k in range(len(carriers)):
        X_WS, X = slots[carriers[k]], X_SF[k]
        for i in range(4):
            for j in range(4):
                X_WF[k, i, j] = X_WS[i, 0] * X[0, j] + X_WS[i, 1] * X[1, j] + X_WS[i, 2] * X[2, j] + X_WS[i, 3] * X[3, j]
                bodies[k, 4 * j + i] = X_WF[k, i, j] * (stretches[k] if j < 3 else 1.0)
        for axis in range(3):
            for i in range(3):
                tips[axis, k, i] = X_WF[k, i, 3] + beyond[k] * X_WF[k, i, axis]
    for k in range(len(carriers)):
        for other in range(len(carriers)):
            A, B = X_WF[k], X_WF[other]
            apart = max(abs(A[0, 3] - B[0, 3]), abs(A[1, 3] - B[1, 3]), abs(A[2, 3] - B[2, 3]))
            for axis in range(3):
                along = A[0, axis] * B[0, axis] + A[1, axis] * B[1, axis] + A[2, axis] * B[2, axis]
                same[axis, k, other] = apart < same_if[0] and along > same_if[1]


@inner
def _across(gauge, eye, out):
    """From the axis of a joint that slides to the far edge of its ruler, across the line of sight."""
    x, y, z = gauge[8], gauge[9], gauge[10]
    a, b, c = eye[0] - gauge[12], eye[1] - gauge[13], eye[2] - gauge[14]
    out[0], out[1], out[2] = y * c - z * b, z * a - x * c, x * b - y * a
    size = max(sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]), 1e-9)
    for i in range(3):
        out[i] *= -RULER * gauge[19] / size


@inner
def _on_gauge(gauge, slides, at, beyond, across, out):
    """Where a position is told of: beyond the arc, or across from the ruler."""
    radius = max(gauge[19], 0.0)
    along, a, b = at if slides else 0.0, beyond * radius * cos(at), beyond * radius * sin(at)
    for i in range(3):
        out[i] = gauge[12 + i] + along * gauge[8 + i] + a * gauge[i] + b * gauge[4 + i] + across[i]


@kernel(CUBE, VEC, INTS, INTS, VEC, RECORDS, RECORDS)
def placed_gauges(slots, q, carriers, slides, shifts, gauges, lines):
    """Gauges where their joints are at 0, X_WJ = X_WB Rz(−q), or moved back along z by q, and the lines of their axes.

    Args:
        slots: X_WS `(s, 4, 4)`.
        q: `(n,)` rad or m.
        carriers: slot that each joint moves `(n,)`.
        slides: 1 where a joint slides, else 0, `(n,)`.
        shifts: from the frame along z to the gauge `(n,)`, m.
        gauges: pose, value, limits and radius of each as GAUGE `(n, 20)`; pose and value are written.
        lines: axes as LINE `(n, 9)`; only the ends are written.
    """
    for k in range(len(carriers)):
        X, gauge, turn = slots[carriers[k]], gauges[k], 0.0 if slides[k] else q[k]
        c, s, along = cos(turn), sin(turn), shifts[k] - (q[k] if slides[k] else 0.0)
        gauge[16] = q[k]
        size = REACHES_OUT * abs(gauge[19])
        down, up = (min(gauge[17], q[k]) - size, max(gauge[18], q[k]) + size) if slides[k] else (-size, size)
        for i in range(3):
            gauge[i], gauge[4 + i], gauge[8 + i] = c * X[i, 0] - s * X[i, 1], s * X[i, 0] + c * X[i, 1], X[i, 2]
            gauge[12 + i] = X[i, 3] + along * X[i, 2]
            lines[k, i], lines[k, 3 + i] = gauge[12 + i] + down * X[i, 2], gauge[12 + i] + up * X[i, 2]


@kernel(IN_RECORDS, INTS, INTS, VEC, OUT2)
def gauge_places(gauges, slides, ended, eye, places):
    """Where the values of joints stand, then both limits of those joints `ended`.

    Args:
        gauges: as GAUGE `(n, 20)`.
        slides: 1 where a joint slides, else 0, `(n,)`.
        ended: joints whose limits are told `(m,)`.
        eye: of the camera `(3,)` in W, m.
        places: `(n + 2 m, 3)` in W, m.
    """
    across = np.zeros(3)
    for k in range(len(gauges)):
        across[:] = 0.0
        if slides[k]:
            _across(gauges[k], eye, across)
        _on_gauge(gauges[k], slides[k], gauges[k, 16], BEYOND[0], across, places[k])
        for m in range(len(ended)):
            if ended[m] == k:
                for side in range(2):
                    row = places[len(gauges) + 2 * m + side]
                    _on_gauge(gauges[k], slides[k], gauges[k, 17 + side], BEYOND[1 + side], across, row)


@kernel(MAT, INTS, OUT2, OUT1)
def principal_directions(J_v, rows, axes, sigma):
    """J_t J_tᵀ = U S² Uᵀ, the largest first, by Jacobi's method; J_t are these `rows` of J_v.

    Args:
        J_v: linear rows of the tool's Jacobian `(3, n)`, world axes.
        rows: those that count `(m,)`, in rising order.
        axes: columns U `(3, 3)`, right-handed; directions outside the rows come last.
        sigma: diagonal of S `(m,)`.
    """
    many = len(rows)
    A, V, order = np.zeros((3, 3)), np.eye(3), np.arange(3)
    for i in range(many):
        for j in range(many):
            for k in range(J_v.shape[1]):
                A[rows[i], rows[j]] += J_v[rows[i], k] * J_v[rows[j], k]
    for _ in range(SWEEPS):
        for p, r in ((0, 1), (0, 2), (1, 2)):
            if A[p, r] == 0.0:
                continue
            theta = 0.5 * (A[r, r] - A[p, p]) / A[p, r]
            t = 1.0 / (abs(theta) + sqrt(theta * theta + 1.0))
            t = -t if theta < 0.0 else t
            c = 1.0 / sqrt(t * t + 1.0)
            s = t * c
            for k in range(3):
                A[k, p], A[k, r] = c * A[k, p] - s * A[k, r], s * A[k, p] + c * A[k, r]
            for k in range(3):
                A[p, k], A[r, k] = c * A[p, k] - s * A[r, k], s * A[p, k] + c * A[r, k]
                V[k, p], V[k, r] = c * V[k, p] - s * V[k, r], s * V[k, p] + c * V[k, r]
    counts = np.full(3, -inf)
    for row in rows:
        counts[row] = A[row, row]
    for i in range(3):
        for j in range(2 - i):
            if counts[order[j]] < counts[order[j + 1]]:
                order[j], order[j + 1] = order[j + 1], order[j]
    for j in range(many):
        sigma[j] = sqrt(max(A[order[j], order[j]], 0.0))
    for j in range(2):
        for i in range(3):
            axes[i, j] = V[i, order[j]]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        axes[i, 2] = axes[j, 0] * axes[k, 1] - axes[k, 0] * axes[j, 1]


@kernel(IN_RECORDS, MAT, INTS, MAT, REAL, OUT1)
def shadow_box(bodies, extremes, owners, fall, height, box):
    """The part of the floor between the shadows of points: least x and y, greatest x and y, m.

    Args:
        bodies: poses of the slots as BODY `(s, 20)`.
        extremes: points `(k, 3)` in the axes of their slots, m.
        owners: slot of each `(k,)`.
        fall: along x and y per metre of height `(1, 2)`.
        height: of the floor, m.
        box: `(4,)`.
    """
    box[0], box[1], box[2], box[3] = inf, inf, -inf, -inf
    for k in range(len(owners)):
        X, p = bodies[owners[k]], extremes[k]
        above = X[2] * p[0] + X[6] * p[1] + X[10] * p[2] + X[14] - height
        for i in range(2):
            at = X[i] * p[0] + X[4 + i] * p[1] + X[8 + i] * p[2] + X[12 + i] + fall[0, i] * above
            box[i], box[2 + i] = min(box[i], at), max(box[2 + i], at)
