"""Three joints that bring a point to a place: all ways to do it, for any of them turning or sliding."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from armature.engine.kinematics.closed_form.axis_loop import CutLoop
from armature.engine.kinematics.closed_form.six_axes import NEARLY
from armature.engine.kinematics.closed_form.trig_equations import between, cross, roots_of, turn

_Z = np.array([0.0, 0.0, 1.0])
_ON_AXIS = 1e-7  # of the reach, from where on a point off an axis tells the joint's angle


@dataclass(frozen=True)
class Part:
    """Some joints of a branch and which of them (0-based in the loop as it is cut) are free to take any value."""

    q: tuple[float, ...]
    free: tuple[int, ...] = ()


def arm_parts(six: CutLoop, r: np.ndarray, q0: np.ndarray) -> list[Part]:
    """All (q1, q2, q3) that bring the point `six.centre3` of body 3 to r `(3,)`, given in joint 1's frame at rest.

    With g(q3) the point seen from joint 2 and u = Rot_z(q2) g or g + z q2 what joint 2 makes of it, it comes to h = a + R u in
    body 1. Joint 1 leaves |h| and h_z alone if it turns, h_x and h_y if it slides: two equations in q2 and q3.

    Source: Pieper 1968, The kinematics of manipulators under computer control, for general axes.
    """
    X2, X3 = six.X[1], six.X[2]
    a, R = X2[:3, 3], X2[:3, :3]

    def g(q3: float) -> np.ndarray:
        moved = turn(q3) @ six.centre3 if six.turns[2] else six.centre3 + _Z * q3
        return X3[:3, 3] + X3[:3, :3] @ moved

    solve = _second_turns if six.turns[1] else _second_slides
    parts = []
    for q3, u, third_free in solve(six, a, R, g, r, q0):
        seen, free = g(q3), [2] if third_free else []
        q2 = float(u[2] - seen[2])
        if six.turns[1]:
            lost = np.hypot(*seen[:2]) < _ON_AXIS * six.size
            q2 = q0[1] if lost else between(seen, u)
            free += [1] if lost else []
        h = a + R @ u
        q1 = float(r[2] - h[2])
        if six.turns[0]:
            lost = np.hypot(*r[:2]) < _ON_AXIS * six.size
            q1 = q0[0] if lost else between(h, r)
            free += [0] if lost else []
        parts.append(Part((q1, q2, q3), tuple(sorted(free))))
    return parts


def _thirds(f, six: CutLoop, power: int, q0: np.ndarray) -> list[tuple[float, bool]]:
    """Zeros q3 of f, which counts in m^power, and whether q3 is free there."""
    roots = roots_of(f, six.turns[2], six.size**power, six.size)
    return [(float(q0[2]), True)] if roots is None else [(q3, False) for q3 in roots]


def _second_turns(six: CutLoop, a, R, g, r, q0):
    """(q3, u, whether q3 is free) where joint 2 turns: n₁ · u_xy = k₁(q3), n₂ · u_xy = k₂(q3), |u_xy| = |g_xy|, u_z = g_z."""
    size = six.size
    if six.turns[0]:
        alpha, rho = R.T @ a / size, R[2]

        def k(q3):
            p = g(q3)
            return np.array([(r @ r - a @ a - p @ p) / (2 * size) - alpha[2] * p[2], r[2] - a[2] - rho[2] * p[2]])
    else:
        alpha, rho = R[0], R[1]

        def k(q3):
            p = g(q3)
            return np.array([r[0] - a[0] - alpha[2] * p[2], r[1] - a[1] - rho[2] * p[2]])

    U, sigma, Vt = np.linalg.svd(np.array([alpha[:2], rho[:2]]))
    if sigma[1] > NEARLY * sigma[0]:
        inverse = Vt.T @ np.diag(1 / sigma) @ U.T
        for q3, free in _thirds(lambda x: float(np.sum((inverse @ k(x)) ** 2) - np.sum(g(x)[:2] ** 2)), six, 2, q0):
            yield q3, np.array([*(inverse @ k(q3)), g(q3)[2]]), free
        return
    # one direction of u is not prescribed: that leaves one equation in q3 alone, and two u for each of its zeros
    for q3, free in _thirds(lambda x: float(U[:, 1] @ k(x)), six, 1, q0):
        along, p = float(U[:, 0] @ k(q3)) / sigma[0], g(q3)
        rest = float(p[:2] @ p[:2]) - along**2
        if rest < -NEARLY * size**2:
            continue
        for side in (1, -1) if rest > 0 else (1,):
            yield q3, np.array([*(along * Vt[0] + side * math.sqrt(max(rest, 0.0)) * Vt[1]), p[2]]), free


def _second_slides(six: CutLoop, a, R, g, r, q0):
    """(q3, u, whether q3 is free) where joint 2 slides: u = g + z q2."""
    n = R[:, 2]
    if not six.turns[0]:  # (a + R g + n q2)_xy = r_xy
        flat = float(n[:2] @ n[:2])
        for q3, free in _thirds(lambda x: float(cross(n, r - a - R @ g(x))[2]), six, 1, q0) if flat > NEARLY**2 else []:
            yield q3, g(q3) + _Z * float(n[:2] @ (r - a - R @ g(q3))[:2]) / flat, free
        return
    if abs(n[2]) > NEARLY:  # the height gives q2, the distance q3

        def u_of(x):
            return g(x) + _Z * float(r[2] - a[2] - R[2] @ g(x)) / n[2]

        for q3, free in _thirds(lambda x: float(np.sum((a + R @ u_of(x)) ** 2) - r @ r), six, 2, q0):
            yield q3, u_of(q3), free
        return
    for q3, free in _thirds(lambda x: float(r[2] - a[2] - R[2] @ g(x)), six, 1, q0):
        w = a + R @ g(q3)  # |w + n q2| = |r|
        half, rest = float(n @ w), float(w @ w - r @ r)
        if half**2 - rest < -NEARLY * six.size**2:
            continue
        root = math.sqrt(max(half**2 - rest, 0.0))
        for q2 in (-half + root, -half - root) if root > 0 else (-half,):
            yield q3, g(q3) + _Z * q2, free
