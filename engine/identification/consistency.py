"""What physical consistency costs, and which bodies of the file no distribution of mass has."""

from __future__ import annotations

import numpy as np

from armature.engine.identification.identification import Residuals
from armature.engine.identification.words import torque_unit
from armature.engine.model.inertia_rules import triangle_fault
from armature.engine.model.robot import Robot

_COSTS = 1.05  # times the residual of the base parameters, from which consistency costs something worth a line
_ROUNDING = 1e-4  # of a joint's torque


def consistency_sentences(robot: Robot, residual: Residuals, size: np.ndarray) -> list[str]:
    """A line for every body of the file that cannot be, and one for the joint in which consistency costs most.

    Args:
        size: root mean square of the torques `(n,)`.
    """
    sentences = []
    for i, body in enumerate(robot.bodies):
        if fault := triangle_fault(body.inertia):
            sentences.append(f"link{i + 1}: the file's inertia cannot be used for the identified arm: {fault}")
    free = np.where(np.isfinite(residual.validation), residual.validation, residual.training)
    cost = np.nan_to_num(residual.consistent - free)
    dear = (residual.consistent > _COSTS * free) & (cost > _ROUNDING * size)
    if dear.any():
        k = int(np.argmax(np.where(dear, cost / np.maximum(size, 1e-300), 0.0)))
        sentences.append(
            f"{robot.joint_names[k]}: physical consistency adds {cost[k]:.3g} {torque_unit(robot, k)} to the residual "
            f"({free[k]:.3g} with base parameters, {residual.consistent[k]:.3g} with consistent bodies)"
        )
    return sentences
