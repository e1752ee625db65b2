"""Quaternions of a path of rotations, without jumps of sign."""

from __future__ import annotations

import numpy as np


def quaternions(R: np.ndarray, before: np.ndarray | None = None) -> np.ndarray:
    """Unit quaternions (w, x, y, z) of rotation matrices along a path.

    q and −q are the same rotation; each sample takes the sign nearest to the one before it, so plots have no jumps.

    Args:
        R: rotation matrices `(N, 3, 3)` in the order of time.
        before: the quaternion `(4,)` that came before `R[0]`; without one the first has w ≥ 0.

    Returns:
        `(N, 4)`.

    Source: Shepperd, Quaternion from rotation matrix, J. Guidance and Control 1(3), 1978.
    """
    if not len(R):
        return np.empty((0, 4))
    xx, yy, zz = R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]
    # 4 w², 4 x², 4 y², 4 z²: dividing by the root of the largest loses no digits
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz], axis=1)
    largest = squares.argmax(axis=1)
    wx, wy, wz = R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]
    xy, xz, yz = R[:, 0, 1] + R[:, 1, 0], R[:, 0, 2] + R[:, 2, 0], R[:, 1, 2] + R[:, 2, 1]
    products = np.stack([wx, wy, wz, wx, xy, xz, wy, xy, yz, wz, xz, yz], axis=1).reshape(-1, 4, 3)
    rows = np.arange(len(R))
    Q = np.empty((len(R), 4))
    Q[rows, largest] = squares[rows, largest]
    others = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])[largest]
    Q[rows[:, None], others] = products[rows, largest]
    Q /= 2 * np.sqrt(squares[rows, largest])[:, None]
    return Q * _signs(Q, before)[:, None]


def _signs(Q: np.ndarray, before: np.ndarray | None) -> np.ndarray:
    start = np.array([1.0, 0, 0, 0]) if before is None else before
    previous = np.vstack([start, Q[:-1]])
    return np.cumprod(np.where((Q * previous).sum(axis=1) < 0, -1.0, 1.0))
