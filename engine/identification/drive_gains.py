"""Drive gains: the torque per current of each motor, where only currents were measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from armature.engine.dynamics.newton_euler import rnea
from armature.engine.errors import RecordingError
from armature.engine.identification.identification import Finding
from armature.engine.identification.motion import Motion
from armature.engine.identification.rows import averages, rows_of
from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.frozen import Frozen
from armature.engine.model.payload import Payload
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED

_PASSES = 8
_LOOSE = 1e3  # prior standard deviation, relative to a parameter or its largest torque
_FIRM, _WEAK = (
    1e3,
    10.0,
)  # weights over noise of the file's torques: of all joints together, and of each joint
_PAYLOAD_SHARE = 0.01  # least torque of a known payload that determines the gains, of all torque


@dataclass(frozen=True, eq=False)
class DriveGains(Frozen):
    """Drive gains `values` with `sigma` `(n,)` N·m/A, torques of known payloads `loads` `(N, n)` per motion, and a finding."""

    values: np.ndarray
    sigma: np.ndarray
    loads: tuple[np.ndarray, ...]
    finding: Finding


def drive_gains(motions: list[Motion], recordings: Sequence[Recording], unknowns: Unknowns, rate: float | None) -> DriveGains:
    """Return the gains g of currents i:  A x − g ∘ i = −(known torque),  with x near the values of the file.

    Currents alone do not determine the gains: with all masses and gains twice as large they would be the same. A known payload
    in some recordings does, or else the masses of the file; the ratios of the gains come from the recordings.

    Source: Gautier, Briot, Global identification of joint drive gains and dynamic parameters of robots, ASME JDSMC 136(5), 2014.
    """
    robot, n, m = unknowns.robot, unknowns.robot.n, len(unknowns.names)
    rows = rows_of(motions, unknowns, rate)
    loads = tuple(load_of(motion, recording, unknowns) for motion, recording in zip(motions, recordings, strict=True))

    def blocks(values: list[np.ndarray] | tuple[np.ndarray, ...]) -> np.ndarray:
        return np.concatenate(
            [averages(one, value, length) for one, value, length in zip(motions, values, rows.lengths, strict=True)]
        )

    current, load = blocks([motion.tau for motion in motions]), blocks(loads)
    known = current - rows.y + load
    if not (np.abs(current).max(axis=0) > 0.0).all():
        raise RecordingError("drive gains: the recording needs the motor currents of all joints")
    prior = unknowns.values(robot)
    size = np.sqrt((((rows.A @ prior) + known) ** 2).mean(axis=0))
    size = np.maximum(size, 1e-3 * size.max())
    column = np.sqrt((rows.A**2 / size[:, None] ** 2).mean(axis=0).max(axis=0))
    spread = _LOOSE * np.maximum(np.abs(prior), 1.0 / np.maximum(column, 1e-12))
    noise = 0.1 * size
    weighed = float(np.sqrt((load**2).sum() / ((rows.A @ prior + known) ** 2).sum())) > _PAYLOAD_SHARE
    wholes = _wholes(rows.A, prior, unknowns.inertial) * (0.0 if weighed else np.sqrt(len(rows.y)))
    each = np.arange(n)
    A = np.concatenate([rows.A, np.zeros((*rows.y.shape, n))], axis=2)
    A[:, each, m + each] = -current
    for _ in range(_PASSES):
        stack = np.vstack(
            [(A / noise[:, None]).reshape(-1, m + n), np.eye(m, m + n) / spread[:, None], np.pad(wholes, ((0, 0), (0, n)))]
        )
        right = np.concatenate([(-known / noise).ravel(), prior / spread, wholes @ prior])
        scale = np.linalg.norm(stack, axis=0)
        Q, R = np.linalg.qr(stack / scale)
        z = np.linalg.solve(R, Q.T @ right) / scale
        residual = A @ z + known
        noise = np.maximum(np.sqrt((residual**2).mean(axis=0)), 1e-9 * size)
    inverse = np.linalg.inv(R)
    sigma = np.sqrt((inverse @ inverse.T).diagonal())[m:] / scale[m:]
    # least squares of torque on noisy currents underestimates gains; the regression of currents on torques does not
    torque = rows.A @ z[:m] + known
    gains = (torque**2).sum(axis=0) / (torque * current).sum(axis=0)
    return DriveGains(gains, sigma, loads, _basis(recordings, weighed))


def _wholes(A: np.ndarray, prior: np.ndarray, inertial: int) -> np.ndarray:
    """Return rows `(n + 1, m)` that keep the torques near the size of the file's: tightly for all masses, loosely per joint."""
    masses = A[..., :inertial] @ prior[:inertial]
    together = np.zeros(len(prior))
    together[:inertial] = np.einsum("bjk,bj->k", A[..., :inertial], masses) / max(float((masses**2).sum()), 1e-300)
    made = A @ prior
    each = np.einsum("bjk,bj->jk", A, made) / np.maximum((made**2).sum(axis=0), 1e-300)[:, None]
    return np.vstack([_FIRM * together, _WEAK * each])


def load_of(motion: Motion, recording: Recording, unknowns: Unknowns) -> np.ndarray:
    """Return the torque `(N, n)` of payloads that the recording's metadata list in addition to its file's payloads."""
    robot, torque = unknowns.robot, np.zeros_like(motion.q)
    held = _payloads(recording)[sum("payload" in change for change in robot.changes) :]
    if not held:
        return torque
    loaded = robot
    for payload in held:
        loaded = payload.held_by(loaded)
    known = motion.known
    states = motion.q[known], motion.qd[known], motion.qdd[known]
    torque[known] = rnea(loaded, *states) - rnea(robot, *states)
    return torque


def as_torques(motion: Motion, gains: np.ndarray, load: np.ndarray) -> Motion:
    """Return the motion with currents converted to torques, minus the torque of a known payload."""
    return replace(motion, tau=motion.tau * gains - load)


def currents_of(motion: Motion, recording: Recording) -> Motion:
    """Return the motion with currents, if the import of a log had converted them with unreliable constants."""
    imported = recording.metadata.get(IMPORTED)
    constants = imported.get("constants") if isinstance(imported, dict) else None
    if not constants:
        return motion
    return replace(motion, tau=motion.tau / np.array([np.nan if value is None else value for value in constants], float))


def _payloads(recording: Recording) -> list[Payload]:
    payloads = recording.metadata.get("payload")
    return [Payload(**one) for one in payloads] if isinstance(payloads, list) else []


def _basis(recordings: Sequence[Recording], weighed: bool) -> Finding:
    if weighed:
        masses = ", ".join(f"{sum(one.mass for one in _payloads(each)):.4g}" for each in recordings)
        return Finding("gains", "", None, f"the drive gains are based on the known payloads of the recordings, {masses} kg")
    said = "the drive gains are only as accurate as the file's masses and friction; add a recording with a known payload"
    return Finding("gains", "", None, said)
