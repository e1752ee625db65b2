"""Diagnosis of recordings: bad samples, little motion, time shifts, coupled joints, wrong channels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from armature.engine.errors import enumeration
from armature.engine.identification.coupled_drives import drive_name
from armature.engine.identification.identification import Finding, Residuals, in_recording, torque_unit
from armature.engine.identification.least_squares import Solution, solve_weighted
from armature.engine.identification.motion import Motion, turning_of
from armature.engine.identification.rows import Rows, averages
from armature.engine.identification.torque_channels import (
    Fit,
    channel_findings,
    driving_friction,
    fit_of,
    scale_sentences,
)
from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.inertia_rules import triangle_fault
from armature.engine.model.robot import Robot

_FAR = 8.0  # standard deviations
_SHARE = 0.25  # of the joint's torque
_FLOOR = 1e-5  # of a joint's torque


def diagnosis(motions: list[Motion], rows: Rows, unknowns: Unknowns, prior: np.ndarray) -> list[Finding]:
    """Return findings on wrong signs, gear ratios, units and time shifts."""
    robot, lengths = unknowns.robot, rows.lengths
    fit, measured = _fit_and_torques(motions, rows)
    findings = channel_findings(rows, fit, robot, measured, rows.A @ prior + measured - rows.y)
    said = {finding.joint for finding in findings}
    if "" not in said:
        findings += [
            finding for finding in driving_friction(unknowns, solve_weighted(rows, prior), rows) if finding.joint not in said
        ]
    if findings:
        return findings  # other faults cannot be detected with a time shift

    def shift(d: float) -> np.ndarray:
        parts = []
        for motion, length in zip(motions, lengths, strict=True):
            later = np.column_stack([np.interp(motion.t + d, motion.t, np.nan_to_num(tau)) for tau in motion.tau.T])
            parts.append(averages(motion, later, length))
        return rows.y - measured + np.concatenate(parts)

    return time_shift(shift, fit, robot, 1.0 / min(motion.rate for motion in motions))


def untold_scales(motions: list[Motion], rows: Rows, unknowns: Unknowns) -> list[str]:
    """Return a message for every joint whose gear ratio is known from the file only."""
    fit, measured = _fit_and_torques(motions, rows)
    return scale_sentences(fit, measured, unknowns.robot)


def _fit_and_torques(motions: list[Motion], rows: Rows) -> tuple[Fit, np.ndarray]:
    size = np.sqrt((rows.y**2).sum(axis=0) / np.maximum(rows.share.sum(axis=0), 1e-9))
    parts = [averages(motion, motion.tau, length) for motion, length in zip(motions, rows.lengths, strict=True)]
    return fit_of(rows, _FLOOR * np.where(size > 0.0, size, 1.0)), np.concatenate(parts)


def without_odd_blocks(rows: Rows, solution: Solution, unknowns: Unknowns) -> tuple[Rows, list[Finding]]:
    """Remove stretches in which a joint's torque does not fit the rest, and report them."""
    some = rows.share > 0
    spread = np.array([1.4826 * np.median(np.abs(e[use])) if use.any() else 0.0 for e, use in zip(solution.residual.T, some.T)])
    size = np.sqrt((rows.y**2).sum(axis=0) / np.maximum(some.sum(axis=0), 1))
    odd = some & (np.abs(solution.residual) > np.maximum(_FAR * spread, _SHARE * size))
    if not odd.any():
        return rows, []
    findings = []
    for k in np.flatnonzero(odd.any(axis=0)):
        name, first = unknowns.robot.joint_names[k], int(np.flatnonzero(odd[:, k])[0])
        sentence = (
            f"{name}: its torque deviates by up to {np.abs(solution.residual[odd[:, k], k]).max():.3g} from the fit for "
            f"{odd[:, k].sum() / rows.rate:.3g} s (outliers), first at {rows.t[first]:.2f} s; excluded"
        )
        findings.append(Finding("outliers", name, float(rows.t[first]), sentence))
    return replace(rows, A=rows.A * ~odd[..., None], y=rows.y * ~odd, share=rows.share * ~odd), findings


_NEAR = 5  # samples of the median filter: a fast torque peak is not an outlier
_SPIKE = 8.0  # deviation from the median over the noise, and over the joint's torque:
_SPIKE_SHARE = 0.1
_JERKY = np.sqrt(20.0)  # third differences over white noise: 1 + 9 + 9 + 1
_FLAT = 8  # least samples with the same highest value
_ROUND = 4  # duration over that of the next lower value; a rounded parabola has up to 2.4
_AT_LIMIT = 0.005  # distance from the torque limit, relative


def without_bad_samples(motion: Motion, robot: Robot, number: int | None) -> tuple[Motion, list[Finding]]:
    """Remove invalid samples and report them; `number` is that of the recording, if there are several."""
    spikes, flat = _spikes(motion), saturated_samples(motion, robot)
    findings = []
    for k, name in enumerate(robot.joint_names):
        unit = torque_unit(robot, k)
        if spikes[:, k].any():
            findings.append(_outliers(motion, k, spikes[:, k], name, unit, number))
        if flat[:, k].any():
            findings.append(_saturation(motion, k, flat[:, k], name, unit, number))
    return replace(motion, used=motion.used & ~spikes & ~flat), findings


def _spikes(motion: Motion) -> np.ndarray:
    """Return samples `(N, n)` far from the median of their neighbours, except where a joint's direction has just changed."""
    from scipy.ndimage import median_filter  # slow import

    tau = np.nan_to_num(motion.tau)
    off, about = (np.abs(tau - median_filter(tau, size=(size, 1), mode="nearest")) for size in (_NEAR, 2 * _NEAR + 1))
    jerks = np.abs(np.diff(tau, 3, axis=0, prepend=tau[:1], append=tau[[-1, -1]]))  # almost 0 for a smooth torque
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


def saturated_samples(motion: Motion, robot: Robot) -> np.ndarray:
    """Return samples `(N, n)` at a highest torque of either sign that is repeated exactly, or at the torque limit."""
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
                flat[:] = False  # rounding also flattens a peak, but then the value below lasts almost as long
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


_LEAST = np.radians(5.0), 0.02  # rad, m
_USEFUL = "60°", "0.2 m"


def little_motion(motions: list[Motion], robot: Robot) -> list[Finding]:
    """Report each joint whose positions span less than 5° or 20 mm in all recordings together."""
    findings = []
    for k, name in enumerate(robot.joint_names):
        q = np.concatenate([motion.q[np.isfinite(motion.q[:, k]), k] for motion in motions])
        span, slides = float(np.ptp(q)) if len(q) else 0.0, int(robot.prismatic[k])
        if span < _LEAST[slides]:
            moved = f"{1e3 * span:.3g} mm" if slides else f"{np.degrees(span):.3g}°"
            sentence = (
                f"{name}: it moved only {moved}, too little to identify its friction and the inertia it carries; move "
                f"it {_USEFUL[slides]} or more"
            )
            findings.append(Finding("motion", name, None, sentence))
    return findings


_FAR_SHIFT, _COARSE, _FINE = 0.1, 0.01, 0.001  # s
_LEAST_SHIFT = 2e-3  # s; unmodelled friction around a standstill looks like smaller shifts
_LEAST_BETTER = 0.1  # least relative decrease of the squared residuals of the shifted joints
_ONE_BETTER = 0.3  # the same for a single joint
_MUCH_BETTER = 60.0  # standard deviations²


def time_shift(shift: Callable[[float], np.ndarray], fit: Fit, robot: Robot, period: float) -> list[Finding]:
    """Estimate the delay of the torques with respect to positions: of all joints, or of the one joint that explains more.

    Args:
        shift: returns the torques of the blocks `(B, n)` for a shift in s.
        period: s between samples; shifts under half of it, or under 2 ms, are ignored.
    """
    now = shift(0.0)
    plain = _size(fit, now)
    found = [(*_best_shift(shift, fit, now, joint), joint) for joint in (None, *range(robot.n))]
    at, size, joint = min(found, key=lambda one: one[1])
    sure = (plain - size) / (size / fit.freedom) if size > 0 else np.inf
    own = slice(None) if joint is None else fit.joint == joint
    before, after = (_size(fit, y, own) for y in (now, _with_shift(shift, now, at, joint)))
    if (
        abs(at) < max(0.5 * period, _LEAST_SHIFT)
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


def _best_shift(shift: Callable[[float], np.ndarray], fit: Fit, now: np.ndarray, joint: int | None) -> tuple[float, float]:
    def size(d: float) -> float:
        return _size(fit, _with_shift(shift, now, d, joint))

    def least(around: float, reach: float, step: float) -> float:
        times = around + step * np.arange(-round(reach / step), round(reach / step) + 1)
        return float(times[int(np.argmin([size(float(d)) for d in times]))])

    d = least(least(0.0, _FAR_SHIFT, _COARSE), _COARSE, _FINE)
    low, middle, high = size(d - _FINE), size(d), size(d + _FINE)
    bend = low - 2 * middle + high
    d += 0.5 * _FINE * (low - high) / bend if bend > 0 else 0.0
    return d, min(middle, size(d))


def _with_shift(shift: Callable[[float], np.ndarray], now: np.ndarray, d: float, joint: int | None) -> np.ndarray:
    """Return the torques with one joint, or all, taken d s later."""
    y = shift(d)
    return y if joint is None else np.where(np.arange(now.shape[1]) == joint, y, now)


def _size(fit: Fit, y: np.ndarray, rows: slice | np.ndarray = slice(None)) -> float:
    left = fit.residual(y)[rows]
    return float(left @ left)


_COUPLED_SHARE = 0.25  # least part of the residual explained by the motion of another joint
_SURE = 100.0  # standard deviations²
_SIZE = 0.02  # least residual, of the joint's torque


def coupled_joints(motions: list[Motion], rows: Rows, unknowns: Unknowns) -> list[Finding]:
    """Report each joint whose torque contains a part that only the motion of one other joint explains."""
    robot, found = unknowns.robot, dict[int, tuple[int, float]]()
    seen = [_motion_of_joint(motions, rows, k) for k in range(robot.n)]
    for j in range(robot.n):
        some = rows.share[:, j] > 0
        A, y = rows.A[some, j], rows.y[some, j]
        others = [k for k in range(robot.n) if k != j and not ((unknowns.drives[:, j] != 0) & (unknowns.drives[:, k] != 0)).any()]
        if len(y) <= 2 * A.shape[1] or not others:
            continue
        basis = _basis(A)
        left = y - basis @ (basis.T @ y)
        power = float(left @ left)
        if power < _SIZE**2 * float(y @ y):
            continue
        drops = {k: _explained(seen[k][some, j], basis, left) for k in others}
        k = max(drops, key=drops.__getitem__)
        if drops[k] > max(_COUPLED_SHARE * power, _SURE * power / (len(y) - A.shape[1])):
            found[j] = k, drops[k] / power
    return [_sentence(robot.joint_names, j, k, share) for j, (k, share) in found.items()]


def _motion_of_joint(motions: list[Motion], rows: Rows, k: int) -> np.ndarray:
    """Return acceleration, speed and direction of joint k, averaged like the rows of each joint, `(B, n, 3)`."""
    parts = []
    for motion, length in zip(motions, rows.lengths, strict=True):
        qd, qdd = np.nan_to_num(motion.qd[:, [k]]), np.nan_to_num(motion.qdd[:, [k]])
        wide = [np.repeat(values, motion.q.shape[1], axis=1) for values in (qdd, qd, np.sign(qd))]
        parts.append(np.stack([averages(motion, values, length) for values in wide], axis=2))
    return np.concatenate(parts)


def _basis(A: np.ndarray) -> np.ndarray:
    from scipy.linalg import qr

    scale = np.linalg.norm(A, axis=0)
    Q, R, _ = qr(A[:, scale > 0] / scale[scale > 0], mode="economic", pivoting=True)
    diagonal = np.abs(np.diagonal(R))
    return np.asarray(Q[:, diagonal > 1e-9 * diagonal.max(initial=0.0)])


def _explained(columns: np.ndarray, basis: np.ndarray, left: np.ndarray) -> float:
    """Return the part of the squared residuals that these columns explain beyond the basis."""
    columns = columns - basis @ (basis.T @ columns)
    made = columns @ np.linalg.lstsq(columns, left, rcond=None)[0]
    return float(made @ made)


def _sentence(names: tuple[str, ...], j: int, k: int, share: float) -> Finding:
    said = (
        f"{names[j]}: {100 * share:.2g} % of its squared residual torque depends on speed and acceleration of {names[k]}: one "
        f"motor may move both. Identify them as a coupled drive"
    )
    return Finding("coupling", names[j], None, said)


def drive_findings(robot: Robot, drives: np.ndarray, values: Mapping[str, float]) -> list[Finding]:
    """Return the identified parameters of each coupled drive as findings; a robot file cannot store them."""
    findings = []
    for ratios in drives:
        name, joints = drive_name(ratios), enumeration([robot.joint_names[j] for j in np.flatnonzero(ratios)])
        found = ", ".join(f"{kind} {values[key]:.3g}" for kind in ("Ia", "Fv", "Fc") if (key := f"{kind}({name})") in values)
        sentence = (
            f"{joints}: their common motor has {found}; a robot file cannot describe such a motor, so the identified arm omits it"
        )
        findings.append(Finding("coupling", "", None, sentence))
    return findings


_COSTS = 1.05  # reported increase of the residual over that of the base parameters
_ROUNDING = 1e-4  # of a joint's torque


def consistency_sentences(robot: Robot, residual: Residuals, size: np.ndarray) -> list[str]:
    """Report bodies of the file that are not physically consistent, and the joint in which consistency costs most.

    Args:
        size: root mean square of the torques `(n,)`.
    """
    sentences = []
    for i, body in enumerate(robot.bodies):
        if fault := triangle_fault(body.inertia):
            sentences.append(f"link{i + 1}: the file's inertia cannot be used for the identified arm: {fault}")
    free = np.where(np.isfinite(residual.validation), residual.validation, residual.training)
    cost = np.nan_to_num(residual.consistent - free)
    dear = (residual.consistent > _COSTS * free) & (cost > _ROUNDING * size)
    if dear.any():
        k = int(np.argmax(np.where(dear, cost / np.maximum(size, 1e-300), 0.0)))
        sentences.append(
            f"{robot.joint_names[k]}: physical consistency adds {cost[k]:.3g} {torque_unit(robot, k)} to the residual "
            f"({free[k]:.3g} with base parameters, {residual.consistent[k]:.3g} with consistent bodies)"
        )
    return sentences
