"""A shift in time between the positions of a recording and its torques."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armature.engine.identification.identification import Finding
from armature.engine.identification.torque_channels import Fit
from armature.engine.model.robot import Robot

_FAR, _COARSE, _FINE = 0.1, 0.01, 0.001  # s
_LEAST_BETTER = 0.1  # of all residuals² goes with the right shift
_MUCH_BETTER = 60.0  # standard deviations²


def time_shift(shifted: Callable[[float], np.ndarray], fit: Fit, robot: Robot, period: float) -> list[Finding]:
    """How much later torques are than positions: of all joints, or of the one that explains more.

    Args:
        shifted: torques of the blocks `(B, n)` taken so many seconds later.
        period: s between samples; shifts under half of it are none.
    """
    now = shifted(0.0)
    plain = _size(fit, now)
    best: tuple[float, float, int | None] = (plain, 0.0, None)
    for joint in (None, *range(robot.n)):
        at, size = _best_shift(shifted, fit, now, joint)
        # a joint by itself must leave clearly less than all of them
        if size < (best[0] if joint is None else 0.7 * best[0]):
            best = size, at, joint
    size, at, joint = best
    sure = (plain - size) / (size / fit.freedom) if size > 0 else np.inf
    if abs(at) < max(0.5 * period, 1e-3) or sure < _MUCH_BETTER or size > (1 - _LEAST_BETTER) * plain:
        return []
    who = "all joints: torques are" if joint is None else f"{robot.joint_names[joint]}: its torque is"
    later = "later" if at > 0 else "earlier"
    sentence = f"{who} {1e3 * abs(at):.3g} ms {later} than the positions"
    return [Finding("shift", "" if joint is None else robot.joint_names[joint], None, sentence)]


def _best_shift(shifted: Callable[[float], np.ndarray], fit: Fit, now: np.ndarray, joint: int | None) -> tuple[float, float]:
    def size(d: float) -> float:
        y = shifted(d)
        if joint is not None:
            y = np.where(np.arange(now.shape[1]) == joint, y, now)
        return _size(fit, y)

    def least(around: float, reach: float, step: float) -> float:
        times = around + step * np.arange(-round(reach / step), round(reach / step) + 1)
        return float(times[int(np.argmin([size(float(d)) for d in times]))])

    d = least(least(0.0, _FAR, _COARSE), _COARSE, _FINE)
    low, middle, high = size(d - _FINE), size(d), size(d + _FINE)
    bend = low - 2 * middle + high
    d += 0.5 * _FINE * (low - high) / bend if bend > 0 else 0.0
    return d, min(middle, size(d))


def _size(fit: Fit, y: np.ndarray) -> float:
    left = fit.left(y)
    return float(left @ left)
