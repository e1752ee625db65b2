"""`singularities_met`: when a recorded arm was near a singularity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.errors import RecordingError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording
from armature.engine.singularities.dexterity_measures import measure_batch
from armature.engine.thresholds import CONDITION_WARN

_ROWS = 100_000  # looked at at a time


@dataclass(frozen=True, eq=False)
class SingularityMet(Frozen):
    """Time interval of a recording, `start` to `end` in s, with a condition number above the threshold of `singularities_met`.

    The condition number is that of the task Jacobian with scaled rows, as in `singularity`. At the time `t` in s it is largest:
    `row` is the index of this sample, and `condition`, `sigma_min` (smallest singular value) and `q` `(n,)`, rad or m, are the
    values there.
    """

    start: float
    end: float
    t: float
    row: int
    condition: float
    sigma_min: float
    q: np.ndarray


def singularities_met(recording: Recording, robot: Robot, condition: float = CONDITION_WARN) -> tuple[SingularityMet, ...]:
    """Return every interval of a recording in which the condition number of the scaled task Jacobian is above `condition`.

    Args:
        recording: a recording of `robot`.
        condition: threshold above 1; by default 17, the condition number at which the window warns. The condition number is that
            of `singularity`.

    Returns:
        A tuple of `SingularityMet` in the order of time; empty if the condition number never exceeds the threshold.

    Raises:
        RecordingError: the recording has another number of joints.
    """
    if len(recording.joint_names) != robot.n:
        raise RecordingError(f"the recording has {len(recording.joint_names)} joints, {robot.name} has {robot.n}")
    inverse = np.ones(len(recording))
    known = np.flatnonzero(np.isfinite(recording.q).all(axis=1))
    for first in range(0, len(known), _ROWS):
        part = known[first : first + _ROWS]
        inverse[part] = measure_batch(robot, np.ascontiguousarray(recording.q[part]), "inverse_condition")[0]
    near = np.concatenate([[False], inverse < 1.0 / condition, [False]])
    edges = np.flatnonzero(np.diff(near.astype(np.int8)))
    found = []
    for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        row = first + int(inverse[first:last].argmin())
        worst = 1.0 / inverse[row] if inverse[row] > 0 else np.inf
        t = recording.t
        found.append(
            SingularityMet(
                float(t[first]),
                float(t[last - 1]),
                float(t[row]),
                row,
                float(worst),
                float(recording.sigma_min[row]),
                recording.q[row],
            )
        )
    return tuple(found)
