"""Which terms stay below what counts, over the ranges of the joints."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armature.engine.formulas.factor import COS, POSITION, SIN, Factor, Monomial, Terms
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.robot import Robot

POSES = 4096
_SEED = 0
_LED_ON, _SWEEPS, _STEPS = 8, 2, 61


def poses_in_range(robot: Robot) -> np.ndarray:
    """Poses `(POSES, n)` drawn from the joint ranges, the same every time."""
    low, high = joint_ranges(robot)
    return np.random.default_rng(_SEED).uniform(low, high, (POSES, robot.n))


def kept_terms(robot: Robot, terms: Terms, least: float) -> Terms:
    """Those terms that exceed `least` somewhere within the joint ranges."""
    low, high = joint_ranges(robot)
    return {monomial: value for monomial, value in terms.items() if abs(value) * _peak(monomial, low, high) >= least}


def _peak(monomial: Monomial, low: np.ndarray, high: np.ndarray) -> float:
    """The largest size of a product of factors, each taken at its own largest."""
    size = 1.0
    for factor, power in monomial:
        size *= _reach(factor, low, high) ** power
    return size


def _reach(factor: Factor, low: np.ndarray, high: np.ndarray) -> float:
    """The largest size of one factor."""
    k = np.array(factor.k)
    a, b = float(np.where(k > 0, low, high) @ k), float(np.where(k > 0, high, low) @ k)
    if factor.kind == POSITION:
        return max(abs(a), abs(b))
    # |cos| is 1 at every whole multiple of π, |sin| half a turn beside
    shift = {COS: 0.0, SIN: np.pi / 2}[factor.kind]
    if np.floor((b - shift) / np.pi) > np.floor((a - shift) / np.pi):
        return 1.0
    wave = np.cos if factor.kind == COS else np.sin
    return float(max(abs(wave(a)), abs(wave(b))))


def largest_difference(robot: Robot, difference: Callable[[np.ndarray], np.ndarray]) -> float:
    """The largest value over the joint ranges of a function of q `(N, n)`: of POSES poses the worst, led on joint by joint."""
    low, high = joint_ranges(robot)
    q = poses_in_range(robot)
    values = difference(q)
    worst = np.argsort(values)[-_LED_ON:]
    q, values = q[worst], values[worst]
    for _ in range(_SWEEPS):
        for joint in range(robot.n):
            tried = np.repeat(q[:, None], _STEPS, axis=1)
            tried[:, :, joint] = np.linspace(low[joint], high[joint], _STEPS)
            found = difference(tried.reshape(-1, robot.n)).reshape(len(q), _STEPS)
            best = found.argmax(axis=1)
            better = found.max(axis=1) > values
            q[better], values[better] = tried[better, best[better]], found.max(axis=1)[better]
    return float(values.max())
