"""Which rows of a recording hold readings, and which time each reading is of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.errors import EngineError, RecordingError
from armature.engine.model.frozen import Frozen
from armature.engine.recording.measured.resampling import grid_of, on_grid
from armature.engine.recording.recording import Recording
from armature.engine.trajectory.trajectory import Trajectory

_EVEN = 0.02  # of a period


@dataclass(frozen=True, eq=False)
class Sampled(Frozen):
    """Positions and torques `(N, n)` as they were read at even times `t` `(N,)` s, `rate` Hz; the torques are of `torque_lead` s
    before the positions; `held` `(N,)` tells whether the tool holds something."""

    t: np.ndarray
    q: np.ndarray
    tau: np.ndarray
    rate: float
    torque_lead: float
    held: np.ndarray


def sampled(recording: Recording) -> Sampled:
    """The readings of a recording. Simulated sensors tell the torque of the step before, and hold what they say between readings.

    Raises RecordingError where time stands still.
    """
    if recording.q_measured is None or recording.tau_measured is None:
        return _even(recording.t, recording.q, recording.tau, 0.0, _held(recording))
    q, tau = recording.q_measured, recording.tau_measured
    new = 1 + np.flatnonzero((np.diff(tau, axis=0) != 0).any(axis=1) | (np.diff(q, axis=0) != 0).any(axis=1))
    stride = int(np.gcd.reduce(np.diff(new))) if len(new) > 1 else 1
    rows = slice(int(new[0]) % stride if len(new) else 0, None, stride)
    # a motor holds its torque for a step: that is the torque of its middle
    step = float(np.median(np.diff(recording.t)))
    return _even(recording.t[rows], q[rows], tau[rows], step / 2, _held(recording)[rows])


def _even(t: np.ndarray, q: np.ndarray, tau: np.ndarray, lead: float, held: np.ndarray) -> Sampled:
    period = float(np.median(np.diff(t)))
    if not period > 0:
        raise RecordingError("the recording's time does not increase; check its time column")
    if np.abs(np.diff(t) - period).max() <= _EVEN * period:
        return Sampled(t, q, tau, (len(t) - 1) / float(t[-1] - t[0]), lead, held)
    grid = grid_of(t - t[0], period, 0.0, 0.0)
    near = np.clip(np.searchsorted(t - t[0], grid.t), 0, len(t) - 1)
    tau = on_grid(grid, t - t[0], tau, smooth=False)
    return Sampled(t[0] + grid.t, on_grid(grid, t - t[0], q, smooth=True), tau, grid.rate, lead, held[near])


def _held(recording: Recording) -> np.ndarray:
    """When the tool held something, by the trajectory that the arm followed; always, where no trajectory tells."""
    told = recording.metadata.get("trajectory")
    always = np.ones(len(recording), bool)
    if not isinstance(told, dict) or not told.get("payloads"):
        return always
    try:
        trajectory = Trajectory.from_description(told)
    except (EngineError, KeyError, TypeError, ValueError):
        return always
    t = np.mod(recording.t, trajectory.duration) if trajectory.loops else recording.t
    result = np.zeros(len(recording), bool)
    for start, payload in trajectory.payloads:
        result[t >= start] = payload is not None
    return result
