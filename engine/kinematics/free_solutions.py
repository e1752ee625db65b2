"""Solutions of `ik` that are not in contact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.kinematics.obstacles import Obstacles
from armature.engine.kinematics.search.search_attempt import REACHED
from armature.engine.kinematics.search.search_problem import Problem
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.robot import Robot

STARTS = 64  # random ones for a target whose first solution is in contact


@dataclass(frozen=True, eq=False)
class OtherSolution:
    """Result of `free_solution`: `q` `(n,)`, None if all `found` solutions are in contact; its `twist` `(6,)` and `error`.

    `iterations` were spent on the search.
    """

    q: np.ndarray | None
    twist: np.ndarray
    error: float
    found: int
    iterations: int


def free_solution(
    problem: Problem, obstacles: Obstacles, T: np.ndarray, near: np.ndarray, tolerance: float, seed: int, goal: int
) -> OtherSolution:
    """Search a solution without contact for the pose T `(4, 4)` from random starts; of several, the one nearest to `near` `(n,)`.

    One radian counts as half the reach.
    """
    robot: Robot = problem.robot
    low, high = joint_ranges(robot)
    starts = np.random.default_rng(seed).uniform(low, high, (STARTS, robot.n))
    found = problem.search(np.repeat(T[None], STARTS, axis=0), starts, tolerance, 0, seed, goal=goal)
    reached = np.flatnonzero(found.end == REACHED)
    q, endless = found.q[reached], problem.endless
    q[:, endless] -= 2 * np.pi * np.round((q[:, endless] - near[endless]) / (2 * np.pi))
    free = np.flatnonzero(~np.asarray(obstacles.collides(robot, q), bool)) if len(q) else np.zeros(0, int)
    spent = int(found.iterations.sum())
    if not len(free):
        return OtherSolution(None, np.zeros(6), 0.0, len(reached), spent)
    size = np.where(robot.prismatic, 1.0, robot.characteristic_length)
    best = int(free[np.linalg.norm((q[free] - near) * size, axis=1).argmin()])
    k = int(reached[best])
    return OtherSolution(q[best], found.twist[k], float(found.error[k]), len(reached), spent)
