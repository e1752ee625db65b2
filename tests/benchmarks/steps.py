"""Simulation steps in one call without the interpreter, beside `mj_step` without contact and with the same integrator."""

from __future__ import annotations

import mujoco
import numpy as np

from tests.benchmarks.free_arm import DT, free_arm, run
from tests.benchmarks.row import Row
from tests.benchmarks.timing import race
from tests.peers import to_mujoco

STEPS = 2000
INTEGRATORS = {"euler": mujoco.mjtIntegrator.mjINT_EULER, "rk4": mujoco.mjtIntegrator.mjINT_RK4}


def rows() -> list[Row]:
    """Steps per second for 6 and 7 joints and both integrators."""
    return [_row(name, integrator) for name in ("puma560", "panda") for integrator in INTEGRATORS]


def _row(name: str, integrator: str) -> Row:
    robot = free_arm(name)
    model, data = to_mujoco(robot)
    model.opt.timestep, model.opt.integrator = DT, INTEGRATORS[integrator]
    start = robot.configurations["home"]
    q, qd, log = np.empty(robot.n), np.empty(robot.n), np.empty((STEPS, 4 * robot.n))

    def ours():
        q[:], qd[:] = start, 0.0
        run(robot, q, qd, STEPS, integrator, log)

    def theirs():
        mujoco.mj_resetData(model, data)
        data.qpos[:] = start
        mujoco.mj_step(model, data, nstep=STEPS)

    taken = race({"ours": ours, "peer": theirs}, rounds=25)
    ratio = taken["peer"] / taken["ours"]
    rates = [f"{STEPS / taken[key]:,.0f}/s" for key in ("ours", "peer")]
    return Row(f"steps, {integrator}, {name}", rates[0], f"{rates[1]} MuJoCo", ratio, "1.5x MuJoCo's mj_step", ratio >= 1.5)
