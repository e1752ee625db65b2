"""Stiffness and damping of a user-defined controller, measured by finite differences."""

from __future__ import annotations

import numpy as np

from armature.engine.control.own_law.law_run import Run
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.errors import EngineError
from armature.engine.simulation.gain_stability import MeasuredGains

_STEPS = (1e-7, 1e-6)  # rad or m (per s): both give the same slope of a law that is smooth here
_ALIKE = 1e-2  # of the largest slope
_KEEPS_STATE = ("memory", "global ", "nonlocal ", "random")  # in the text of a law whose calls affect later ones


def measured_gains(law: OwnLaw, run: Run, t: float, reference: np.ndarray) -> MeasuredGains | None:
    """Return Kp = −∂tau/∂q and Kd = −∂tau/∂qd `(n, n)` at the goal, or None if the law is not a smooth function of q and qd.

    Calls the law 4 n + 1 times with its memory restored after each. `reference` `(4 n,)` is the goal and the measured torque.
    None also for a law that raises, is random, has memory, such as a filter, or is a Python object, which calls may change.
    """
    if law.function is not None or any(word in law.text for word in _KEEPS_STATE):
        return None
    n = len(reference) // 4
    state = reference[: 2 * n]

    def torque(x: np.ndarray) -> np.ndarray:
        return run.trial(t, x[:n], x[n:], reference)

    try:
        at_goal = torque(state)
        fine, coarse = (np.stack([(torque(state + h * e) - at_goal) / h for e in np.eye(2 * n)], axis=1) for h in _STEPS)
    except EngineError:  # the run raises it where it matters
        return None
    if np.abs(fine - coarse).max() > _ALIKE * np.abs(fine).max():
        return None
    return MeasuredGains(-coarse[:, :n], -coarse[:, n:], law.period)
