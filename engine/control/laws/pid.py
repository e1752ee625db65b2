"""PID control of every joint, with anti-windup."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from armature.engine.control.controller import GAINS, HELD, MOST, Gain, LinearGains, Tuning
from armature.engine.control.laws.pd import PD, pd
from armature.engine.jit import routine
from armature.engine.model.robot import Robot

PID_LAW = 3
KI = GAINS + 2  # row of the packed controller
_INTEGRAL = Gain("Ki", "N·m/(rad·s)", "Torque per integral of the position error; for prismatic joints in N/(m·s)")


@dataclass(frozen=True, eq=False)
class PID(PD):
    """PID control: tau = Kp (q_d − q) + Kd (qd_d − qd) + Ki ∫ (q_d − q) dt, N·m or N.

    `kp` N·m/rad or N/m, `kd` N·m·s/rad or N·s/m, `ki` N·m/(rad·s) or N/(m·s), each a number or `(n,)`; q_d, qd_d: desired
    positions and velocities. While the motor of a joint is saturated, its integral changes only in the direction that ends the
    saturation (anti-windup). `period`, `saturate`: as in `Controller`.
    """

    ki: np.ndarray | float = field(metadata=_INTEGRAL.metadata)

    law: ClassVar[str] = "pid"
    number: ClassVar[int] = PID_LAW
    title: ClassVar[str] = "PID"
    equation: ClassVar[str] = "τ = Kp e + Kd ė + Ki ∫ e dt,  e = q* − q"
    explanation: ClassVar[str] = (
        "The integral removes the steady-state error due to gravity. It stops growing while a motor is saturated (anti-windup)."
    )
    units: ClassVar[str] = "Kp in N·m/rad, Kd in N·m·s/rad, Ki in N·m/(rad·s)."

    @classmethod
    def tune(cls, tuning: Tuning) -> PID:
        """Return the controller with the default gains Kp_i = 3 w² M_ii, Kd_i = 3 w M_ii, Ki_i = w³ M_ii.

        Every joint then has the characteristic polynomial (s + w)³, with the natural frequency w of `tuning`, rad/s.
        """
        w, m = tuning.w, tuning.inertia
        return cls(3 * w * w * m, 3 * w * m, w**3 * m)

    def linearize(self, robot: Robot, model: Robot, q: np.ndarray) -> LinearGains:
        """Return the tuple (Kp, Kd, Ki) at N goals q, as `Controller.linearize`: diagonal matrices of the gains."""
        Kp, Kd, zero = super().linearize(robot, model, q)
        return Kp, Kd, zero + np.diag(self.pack(robot)[KI, : robot.n])


@routine
def pid(C, P, S, h, desired, q, qd, tau):
    """tau = Kp e + Kd ė + Ki ∫ e;  the integral does not grow in the direction in which the joint is saturated."""
    n = q.size
    pd(C, P, S, h, desired, q, qd, tau)
    for i in range(n):
        e, most = desired.q[i] - q[i], C[MOST, i]
        unlimited = tau[i] + C[KI, i] * (S[HELD + n + i] + h * e)
        if abs(unlimited) <= most or unlimited * e < 0.0:
            S[HELD + n + i] += h * e
        tau[i] += C[KI, i] * S[HELD + n + i]
