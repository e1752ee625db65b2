"""Random states of an arm, and how far two batches of numbers are apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armature.engine.dynamics.newton_euler import rnea
from armature.engine.model.robot import Robot

_STEP = 1e-3  # of differences with an error of the fourth order
_WEIGHTS = np.array([1, -8, 8, -1]) / (12 * _STEP)
_OFFSETS = np.array([-2, -1, 1, 2]) * _STEP
DIFFERENCES = len(_OFFSETS)  # evaluations per slope


@dataclass(frozen=True, eq=False)
class States:
    """Random states of a robot: `q`, `qd`, `qdd`, `tau`, each `(N, n)`; tau has the size of gravity and inertia torques."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray


def random_states(robot: Robot, N: int, seed: int) -> States:
    """N states within the limits; where a joint has none, within ±π rad or ±1 m. Speeds and accelerations about 1 per s, s²."""
    rng = np.random.default_rng(seed)
    span = np.where(robot.prismatic, 1.0, np.pi)
    low = np.where(np.isfinite(robot.q_min), robot.q_min, np.where(np.isfinite(robot.q_max), robot.q_max - 2 * span, -span))
    high = np.where(np.isfinite(robot.q_max), robot.q_max, low + 2 * span)
    q = rng.uniform(low, high, (N, robot.n))
    qd, qdd = rng.normal(size=(2, N, robot.n))
    tau = rnea(robot, q, qd, rng.normal(size=(N, robot.n))) if robot.has_dynamics else np.zeros((N, robot.n))
    return States(q, qd, qdd, tau)


def deviation(ours: np.ndarray, theirs: np.ndarray, scale=0.0) -> float:
    """Largest |ours − theirs| of all states relative to the largest entry of theirs, or to `scale` `(N,)` if it is larger."""
    N = len(ours)
    error = np.abs(np.asarray(ours) - theirs).reshape(N, -1).max(axis=1, initial=0.0)
    size = np.maximum(np.abs(np.asarray(theirs)).reshape(N, -1).max(axis=1, initial=0.0), scale)
    return float(np.max(np.where(error == 0, 0.0, error / np.where(size > 0, size, 1.0)), initial=0.0))


def sizes(*arrays) -> np.ndarray:
    """Largest entry `(N,)` of all arrays per state."""
    return np.max([np.abs(a).reshape(len(a), -1).max(axis=1, initial=0.0) for a in arrays], axis=0)


def slope(function: Callable, x: np.ndarray) -> np.ndarray:
    """∂f/∂x `(N, …, n)` of a function of a batch, by central differences."""
    N, n = x.shape
    points = x[:, None, None, :] + _OFFSETS[:, None] * np.eye(n)[:, None, :]
    values = function(points.reshape(-1, n))
    values = values.reshape(N, n, DIFFERENCES, *values.shape[1:])
    return np.moveaxis(np.einsum("ijk...,k->ij...", values, _WEIGHTS), 1, -1)


def rate(function: Callable, *pairs: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """df/dt `(N, …)` while each x changes at its rate, `pairs` of (x, xd), by central differences."""
    values = [function(*(x + h * xd for x, xd in pairs)) for h in _OFFSETS]
    return sum(weight * value for weight, value in zip(_WEIGHTS, values, strict=True))
