"""Constant motor torques."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from armature.engine.control.controller import GAINS, LARGEST, Controller, Gain, Tuning
from armature.engine.jit import routine

CONSTANT_TORQUE_LAW = 1
_TAU = Gain("τ", "N·m", "Motor torque, of prismatic joints the force in N", low=-LARGEST)


@dataclass(frozen=True, eq=False)
class ConstantTorque(Controller):
    """Constant motor torque: tau = const, N·m or N.

    `tau`: a number for all joints, or `(n,)`. `period`, `saturate`: as in `Controller`.
    """

    tau: np.ndarray | float = field(metadata=_TAU.metadata)

    law: ClassVar[str] = "torque"
    number: ClassVar[int] = CONSTANT_TORQUE_LAW
    title: ClassVar[str] = "Constant torque"
    equation: ClassVar[str] = "τ = const"
    explanation: ClassVar[str] = "The motor torques do not depend on the motion."

    @classmethod
    def tune(cls, tuning: Tuning) -> ConstantTorque:
        """Return the controller with zero torque; `tuning` is not used."""
        return cls(np.zeros(tuning.robot.n))


@routine
def constant_torque(C, P, S, h, desired, q, qd, tau):
    """tau = const."""
    for i in range(q.size):
        tau[i] = C[GAINS, i]
