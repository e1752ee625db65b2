"""The equations of motion M qdd = rest at one state: composite bodies and Newton–Euler in one sweep, all in world axes.

About the world's origin composite inertias and forces of a subtree simply add up, so forward dynamics, which needs M and the bias
of the same state again and again, costs half of CRBA and RNEA done one after the other.
"""

from __future__ import annotations

import math

from engine.dynamics.spring import ACCELERATION, AXIS, COMPOSITE, FORCE, POINT, VELOCITY, spring
from engine.jit import inlined, inner
from engine.model.pack import INERTIA, MASS, MOMENT, PARENT, POS, ROT, ROTOR, SLIDES


@inner
def equations_of_motion(P, q, qd, tau, wrench, Z, M, rest):
    """M(q) `(n, n)` and rest = tau − (C qd + g − external) `(n,)`, so that M qdd = rest.

    `wrench` `(n, 6)` on bodies in world axes at their origins, or `(1, n + SPRING_ROWS, 6)` with a spring; empty for none;
    Z `(n, WORK)` is the workspace.

    Outward:  V = V_p + S qd,  A = A_p + V × S qd from A_0 = −gravity,  F = I A + V ×* I V − wrench.
    Inward:   rest = tau − S·F,  M_ij = S_j·I_i^c S_i for the ancestors j of i,  F_p += F,  I_p^c += I_i^c.

    Source: Featherstone, Rigid Body Dynamics Algorithms, tables 5.1 and 6.2, with all quantities in one frame.
    """
    n = P.shape[0] - 1
    for i in range(n):
        k = int(P[i, PARENT])
        _place(P, i, k, q[i], Z)
        _move(P, i, k, qd[i], Z)
        _load(P, i, Z)
    if wrench.ndim == 3:  # known when this is compiled: without a spring there is no trace of one
        if wrench.size:
            for i in range(n):
                _push(i, wrench[0, i], Z)
            _pull(wrench[0], n, Z)
    elif wrench.size:
        for i in range(n):
            _push(i, wrench[i], Z)
    for i in range(n - 1, -1, -1):
        _gather(P, i, int(P[i, PARENT]), tau, Z, M, rest)


@inlined
def _place(P, i, k, q, Z):
    """R_WB = R_WP R_PJ Rot_z(q) or R_WP R_PJ;  p_WB = p_WP + R_WP p_PJ [+ z q];  S = (p × z, z) or (z, 0)."""
    slides = P[i, SLIDES] != 0.0
    c, s = (1.0, 0.0) if slides else (math.cos(q), math.sin(q))
    x, y, z = P[i, POS], P[i, POS + 1], P[i, POS + 2]
    for r in range(3):
        if k < 0:
            a, b, d, p = P[i, ROT + 3 * r], P[i, ROT + 3 * r + 1], P[i, ROT + 3 * r + 2], P[i, POS + r]
        else:
            u, v, w = Z[k, 3 * r], Z[k, 3 * r + 1], Z[k, 3 * r + 2]
            a = u * P[i, ROT] + v * P[i, ROT + 3] + w * P[i, ROT + 6]
            b = u * P[i, ROT + 1] + v * P[i, ROT + 4] + w * P[i, ROT + 7]
            d = u * P[i, ROT + 2] + v * P[i, ROT + 5] + w * P[i, ROT + 8]
            p = Z[k, POINT + r] + u * x + v * y + w * z
        Z[i, 3 * r], Z[i, 3 * r + 1], Z[i, 3 * r + 2] = a * c + b * s, b * c - a * s, d
        Z[i, POINT + r] = p + d * q if slides else p
    zx, zy, zz = Z[i, 2], Z[i, 5], Z[i, 8]
    px, py, pz = Z[i, POINT], Z[i, POINT + 1], Z[i, POINT + 2]
    if slides:
        Z[i, AXIS], Z[i, AXIS + 1], Z[i, AXIS + 2] = zx, zy, zz
        Z[i, AXIS + 3], Z[i, AXIS + 4], Z[i, AXIS + 5] = 0.0, 0.0, 0.0
    else:
        Z[i, AXIS], Z[i, AXIS + 1], Z[i, AXIS + 2] = py * zz - pz * zy, pz * zx - px * zz, px * zy - py * zx
        Z[i, AXIS + 3], Z[i, AXIS + 4], Z[i, AXIS + 5] = zx, zy, zz


@inlined
def _move(P, i, k, qd, Z):
    """V = V_p + S qd,  A = A_p + V_p × S qd with (v, w) × (s, t) = (w × s + v × t, w × t)."""
    n = P.shape[0] - 1
    sx, sy, sz = Z[i, AXIS] * qd, Z[i, AXIS + 1] * qd, Z[i, AXIS + 2] * qd
    tx, ty, tz = Z[i, AXIS + 3] * qd, Z[i, AXIS + 4] * qd, Z[i, AXIS + 5] * qd
    if k < 0:
        Z[i, VELOCITY], Z[i, VELOCITY + 1], Z[i, VELOCITY + 2], Z[i, VELOCITY + 3], Z[i, VELOCITY + 4], Z[i, VELOCITY + 5] = (
            sx,
            sy,
            sz,
            tx,
            ty,
            tz,
        )
        Z[i, ACCELERATION], Z[i, ACCELERATION + 1], Z[i, ACCELERATION + 2] = -P[n, 0], -P[n, 1], -P[n, 2]
        Z[i, ACCELERATION + 3], Z[i, ACCELERATION + 4], Z[i, ACCELERATION + 5] = 0.0, 0.0, 0.0
        return
    vx, vy, vz = Z[k, VELOCITY], Z[k, VELOCITY + 1], Z[k, VELOCITY + 2]
    wx, wy, wz = Z[k, VELOCITY + 3], Z[k, VELOCITY + 4], Z[k, VELOCITY + 5]
    Z[i, VELOCITY], Z[i, VELOCITY + 1], Z[i, VELOCITY + 2] = vx + sx, vy + sy, vz + sz
    Z[i, VELOCITY + 3], Z[i, VELOCITY + 4], Z[i, VELOCITY + 5] = wx + tx, wy + ty, wz + tz
    Z[i, ACCELERATION] = Z[k, ACCELERATION] + wy * sz - wz * sy + vy * tz - vz * ty
    Z[i, ACCELERATION + 1] = Z[k, ACCELERATION + 1] + wz * sx - wx * sz + vz * tx - vx * tz
    Z[i, ACCELERATION + 2] = Z[k, ACCELERATION + 2] + wx * sy - wy * sx + vx * ty - vy * tx
    Z[i, ACCELERATION + 3] = Z[k, ACCELERATION + 3] + wy * tz - wz * ty
    Z[i, ACCELERATION + 4] = Z[k, ACCELERATION + 4] + wz * tx - wx * tz
    Z[i, ACCELERATION + 5] = Z[k, ACCELERATION + 5] + wx * ty - wy * tx


@inlined
def _load(P, i, Z):
    """Inertia of body i about the world's origin and the force that its motion takes:  F = I A + V ×* I V.

    h = R h_B + m p,  I = R I_B Rᵀ + (2 p·R h_B + m p·p) 1 − (p (R h_B)ᵀ + R h_B pᵀ + m p pᵀ).
    """
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = Z[i, 0], Z[i, 1], Z[i, 2], Z[i, 3], Z[i, 4], Z[i, 5], Z[i, 6], Z[i, 7], Z[i, 8]
    px, py, pz = Z[i, POINT], Z[i, POINT + 1], Z[i, POINT + 2]
    m, hx, hy, hz = P[i, MASS], P[i, MOMENT], P[i, MOMENT + 1], P[i, MOMENT + 2]
    xx, xy, xz = P[i, INERTIA], P[i, INERTIA + 1], P[i, INERTIA + 2]
    yy, yz, zz = P[i, INERTIA + 3], P[i, INERTIA + 4], P[i, INERTIA + 5]
    hx, hy, hz = r0 * hx + r1 * hy + r2 * hz, r3 * hx + r4 * hy + r5 * hz, r6 * hx + r7 * hy + r8 * hz
    a0, a1, a2 = r0 * xx + r1 * xy + r2 * xz, r0 * xy + r1 * yy + r2 * yz, r0 * xz + r1 * yz + r2 * zz
    a3, a4, a5 = r3 * xx + r4 * xy + r5 * xz, r3 * xy + r4 * yy + r5 * yz, r3 * xz + r4 * yz + r5 * zz
    a6, a7, a8 = r6 * xx + r7 * xy + r8 * xz, r6 * xy + r7 * yy + r8 * yz, r6 * xz + r7 * yz + r8 * zz
    mx, my, mz = m * px, m * py, m * pz
    ex, ey, ez = px * (hx + hx + mx), py * (hy + hy + my), pz * (hz + hz + mz)
    xx = a0 * r0 + a1 * r1 + a2 * r2 + ey + ez
    yy = a3 * r3 + a4 * r4 + a5 * r5 + ex + ez
    zz = a6 * r6 + a7 * r7 + a8 * r8 + ex + ey
    xy = a0 * r3 + a1 * r4 + a2 * r5 - (px * hy + hx * py + mx * py)
    xz = a0 * r6 + a1 * r7 + a2 * r8 - (px * hz + hx * pz + mx * pz)
    yz = a3 * r6 + a4 * r7 + a5 * r8 - (py * hz + hy * pz + my * pz)
    hx, hy, hz = hx + mx, hy + my, hz + mz
    Z[i, COMPOSITE], Z[i, COMPOSITE + 1], Z[i, COMPOSITE + 2], Z[i, COMPOSITE + 3] = m, hx, hy, hz
    (
        Z[i, COMPOSITE + 4],
        Z[i, COMPOSITE + 5],
        Z[i, COMPOSITE + 6],
        Z[i, COMPOSITE + 7],
        Z[i, COMPOSITE + 8],
        Z[i, COMPOSITE + 9],
    ) = xx, xy, xz, yy, yz, zz
    vx, vy, vz, wx, wy, wz = (
        Z[i, VELOCITY],
        Z[i, VELOCITY + 1],
        Z[i, VELOCITY + 2],
        Z[i, VELOCITY + 3],
        Z[i, VELOCITY + 4],
        Z[i, VELOCITY + 5],
    )
    ax, ay, az, bx, by, bz = (
        Z[i, ACCELERATION],
        Z[i, ACCELERATION + 1],
        Z[i, ACCELERATION + 2],
        Z[i, ACCELERATION + 3],
        Z[i, ACCELERATION + 4],
        Z[i, ACCELERATION + 5],
    )
    lx, ly, lz = m * vx + wy * hz - wz * hy, m * vy + wz * hx - wx * hz, m * vz + wx * hy - wy * hx
    kx = xx * wx + xy * wy + xz * wz + hy * vz - hz * vy
    ky = xy * wx + yy * wy + yz * wz + hz * vx - hx * vz
    kz = xz * wx + yz * wy + zz * wz + hx * vy - hy * vx
    Z[i, FORCE] = m * ax + by * hz - bz * hy + wy * lz - wz * ly
    Z[i, FORCE + 1] = m * ay + bz * hx - bx * hz + wz * lx - wx * lz
    Z[i, FORCE + 2] = m * az + bx * hy - by * hx + wx * ly - wy * lx
    Z[i, FORCE + 3] = xx * bx + xy * by + xz * bz + hy * az - hz * ay + wy * kz - wz * ky + vy * lz - vz * ly
    Z[i, FORCE + 4] = xy * bx + yy * by + yz * bz + hz * ax - hx * az + wz * kx - wx * kz + vz * lx - vx * lz
    Z[i, FORCE + 5] = xz * bx + yz * by + zz * bz + hx * ay - hy * ax + wx * ky - wy * kx + vx * ly - vy * lx


@inlined
def _push(i, f, Z):
    """Takes a wrench on body i at its origin off F:  (f, n + p × f) about the world's origin."""
    px, py, pz = Z[i, POINT], Z[i, POINT + 1], Z[i, POINT + 2]
    Z[i, FORCE] -= f[0]
    Z[i, FORCE + 1] -= f[1]
    Z[i, FORCE + 2] -= f[2]
    Z[i, FORCE + 3] -= f[3] + py * f[2] - pz * f[1]
    Z[i, FORCE + 4] -= f[4] + pz * f[0] - px * f[2]
    Z[i, FORCE + 5] -= f[5] + px * f[1] - py * f[0]


@inlined
def _pull(wrench, n, Z):
    """Takes the spring's force off F of its body:  (f, p × f) about the world's origin."""
    b, (px, py, pz), (fx, fy, fz) = spring(wrench, n, Z)
    Z[b, FORCE] -= fx
    Z[b, FORCE + 1] -= fy
    Z[b, FORCE + 2] -= fz
    Z[b, FORCE + 3] -= py * fz - pz * fy
    Z[b, FORCE + 4] -= pz * fx - px * fz
    Z[b, FORCE + 5] -= px * fy - py * fx


@inlined
def _gather(P, i, k, tau, Z, M, rest):
    """Row i of M and of rest; adds force and inertia of body i to its parent."""
    sx, sy, sz, tx, ty, tz = Z[i, AXIS], Z[i, AXIS + 1], Z[i, AXIS + 2], Z[i, AXIS + 3], Z[i, AXIS + 4], Z[i, AXIS + 5]
    rest[i] = tau[i] - (
        sx * Z[i, FORCE]
        + sy * Z[i, FORCE + 1]
        + sz * Z[i, FORCE + 2]
        + tx * Z[i, FORCE + 3]
        + ty * Z[i, FORCE + 4]
        + tz * Z[i, FORCE + 5]
    )
    m, hx, hy, hz = Z[i, COMPOSITE], Z[i, COMPOSITE + 1], Z[i, COMPOSITE + 2], Z[i, COMPOSITE + 3]
    xx, xy, xz, yy, yz, zz = (
        Z[i, COMPOSITE + 4],
        Z[i, COMPOSITE + 5],
        Z[i, COMPOSITE + 6],
        Z[i, COMPOSITE + 7],
        Z[i, COMPOSITE + 8],
        Z[i, COMPOSITE + 9],
    )
    lx, ly, lz = m * sx + ty * hz - tz * hy, m * sy + tz * hx - tx * hz, m * sz + tx * hy - ty * hx
    kx = xx * tx + xy * ty + xz * tz + hy * sz - hz * sy
    ky = xy * tx + yy * ty + yz * tz + hz * sx - hx * sz
    kz = xz * tx + yz * ty + zz * tz + hx * sy - hy * sx
    for j in range(i):
        M[i, j] = M[j, i] = 0.0
    M[i, i] = sx * lx + sy * ly + sz * lz + tx * kx + ty * ky + tz * kz + P[i, ROTOR]
    if k >= 0:
        for c in range(16):  # force and inertia stand side by side
            Z[k, FORCE + c] += Z[i, FORCE + c]
    while k >= 0:
        M[i, k] = M[k, i] = (
            Z[k, AXIS] * lx
            + Z[k, AXIS + 1] * ly
            + Z[k, AXIS + 2] * lz
            + Z[k, AXIS + 3] * kx
            + Z[k, AXIS + 4] * ky
            + Z[k, AXIS + 5] * kz
        )
        k = int(P[k, PARENT])
