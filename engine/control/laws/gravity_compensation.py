"""Gravity compensation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from armature.engine.control.controller import Controller
from armature.engine.control.model_compensation import bias
from armature.engine.jit import routine

GRAVITY_LAW = 5


@dataclass(frozen=True, eq=False)
class GravityCompensation(Controller):
    """Gravity compensation: tau = g(q) `(n,)`, N·m or N; the arm can be guided by hand.

    `period`, `saturate`: as in `Controller`.
    """

    law: ClassVar[str] = "gravity"
    number: ClassVar[int] = GRAVITY_LAW
    title: ClassVar[str] = "Gravity compensation"
    equation: ClassVar[str] = "τ = g(q)"
    explanation: ClassVar[str] = "The motors only compensate gravity, so the arm can be guided by hand (lead-through)."


@routine
def add_gravity(P, q, tau):
    """tau += g(q)."""
    _, _, rest = bias(P, q, np.zeros(q.size))
    for i in range(q.size):
        tau[i] -= rest[i]


@routine
def gravity_compensation(C, P, S, h, desired, q, qd, tau):
    """tau = g(q)."""
    add_gravity(P, q, tau)
