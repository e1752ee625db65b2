"""Torques of a recording that cannot be right: single outliers, and those that stand at a limit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armature.engine.identification.identification import Finding
from armature.engine.identification.motion import Motion, turning_of
from armature.engine.identification.words import in_recording, torque_unit
from armature.engine.model.robot import Robot

_NEAR = 5  # samples whose median a torque is compared with: a fast peak of torque is no outlier
_SPIKE = 8.0  # times the noise from it, and so much of the joint's torque:
_SPIKE_SHARE = 0.1
_JERKY = np.sqrt(20.0)  # third differences of white noise beside it: 1 + 9 + 9 + 1
_FLAT = 8  # samples at the same highest value
_ROUND = 4  # times as long as at the value below: a rounded parabola is at its top up to 2.4 times as long
_AT_LIMIT = 0.005  # of the torque limit beside it


def without_bad_samples(motion: Motion, robot: Robot, number: int | None) -> tuple[Motion, list[Finding]]:
    """The motion without what cannot be right, and what that was; `number` of the recording where there are several."""
    spikes, flat = _spikes(motion), _flat(motion, robot)
    findings = []
    for k, name in enumerate(robot.joint_names):
        unit = torque_unit(robot, k)
        if spikes[:, k].any():
            findings.append(_outliers(motion, k, spikes[:, k], name, unit, number))
        if flat[:, k].any():
            findings.append(_saturation(motion, k, flat[:, k], name, unit, number))
    return replace(motion, used=motion.used & ~spikes & ~flat), findings


def _spikes(motion: Motion) -> np.ndarray:
    """Samples `(N, n)` far from the median of their neighbours, where no joint's friction has just turned."""
    from scipy.ndimage import median_filter  # which only this needs

    tau = np.nan_to_num(motion.tau)
    off, about = (np.abs(tau - median_filter(tau, size=(size, 1), mode="nearest")) for size in (_NEAR, 2 * _NEAR + 1))
    jerks = np.abs(np.diff(tau, 3, axis=0, prepend=tau[:1], append=tau[[-1, -1]]))  # of a smooth torque next to none
    result, steady = np.zeros(tau.shape, bool), motion.used & ~turning_of(motion.qd, 2 * _NEAR)
    for k in range(tau.shape[1]):
        used = steady[:, k]
        if used.any():
            noise = 1.4826 * max(np.median(about[used, k]), np.median(jerks[used, k]) / _JERKY)
            size = 1.4826 * np.median(np.abs(tau[used, k] - np.median(tau[used, k])))
            result[:, k] = used & (off[:, k] > max(_SPIKE * noise, _SPIKE_SHARE * size))
    return result


def _outliers(motion: Motion, k: int, bad: np.ndarray, name: str, unit: str, number: int | None) -> Finding:
    first, usual = int(np.flatnonzero(bad)[0]), motion.used[:, k] & ~bad
    worst = float(np.abs(motion.tau[bad, k] - np.median(motion.tau[usual, k])).max()) if usual.any() else 0.0
    count = int(bad.sum())
    sentence = (
        f"{name}: {count} torque{'s' * (count > 1)}{in_recording(number)} {'are outliers' if count > 1 else 'is an outlier'}, "
        f"deviating by up to {worst:.3g} {unit}, first at {motion.t[first]:.3f} s; excluded"
    )
    return Finding("outliers", name, float(motion.t[first]), sentence)


def _flat(motion: Motion, robot: Robot) -> np.ndarray:
    """Samples `(N, n)` at the highest torque of either sign, where that is met exactly and again and again, or at the limit."""
    result = np.zeros(motion.tau.shape, bool)
    for k in range(motion.tau.shape[1]):
        tau, used = motion.tau[:, k], motion.used[:, k]
        if not used.any():
            continue
        for sign in (1.0, -1.0):
            top = float((sign * tau[used]).max())
            flat = used & (sign * tau >= top * (1 - 1e-9)) if top > 0.0 else np.zeros(len(tau), bool)
            below = sign * tau[used & ~flat]
            if (below == below.max(initial=-np.inf)).sum() * _ROUND > flat.sum():
                flat[:] = False  # few digits round the top of a curve, too, and the value below it almost as long
            if np.isfinite(robot.tau_max[k]):
                flat |= used & (np.abs(sign * tau / robot.tau_max[k] - 1.0) < _AT_LIMIT)
            if flat.sum() >= _FLAT and flat.sum() < 0.9 * used.sum():
                result[:, k] |= flat
    return result


def _saturation(motion: Motion, k: int, bad: np.ndarray, name: str, unit: str, number: int | None) -> Finding:
    first = int(np.flatnonzero(bad)[0])
    level = float(np.median(np.abs(motion.tau[bad, k])))
    sentence = (
        f"{name}: the torque{in_recording(number)} is constant at {level:.4g} {unit} for {bad.sum() / motion.rate:.3g} s in "
        f"total (saturation), first at {motion.t[first]:.3f} s; excluded"
    )
    return Finding("saturation", name, float(motion.t[first]), sentence)
