"""What is wrong with recordings: found before and after a first estimate, and said in one line each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armature.engine.identification.diagnosis.time_shift import time_shift
from armature.engine.identification.diagnosis.torque_channels import (
    Fit,
    channel_findings,
    driving_friction,
    fit_of,
    scale_sentences,
)
from armature.engine.identification.identification import Finding
from armature.engine.identification.least_squares import Solution, solved
from armature.engine.identification.motion import Motion
from armature.engine.identification.rows import Rows, averages
from armature.engine.identification.unknowns import Unknowns

_FAR = 8.0  # standard deviations
_SHARE = 0.25  # of the joint's torque
_FLOOR = 1e-5  # of a joint's torque


def diagnosis(motions: list[Motion], rows: Rows, unknowns: Unknowns, prior: np.ndarray) -> list[Finding]:
    """Wrong signs, gear ratios and units, and shifts in time."""
    robot, lengths = unknowns.robot, rows.lengths
    fit, measured = _fit_and_torques(motions, rows)
    findings = channel_findings(rows, fit, robot, measured, rows.A @ prior + measured - rows.y)
    said = {finding.joint for finding in findings}
    if "" not in said:
        findings += [finding for finding in driving_friction(unknowns, solved(rows, prior), rows) if finding.joint not in said]
    if findings:
        return findings  # what else is wrong cannot be seen through it

    def shifted(d: float) -> np.ndarray:
        parts = []
        for motion, length in zip(motions, lengths, strict=True):
            later = np.column_stack([np.interp(motion.t + d, motion.t, np.nan_to_num(tau)) for tau in motion.tau.T])
            parts.append(averages(motion, later, length))
        return rows.y - measured + np.concatenate(parts)

    return time_shift(shifted, fit, robot, 1.0 / min(motion.rate for motion in motions))


def untold_scales(motions: list[Motion], rows: Rows, unknowns: Unknowns) -> list[str]:
    """A line for every joint whose gear ratio nothing tells but the file."""
    fit, measured = _fit_and_torques(motions, rows)
    return scale_sentences(fit, measured, unknowns.robot)


def _fit_and_torques(motions: list[Motion], rows: Rows) -> tuple[Fit, np.ndarray]:
    size = np.sqrt((rows.y**2).sum(axis=0) / np.maximum(rows.share.sum(axis=0), 1e-9))
    parts = [averages(motion, motion.tau, length) for motion, length in zip(motions, rows.lengths, strict=True)]
    return fit_of(rows, _FLOOR * np.where(size > 0.0, size, 1.0)), np.concatenate(parts)


def without_odd_blocks(rows: Rows, solution: Solution, unknowns: Unknowns) -> tuple[Rows, list[Finding]]:
    """The rows without stretches in which a joint's torque is far from what fits everywhere else."""
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
