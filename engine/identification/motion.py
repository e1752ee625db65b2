"""Motion from a recording: filtered positions, velocities and accelerations, with the chosen cut-off and sensor delays."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armature.engine.errors import EngineError, RecordingError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.measured_torques import measured_joints
from armature.engine.recording.measured.resampling import even_grid, low_pass, resample, slopes, stretches, usual_cutoff
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED
from armature.engine.trajectory.trajectory import Trajectory

_SLOW = 0.01  # of a joint's highest speed; below it direction and friction are uncertain
_NOISES = 4.0  # of the noise of the speed; below it they are uncertain, too
_STILL = 1e-9
_FEWEST = 20  # rows
_TURNING = 1.0  # periods of the cut-off around a standstill, in which the filter smooths the jump of friction
_ENDS = 1.5  # periods of the cut-off at the ends of a recording, where the filter is one-sided


@dataclass(frozen=True, eq=False)
class Motion(Frozen):
    """States and torques at N equidistant times.

    `t` `(N,)` s; `q`, `qd`, `qdd`, `tau` `(N, n)`, NaN if unknown; `used` `(N, n)`: valid torques; `fitted`: torques of the
    estimate, without samples around a standstill, where the filter distorts friction; `held` `(N,)`: the tool holds a payload;
    `rate` Hz; `cutoff` Hz of the position filter, None for exact states; `bandwidth` Hz of the motion; `noise` `(n,)` of the
    positions, rad or m.
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
        """Torques `(N, n)` that are used for the estimate."""
        return self.used & ~self.turning

    @property
    def near_turns(self) -> int:
        """Number of samples around a standstill that are not fitted."""
        return _near_turns(self.rate, self.cutoff or np.inf)

    @property
    def known(self) -> np.ndarray:
        """Rows `(N,)` with a known state."""
        return np.isfinite(self.q).all(axis=1) & np.isfinite(self.qd).all(axis=1) & np.isfinite(self.qdd).all(axis=1)


def motion_of(recording: Recording, robot: Robot, cutoff: float | None, friction: bool) -> Motion:
    """Return the motion in a recording.

    A simulated recording without sensors has exact states. Otherwise only positions are used: a zero-phase filter smooths them,
    and speeds and accelerations are their derivatives.

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
    rows = samples_of(recording)
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
    """Return positions, speeds and accelerations at the times of the torques, and the noise of the positions."""
    q = low_pass(rows.q, rows.rate, cutoff)
    qd = slopes(q, rows.rate)
    qdd = slopes(qd, rows.rate)
    noise = np.nan_to_num(np.nanstd(rows.q - q, axis=0))
    h = rows.torque_lead
    return q - h * (qd - h / 2 * qdd), qd - h * qdd, qdd - h * slopes(qdd, rows.rate), noise


def _inner(values: np.ndarray, beyond: int) -> np.ndarray:
    """Return samples `(N, n)` more than `beyond` samples from the ends of their stretch."""
    inside = np.zeros(values.shape, bool)
    for k, part in stretches(values):
        inside[part.start + beyond : max(part.stop - beyond, part.start), k] = True
    return inside


def _near_turns(rate: float, cutoff: float) -> int:
    return round(_TURNING * rate / cutoff)


def turning_of(qd: np.ndarray, near: int) -> np.ndarray:
    """Return samples `(N, n)` within this many samples of a change of direction of the joint."""
    turns = np.zeros((len(qd) + 1, qd.shape[1]), int)
    turns[1:-1] = (qd[1:] > 0) != (qd[:-1] > 0)
    count = np.cumsum(turns, axis=0)
    at = np.arange(len(qd))
    return np.asarray(count[np.minimum(at + near, len(qd))] > count[np.maximum(at - near, 0)])


def _slowest(qd: np.ndarray, noise: np.ndarray, rate: float, cutoff: float | None) -> np.ndarray:
    """Return the speed `(n,)` below which the direction of a joint is uncertain."""
    top = np.nanmax(np.abs(qd), axis=0, initial=0.0)
    if cutoff is None:
        return _STILL * top
    # white noise up to rate / 2, after the filter and one derivative
    noise_of_speed = noise * np.sqrt(2 * cutoff / rate) * 2 * np.pi * cutoff / np.sqrt(3)
    return np.maximum(_SLOW * top, _NOISES * noise_of_speed)


def with_turns_of(motion: Motion, drives: np.ndarray) -> Motion:
    """Exclude samples around a standstill of a coupled drive from the estimate of all its joints."""
    turning = motion.turning.copy()
    if motion.cutoff is not None:
        for ratios in drives:
            turning[:, ratios != 0.0] |= turning_of((motion.qd @ ratios)[:, None], motion.near_turns)
    return replace(motion, turning=turning)


_MOST = 0.99  # of the acceleration is below the bandwidth
_ABOVE_NOISE = 30.0
_ROOM = 15.0  # cut-off over bandwidth; the filter then changes amplitudes by 2e-5
_LOWEST, _HIGHEST = 0.1, 2.0  # Hz; higher frequencies are chatter of controllers or encoders
_QUIET = 0.01  # accepted noise of accelerations, relative


def bandwidth(q: np.ndarray, rate: float) -> float:
    """Return the frequency in Hz below which nearly all acceleration of the joints `(N, n)` is, without noise.

    f: Σ_{g<f} g⁴ |Q(g)|² = 0.99 Σ g⁴ |Q(g)|²
    """
    found = _LOWEST
    for k in range(q.shape[1]):
        parts = [part for column, part in stretches(q[:, k : k + 1])]
        if not parts:
            continue
        x = q[max(parts, key=lambda part: part.stop - part.start), k]
        if len(x) < 16 or np.ptp(x) == 0.0:
            continue
        at = np.linspace(0.0, 1.0, len(x))
        x = (x - x[0] - (x[-1] - x[0]) * at) * np.hanning(len(x))
        power = np.abs(np.fft.rfft(x)) ** 2
        f = np.fft.rfftfreq(len(x), 1.0 / rate)
        floor = np.median(power[len(power) // 2 :]) / np.log(2)
        signal = np.where(power > _ABOVE_NOISE * floor, power, 0.0) * f**4
        if signal.sum() > 0.0:
            found = max(found, float(f[np.searchsorted(np.cumsum(signal), _MOST * signal.sum())]))
    return min(found, _HIGHEST)


def chosen_cutoff(q: np.ndarray, f: float, rate: float, given: float | None) -> float:
    """Return the cut-off in Hz of the zero-phase filter of positions `(N, n)`.

    As given, else 15 f with f the bandwidth, limited to 1 % noise in the accelerations and to a fifth of the rate.
    """
    if given is None:
        return max(_LOWEST, min(_ROOM * f, _quiet_cutoff(q, rate), rate / 5.0))
    if not 0.0 < given < rate / 2.0:
        raise EngineError(f"the cut-off must be between 0 and half the rate, {rate / 2.0:g} Hz, got {given!r}")
    return float(given)


def _quiet_cutoff(q: np.ndarray, rate: float) -> float:
    """Return the cut-off in Hz at which white noise is 1 % of the accelerations, of the median joint.

    σ_qdd = σ_q √(2 f / rate) (2πf)² / √5 = 0.01 rms qdd
    """
    noise = np.nan_to_num(np.nanstd(q - low_pass(q, rate, rate / 5.0), axis=0)) / np.sqrt(1.0 - 2.0 / 5.0)
    size = np.nan_to_num(np.nanstd(slopes(slopes(low_pass(q, rate, usual_cutoff(rate)), rate), rate), axis=0))
    moving = (size > 0.0) & (noise > 0.0)
    if not moving.any():
        return np.inf
    ratio = float(np.median(noise[moving] / size[moving]))
    return float((_QUIET / ratio * np.sqrt(5.0 * rate / 2.0) / (2 * np.pi) ** 2) ** 0.4)


_EVEN = 0.02  # of a period


@dataclass(frozen=True, eq=False)
class Sampled(Frozen):
    """Positions and torques `(N, n)` at equidistant times `t` `(N,)` s, `rate` Hz; torques are measured `torque_lead` s
    before the positions; `held` `(N,)`: the tool holds a payload.
    """

    t: np.ndarray
    q: np.ndarray
    tau: np.ndarray
    rate: float
    torque_lead: float
    held: np.ndarray


def samples_of(recording: Recording) -> Sampled:
    """Return the samples of a recording; simulated sensors report the torque of the previous step and hold it between readings.

    Raises RecordingError for repeated times.
    """
    if recording.q_measured is None or recording.tau_measured is None:
        return _even(recording.t, recording.q, recording.tau, 0.0, _held(recording))
    q, tau = recording.q_measured, recording.tau_measured
    new = 1 + np.flatnonzero((np.diff(tau, axis=0) != 0).any(axis=1) | (np.diff(q, axis=0) != 0).any(axis=1))
    stride = int(np.gcd.reduce(np.diff(new))) if len(new) > 1 else 1
    rows = slice(int(new[0]) % stride if len(new) else 0, None, stride)
    # a motor holds its torque for one step: the torque belongs to the middle of the step
    step = float(np.median(np.diff(recording.t)))
    return _even(recording.t[rows], q[rows], tau[rows], step / 2, _held(recording)[rows])


def _even(t: np.ndarray, q: np.ndarray, tau: np.ndarray, lead: float, held: np.ndarray) -> Sampled:
    period = float(np.median(np.diff(t)))
    if not period > 0:
        raise RecordingError("the recording's time does not increase; check its time column")
    if np.abs(np.diff(t) - period).max() <= _EVEN * period:
        return Sampled(t, q, tau, (len(t) - 1) / float(t[-1] - t[0]), lead, held)
    grid = even_grid(t - t[0], period, 0.0, 0.0)
    near = np.clip(np.searchsorted(t - t[0], grid.t), 0, len(t) - 1)
    tau = resample(grid, t - t[0], tau, smooth=False)
    return Sampled(t[0] + grid.t, resample(grid, t - t[0], q, smooth=True), tau, grid.rate, lead, held[near])


def _held(recording: Recording) -> np.ndarray:
    """Return the times with a payload, from the trajectory of the recording; True without a trajectory."""
    plan = recording.metadata.get("trajectory")
    always = np.ones(len(recording), bool)
    if not isinstance(plan, dict) or not plan.get("payloads"):
        return always
    try:
        trajectory = Trajectory.from_description(plan)
    except (EngineError, KeyError, TypeError, ValueError):
        return always
    t = np.mod(recording.t, trajectory.duration) if trajectory.loops else recording.t
    result = np.zeros(len(recording), bool)
    for start, payload in trajectory.payloads:
        result[t >= start] = payload is not None
    return result
