"""Errors of joint positions as text: revolute and prismatic joints apart, as no number has both units."""

from __future__ import annotations

import numpy as np

from armature.app.state.units import Units
from armature.engine import Robot


def largest(errors: np.ndarray, robot: Robot, units: Units) -> str:
    """Return the largest of absolute errors `(n,)`, rad or m or NaN, of each joint type with the name of its joint."""
    parts = []
    for slides, joints in _by_type(robot):
        known = joints[np.isfinite(errors[joints])]
        if len(known):
            k = known[errors[known].argmax()]
            parts.append(f"{units.text(float(errors[k]), slides)} ({robot.joint_names[k]})")
    return ", ".join(parts)


def rms(mean_squares: np.ndarray, robot: Robot, units: Units) -> str:
    """Return the root of the sum of mean squares `(n,)`, rad² or m², over the joints of each type."""
    return ", ".join(units.text(float(np.sqrt(mean_squares[joints].sum())), slides) for slides, joints in _by_type(robot))


def _by_type(robot: Robot) -> list[tuple[bool, np.ndarray]]:
    """Whether the joints of a type are prismatic, and their indices, for the types that the robot has."""
    types = [(slides, np.flatnonzero(robot.prismatic == slides)) for slides in (False, True)]
    return [(slides, joints) for slides, joints in types if len(joints)]
