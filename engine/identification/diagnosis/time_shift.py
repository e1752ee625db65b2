"""A shift in time between the positions of a recording and its torques."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armature.engine.identification.diagnosis.torque_channels import Fit
from armature.engine.identification.identification import Finding
from armature.engine.model.robot import Robot

_FAR, _COARSE, _FINE = 0.1, 0.01, 0.001  # s
_LEAST = 2e-3  # s: friction about a standstill, which no model has right, looks like a shift as small
_LEAST_BETTER = 0.1  # of the residuals² of the joints that are shifted goes with the right shift
_ONE_BETTER = 0.3  # where it is one joint by itself
_MUCH_BETTER = 60.0  # standard deviations²


def time_shift(shifted: Callable[[float], np.ndarray], fit: Fit, robot: Robot, period: float) -> list[Finding]:
    """How much later torques are than positions: of all joints, or of the one that explains more.

    Args:
        shifted: torques of the blocks `(B, n)` taken so many seconds later.
        period: s between samples; shifts under half of it, or under 2 ms, are none.
    """
    now = shifted(0.0)
    plain = _size(fit, now)
    found = [(*_best_shift(shifted, fit, now, joint), joint) for joint in (None, *range(robot.n))]
    at, size, joint = min(found, key=lambda one: one[1])
    sure = (plain - size) / (size / fit.freedom) if size > 0 else np.inf
    own = slice(None) if joint is None else fit.joint == joint
    before, after = (_size(fit, y, own) for y in (now, _with_shift(shifted, now, at, joint)))
    if (
        abs(at) < max(0.5 * period, _LEAST)
        or sure < _MUCH_BETTER
        or after > (1 - (_LEAST_BETTER if joint is None else _ONE_BETTER)) * before
    ):
        return []
    later = f"{1e3 * abs(at):.3g} ms {'later' if at > 0 else 'earlier'} than the positions"
    if joint is None:
        sentence = f"all joints: torques are {later}"
    else:
        sentence = f"{robot.joint_names[joint]}: its torque is {later}, or its friction differs from the model"
    return [Finding("shift", "" if joint is None else robot.joint_names[joint], None, sentence)]


def _best_shift(shifted: Callable[[float], np.ndarray], fit: Fit, now: np.ndarray, joint: int | None) -> tuple[float, float]:
    def size(d: float) -> float:
        return _size(fit, _with_shift(shifted, now, d, joint))

    def least(around: float, reach: float, step: float) -> float:
        times = around + step * np.arange(-round(reach / step), round(reach / step) + 1)
        return float(times[int(np.argmin([size(float(d)) for d in times]))])

    d = least(least(0.0, _FAR, _COARSE), _COARSE, _FINE)
    low, middle, high = size(d - _FINE), size(d), size(d + _FINE)
    bend = low - 2 * middle + high
    d += 0.5 * _FINE * (low - high) / bend if bend > 0 else 0.0
    return d, min(middle, size(d))


def _with_shift(shifted: Callable[[float], np.ndarray], now: np.ndarray, d: float, joint: int | None) -> np.ndarray:
    """The torques with those of one joint, or of all, taken d s later."""
    y = shifted(d)
    return y if joint is None else np.where(np.arange(now.shape[1]) == joint, y, now)


def _size(fit: Fit, y: np.ndarray, rows: slice | np.ndarray = slice(None)) -> float:
    left = fit.left(y)[rows]
    return float(left @ left)
