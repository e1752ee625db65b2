"""An arm as the peers know it: no friction and no stops, so that all engines integrate the same equation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armature import engine
from armature.engine.model.robot import Robot
from armature.engine.simulation.stepping.fixed_steps import INTEGRATORS, advance

DT = 1e-3


def free_arm(name: str) -> Robot:
    """The named robot without friction and joint limits."""
    robot = engine.load_robot(name).without_friction()
    return replace(robot, q_min=np.full(robot.n, -np.inf), q_max=np.full(robot.n, np.inf))


def wild_arm() -> tuple[Robot, np.ndarray, np.ndarray]:
    """The Panda without rotor inertia, and a start q, qd at which its last joint spins with 80 rad/s."""
    robot = free_arm("panda")
    robot = replace(robot, bodies=tuple(replace(body, rotor_inertia=0.0) for body in robot.bodies))
    return robot, robot.configurations["home"].copy(), np.array([8.0, -6, 10, 7, 20, -30, 80])


def run(
    robot: Robot, q: np.ndarray, qd: np.ndarray, steps: int, integrator: str, log: np.ndarray | None = None, dt: float = DT
) -> np.ndarray:
    """`steps` steps of `dt` without motor torque in one call; q, qd are overwritten; returns the log `(steps, 4n)`."""
    log = np.empty((steps, 4 * robot.n)) if log is None else log
    motor, wrench = np.zeros(robot.n), np.zeros((0, 0, 0))
    done, code = advance(robot.packed, dt, steps, INTEGRATORS[integrator], q, qd, motor, wrench, log)
    if done != steps:
        raise RuntimeError(f"{robot.name} left the finite numbers at step {done}, code {code}")
    return log


def energy_drift(robot: Robot, q: np.ndarray, qd: np.ndarray) -> float:
    """Largest deviation of kinetic plus potential energy from its first value, over the largest kinetic energy."""
    kinetic = engine.kinetic_energy(robot, q, qd)
    total = kinetic + engine.potential_energy(robot, q)
    return float(np.abs(total - total[0]).max() / kinetic.max())
