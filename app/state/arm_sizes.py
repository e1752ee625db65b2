"""`ArmSizes`: how large an arm's forces, torques and inertias are, for the decimals that its tables need."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from armature.engine import Robot

DIGITS, MOST = 3, 9  # of the largest number of a table; decimals of the smallest arm


class ArmSizes(NamedTuple):
    """Forces in N, torques in N·m and moments of inertia in kg·m²: orders of magnitude, by weight and reach."""

    force: float
    torque: float
    inertia: float


def sizes_of(robot: Robot) -> ArmSizes:
    """Those of an arm that is stretched out; one without gravity is taken as on a planet of 1 m/s²."""
    mass, half = sum(body.mass for body in robot.bodies), 0.5 * robot.reach
    force = mass * max(float(np.linalg.norm(robot.gravity)), 1.0)
    return ArmSizes(force, force * half, mass * half**2)


def decimals_for(size: float, least: int) -> int:
    """So many that a number of that size has three significant digits, but not fewer than `least`."""
    return least if size <= 0.0 else min(max(DIGITS - 1 - floor(log10(size)), least), MOST)
