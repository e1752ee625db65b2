"""Torques beside each other, measured and predicted, and what is left between them."""

from __future__ import annotations

import numpy as np

from armature.engine.identification.identification import Curves, Residuals
from armature.engine.identification.motion import Motion
from armature.engine.identification.unknowns import Unknowns

_CHUNK = 4096


def curves_of(motion: Motion, unknowns: Unknowns, values: np.ndarray, full: np.ndarray, held_out: bool = False) -> Curves:
    """Measured torques and those by the file, by the base parameters `(m,)` and by the consistent ones `(F,)`."""
    several = np.stack([unknowns.combination @ unknowns.full(unknowns.robot), values, unknowns.combination @ full], axis=1)
    torques = np.full((3, *motion.q.shape), np.nan)
    rows = np.flatnonzero(motion.known)
    for first in range(0, len(rows), _CHUNK):
        part = rows[first : first + _CHUNK]
        states = motion.q[part], motion.qd[part], motion.qdd[part]
        torques[:, part] = np.moveaxis(unknowns.equations(*states, motion.held[part]) @ several, 2, 0) + unknowns.known(*states)
    model, identified, real = torques
    return Curves(motion.t, motion.tau, model, identified, real, motion.used, held_out)


def residuals_of(joint_names: tuple[str, ...], curves: list[Curves]) -> Residuals:
    """What is left of the torques, over all recordings of each kind."""
    training = [one for one in curves if not one.held_out]
    held_out = [one for one in curves if one.held_out]
    judged = held_out or training
    validation = _rms([one.measured - one.identified for one in held_out], held_out, len(joint_names))
    measured = _rms([one.measured for one in held_out], held_out, len(joint_names))
    return Residuals(
        joint_names,
        training=_rms([one.measured - one.identified for one in training], training, len(joint_names)),
        validation=validation,
        model=_rms([one.measured - one.model for one in judged], judged, len(joint_names)),
        consistent=_rms([one.measured - one.consistent for one in judged], judged, len(joint_names)),
        percent=100.0 * validation / np.where(measured > 0.0, measured, np.nan),
    )


def _rms(values: list[np.ndarray], curves: list[Curves], n: int) -> np.ndarray:
    """Root mean square per joint `(n,)` over what was used; NaN where nothing was."""
    total, count = np.zeros(n), np.zeros(n)
    for one, of in zip(values, curves, strict=True):
        total += (np.where(of.used, one, 0.0) ** 2).sum(axis=0)
        count += of.used.sum(axis=0)
    return np.where(count > 0, np.sqrt(total / np.maximum(count, 1)), np.nan)
