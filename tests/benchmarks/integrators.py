"""Energy drift against step size for every integrator: the frictionless Puma 560, and a wild arm."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.simulation.stepping.fixed_steps import INTEGRATORS
from tests.benchmarks.free_arm import energy_drift, free_arm, run, wild_arm
from tests.benchmarks.row import Row

STEPS_MS = (4.0, 2.0, 1.0, 0.5, 0.25)
SECONDS = 5
LONG = 60
BAR = 1e-6
ROUNDING = 1e-11  # drifts below it say nothing about the order


def rows() -> list[Row]:
    """A row per arm and integrator with the drift at each step, and the wild arm's minute at 1 kHz, which has a bar."""
    puma = free_arm("puma560")
    arms = {"puma560": (puma, puma.configurations["zero"], np.zeros(6)), "wild arm": wild_arm()}
    table = [_row(name, integrator, *arm) for name, arm in arms.items() for integrator in INTEGRATORS]
    return table + [_long(*arms["wild arm"])]


def _drift(robot: Robot, q, qd, integrator: str, dt: float, seconds: float) -> float:
    try:
        log = run(robot, q.copy(), qd.copy(), round(seconds / dt), integrator, dt=dt)
    except RuntimeError:  # a method beyond its stability is a result of this table
        return np.inf
    return energy_drift(robot, log[:, : robot.n], log[:, robot.n : 2 * robot.n])


def _row(name: str, integrator: str, robot: Robot, q, qd) -> Row:
    drifts = [_drift(robot, q, qd, integrator, step / 1000, SECONDS) for step in STEPS_MS]
    seen = [np.log2(a / b) for a, b in pairwise(drifts) if np.isfinite(a) and b > ROUNDING]
    order = f"order {np.median(seen):.1f}" if seen else ""
    steps = "/".join(f"{step:g}" for step in STEPS_MS)
    shown = " ".join("diverges" if np.isinf(drift) else f"{drift:.0e}" for drift in drifts)
    return Row(f"energy drift, {name}, {SECONDS} s, {integrator}, dt {steps} ms", shown, order)


def _long(robot: Robot, q, qd) -> Row:
    drifts = {integrator: _drift(robot, q, qd, integrator, 1e-3, LONG) for integrator in INTEGRATORS}
    best = min(drifts, key=drifts.__getitem__)
    title = f"energy drift, wild arm, {LONG} s at 1000 Hz, best of {len(drifts)} integrators"
    rk4 = f"{drifts['rk4']:.1e} RK4"
    return Row(title, f"{drifts[best]:.1e} {best}", rk4, drifts["rk4"] / drifts[best], f"below {BAR:.0e}", drifts[best] < BAR)
