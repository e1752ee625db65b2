"""Paths of a frame in space: straight line and arc, with a rotation about one fixed axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.errors import TrajectoryError
from armature.engine.model.read_only import read_only
from armature.engine.rotations import rotation, rotation_vector

_COLLINEAR = 1e-6  # of the longest side: three points this near to a line have no circle


@dataclass(frozen=True, eq=False)
class TaskPath:
    """Poses X(s), 0 ≤ s ≤ 1.

    p(s) = centre + cos(angle s) u + sin(angle s) w  on an arc,  p(s) = centre + s w  on a line (angle 0);  R(s) = exp(s φ) R_0:
    the shortest turn about one fixed axis, which is slerp. `length` m along the path.
    """

    centre: np.ndarray
    u: np.ndarray
    w: np.ndarray
    angle: float
    R_0: np.ndarray
    phi: np.ndarray
    length: float

    def __post_init__(self):
        vars(self).update(centre=read_only(self.centre), u=read_only(self.u), w=read_only(self.w))
        vars(self).update(R_0=read_only(self.R_0), phi=read_only(self.phi))

    def pose(self, s) -> np.ndarray:
        """Return the pose X `(4, 4)` at s, or `(N, 4, 4)` at s `(N,)`."""
        s = np.asarray(s, float)
        X = np.zeros((*s.shape, 4, 4))
        X[..., :3, :3] = rotation(s[..., None] * self.phi) @ self.R_0
        X[..., :3, 3] = self._derivative(s[..., None], 0)
        X[..., 3, 3] = 1.0
        return X

    def rate(self, s, sd, sdd) -> tuple[np.ndarray, np.ndarray]:
        """Return the twist (v, w) and its derivative `(…, 6)` in world axes at s, s' , s'', numbers or `(N,)`."""
        s, sd, sdd = (np.asarray(x, float)[..., None] for x in (s, sd, sdd))
        first, second = self._derivative(s, 1), self._derivative(s, 2)
        twist = np.concatenate([first * sd, self.phi * sd], axis=-1)
        return twist, np.concatenate([first * sdd + second * sd * sd, self.phi * sdd], axis=-1)

    def jerk(self, s, sd, sdd, sddd) -> np.ndarray:
        """Return the second derivative of the twist `(…, 6)`; `sddd` is the third derivative of s."""
        s, sd, sdd, sddd = (np.asarray(x, float)[..., None] for x in (s, sd, sdd, sddd))
        first, second, third = (self._derivative(s, order) for order in (1, 2, 3))
        return np.concatenate([first * sddd + 3.0 * second * sd * sdd + third * sd**3, self.phi * sddd], axis=-1)

    def _derivative(self, s: np.ndarray, order: int) -> np.ndarray:
        if self.angle == 0.0:
            return (self.centre + s * self.w, self.w, np.zeros(3), np.zeros(3))[order]
        c, d = np.cos(self.angle * s), np.sin(self.angle * s)
        if order == 0:
            return self.centre + c * self.u + d * self.w
        if order == 1:
            return self.angle * (c * self.w - d * self.u)
        if order == 2:
            return -(self.angle**2) * (c * self.u + d * self.w)
        return self.angle**3 * (d * self.u - c * self.w)


def line_path(X_0: np.ndarray, X_1: np.ndarray) -> TaskPath:
    """Return the line from pose X_0 to pose X_1, both `(4, 4)`."""
    way = X_1[:3, 3] - X_0[:3, 3]
    phi = rotation_vector(X_1[:3, :3] @ X_0[:3, :3].T)
    return TaskPath(X_0[:3, 3], np.zeros(3), way, 0.0, X_0[:3, :3], phi, float(np.linalg.norm(way)))


def arc_path(X_0: np.ndarray, p_via: np.ndarray, X_1: np.ndarray) -> TaskPath:
    """Return the arc from pose X_0 through the point p_via `(3,)` to pose X_1.

    centre = p_0 + (|a|² b − |b|² a) × (a × b) / 2|a × b|²  with a = p_via − p_0, b = p_1 − p_0
    Raises TrajectoryError for points on one line.
    """
    p, a, b = X_0[:3, 3], p_via - X_0[:3, 3], X_1[:3, 3] - X_0[:3, 3]
    normal = np.cross(a, b)
    size = float(normal @ normal)
    longest = max(np.linalg.norm(a), np.linalg.norm(b), np.linalg.norm(b - a))
    if size <= (_COLLINEAR * longest**2) ** 2:
        raise TrajectoryError("an arc needs start, through point and end that are not on one line; use a line instead")
    centre = p + np.cross(b @ b * a - a @ a * b, normal) / (-2.0 * size)
    axis = normal / np.sqrt(size)
    u = p - centre
    w = np.cross(axis, u)
    angle = _turn(X_1[:3, 3] - centre, u, w)
    if _turn(p_via - centre, u, w) > angle:
        w, angle = -w, 2.0 * np.pi - angle
    phi = rotation_vector(X_1[:3, :3] @ X_0[:3, :3].T)
    return TaskPath(centre, u, w, angle, X_0[:3, :3], phi, float(np.linalg.norm(u)) * angle)


def _turn(r: np.ndarray, u: np.ndarray, w: np.ndarray) -> float:
    """Angle from u to r in the plane of u and w, 0 to 2π."""
    return float(np.arctan2(r @ w, r @ u)) % (2.0 * np.pi)
