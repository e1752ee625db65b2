"""`Drive`: controller, sensors and ledger of a batch of steps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

_NONE1, _NONE2 = np.zeros(0), np.zeros((0, 0))
WORKS = ("motor", "friction", "hand", "stop")
"""Columns of the work done on the arm, J."""
FORCE = 3
SIDE = FORCE + len(WORKS)
"""Numbers per row of `Drive.side`: the spring's force on the arm in W, then the works."""


class Drive(NamedTuple):
    """Controller, empty for constant torque, its sensors, and the ledger.

    `law`: the packed controller; `model`: its model of the arm; `memory`: its state, overwritten; `reference` `(≥ steps, 3n)`
    the desired q, qd, qdd at the start of each step; `t` s, the controller's time at the first step. `work` `(4,)` J is added to;
    `side` `(≥ steps, 7)` receives the spring's force and the works at the start of each step.
    `sensors` and `readings` are A and S of `armature.engine.simulation.sensors.readings.observe`, empty for exact
    measurements; `measured` `(≥ steps, 3n)` receives their q, qd, tau at each step.
    """

    law: np.ndarray = _NONE2
    model: np.ndarray = _NONE2
    memory: np.ndarray = _NONE1
    reference: np.ndarray = _NONE2
    t: float = 0.0
    work: np.ndarray = _NONE1
    side: np.ndarray = _NONE2
    sensors: np.ndarray = _NONE2
    readings: np.ndarray = _NONE1
    measured: np.ndarray = _NONE2


FREE = Drive()
"""An arm that moves by itself, without ledger: the fastest case of `advance`."""
