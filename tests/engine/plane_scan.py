"""The dense scan that the nearest-singularity search is held against: maps of every two joints through a pose, on a grid."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import minimize

from armature import engine
from armature.engine.model.robot import TASK_AXES, Robot


def task_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """The scaled task Jacobian `(N, m, n)`, put together here from `armature.jacobian`."""
    rows = [k for k, axis in enumerate(TASK_AXES) if axis in robot.task]
    scale = np.where(np.array(rows) >= 3, robot.characteristic_length, 1.0)
    return engine.jacobian(robot, q)[..., rows, :] * scale[:, None]


def sigma_min(robot: Robot, q: np.ndarray) -> float:
    """By numpy alone."""
    return float(np.linalg.svd(task_jacobian(robot, q), compute_uv=False)[-1])


def nearest_in_planes(robot: Robot, q: np.ndarray, radius: float, points: int = 33) -> float:
    """Distance of the nearest singular pose within `radius` in a plane of two joints through q; inf for none."""
    unit = np.where(robot.prismatic, robot.characteristic_length, 1.0)
    nearest = np.inf
    for i, j in combinations(range(robot.n), 2):
        sides = []
        for k in (i, j):
            low, high = max(robot.q_min[k], q[k] - radius * unit[k]), min(robot.q_max[k], q[k] + radius * unit[k])
            sides.append(np.linspace(low, high, points))
        grid = np.tile(q, (points, points, 1))
        grid[..., i], grid[..., j] = sides[0][:, None], sides[1]
        A = task_jacobian(robot, grid.reshape(-1, robot.n))
        found = _crossings(grid, A) if A.shape[1] == A.shape[2] else _valleys(robot, grid, A, i, j)
        for x in found:
            nearest = min(nearest, float(np.linalg.norm((x - q) / unit)))
    return nearest


def _crossings(grid: np.ndarray, A: np.ndarray) -> list[np.ndarray]:
    """Between neighbours of the grid where det changes sign; the end nearer to zero stands for the place."""
    det = np.linalg.det(A).reshape(grid.shape[:2])
    found = []
    for a, b in ((np.s_[:-1, :], np.s_[1:, :]), (np.s_[:, :-1], np.s_[:, 1:])):
        change = det[a] * det[b] < 0
        va, vb = det[a][change][:, None], det[b][change][:, None]
        found += list((grid[a][change] * vb - grid[b][change] * va) / (vb - va))
    return found


def _valleys(robot: Robot, grid: np.ndarray, A: np.ndarray, i: int, j: int) -> list[np.ndarray]:
    """Lowest points of sigma_min on the grid, led on downhill within the two joints; those that reach zero."""
    sigma = np.linalg.svd(A, compute_uv=False)[:, -1].reshape(grid.shape[:2])
    walled = np.pad(sigma, 1, constant_values=np.inf)
    around = [walled[1 + a : 1 + a + len(sigma), 1 + b : 1 + b + len(sigma)] for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    found = []
    for a, b in np.argwhere((sigma <= np.min(around, axis=0)) & (sigma < 0.05)):
        x = grid[a, b].copy()

        def height(pair, x=x):
            x[[i, j]] = pair
            return sigma_min(robot, x)

        ends = [(robot.q_min[k], robot.q_max[k]) for k in (i, j)]
        end = minimize(height, x[[i, j]], method="Nelder-Mead", bounds=ends, options={"xatol": 1e-11, "fatol": 1e-12})
        if end.fun < 1e-9:
            x[[i, j]] = end.x
            found.append(x)
    return found
