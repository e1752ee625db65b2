"""The spring by which a person pulls on an arm: stiff enough to lift it, soft enough to be felt and to be integrated."""

from __future__ import annotations

import numpy as np

from armature import engine
from armature.engine import Robot
from armature.engine.kinematics.jacobian import body_jacobian

STRETCH = 0.25  # of the reach: so long is the spring where it pulls as hard as the arm weighs
FASTEST = 0.2  # of a radian that the mass at the grabbed point swings in one time step
STANDARD_GRAVITY = 9.80665  # m/s²; an arm that floats is pulled as hard as on Earth


def hand_spring(robot: Robot, q: np.ndarray, body: int, point: np.ndarray, dt: float) -> tuple[float, float]:
    """Stiffness N/m and damping N·s/m for a point `(3,)` of a body, m in its axes, at q `(n,)` and time steps of `dt` s.

    k = W / (0.25 reach) and d = sqrt(k m), half of the critical damping, with m = 3 / tr(J M⁻¹ Jᵀ), the mass that the point
    has for a hand, averaged over the directions (Khatib 1987).
    """
    J = body_jacobian(robot, q, body, point)[:3]
    mobility = float(np.trace(J @ np.linalg.solve(engine.mass_matrix(robot, q), J.T)))
    weight = STANDARD_GRAVITY * sum(part.mass for part in robot.bodies)
    k = weight / (STRETCH * robot.reach)
    if mobility > 0:
        k = min(k, 3.0 / mobility * (FASTEST / dt) ** 2)
    return k, float(np.sqrt(3.0 * k / mobility)) if mobility > 0 else 0.0
