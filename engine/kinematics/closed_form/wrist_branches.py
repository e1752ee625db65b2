"""Closed forms for the joints of a wrist, and of an arm with three parallel axes, and the names of their branches."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from armature.engine.kinematics.closed_form.position_branches import (
    NEARLY,
    PARALLEL,
    SPHERICAL,
    CutLoop,
    Part,
    SixAxes,
    angles_of,
    arm_parts,
    between,
    cross,
    cut_loop,
    roots_of,
    turn,
)
from armature.engine.kinematics.poses import body_axes
from armature.engine.model.robot import Robot

_STRAIGHT = 1e-7  # sine of the angle between two axes below which they count as parallel


def closed_branches(six: SixAxes, X_WF: np.ndarray, q0: np.ndarray) -> list[Part]:
    """All (q1 … q6) for a pose of the frame, free joints at their value of q0 `(6,)`."""
    loop = cut_loop(six, X_WF)
    solve = _spherical_branches if six.kind == SPHERICAL else _parallel_branches
    parts = solve(loop, q0[list(loop.order)])
    back = np.argsort(loop.order)
    return [Part(tuple(np.array(part.q)[back]), tuple(sorted(loop.order[i] for i in part.free))) for part in parts]


def _bends(X5: np.ndarray, X6: np.ndarray, value: float) -> list[float]:
    """q5 that make the cosine of the angle between axes 4 and 6 the given value: z · A Rot_z(q5) C z with A, C the placements.

    The first is bent to the positive side, the second to the negative; one alone is straight.
    """
    a, c = X5[2, :3], X6[:3, 2]
    return angles_of(a[0] * c[0] + a[1] * c[1], a[1] * c[0] - a[0] * c[1], value - a[2] * c[2])


def straight(X5: np.ndarray, X6: np.ndarray) -> float:
    """q5 at which axes 4 and 6, axes 5 and 6 being placed at X5 and X6, come closest to pointing the same way."""
    a, c = X5[2, :3], X6[:3, 2]
    return math.atan2(a[1] * c[0] - a[0] * c[1], a[0] * c[0] + a[1] * c[1])


def _spherical_branches(loop: CutLoop, q0: np.ndarray) -> list[Part]:
    """Joints 1 to 3 place the point where the last three axes meet, joints 4 to 6 turn the hand.

    Source: Pieper 1968, The kinematics of manipulators under computer control.
    """
    r = loop.X_W6[:3, :3] @ loop.centre6 + loop.X_W6[:3, 3]
    branches = []
    for arm in arm_parts(loop, r, q0):
        R = np.eye(3)
        for i, q in enumerate(arm.q):
            R = R @ loop.X[i, :3, :3] @ (turn(q) if loop.turns[i] else np.eye(3))
        B = (R @ loop.X[3, :3, :3]).T @ loop.X_W6[:3, :3]  # = Rot_z(q4) A Rot_z(q5) C Rot_z(q6)
        for q5 in _bends(loop.X[4], loop.X[5], B[2, 2]):
            K = loop.X[4, :3, :3] @ turn(q5) @ loop.X[5, :3, :3]
            lost = np.hypot(K[0, 2], K[1, 2]) < _STRAIGHT
            q4 = q0[3] if lost else between(K[:, 2], B[:, 2])
            branches.append(Part((*arm.q, q4, q5, _about_z(K.T @ turn(-q4) @ B)), arm.free + ((3,) if lost else ())))
    return branches


def _parallel_branches(loop: CutLoop, q0: np.ndarray) -> list[Part]:
    """Axes 2, 3, 4 are parallel to n, so that they change nothing along n: q1 and q5 from that, q6 from where n lies in body 6.

    Then joints 2, 3, 4 are a planar arm.

    Source: after Hawkins 2013, Analytic inverse kinematics for the Universal Robots UR-5/UR-10 arms, whose axes 5 and 6 cross.
    """
    sign4 = _sign(loop.X[2]) * _sign(loop.X[3])
    branches = []
    for q1, q5, free in _outer_joints(loop, q0):
        n_W = turn(q1) @ loop.X[1, :3, 2]
        K = loop.X[4, :3, :3] @ turn(q5) @ loop.X[5, :3, :3]
        lost = np.hypot(K[2, 0], K[2, 1]) < _STRAIGHT
        q6 = float(q0[5]) if lost else between(sign4 * (loop.X_W6[:3, :3].T @ n_W), K[2])
        free += (5,) if lost else ()
        branches += [Part((q1, *arm.q, q5, q6), (*arm.free, *free)) for arm in _planar(loop, q0, q1, q5, q6)]
    return branches


def _outer_joints(loop: CutLoop, q0: np.ndarray) -> Iterator[tuple[float, float, tuple[int, ...]]]:
    """Solutions (q1, q5, free joints) for the height of axis 6 along n, divided by the reach, and its angle to n.

    With o and z a point and the direction of axis 6: n · o and n · z seen from body 1, where they turn with q1, are those seen
    from body 4, where they turn with q5:  P (cos q1, sin q1) = p + Q (cos q5, sin q5).
    """
    X2, X5, X6, n = loop.X[1], loop.X[4], loop.X[5], loop.X[1, :3, 2]
    sign3 = _sign(loop.X[2])
    sign4 = sign3 * _sign(loop.X[3])
    height = n @ X2[:3, 3] + loop.X[2, 2, 3] + sign3 * loop.X[3, 2, 3] + sign4 * X5[2, 3]
    a, P, Q, p = sign4 * X5[2, :3], np.empty((2, 2)), np.empty((2, 2)), np.empty(2)
    for row, (seen, own, rest, scale) in enumerate(
        ((loop.X_W6[:3, 3], X6[:3, 3], height, loop.size), (loop.X_W6[:3, 2], X6[:3, 2], 0.0, 1.0))
    ):
        P[row] = np.array([n[0] * seen[0] + n[1] * seen[1], n[0] * seen[1] - n[1] * seen[0]]) / scale
        Q[row] = np.array([a[0] * own[0] + a[1] * own[1], a[1] * own[0] - a[0] * own[1]]) / scale
        p[row] = (rest + a[2] * own[2] - n[2] * seen[2]) / scale
    U, sigma, Vt = np.linalg.svd(Q)
    if sigma[1] > NEARLY * sigma[0]:
        inverse = Vt.T @ np.diag(1 / sigma) @ U.T

        def c5_s5(q1: float) -> np.ndarray:
            return inverse @ (P @ [math.cos(q1), math.sin(q1)] - p)

        roots = roots_of(lambda q1: float(np.sum(c5_s5(q1) ** 2) - 1), True, float(np.sum(inverse**2)), 1.0)
        for q1 in [float(q0[0])] if roots is None else roots:
            c5, s5 = c5_s5(q1)
            yield q1, math.atan2(s5, c5), (0,) if roots is None else ()
        return
    # one combination of the two has no q5
    a1, b1 = U[:, 1] @ P
    a5, b5 = U[:, 0] @ Q
    on_axis = math.hypot(a1, b1) < _STRAIGHT
    for q1 in [float(q0[0])] if on_axis else angles_of(a1, b1, float(U[:, 1] @ p)):
        for q5 in angles_of(a5, b5, float(U[:, 0] @ (P @ [math.cos(q1), math.sin(q1)] - p))):
            yield q1, q5, (0,) if on_axis else ()


def _sign(X: np.ndarray) -> float:
    """Whether the next axis, placed at X, points along this one or against it."""
    return math.copysign(1.0, X[2, 2])


def _planar(loop: CutLoop, q0, q1: float, q5: float, q6: float) -> list[Part]:
    """(q2, q3, q4) of a planar arm, the rest being known."""
    outer = _moved(loop.X[4], q5) @ _moved(loop.X[5], q6)
    Y = np.linalg.solve(_moved(loop.X[0], q1) @ loop.X[1], loop.X_W6 @ np.linalg.inv(outer))
    X3, X4 = loop.X[2], loop.X[3]
    p, s = X3[:3, 3], X3[:3, :3].T @ X3[:3, 3] * np.array([1, 1, 0])
    c = X4[:3, 3] * np.array([1, 1, 0])
    # |p + R3 Rot_z(q3) c|²_xy = |Y|²_xy
    rest = 0.5 * (Y[:2, 3] @ Y[:2, 3] - p[:2] @ p[:2] - c @ c)
    parts = []
    for q3 in angles_of(s[0] * c[0] + s[1] * c[1], s[1] * c[0] - s[0] * c[1], rest):
        g = p + X3[:3, :3] @ turn(q3) @ X4[:3, 3]
        lost = np.hypot(g[0], g[1]) < _STRAIGHT * loop.size
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


_LEVEL = 1e-6  # of the reach, or of a turn: nearer than this, two branches have become one


def name_of(robot: Robot, six: SixAxes, joints: list[int], q: np.ndarray, X_W6: np.ndarray) -> str:
    """Such as "shoulder left, elbow up, wrist no flip", of the branch q `(n,)` of six `joints`, with X_W6 the pose of body 6.

    Shoulder: on which side of the line from axis 1 to the wrist the arm passes, seen from above and behind; arms without such an
    offset are "right" where positive q2 lifts the wrist. Elbow: above or below the line from axis 2 to the wrist. Wrist: "no
    flip" where joint 5 is bent to its positive side. A middle position, where two branches meet, is "straight".

    Source: after Lee, Ziegler 1984, Geometric approach in solving inverse kinematics of PUMA robots, IEEE T-AES 20(6).
    """
    z, p = body_axes(robot, q)
    z, p = z[joints], p[joints]
    centre = X_W6[:3, :3] @ six.centre6 + X_W6[:3, 3]
    up = z[0] if z[0][2] >= 0 else -z[0]
    words = [_shoulder(six, z, p, centre, up), _elbow(six, z, p, p[3] if six.kind == PARALLEL else centre, up)]
    return ", ".join(word for word in (*words, f"wrist {_wrist(six, q[joints[4]])}") if word)


def _shoulder(six: SixAxes, z, p, centre, up) -> str:
    forward = cross(up, z[1])
    if not (six.turns[0] and six.turns[1]) or np.linalg.norm(forward) < NEARLY:
        return ""
    ahead = float((centre - p[0]) @ forward) / six.size
    if abs(ahead) < _LEVEL:
        return "shoulder straight"
    aside = float((centre - p[0]) @ cross(forward, up)) / six.size
    # an offset along axis 2 that no joint changes makes a left and a right
    across = abs(float(z[1] @ z[2]))
    fixed = across > 1 - NEARLY if six.turns[2] else across < NEARLY
    side = ahead * (math.copysign(1.0, aside) if fixed and abs(aside) > _LEVEL else 1.0)
    return "shoulder right" if side > 0 else "shoulder left"


def _elbow(six: SixAxes, z, p, wrist, up) -> str:
    if not (six.turns[0] and six.turns[1]):
        return ""
    if not six.turns[2]:
        return "slide forward" if float((wrist - p[1]) @ z[2]) > 0 else "slide backward"
    across = cross(z[1], wrist - p[1])
    length = np.linalg.norm(across)
    if length < _LEVEL * six.size:
        return "elbow folded"
    height = float((p[2] - p[1]) @ across) / length
    if abs(height) < _LEVEL * six.size:
        return "elbow straight"
    lifts = float(across @ up) / length
    return "elbow up" if height * (lifts if abs(lifts) > 1e-9 else 1.0) > 0 else "elbow down"


def _wrist(six: SixAxes, q5: float) -> str:
    bent = math.sin(q5 - straight(six.X[4], six.X[5]))
    if abs(bent) < _LEVEL:
        return "straight"
    return "no flip" if bent > 0 else "flip"
