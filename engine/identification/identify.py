"""`identify`: the parameters of an arm from recordings, with provenance and unidentifiable parameters."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.errors import EngineError, RecordingError
from armature.engine.identification.consistent import consistent
from armature.engine.identification.coupled_drives import Coupling, coupled_drives
from armature.engine.identification.diagnosis import (
    consistency_sentences,
    coupled_joints,
    diagnosis,
    drive_findings,
    little_motion,
    untold_scales,
    without_bad_samples,
    without_odd_blocks,
)
from armature.engine.identification.drive_gains import as_torques, currents_of, drive_gains, load_of
from armature.engine.identification.identification import BaseEstimate, Finding, Identification, curves_of, residuals_of
from armature.engine.identification.identified_robot import payload_of, with_parameters
from armature.engine.identification.least_squares import Solution, solve_weighted
from armature.engine.identification.motion import Motion, motion_of, with_turns_of
from armature.engine.identification.one_thread import on_one_thread
from armature.engine.identification.rows import Rows, rows_of
from armature.engine.identification.unknowns import Unknowns, payload_unknowns, unknowns_of
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.resampling import METHOD
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED
from armature.engine.version import VERSION

_FLOOR = 1e-4  # of a joint's torque, least noise in the search of consistent parameters
_LIGHTEST, _BALL = 1e-3, 0.05  # kg, m
_BODY = 0.1  # of the arm's reach, size of a body without inertia


@on_one_thread
def identify(
    recordings: Recording | Sequence[Recording],
    robot: Robot,
    *,
    validation: Recording | Sequence[Recording] = (),
    friction: bool = True,
    offsets: bool = True,
    rotor: bool = False,
    couplings: Sequence[Coupling] = (),
    payload: bool = False,
    currents: bool = False,
    cutoff: float | None = None,
    rate: float | None = None,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Identification:
    """Identify the dynamic parameters of `robot` from recordings of it.

    tau = Y(q, qd, qdd) C z:  z are all parameters, x = C z their identifiable combinations, Y the regressor. The first stage
    estimates x by weighted least squares, with standard deviations σ. The second stage computes physically consistent z close to
    x and to the file's values.

    Args:
        recordings: one or several recordings of the arm with measured torques.
        robot: the arm with the parameters of its file.
        validation: recordings not used in the fit, whose residuals measure the quality of the result.
        friction: whether viscous and Coulomb friction are identified; if not, the file's values are used.
        offsets: whether the torques may have an offset.
        rotor: whether rotor inertias are identified.
        couplings: motors that move several joints, each as the ratios r_j with which its speed is w = Σ r_j qd_j, by name of
            the joint: `[{"joint5": 1, "joint6": 1}]`. Their inertia Ia and friction Fv, Fc are identified in addition to the
            joints' parameters, with tau_j = r_j (Ia dw/dt + Fv w + Fc sign w); a robot file cannot describe such a motor, so
            `Identification.robot` omits it.
        payload: whether only the payload is identified, with friction and offsets where requested; the arm's masses are then
            taken from its file. Times of grasping and releasing in the recording are used.
        currents: whether the recorded torques are motor currents in A; the drive gains in N·m/A are then identified.
        cutoff: cut-off in Hz of the zero-phase filter of positions; None: chosen from the motion.
        rate: rows per second after averaging over blocks of samples; None: chosen from the motion.
        progress: called with the completed fraction 0 … 1; an exception that it raises stops the computation.

    Returns:
        An `Identification`.

    Raises:
        RecordingError, MissingDynamicsError, EngineError.

    Source: Khalil, Dombre, Modeling, Identification and Control of Robots, chapter 12.
    """
    require_dynamics(robot)
    training, held_out = _listed(recordings, "recordings"), _listed(validation, "validation")
    if not training:
        raise RecordingError("identify: give at least one recording")
    _refuse_repeated(training, held_out)
    if payload and currents:
        raise EngineError(
            "a payload and drive gains cannot be identified together, because they scale the torques alike; choose one"
        )
    if payload and couplings:
        raise EngineError(
            "coupled drives and a payload cannot be identified together: for a payload the arm's file is assumed correct"
        )
    motors = coupled_drives(robot, couplings)
    if payload:
        unknowns = payload_unknowns(robot, friction=friction, offsets=offsets)
    else:
        unknowns = unknowns_of(robot, friction=friction, offsets=offsets, rotor=rotor, drives=motors)
    motions = [motion_of(recording, robot, cutoff, friction) for recording in training]
    if not any(np.nan_to_num(motion.tau).any() for motion in motions):
        raise RecordingError("every motor torque of the recording is 0; identification needs measured torques")
    tests = [motion_of(recording, robot, cutoff, friction) for recording in held_out]
    drives = None
    if currents:
        motions, tests = (
            [currents_of(motion, each) for motion, each in zip(*pair, strict=True)]
            for pair in ((motions, training), (tests, held_out))
        )
    motions = [with_turns_of(motion, motors) for motion in motions]
    motions, findings = _sorted_out(motions, replace(robot, tau_max=np.full(robot.n, np.inf)) if currents else robot)
    if currents:
        drives = drive_gains(motions, training, unknowns, rate)
        findings.append(drives.finding)
        motions = [as_torques(motion, drives.values, load) for motion, load in zip(motions, drives.loads, strict=True)]
        tests = [
            as_torques(motion, drives.values, load_of(motion, each, unknowns))
            for motion, each in zip(tests, held_out, strict=True)
        ]
    findings = [one for one in findings if one.kind != "motion"] if payload else findings  # the arm is known
    progress(0.2)
    rows = rows_of(motions, unknowns, rate)
    progress(0.5)
    prior = unknowns.values(robot)
    wrong = diagnosis(motions, rows, unknowns, prior)
    solution = solve_weighted(rows, prior)
    if not wrong:
        rows, wrong = without_odd_blocks(rows, solution, unknowns)
        solution = solve_weighted(rows, prior) if wrong else solution
        wrong = [*wrong, *coupled_joints(motions, rows, unknowns)]
    progress(0.7)
    found = consistent(
        unknowns,
        solution.values,
        _softened(solution, rows),
        _expected(unknowns, solution),
        solution.identifiable,
        _BODY * robot.reach,
    )
    identified = with_parameters(unknowns, found.full)
    wrong += drive_findings(robot, motors, dict(zip(unknowns.full_names, found.full.tolist(), strict=True)))
    progress(0.8)
    curves = [curves_of(motion, unknowns, solution.values, found.full) for motion in motions]
    curves += [curves_of(motion, unknowns, solution.values, found.full, held_out=True) for motion in tests]
    residual = residuals_of(robot.joint_names, curves)
    size = np.sqrt((rows.y**2).sum(axis=0) / np.maximum(rows.share.sum(axis=0), 1e-9))
    remarks = {"consistency": [] if payload else consistency_sentences(robot, residual, size)}
    remarks["scale"] = [] if payload else untold_scales(motions, rows, unknowns)
    progress(1.0)
    return Identification(
        robot=identified,
        base=_estimate(unknowns, solution, prior),
        residual=residual,
        unidentifiable=unidentifiable_of(unknowns, solution),
        findings=(*findings, *wrong),
        curves=tuple(curves),
        unknowns=unknowns,
        gains=None if drives is None else drives.values,
        gains_sigma=None if drives is None else drives.sigma,
        payload=payload_of(found.full[:10]) if payload else None,
        provenance=provenance_of(training, held_out, motions, rows, solution) | remarks,
    )


def _listed(recordings: Recording | Sequence[Recording], what: str) -> list[Recording]:
    found = [recordings] if isinstance(recordings, Recording) else list(recordings)
    if not all(isinstance(recording, Recording) for recording in found):
        raise RecordingError(f"{what} must be one or several recordings, as `load_recording` returns them")
    return found


def _refuse_repeated(training: list[Recording], held_out: list[Recording]) -> None:
    named = [(f"recordings[{k}]", one) for k, one in enumerate(training)]
    named += [(f"validation[{k}]", one) for k, one in enumerate(held_out)]
    for (first, one), (second, other) in combinations(named, 2):
        if all(
            np.array_equal(getattr(one, name), getattr(other, name)) for name in ("t", "q", "tau", "q_measured", "tau_measured")
        ):
            raise RecordingError(f"{second} is the same as {first}: use each recording once, for the fit or for validation")


def _expected(unknowns: Unknowns, solution: Solution) -> np.ndarray:
    """Return the prior parameters `(F,)`: the file's; for a payload a ball of the estimated mass."""
    full = unknowns.full(unknowns.robot)
    if unknowns.held is not None:
        full[0] = max(float(solution.values[0]), _LIGHTEST)
        full[[4, 6, 9]] = 0.4 * full[0] * _BALL**2
    return full


def _sorted_out(motions: list[Motion], robot: Robot) -> tuple[list[Motion], list[Finding]]:
    """Return the motions without invalid samples, and findings about these."""
    findings, good = little_motion(motions, robot), []
    for k, motion in enumerate(motions):
        sound, bad = without_bad_samples(motion, robot, k + 1 if len(motions) > 1 else None)
        good.append(sound)
        findings += bad
    return good, findings


def _softened(solution: Solution, rows: Rows) -> np.ndarray:
    """Return the covariance plus that of a minimum noise, because exact data would have none."""
    seen = np.flatnonzero(solution.identifiable)
    size = np.sqrt((rows.y**2).sum(axis=0) / np.maximum(rows.share.sum(axis=0), 1e-9))
    A = (rows.A[..., seen] / (_FLOOR * np.where(size > 0.0, size, 1.0))[:, None]).reshape(-1, len(seen))
    norms = np.linalg.norm(A, axis=0)
    inverse = np.linalg.inv(np.linalg.qr(A / norms, mode="r"))
    result = solution.covariance.copy()
    result[np.ix_(seen, seen)] += inverse @ inverse.T / np.outer(norms, norms)
    return result


def _estimate(unknowns: Unknowns, solution: Solution, prior: np.ndarray) -> BaseEstimate:
    sigma = np.where(solution.identifiable, np.sqrt(np.diag(solution.covariance)), np.inf)
    return BaseEstimate(unknowns.names, solution.values, sigma, prior, solution.covariance)


def provenance_of(
    training: list[Recording], held_out: list[Recording], motions: list[Motion], rows: Rows, solution: Solution
) -> dict[str, Any]:
    """Return recordings with their hashes, filters, rates and versions as plain data."""
    lengths = ", ".join(map(str, sorted(set(rows.lengths))))
    return {
        "program": "armature",
        "version": VERSION,
        "numpy": np.__version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "recordings": [_recording(recording) for recording in training],
        "validation": [_recording(recording) for recording in held_out],
        "position_filter": [_filter(motion) for motion in motions],
        "torque_filter": f"means of {lengths} samples (no delay, half power at {rows.cutoff:.3g} Hz), also of the equations",
        "rate": float(rows.rate),
        "rows": len(rows.y),
        "noise_model": f"autoregressive; order of each joint: {', '.join(map(str, solution.model.orders))}",
        "correlation": [round(float(value), 4) for value in solution.correlation[0]],
        "correlations_within": [round(float(value), 4) for value in solution.within],
        "whiteness": [round(float(value), 4) for value in solution.whiteness],
    }


def _recording(recording: Recording) -> dict[str, Any]:
    imported = recording.metadata.get(IMPORTED)
    file = imported.get("file", "") if isinstance(imported, dict) else ""
    return {
        "robot": recording.robot_name,
        "file": str(file),
        "started": str(recording.metadata.get("started", "")),
        "samples": len(recording),
        "seconds": round(recording.duration, 6),
        "sha256": recording_hash(recording),
    }


def recording_hash(recording: Recording) -> str:
    """Return SHA-256 over the columns of a recording, independent of its file format."""
    digest = hashlib.sha256("\n".join(recording.columns).encode())
    digest.update(np.ascontiguousarray(recording.table(), dtype="<f8").tobytes())
    return digest.hexdigest()


def _filter(motion: Motion) -> str:
    if motion.cutoff is None:
        return "none: exact states, simulated without sensors"
    return f"{METHOD}, at {motion.cutoff:.4g} Hz"


_SHOWN = 1e-6


def unidentifiable_of(unknowns: Unknowns, solution: Solution) -> tuple[tuple[str, str], ...]:
    """Return pairs of a parameter and the identifiable combination that contains it, "" without one.

    First parameters that no motion identifies, then base parameters that these recordings do not identify.
    """
    found = []
    for k, name in enumerate(unknowns.full_names):
        rows = np.flatnonzero(unknowns.combination[:, k])
        alone = [row for row in rows if np.count_nonzero(unknowns.combination[row]) == 1]
        if not alone:
            found.append((name, "; ".join(unknowns.names[row] for row in rows)))
    for row in np.flatnonzero(~solution.identifiable):
        weights = solution.dependent[row]
        parts = np.flatnonzero(np.abs(weights) > _SHOWN * np.abs(weights).max(initial=0.0))
        found.append((unknowns.names[row], _together(unknowns, int(row), parts, weights)))
    return tuple(found)


def _together(unknowns: Unknowns, row: int, parts: np.ndarray, weights: np.ndarray) -> str:
    """Return the identifiable combination: each of the other parameters with its share of this one."""
    return "; ".join(
        f"({unknowns.names[k]}) {'−' if weights[k] < 0 else '+'} {abs(weights[k]):.4g} ({unknowns.names[row]})" for k in parts
    )
