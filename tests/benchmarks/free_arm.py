"""An arm as the peers know it: no friction and no stops, so that all engines integrate the same equation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import engine
from engine.model.robot import Robot
from engine.simulation.step import INTEGRATORS, advance

DT = 1e-3


def free_arm(name: str) -> Robot:
    """The named robot without friction and joint limits."""
    robot = engine.load_robot(name).without_friction()
    return replace(robot, q_min=np.full(robot.n, -np.inf), q_max=np.full(robot.n, np.inf))


def run(robot: Robot, q: np.ndarray, qd: np.ndarray, steps: int, integrator: str, log: np.ndarray | None = None) -> np.ndarray:
    """`steps` steps of DT without motor torque in one call; q, qd are overwritten; returns the log `(steps, 4n)`."""
    log = np.empty((steps, 4 * robot.n)) if log is None else log
    motor, wrench = np.zeros(robot.n), np.zeros((robot.n, 6))
    done, code = advance(robot.packed, DT, steps, INTEGRATORS[integrator], q, qd, motor, wrench, log)
    if done != steps:
        raise RuntimeError(f"{robot.name} left the finite numbers at step {done}, code {code}")
    return log
