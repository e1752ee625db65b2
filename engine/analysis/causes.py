"""Words for a singular pose, derived from the joint axes as they lie."""

from __future__ import annotations

import numpy as np

from engine.kinematics.poses import body_axes
from engine.model.robot import Robot
from engine.model.words import listed

_PARALLEL = 0.02  # sine of the angle below which two axes count as parallel


def explain(robot: Robot, q: np.ndarray, condition: float, warn: float, twist: np.ndarray, joints: tuple[int, ...]) -> str:
    """One sentence on what the tool cannot do at q `(n,)` and which joints are to blame.

    `twist` `(6,)` is the lost direction, `joints` those whose motions cancel at the tool.
    """
    if condition < warn:
        return f"Regular: the tool can move in every direction of its task (condition {condition:.3g})."
    lost = _direction(twist)
    names = listed([robot.joint_names[i] for i in joints])
    degree = "can no longer" if not np.isfinite(condition) or condition > 1e6 else "can hardly"
    if len(joints) == 1:
        return f"{names} does not move the tool here: the tool {degree} {lost}."
    aligned = _alignment(robot, q, joints)
    return f"{aligned or 'Close to a singularity: '}the motions of {names} cancel at the tool, which {degree} {lost}."


def _alignment(robot: Robot, q: np.ndarray, joints: tuple[int, ...]) -> str:
    """A clause on two revolute axes among `joints` that lie on one line, or ""."""
    z, p = body_axes(robot, q)
    turning = [i for i in joints if not robot.prismatic[i]]
    for k, i in enumerate(turning):
        for j in turning[k + 1 :]:
            parallel = np.linalg.norm(np.cross(z[i], z[j])) < _PARALLEL
            offset = np.linalg.norm(np.cross(z[i], p[j] - p[i]))
            if parallel and offset < _PARALLEL * robot.characteristic_length:
                return f"The axes of {robot.joint_names[i]} and {robot.joint_names[j]} lie on one line: "
    return ""


def _direction(twist: np.ndarray) -> str:
    linear, angular = twist[:3], twist[3:]
    v, w = np.linalg.norm(linear), np.linalg.norm(angular)
    if w < 0.1 * v:
        return f"move along {_vector(linear / v)}"
    if v < 0.1 * w:
        return f"turn about {_vector(angular / w)}"
    return f"move along {_vector(linear / v)} while turning about {_vector(angular / w)}"


def _vector(v: np.ndarray) -> str:
    """A unit vector in world axes: the name of an axis when it is one, else its components."""
    k = int(np.argmax(np.abs(v)))
    if abs(v[k]) > 0.999:
        return "xyz"[k]
    return "({:+.2f}, {:+.2f}, {:+.2f})".format(*(v if v[k] > 0 else -v))
