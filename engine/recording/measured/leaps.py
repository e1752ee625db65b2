"""Positions that leap: from one row to the next by more than a joint can move."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.recording.measured.log_times import LogTimes

_TIMES = 3.0  # the largest speed: more than that is a leap
_FAST = 20.0  # rad/s or m/s, of a joint whose largest speed is not known
_LEAST = 0.05  # rad or m: less is noise


def leaps(robot: Robot, times: LogTimes, q: np.ndarray) -> Iterator[str]:
    """Per joint whose positions `(N, n)` leap, the first leap and how many follow."""
    for k, name in enumerate(robot.joint_names):
        known = np.flatnonzero(np.isfinite(q[:, k]))
        steps = np.diff(q[known, k])
        room = np.maximum(np.diff(times.t[known]), times.period)
        speed = float(robot.qd_max[k]) if np.isfinite(robot.qd_max[k]) else _FAST
        found = np.flatnonzero(np.abs(steps) > np.maximum(_TIMES * speed * room, _LEAST))
        if len(found):
            at = known[found[0] + 1]
            size, unit = abs(steps[found[0]]), "m" if robot.prismatic[k] else "rad"
            more = (
                f", and at {len(found) - 1:,} more rows" if len(found) > 2 else ", and at one more row" if len(found) == 2 else ""
            )
            yield f"{name} jumps by {size:,.4g} {unit} at row {times.rows[at] + 1:,} (t = {times.t[at]:.4g} s){more}"
