"""Names for the branches of a closed form: which way the shoulder, the elbow and the wrist are put."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.kinematics.closed_form.six_axes import NEARLY, PARALLEL, SixAxes
from armature.engine.kinematics.closed_form.trig_equations import cross
from armature.engine.kinematics.closed_form.wrist_branches import straight
from armature.engine.kinematics.poses import body_axes
from armature.engine.model.robot import Robot

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
