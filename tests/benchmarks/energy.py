"""How well a minute of free fall keeps its energy, beside MuJoCo with the same integrator and step."""

from __future__ import annotations

import mujoco
import numpy as np

from tests.benchmarks.free_arm import DT, energy_drift, free_arm, run
from tests.benchmarks.row import Row
from tests.peers import to_mujoco

SECONDS = 60
BAR = 1e-9


def rows() -> list[Row]:
    """Largest deviation of T + V from its first value, over the largest kinetic energy: frictionless Puma 560, 1 kHz, RK4."""
    robot = free_arm("puma560")
    start, steps = np.array(robot.configurations["zero"]), round(SECONDS / DT)
    log = run(robot, start.copy(), np.zeros(robot.n), steps, "rk4")
    q, qd = log[:, : robot.n], log[:, robot.n : 2 * robot.n]
    ours, theirs = energy_drift(robot, q, qd), energy_drift(robot, *_mujoco(robot, start, steps))
    title = f"energy drift, frictionless puma560, {SECONDS} s at {1 / DT:.0f} Hz, RK4"
    return [Row(title, f"{ours:.1e}", f"{theirs:.1e} MuJoCo", theirs / ours, f"below {BAR:.0e}", ours < BAR)]


def _mujoco(robot, start, steps) -> tuple[np.ndarray, np.ndarray]:
    model, data = to_mujoco(robot)
    model.opt.timestep, model.opt.integrator = DT, mujoco.mjtIntegrator.mjINT_RK4
    data.qpos[:] = start
    q, qd = np.empty((2, steps, robot.n))
    for k in range(steps):
        q[k], qd[k] = data.qpos, data.qvel
        mujoco.mj_step(model, data)
    return q, qd
