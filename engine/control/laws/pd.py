"""PD control of every joint."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from armature.engine.control.controller import GAINS, Controller, Gain, LinearGains, Tuning
from armature.engine.jit import routine
from armature.engine.model.robot import Robot

PD_LAW = 2
KP, KD = GAINS, GAINS + 1  # rows of the packed controller
STIFFNESS = Gain("Kp", "N·m/rad", "Torque per position error; for prismatic joints in N/m")
DAMPING = Gain("Kd", "N·m·s/rad", "Torque per velocity error; for prismatic joints in N·s/m")


@dataclass(frozen=True, eq=False)
class PD(Controller):
    """PD control: tau = Kp (q_d − q) + Kd (qd_d − qd), N·m or N.

    `kp` N·m/rad or N/m, `kd` N·m·s/rad or N·s/m, each a number or `(n,)`; q_d, qd_d: desired positions and velocities. `period`,
    `saturate`: as in `Controller`.
    """

    kp: np.ndarray | float = field(metadata=STIFFNESS.metadata)
    kd: np.ndarray | float = field(metadata=DAMPING.metadata)

    law: ClassVar[str] = "pd"
    number: ClassVar[int] = PD_LAW
    title: ClassVar[str] = "PD"
    equation: ClassVar[str] = "τ = Kp (q* − q) + Kd (q̇* − q̇)"
    explanation: ClassVar[str] = "A spring and a damper at every joint. Gravity causes a steady-state error of g / Kp."
    units: ClassVar[str] = "Kp in N·m/rad, Kd in N·m·s/rad; for prismatic joints N/m and N·s/m."
    tracks: ClassVar[bool] = True
    damping_gain: ClassVar[str] = "kd"

    @classmethod
    def tune(cls, tuning: Tuning) -> PD:
        """Return the controller with the default gains Kp_i = w² M_ii, Kd_i = 2 w M_ii.

        M is the mass matrix, and w the natural frequency of `tuning`, rad/s.
        """
        w, m = tuning.w, tuning.inertia
        return cls(w * w * m, 2 * w * m)

    def linearize(self, robot: Robot, model: Robot, q: np.ndarray) -> LinearGains:
        """Return the tuple (Kp, Kd, Ki) at N goals q, as `Controller.linearize`: diagonal matrices of the gains, Ki = 0."""
        C, n = self.pack(robot), robot.n
        zero = np.zeros((len(q), n, n))
        return zero + np.diag(C[KP, :n]), zero + np.diag(C[KD, :n]), zero


@routine
def pd(C, P, S, h, desired, q, qd, tau):
    """tau = Kp (q_d − q) + Kd (qd_d − qd)."""
    for i in range(q.size):
        tau[i] = C[KP, i] * (desired.q[i] - q[i]) + C[KD, i] * (desired.qd[i] - qd[i])
