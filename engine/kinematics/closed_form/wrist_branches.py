"""The joints of a wrist, and those of an arm with three parallel axes."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.kinematics.closed_form.position_branches import Part, arm_parts
from armature.engine.kinematics.closed_form.six_axes import SixAxes
from armature.engine.kinematics.closed_form.trig_equations import angles_of, between, turn

_STRAIGHT = 1e-7  # sine of the angle between two axes below which they count as parallel


def bends(six: SixAxes, value: float) -> list[float]:
    """q5 that make the cosine of the angle between axes 4 and 6 the given value: z · A Rot_z(q5) C z with A, C the placements.

    The first is bent to the positive side, the second to the negative; one alone is straight.
    """
    a, c = six.X[4, 2, :3], six.X[5, :3, 2]
    return angles_of(a[0] * c[0] + a[1] * c[1], a[1] * c[0] - a[0] * c[1], value - a[2] * c[2])


def straight(six: SixAxes) -> float:
    """q5 at which axes 4 and 6 come closest to pointing the same way."""
    a, c = six.X[4, 2, :3], six.X[5, :3, 2]
    return math.atan2(a[1] * c[0] - a[0] * c[1], a[0] * c[0] + a[1] * c[1])


def spherical_branches(six: SixAxes, X_W6: np.ndarray, q0: np.ndarray) -> list[Part]:
    """All (q1 … q6) for a pose of body 6: joints 1 to 3 place the wrist's centre, joints 4 to 6 turn the hand."""
    X1 = six.X[0]
    r = X1[:3, :3].T @ (X_W6[:3, :3] @ six.centre6 + X_W6[:3, 3] - X1[:3, 3])
    branches = []
    for arm in arm_parts(six, r, q0):
        R = np.eye(3)
        for i, q in enumerate(arm.q):
            R = R @ six.X[i, :3, :3] @ (turn(q) if six.turns[i] else np.eye(3))
        B = (R @ six.X[3, :3, :3]).T @ X_W6[:3, :3]  # = Rot_z(q4) A Rot_z(q5) C Rot_z(q6)
        for q5 in bends(six, B[2, 2]):
            K = six.X[4, :3, :3] @ turn(q5) @ six.X[5, :3, :3]
            lost = np.hypot(K[0, 2], K[1, 2]) < _STRAIGHT
            q4 = q0[3] if lost else between(K[:, 2], B[:, 2])
            branches.append(Part((*arm.q, q4, q5, _about_z(K.T @ turn(-q4) @ B)), arm.free + ((3,) if lost else ())))
    return branches


def parallel_branches(six: SixAxes, X_W6: np.ndarray, q0: np.ndarray) -> list[Part]:
    """All (q1 … q6) for a pose of body 6 where axes 2, 3, 4 are parallel to n, so that they change nothing along n.

    q1 from the height along n of the point where axes 5 and 6 cross, q5 from the angle between n and axis 6, q6 from where n lies
    in body 6; then joints 2, 3, 4 are a planar arm.

    Source: Hawkins 2013, Analytic inverse kinematics for the Universal Robots UR-5/UR-10 arms, for general placements.
    """
    X1, n = six.X[0], six.X[1, :3, 2]
    sign3 = math.copysign(1.0, six.X[2, 2, 2])
    sign4 = sign3 * math.copysign(1.0, six.X[3, 2, 2])
    height = n @ six.X[1, :3, 3] + six.X[2, 2, 3] + sign3 * six.X[3, 2, 3] + sign4 * six.centre3[2]
    r = X1[:3, :3].T @ (X_W6[:3, :3] @ six.centre6 + X_W6[:3, 3] - X1[:3, 3])
    R = X1[:3, :3].T @ X_W6[:3, :3]
    a, b = n[0] * r[0] + n[1] * r[1], n[0] * r[1] - n[1] * r[0]
    on_axis = math.hypot(r[0], r[1]) < _STRAIGHT * six.size
    branches = []
    for q1 in [float(q0[0])] if on_axis else angles_of(a, b, height - n[2] * r[2]):
        n_rest = turn(q1) @ n  # n in joint 1's frame at rest
        for q5 in bends(six, sign4 * float(n_rest @ R[:, 2])):
            K = six.X[4, :3, :3] @ turn(q5) @ six.X[5, :3, :3]
            lost = np.hypot(K[2, 0], K[2, 1]) < _STRAIGHT
            q6 = float(q0[5]) if lost else between(sign4 * (R.T @ n_rest), K[2])
            free = ((0,) if on_axis else ()) + ((5,) if lost else ())
            branches += [Part((q1, *arm.q, q5, q6), (*arm.free, *free)) for arm in _planar(six, X_W6, q0, q1, q5, q6)]
    return branches


def _planar(six: SixAxes, X_W6, q0, q1: float, q5: float, q6: float) -> list[Part]:
    """(q2, q3, q4) of a planar arm, the rest being known."""
    outer = _moved(six.X[4], q5) @ _moved(six.X[5], q6)
    Y = np.linalg.solve(_moved(six.X[0], q1) @ six.X[1], X_W6 @ np.linalg.inv(outer))
    X3, X4 = six.X[2], six.X[3]
    p, s = X3[:3, 3], X3[:3, :3].T @ X3[:3, 3] * np.array([1, 1, 0])
    c = X4[:3, 3] * np.array([1, 1, 0])
    # |p + R3 Rot_z(q3) c|²_xy = |Y|²_xy
    rest = 0.5 * (Y[:2, 3] @ Y[:2, 3] - p[:2] @ p[:2] - c @ c)
    parts = []
    for q3 in angles_of(s[0] * c[0] + s[1] * c[1], s[1] * c[0] - s[0] * c[1], rest):
        g = p + X3[:3, :3] @ turn(q3) @ X4[:3, 3]
        lost = np.hypot(g[0], g[1]) < _STRAIGHT * six.size
        q2 = float(q0[1]) if lost else between(g, Y[:3, 3])
        q4 = _about_z((turn(q2) @ X3[:3, :3] @ turn(q3) @ X4[:3, :3]).T @ Y[:3, :3])
        parts.append(Part((q2, q3, q4), (1,) if lost else ()))
    return parts


def _moved(X: np.ndarray, q: float) -> np.ndarray:
    out = X.copy()
    out[:3, :3] = X[:3, :3] @ turn(q)
    return out


def _about_z(R: np.ndarray) -> float:
    return math.atan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])
