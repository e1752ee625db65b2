"""Rotations: matrices, axis times angle, roll, pitch and yaw, unit quaternions, from one to the other, and their rates."""

from __future__ import annotations

import cmath
import math

import numpy as np


def skew(v: np.ndarray) -> np.ndarray:
    """[v]× with [v]× w = v × w; v `(3,)`."""
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0.0]])


_SKEWS = np.array([skew(axis).ravel() for axis in np.eye(3)])

# What a Hamilton product with the pure quaternion of w adds up to: qdot = ½ (0, w) ∘ q, written as rows of a 4×3 matrix of q.
_PART = np.array([[1, 2, 3], [0, 3, 2], [3, 0, 1], [2, 1, 0]])
_SIGN = np.array([[-1, -1, -1], [1, 1, -1], [-1, 1, 1], [1, -1, 1.0]])


def rot_x(alpha: float) -> np.ndarray:
    """Rot_x(alpha) as a 4×4 pose; alpha in rad."""
    c, s = np.cos(alpha), np.sin(alpha)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])


def rot_y(beta: float) -> np.ndarray:
    """Rot_y(beta) as a 4×4 pose; beta in rad."""
    c, s = np.cos(beta), np.sin(beta)
    return np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1.0]])


def rot_z(theta: float) -> np.ndarray:
    """Rot_z(theta) as a 4×4 pose; theta in rad."""
    c, s = np.cos(theta), np.sin(theta)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])


def rot_rpy(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """Rot_z(yaw) Rot_y(pitch) Rot_x(roll) as a 4×4 pose; turns in rad about fixed x, then y, then z."""
    return rot_z(yaw) @ rot_y(pitch) @ rot_x(roll)


def rotation(phi: np.ndarray) -> np.ndarray:
    """exp [φ]× `(…, 3, 3)` of φ `(…, 3)` (Rodrigues)."""
    angle = np.linalg.norm(phi, axis=-1)[..., None, None]
    K = (phi @ _SKEWS).reshape(*phi.shape, 3)
    near = angle < 1e-8
    safe = np.where(near, 1.0, angle)
    once, twice = np.where(near, 1.0, np.sin(safe) / safe), np.where(near, 0.5, (1.0 - np.cos(safe)) / safe**2)
    return np.eye(3) + once * K + twice * (K @ K)


def rotation_log(E):
    """log R as three numbers: axis times angle in rad, at most π, of the rows E of a rotation matrix; compiled code uses it, too.

    θ = atan2(|v|, c) with v = sin θ a from the skew part and c = cos θ from the trace; for θ beyond 90°, where v loses the axis
    towards 180°, the axis comes from the symmetric part: a aᵀ = (S − c 1)/(1 − c).
    """
    vx, vy, vz = 0.5 * (E[2][1] - E[1][2]), 0.5 * (E[0][2] - E[2][0]), 0.5 * (E[1][0] - E[0][1])
    s, c = math.sqrt(vx * vx + vy * vy + vz * vz), 0.5 * (E[0][0] + E[1][1] + E[2][2] - 1.0)
    angle = math.atan2(s, c)
    if c > 0.0:
        k = angle / s if s > 1e-8 else 1.0
        return k * vx, k * vy, k * vz
    if E[0][0] >= E[1][1] and E[0][0] >= E[2][2]:
        ax, ay, az = E[0][0] - c, 0.5 * (E[0][1] + E[1][0]), 0.5 * (E[0][2] + E[2][0])
    elif E[1][1] >= E[2][2]:
        ax, ay, az = 0.5 * (E[0][1] + E[1][0]), E[1][1] - c, 0.5 * (E[1][2] + E[2][1])
    else:
        ax, ay, az = 0.5 * (E[0][2] + E[2][0]), 0.5 * (E[1][2] + E[2][1]), E[2][2] - c
    k = angle / math.sqrt(ax * ax + ay * ay + az * az)
    if ax * vx + ay * vy + az * vz < 0.0:
        k = -k
    return k * ax, k * ay, k * az


def rotation_vector(R: np.ndarray) -> np.ndarray:
    """log R `(…, 3)` of R `(…, 3, 3)`: axis times angle in rad, at most π; exact at half a turn, too."""
    return np.array([rotation_log(E) for E in R.reshape(-1, 3, 3).tolist()]).reshape(R.shape[:-1])


def complex_rotation_vector(R: np.ndarray) -> np.ndarray:
    """log R `(3,)` of a complex R `(3, 3)` with Rᵀ R = 1; of a real one `rotation_vector`. θ = −i log(cos θ + i sin θ)."""
    if not R.imag.any():
        return rotation_vector(R.real)
    s = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine, cosine = cmath.sqrt(s @ s), 0.5 * (np.trace(R) - 1)
    if abs(sine) < 1e-8:
        return s
    return s * (-1j * cmath.log(cosine + 1j * sine) / sine)


def roll_pitch_yaw(R: np.ndarray) -> np.ndarray:
    """Angles (roll, pitch, yaw) `(…, 3)` in rad of R `(…, 3, 3)` = Rot_z(yaw) Rot_y(pitch) Rot_x(roll); |pitch| ≤ π/2.

    At pitch ±90°, where only yaw ∓ roll is defined, roll is 0.
    """
    pitch = np.arctan2(-R[..., 2, 0], np.hypot(R[..., 0, 0], R[..., 1, 0]))
    upright = np.hypot(R[..., 0, 0], R[..., 1, 0]) > 1e-12
    yaw = np.where(upright, np.arctan2(R[..., 1, 0], R[..., 0, 0]), np.arctan2(-R[..., 0, 1], R[..., 1, 1]))
    roll = np.where(upright, np.arctan2(R[..., 2, 1], R[..., 2, 2]), 0.0)
    return np.stack([roll, pitch, yaw], axis=-1)


def exact_roll_pitch_yaw(R: np.ndarray) -> np.ndarray:
    """(roll, pitch, yaw) of one R `(3, 3)`, whose product is R to the last bits near pitch ±90°, too: for files.

    There roll and yaw are hardly separable; roll is computed from R without yaw, so that their product is R.
    """
    yaw = np.arctan2(R[1, 0], R[0, 0])
    s, c = np.sin(yaw), np.cos(yaw)
    pitch = np.arctan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])
    roll = np.arctan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    angles = np.array([roll, pitch, yaw])
    nice = np.round(angles / (np.pi / 2)) * (np.pi / 2)  # quarter turns without the dust of the last bit
    near = np.where(np.abs(angles - nice) < 1e-15, nice, angles)
    return near if np.abs(rot_rpy(*near)[:3, :3] - R).max() <= np.abs(rot_rpy(*angles)[:3, :3] - R).max() + 1e-16 else angles


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


def quaternion_matrix(q: np.ndarray) -> np.ndarray:
    """R `(3, 3)` of a unit quaternion q = (w, v): R = (w² − v·v) 1 + 2 v vᵀ + 2 w [v]×."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product of quaternions w x y z `(…, 4)`."""
    w = a[..., :1] * b[..., :1] - (a[..., 1:] * b[..., 1:]).sum(axis=-1, keepdims=True)
    v = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate([w, v], axis=-1)


def rotated(a: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors `(…, 3)` turned by unit quaternions w x y z `(…, 4)`: v + 2 w (u × v) + 2 u × (u × v)."""
    across = 2.0 * np.cross(a[..., 1:], v)
    return v + a[..., :1] * across + np.cross(a[..., 1:], across)


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


def pose_along(z, origin, x=None) -> np.ndarray:
    """Pose `(4, 4)` at `origin` `(3,)` whose z axis points along `z` `(3,)`, with its x axis close to `x` `(3,)`."""
    z = np.asarray(z, float) / np.linalg.norm(z)
    for hint in (x, [1.0, 0, 0], [0, 1.0, 0]):
        if hint is not None and np.linalg.norm(skew(z) @ hint) > 1e-3 * np.linalg.norm(hint):
            break
    y = skew(z) @ hint
    y /= np.linalg.norm(y)
    X = np.eye(4)
    X[:3, :3] = np.column_stack([skew(y) @ z, y, z])
    X[:3, 3] = origin
    return X
