"""Quaternions of a path of rotations, without jumps of sign."""

from __future__ import annotations

import numpy as np

from armature.engine.rotations import quaternion


def quaternions(R: np.ndarray, before: np.ndarray | None = None) -> np.ndarray:
    """Unit quaternions (w, x, y, z) of rotation matrices along a path.

    q and −q are the same rotation; each sample takes the sign nearest to the one before it, so plots have no jumps.

    Args:
        R: rotation matrices `(N, 3, 3)` in the order of time.
        before: the quaternion `(4,)` that came before `R[0]`; without one the first has w ≥ 0.

    Returns:
        `(N, 4)`.
    """
    if not len(R):
        return np.empty((0, 4))
    Q = quaternion(R)
    return Q * _signs(Q, before)[:, None]


def _signs(Q: np.ndarray, before: np.ndarray | None) -> np.ndarray:
    start = np.array([1.0, 0, 0, 0]) if before is None else before
    previous = np.vstack([start, Q[:-1]])
    return np.cumprod(np.where((Q * previous).sum(axis=1) < 0, -1.0, 1.0))
