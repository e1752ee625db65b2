"""`recorded_trajectory`: a trajectory that goes where a recording went."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.errors import TrajectoryError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.resampling import Grid, low_pass, resample, slopes, usual_cutoff
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED
from armature.engine.trajectory.hermite import joined
from armature.engine.trajectory.motion_limits import Violation, check_limits
from armature.engine.trajectory.trajectory import Trajectory

RATE = 200.0  # Hz
_NODE = 8  # samples from one piece to the next
_STILL = 1e-4  # rad, m: less is no motion
_LONGEST = 600.0  # s
_SLOWER, _SLOWEST = 0.9, 0.02  # from one try to the next, and the least speed
_SPACING = 0.02  # s between two nodes, or two periods if that is more
_MOST = 30_000  # pieces
_LEAST_RATE, _MOST_RATE = 50.0, 1000.0


@dataclass(frozen=True, eq=False)
class Demonstration(Frozen):
    """Demonstrated motion as a trajectory, as `demonstrated_trajectory` returns it.

    `trajectory` takes `slower` times as long as the demonstration (1: same speed); `why` is the reason: the limit that the
    demonstration at its own speed exceeds first; None if `slower` is 1.
    """

    trajectory: Trajectory
    slower: float
    why: Violation | None


def demonstrated_trajectory(robot: Robot, t, q, cutoff: float = 2.0) -> Demonstration:
    """Return a trajectory from demonstrated joint positions, at rest at both ends and within the arm's limits.

    Each position counts until the time of the next one. Rest at the beginning and at the end is removed. Positions are clamped to
    the joint limits and smoothed by a Gaussian without delay or overshoot; then time is stretched until speeds and, for an arm
    with masses, torques are within their limits.

    Args:
        t: times `(N,)` in s, with any spacing.
        q: joint positions `(N, n)`, rad or m.
        cutoff: frequency in Hz at which the smoothing halves the power; hand motion is below 2 Hz.

    Returns:
        A `Demonstration`: the trajectory, and by how much it was slowed down.

    Raises:
        TrajectoryError: no joint moves, the demonstration is longer than ten minutes, or a pose cannot be held at any speed.
    """
    times, shown = np.asarray(t, float), np.asarray(q, float)
    if times.ndim != 1 or shown.shape != (len(times), robot.n) or not (np.isfinite(times).all() and np.isfinite(shown).all()):
        raise TrajectoryError(f"a demonstration needs times (N,) and positions (N, {robot.n}), finite numbers")
    if not cutoff > 0:
        raise TrajectoryError(f"the cut-off must be a frequency in Hz above 0, not {cutoff!r}")
    moved = np.flatnonzero((np.abs(np.diff(shown, axis=0)) > _STILL).any(axis=1))
    if not len(moved):
        raise TrajectoryError("no joint moved during the demonstration; move the arm while recording")
    first, last = times[moved[0]], times[moved[-1] + 1]
    if last - first > _LONGEST:
        raise TrajectoryError("the demonstration is longer than ten minutes; record a shorter one")
    first = max(first, times[moved[0] + 1] - 1 / RATE)  # the arm did not move before
    soft = _smoothed(robot, times - first, shown, last - first, cutoff)
    return _within_limits(robot, _through(soft))


def _smoothed(robot: Robot, t: np.ndarray, q: np.ndarray, duration: float, cutoff: float) -> np.ndarray:
    """Even rows at `RATE` `(M, n)`, the arm at rest at both ends."""
    sigma = np.sqrt(np.log(2)) / (2 * np.pi * cutoff)  # s
    reach = int(np.ceil(4 * sigma * RATE))
    even = np.arange(-2 * reach, int(np.ceil(duration * RATE)) + 2 * reach + 1) / RATE
    held = t[:-1] + np.maximum(
        np.diff(t) - 2 / 60, 0.0
    )  # without motion no samples arrive: the arm did not move until shortly before the next one
    order = np.argsort(np.concatenate([t, held]), kind="stable")
    at, known = np.concatenate([t, held])[order], np.concatenate([q, q[:-1]])[order]
    rows = np.column_stack([np.interp(even, at, column) for column in known.T])
    rows = np.clip(rows, robot.q_min, robot.q_max)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / RATE / sigma) ** 2)
    padded = np.concatenate([np.repeat(rows[:1], reach, 0), rows, np.repeat(rows[-1:], reach, 0)])
    return np.column_stack([np.convolve(column, weights / weights.sum(), "valid") for column in padded.T])


def _through(rows: np.ndarray) -> Trajectory:
    """Pieces of degree 5 through them, at rest at both ends."""
    speed = slopes(rows, RATE)
    states = np.stack([rows, speed, slopes(speed, RATE)], axis=1)
    states[[0, -1], 1:] = 0.0
    nodes = np.unique([*range(0, len(rows), _NODE), len(rows) - 1])
    return joined(states[nodes[:-1]], states[nodes[1:]], np.diff(nodes) / RATE)


def _within_limits(robot: Robot, way: Trajectory) -> Demonstration:
    """Slow the trajectory down until it is within the limits. The floor is ignored: a lower speed does not raise a link."""
    robot = robot.with_floor(None)
    why = broken = check_limits(robot, way, torque=robot.has_dynamics)
    factor = 1.0
    while broken is not None:
        over = abs(broken.value / broken.limit) if broken.quantity == "speed" else 0.0
        factor *= min(_SLOWER, 0.999 / over if over else 1.0)
        if factor < _SLOWEST or broken.quantity == "position":
            raise TrajectoryError(f"the demonstration breaks a limit at any speed: {broken.text}")
        broken = check_limits(robot, way.scaled(factor), torque=robot.has_dynamics)
    return Demonstration(way.scaled(factor), 1 / factor, why)


def recorded_trajectory(
    recording: Recording, start: float | None = None, end: float | None = None, cutoff: float | None = None
) -> Trajectory:
    """Return the trajectory through the low-passed positions of a recording; it starts at time 0.

    A zero-phase low-pass smooths the positions, and quintic segments of 0.02 s interpolate q, qd and qdd.

    Args:
        recording: a simulated or an imported recording.
        start, end: part of the recording, s; None: from its start, to its end.
        cutoff: cut-off frequency in Hz; None: the cut-off of the import, otherwise 10 Hz (a fifth of a lower
            sampling rate).

    Returns:
        A `Trajectory`, rad or m.

    Raises:
        TrajectoryError: a gap in the recording, fewer than four samples, or more than ten minutes.
    """
    t = recording.t
    inside = (t >= (t[0] if start is None else start)) & (t <= (t[-1] if end is None else end))
    t, q = t[inside], recording.q[inside]
    fresh = np.concatenate([[True], np.diff(t) > 0]) if len(t) else np.zeros(0, bool)
    t, q = t[fresh], q[fresh]
    if len(t) < 4:
        raise TrajectoryError("a trajectory from a recording needs four samples or more")
    lost = ~np.isfinite(q).all(axis=1)
    if lost.any():
        raise TrajectoryError(f"the recording has no positions at {t[lost.argmax()]:.4g} s; choose a part without gaps")
    rate = float(np.clip(1.0 / np.median(np.diff(t)), _LEAST_RATE, _MOST_RATE))
    count = int((t[-1] - t[0]) * rate) + 1
    spacing = max(1, round(_SPACING * rate))
    if count / spacing > _MOST or count < 4:
        raise TrajectoryError(f"{t[-1] - t[0]:.4g} s is too long for one trajectory; choose a part of up to 10 min")
    even = np.arange(count) / rate
    values = resample(Grid(even, rate, False, np.inf), t - t[0], q, smooth=True)
    soft = low_pass(values, rate, _cutoff(recording, rate, cutoff))
    speed = slopes(soft, rate)
    nodes = np.unique([*range(0, count, spacing), count - 1])
    states = np.stack([soft, speed, slopes(speed, rate)], axis=1)[nodes]
    return joined(states[:-1], states[1:], np.diff(even[nodes]))


def _cutoff(recording: Recording, rate: float, given: float | None) -> float:
    taken = recording.metadata.get(IMPORTED)
    stored = taken.get("filter", {}).get("cutoff") if isinstance(taken, dict) and isinstance(taken.get("filter"), dict) else None
    wanted = given if given is not None else stored if isinstance(stored, (int, float)) else usual_cutoff(rate)
    if not wanted > 0:
        raise TrajectoryError(f"the cut-off must be a frequency in Hz above 0, not {wanted!r}")
    return float(min(wanted, 0.4 * rate))
