"""Rotations by axis and angle."""

from __future__ import annotations

from math import atan2, cos, sin

import numpy as np


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """The rotation matrix about a unit axis: cos 1 + (1 − cos) a aᵀ + sin [a]×."""
    x, y, z = axis
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return cos(angle) * np.eye(3) + (1.0 - cos(angle)) * np.outer(axis, axis) + sin(angle) * skew


def rotation_vector(R: np.ndarray) -> np.ndarray:
    """Axis times angle `(3,)` of a rotation matrix, angle in 0…π rad."""
    v = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    s, c = float(np.linalg.norm(v)), 0.5 * (float(np.trace(R)) - 1.0)
    angle = atan2(s, c)
    if c > -0.9:
        return v * (angle / s) if s > 1e-9 else v
    square = 0.5 * (R + R.T) - c * np.eye(3)  # (1 − c) a aᵀ, which keeps the axis where the skew part loses it
    axis = square[:, int(np.argmax(np.diag(square)))]
    return axis / np.linalg.norm(axis) * angle * (-1.0 if axis @ v < 0 else 1.0)


def turned(R: np.ndarray, vector: np.ndarray, share: float) -> np.ndarray:
    """R turned by a share of a rotation vector `(3,)` about world axes."""
    angle = float(np.linalg.norm(vector))
    return rotation(vector / angle, share * angle) @ R if angle > 0 else R
