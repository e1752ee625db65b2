"""PD control of every joint with gravity compensation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from armature.engine.control.laws.gravity_compensation import add_gravity
from armature.engine.control.laws.pd import PD, pd
from armature.engine.jit import routine

PD_GRAVITY_LAW = 4


@dataclass(frozen=True, eq=False)
class PDGravity(PD):
    """PD control with gravity compensation: tau = Kp (q_d − q) + Kd (qd_d − qd) + g(q), N·m or N.

    `kp` N·m/rad or N/m, `kd` N·m·s/rad or N·s/m, each a number or `(n,)`; q_d, qd_d: desired positions and velocities. `period`,
    `saturate`: as in `Controller`.
    """

    law: ClassVar[str] = "pd-gravity"
    number: ClassVar[int] = PD_GRAVITY_LAW
    title: ClassVar[str] = "PD + gravity"
    equation: ClassVar[str] = "τ = Kp (q* − q) + Kd (q̇* − q̇) + g(q)"
    explanation: ClassVar[str] = (
        "Gravity compensated. With exact masses the steady-state error is zero, except for the effect of dry friction."
    )


@routine
def pd_gravity(C, P, S, h, desired, q, qd, tau):
    """tau = Kp (q_d − q) + Kd (qd_d − qd) + g(q)."""
    pd(C, P, S, h, desired, q, qd, tau)
    add_gravity(P, q, tau)
