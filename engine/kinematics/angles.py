"""Three angles or four numbers for a rotation, and how fast they change."""

from __future__ import annotations

import numpy as np

# What a Hamilton product with the pure quaternion of w adds up to: qdot = ½ (0, w) ∘ q, written as rows of a 4×3 matrix of q.
_PART = np.array([[1, 2, 3], [0, 3, 2], [3, 0, 1], [2, 1, 0]])
_SIGN = np.array([[-1, -1, -1], [1, 1, -1], [-1, 1, 1], [1, -1, 1.0]])


def roll_pitch_yaw(R: np.ndarray) -> np.ndarray:
    """Angles (roll, pitch, yaw) `(…, 3)` in rad of R `(…, 3, 3)` = Rot_z(yaw) Rot_y(pitch) Rot_x(roll); |pitch| ≤ π/2.

    At pitch ±90°, where only yaw ∓ roll is defined, roll is 0.
    """
    pitch = np.arctan2(-R[..., 2, 0], np.hypot(R[..., 0, 0], R[..., 1, 0]))
    upright = np.hypot(R[..., 0, 0], R[..., 1, 0]) > 1e-12
    yaw = np.where(upright, np.arctan2(R[..., 1, 0], R[..., 0, 0]), np.arctan2(-R[..., 0, 1], R[..., 1, 1]))
    roll = np.where(upright, np.arctan2(R[..., 2, 1], R[..., 2, 2]), 0.0)
    return np.stack([roll, pitch, yaw], axis=-1)


def quaternion(R: np.ndarray) -> np.ndarray:
    """Unit quaternion (w, x, y, z) `(…, 4)` of R `(…, 3, 3)`, the one of the two with w ≥ 0.

    Source: Shepperd, Quaternion from rotation matrix, J. Guidance and Control 1(3), 1978.
    """
    # K = 4 q qᵀ: the row of the largest diagonal entry loses no digits
    K = np.empty((*R.shape[:-2], 4, 4))
    trace = R[..., 0, 0] + R[..., 1, 1] + R[..., 2, 2]
    K[..., 0, 0] = 1 + trace
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        K[..., 1 + i, 1 + i] = 1 + 2 * R[..., i, i] - trace
        K[..., 0, 1 + i] = K[..., 1 + i, 0] = R[..., k, j] - R[..., j, k]
        K[..., 1 + i, 1 + j] = K[..., 1 + j, 1 + i] = R[..., i, j] + R[..., j, i]
    largest = np.argmax(np.einsum("...ii->...i", K), axis=-1)
    q = np.take_along_axis(K, largest[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., :1] < 0, -q, q)


def rotation_vector(R: np.ndarray) -> np.ndarray:
    """log R `(…, 3)` of R `(…, 3, 3)`: axis times angle in rad, at most π; exact at half a turn, too."""
    q = quaternion(R)
    s = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    safe = np.where(s > 1e-12, s, 1.0)
    return q[..., 1:] * np.where(s > 1e-12, 2.0 * np.arctan2(s, q[..., :1]) / safe, 2.0)


def rpy_rates(angles: np.ndarray) -> np.ndarray:
    """E `(…, 3, 3)` with (roll, pitch, yaw)' = E w, w in world axes; angles `(…, 3)`, no pitch of ±90°.

    E = [[cy/cp, sy/cp, 0], [−sy, cy, 0], [cy tp, sy tp, 1]]

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, eq. 3.64, for these angles.
    """
    cp, tp = np.cos(angles[..., 1]), np.tan(angles[..., 1])
    cy, sy = np.cos(angles[..., 2]), np.sin(angles[..., 2])
    E = np.zeros((*angles.shape[:-1], 3, 3))
    E[..., 0, 0], E[..., 0, 1] = cy / cp, sy / cp
    E[..., 1, 0], E[..., 1, 1] = -sy, cy
    E[..., 2, 0], E[..., 2, 1], E[..., 2, 2] = cy * tp, sy * tp, 1.0
    return E


def rpy_rates_dot(angles: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """dE/dt `(…, 3, 3)` of `rpy_rates` while the angles `(…, 3)` change at `rates` `(…, 3)`."""
    cp, tp = np.cos(angles[..., 1]), np.tan(angles[..., 1])
    cy, sy = np.cos(angles[..., 2]), np.sin(angles[..., 2])
    pitch, yaw = rates[..., 1], rates[..., 2]
    E = np.zeros((*angles.shape[:-1], 3, 3))
    E[..., 0, 0] = (-sy * yaw + cy * tp * pitch) / cp
    E[..., 0, 1] = (cy * yaw + sy * tp * pitch) / cp
    E[..., 1, 0], E[..., 1, 1] = -cy * yaw, -sy * yaw
    E[..., 2, 0] = -sy * tp * yaw + cy * pitch / cp**2
    E[..., 2, 1] = cy * tp * yaw + sy * pitch / cp**2
    return E


def quaternion_rates(q: np.ndarray) -> np.ndarray:
    """E `(…, 4, 3)` with qdot = E w, w in world axes, for q `(…, 4)` = (w, v):  wdot = −½ v·w,  vdot = ½ (w w + w × v).

    Linear in q, so that E(qdot) is its own time derivative.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, eq. 3.94, 3.95.
    """
    return 0.5 * _SIGN * q[..., _PART]
