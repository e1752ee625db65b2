"""`Motion`: what a recording tells about the states of an arm and its torques, ready for an estimate."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armature.engine.errors import RecordingError
from armature.engine.identification.cutoffs import bandwidth, chosen_cutoff
from armature.engine.identification.sensor_times import Sampled, sampled
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.measured_torques import measured_joints
from armature.engine.recording.measured.resampling import slopes, smoothed, stretches
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED

_SLOW = 0.01  # of a joint's highest speed: below it its direction, and with it friction, is not sure
_NOISES = 4.0  # times the noise of a speed: below it neither
_STILL = 1e-9
_FEWEST = 20  # rows
_TURNING = 1.0  # periods of the cut-off about a standstill, in which the filter makes friction's jump a slope
_ENDS = 1.5  # periods of the cut-off at the ends of a recording, where the filter has only one side to go by


@dataclass(frozen=True, eq=False)
class Motion(Frozen):
    """States and torques at N even times.

    `t` `(N,)` s; `q`, `qd`, `qdd`, `tau` `(N, n)`, NaN where not known; `used` `(N, n)` torques that count, `fitted` those of
    them that are identified from: not about a standstill, where a filter cannot follow friction; `held` `(N,)` whether the tool
    holds something; `rate` Hz; `cutoff` Hz of the filter of positions, None where the states are exact; `bandwidth`
    Hz of the motion itself; `noise` `(n,)` of the positions, rad or m.
    """

    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    used: np.ndarray
    turning: np.ndarray
    held: np.ndarray
    rate: float
    cutoff: float | None
    bandwidth: float
    noise: np.ndarray

    def __len__(self) -> int:
        return len(self.t)

    @property
    def fitted(self) -> np.ndarray:
        """Which torques `(N, n)` count for the estimate."""
        return self.used & ~self.turning

    @property
    def near_turns(self) -> int:
        """How many samples from a standstill are not fitted."""
        return _near_turns(self.rate, self.cutoff or np.inf)

    @property
    def known(self) -> np.ndarray:
        """Which rows `(N,)` have a state."""
        return np.isfinite(self.q).all(axis=1) & np.isfinite(self.qd).all(axis=1) & np.isfinite(self.qdd).all(axis=1)


def motion_of(recording: Recording, robot: Robot, cutoff: float | None, friction: bool) -> Motion:
    """The motion that a recording tells.

    A simulated recording without sensors tells exact states. Of any other, positions count alone: a zero-phase filter smooths
    them, and speeds and accelerations are their slopes.

    Raises:
        RecordingError: other joints, too few rows, or no torque that was measured.
    """
    if len(recording.joint_names) != robot.n:
        raise RecordingError(f"the recording has {len(recording.joint_names)} joints, {robot.name} has {robot.n}")
    if len(recording) < _FEWEST:
        raise RecordingError(f"the recording has {len(recording)} rows; at least {_FEWEST} are needed")
    names = measured_joints(recording)
    if not names:
        raise RecordingError("no torque was measured; the recorded torques are computed from the model")
    rows = sampled(recording)
    with_torque = np.array([name in names for name in recording.joint_names])
    exact = not recording.measured and IMPORTED not in recording.metadata
    f = bandwidth(rows.q, rows.rate)
    whole = np.isfinite(rows.tau) & with_torque
    if exact:
        q, qd, qdd, chosen, noise = rows.q, recording.qd, recording.qdd, None, np.zeros(robot.n)
    else:
        chosen = chosen_cutoff(rows.q, f, rows.rate, cutoff)
        q, qd, qdd, noise = _filtered(rows, chosen)
        whole &= _inner(rows.q, round(_ENDS * rows.rate / chosen))
    used = whole & (np.isfinite(q) & np.isfinite(qd) & np.isfinite(qdd)).all(axis=1)[:, None]
    turning = np.zeros(used.shape, bool)
    if friction:
        used &= np.abs(qd) > _slowest(qd, noise, rows.rate, chosen)
        turning = turning if chosen is None else turning_of(qd, _near_turns(rows.rate, chosen))
    tau = np.where(with_torque, rows.tau, np.nan)
    return Motion(rows.t, q, qd, qdd, tau, used, turning, rows.held, rows.rate, chosen, f, noise)


def _filtered(rows: Sampled, cutoff: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Positions, speeds and accelerations, at the times that the torques are of, and the noise of the positions."""
    q = smoothed(rows.q, rows.rate, cutoff)
    qd = slopes(q, rows.rate)
    qdd = slopes(qd, rows.rate)
    noise = np.nan_to_num(np.nanstd(rows.q - q, axis=0))
    h = rows.torque_lead
    return q - h * (qd - h / 2 * qdd), qd - h * qdd, qdd - h * slopes(qdd, rows.rate), noise


def _inner(values: np.ndarray, beyond: int) -> np.ndarray:
    """Which samples `(N, n)` lie `beyond` so many samples from the ends of their stretch, where a filter knows both sides."""
    inside = np.zeros(values.shape, bool)
    for k, part in stretches(values):
        inside[part.start + beyond : max(part.stop - beyond, part.start), k] = True
    return inside


def _near_turns(rate: float, cutoff: float) -> int:
    return round(_TURNING * rate / cutoff)


def turning_of(qd: np.ndarray, near: int) -> np.ndarray:
    """Which samples `(N, n)` lie within so many samples of one at which the joint's direction changes."""
    turns = np.zeros((len(qd) + 1, qd.shape[1]), int)
    turns[1:-1] = (qd[1:] > 0) != (qd[:-1] > 0)
    count = np.cumsum(turns, axis=0)
    at = np.arange(len(qd))
    return np.asarray(count[np.minimum(at + near, len(qd))] > count[np.maximum(at - near, 0)])


def _slowest(qd: np.ndarray, noise: np.ndarray, rate: float, cutoff: float | None) -> np.ndarray:
    """The speed `(n,)` below which the direction of a joint is not sure."""
    top = np.nanmax(np.abs(qd), axis=0, initial=0.0)
    if cutoff is None:
        return _STILL * top
    # noise that is white up to rate / 2, after the filter and one derivative
    noise_of_speed = noise * np.sqrt(2 * cutoff / rate) * 2 * np.pi * cutoff / np.sqrt(3)
    return np.maximum(_SLOW * top, _NOISES * noise_of_speed)


def with_turns_of(motion: Motion, drives: np.ndarray) -> Motion:
    """The motion with what lies about a standstill of a drive left out of the estimate, for all joints that it turns."""
    turning = motion.turning.copy()
    if motion.cutoff is not None:
        for ratios in drives:
            turning[:, ratios != 0.0] |= turning_of((motion.qd @ ratios)[:, None], motion.near_turns)
    return replace(motion, turning=turning)
