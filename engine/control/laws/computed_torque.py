"""Computed torque: the inverse model of the arm, with PD feedback of the acceleration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from armature.engine.control.controller import Gain, LinearGains, Tuning
from armature.engine.control.laws.pd import KD, KP, PD
from armature.engine.control.model_compensation import Commanded, bias, drive
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.jit import routine
from armature.engine.model.robot import Robot

COMPUTED_TORQUE_LAW = 6
_STIFFNESS = Gain("Kp", "1/s²", "Acceleration per position error, independent of the inertia")
_DAMPING = Gain("Kd", "1/s", "Acceleration per velocity error, equal for all inertias")


@dataclass(frozen=True, eq=False)
class ComputedTorque(PD):
    """Computed torque: tau = M(q)(qdd_d + Kd (qd_d − qd) + Kp (q_d − q)) + C(q, qd) qd + g(q) + B qd_d + F, N·m or N.

    `kp` 1/s², `kd` 1/s, each a number or `(n,)`; q_d, qd_d, qdd_d: desired motion; B: viscous friction. F compensates dry
    friction: it is F_c sign(qd_d) with the Coulomb friction F_c. Below a desired speed of 1 mrad/s (prismatic: 1 mm/s) it is
    reduced in proportion to that speed. At the start of a trajectory, while the joint still sticks, it is the static friction
    instead. F changes by at most the static friction within 20 ms, and is 0 at zero desired speed. `period`, `saturate`: as in
    `Controller`.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 8.5.2.
    """

    kp: np.ndarray | float = field(metadata=_STIFFNESS.metadata)
    kd: np.ndarray | float = field(metadata=_DAMPING.metadata)

    law: ClassVar[str] = "computed-torque"
    number: ClassVar[int] = COMPUTED_TORQUE_LAW
    title: ClassVar[str] = "Computed torque"
    equation: ClassVar[str] = "τ = M(q) (q̈* + Kd ė + Kp e) + C(q, q̇) q̇ + g(q) + friction"
    explanation: ClassVar[str] = (
        "The inverse model reduces each joint to a double integrator; dry friction is compensated only while the "
        "desired velocity is not zero. Accuracy depends on the model."
    )
    units: ClassVar[str] = "Kp in 1/s², Kd in 1/s, independent of the inertia at each joint."

    @classmethod
    def tune(cls, tuning: Tuning) -> ComputedTorque:
        """Return the controller with the default gains Kp = w², Kd = 2 w for the natural frequency w of `tuning`, rad/s."""
        n, w = tuning.robot.n, tuning.w
        return cls(np.full(n, w * w), np.full(n, 2 * w))

    def linearize(self, robot: Robot, model: Robot, q: np.ndarray) -> LinearGains:
        """Return the tuple (Kp, Kd, Ki) at N goals q, as `Controller.linearize`: M(q) times the gains, Ki = 0."""
        Kp, Kd, zero = super().linearize(robot, model, q)
        M = mass_matrix(model, q)
        return M @ Kp, M @ Kd, zero


@routine
def computed_torque(C, P, S, h, desired, q, qd, tau):
    """tau = M a + C qd + g + friction,  a = qdd_d + Kd (qd_d − qd) + Kp (q_d − q)."""
    q_d, qd_d, qdd_d = desired
    _, M, rest = bias(P, q, qd)
    a = np.empty(q.size)
    for i in range(q.size):
        a[i] = qdd_d[i] + C[KD, i] * (qd_d[i] - qd[i]) + C[KP, i] * (q_d[i] - q[i])
    drive(P, S, h, M, rest, a, Commanded(C[KD], qd_d, qd_d), qd, tau)
