"""`recorded_trajectory`: a trajectory that goes where a recording went."""

from __future__ import annotations

import numpy as np

from armature.engine.errors import TrajectoryError
from armature.engine.recording.measured.even_grid import Grid, on_grid
from armature.engine.recording.measured.zero_phase import slopes, smoothed, usual_cutoff
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED
from armature.engine.trajectory.hermite import joined
from armature.engine.trajectory.trajectory import Trajectory

_SPACING = 0.02  # s between two nodes, or two periods if that is more
_MOST = 30_000  # pieces
_LEAST_RATE, _MOST_RATE = 50.0, 1000.0


def recorded_trajectory(
    recording: Recording, start: float | None = None, end: float | None = None, cutoff: float | None = None
) -> Trajectory:
    """Return the trajectory through the low-passed positions of a recording; it starts at time 0.

    A zero-phase low-pass smooths the positions, and quintic segments of 0.02 s interpolate q, qd and qdd.

    Args:
        recording: simulated or imported.
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
    values = on_grid(Grid(even, rate, False, np.inf), t - t[0], q, smooth=True)
    soft = smoothed(values, rate, _cutoff(recording, rate, cutoff))
    speed = slopes(soft, rate)
    nodes = np.unique([*range(0, count, spacing), count - 1])
    states = np.stack([soft, speed, slopes(speed, rate)], axis=1)[nodes]
    return joined(states[:-1], states[1:], np.diff(even[nodes]))


def _cutoff(recording: Recording, rate: float, given: float | None) -> float:
    taken = recording.metadata.get(IMPORTED)
    told = taken.get("filter", {}).get("cutoff") if isinstance(taken, dict) and isinstance(taken.get("filter"), dict) else None
    wanted = given if given is not None else told if isinstance(told, (int, float)) else usual_cutoff(rate)
    if not wanted > 0:
        raise TrajectoryError(f"the cut-off must be a frequency in Hz above 0, not {wanted!r}")
    return float(min(wanted, 0.4 * rate))
