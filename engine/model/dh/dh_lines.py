"""Lines in space and the DH row that leads from one to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.model.dh_table import translate
from armature.engine.model.frozen import Frozen
from armature.engine.rotations import rot_x, rot_z

_PARALLEL = 1e-9  # sine of the angle below which two axes differ by the rounding of a file only
_TOUCH = 1e-12  # m or rad, below which a value is rounding

Row = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Line(Frozen):
    """The line through `p` `(3,)` along the unit vector `z` `(3,)`, world axes."""

    p: np.ndarray
    z: np.ndarray


def start_frame(axis: Line) -> np.ndarray:
    """Frame 0, 4×4, with z on the first axis: the world itself where that fits, else near it, x along the world's or across."""
    if np.linalg.norm(axis.z - [0, 0, 1]) < _PARALLEL and np.linalg.norm(axis.p[:2]) < _TOUCH:
        return np.eye(4)
    X = np.eye(4)
    x = next(e for e in np.eye(3) if abs(e @ axis.z) < 0.9)
    x = x - (x @ axis.z) * axis.z
    x /= np.linalg.norm(x)
    X[:3, :3] = np.column_stack([x, np.cross(axis.z, x), axis.z])
    X[:3, 3] = axis.p - (axis.p @ axis.z) * axis.z
    return X


def next_frame(X: np.ndarray, target: Line, longest: float, end: np.ndarray | None = None) -> tuple[Row, np.ndarray, bool]:
    """The row (theta, d, a, alpha) from frame X to a frame whose z lies on `target`, that frame, and whether it had to be bent.

    Bent means: the axes are all but parallel, their normal farther than `longest` m away; then the new z is made parallel to the
    old one, through the target's own point. `end`, the last frame of a chain, is hit where a free choice allows.
    """
    z, p = X[:3, 2], X[:3, 3]
    across = np.cross(z, target.z)
    sine, cosine = float(np.linalg.norm(across)), float(z @ target.z)
    if sine > _PARALLEL:
        normal = across / sine
        d, a, foot = _common_normal(p, z, target, normal)
        if max(abs(d), float(np.linalg.norm(foot - target.p))) <= longest:
            # a ≥ 0; of the two directions that intersecting axes leave, the one with the smaller theta
            if a < -_TOUCH or (a < _TOUCH and normal @ X[:3, 0] < -_PARALLEL):
                normal, a, sine = -normal, -a, -sine
            return *_row(X, normal, d, a, float(np.arctan2(sine, cosine))), False
    return *_parallel(X, target, cosine, end), sine > _PARALLEL


def _common_normal(p: np.ndarray, z: np.ndarray, target: Line, normal: np.ndarray) -> tuple[float, float, np.ndarray]:
    """Where the common normal leaves the line (p, z), its signed length along `normal`, and its foot on the target.

    p + d z + a n = target.p + s target.z.
    """
    d, a, s = np.linalg.solve(np.column_stack([z, normal, -target.z]), target.p - p)
    return float(d), float(a), target.p + s * target.z


def foot_and_length(one: Line, other: Line, normal: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
    """Where the common normal leaves one line, its signed length along `normal`, and its foot on the other."""
    d, a, foot = _common_normal(one.p, one.z, other, normal)
    return one.p + d * one.z, a, foot


def row_to(X: np.ndarray, target: np.ndarray) -> tuple[Row, np.ndarray]:
    """The row (theta, d, a, alpha) from frame X towards another whose x crosses both z at a right angle, and where it leads."""
    z, x = X[:3, 2], target[:3, 0]
    gap = target[:3, 3] - X[:3, 3]
    alpha = float(np.arctan2(np.cross(z, target[:3, 2]) @ x, z @ target[:3, 2]))
    return _row(X, x, float(gap @ z), float(gap @ x), alpha)


def _parallel(X: np.ndarray, target: Line, cosine: float, end: np.ndarray | None) -> tuple[Row, np.ndarray]:
    """Parallel axes: alpha is 0 or π; the normal starts at X, or where `end` wants its origin."""
    z = X[:3, 2]
    gap = target.p - X[:3, 3]
    d = float(gap @ z) if end is not None else 0.0
    offset = gap - (gap @ z) * z
    a = float(np.linalg.norm(offset))
    if a >= _TOUCH:
        normal = offset / a
    else:
        normal, a = (X if end is None else end)[:3, 0], 0.0
        normal = normal - (normal @ z) * z  # what rounding, or bending, has left along z
        normal = normal / np.linalg.norm(normal)
    return _row(X, normal, d, a, 0.0 if cosine > 0 else float(np.pi))


def _row(X: np.ndarray, normal: np.ndarray, d: float, a: float, alpha: float) -> tuple[Row, np.ndarray]:
    """The row whose x lies along `normal`, free of dust, and exactly the frame it leads to, so that no error adds up."""
    theta = float(np.arctan2(normal @ X[:3, 1], normal @ X[:3, 0]))
    theta, alpha = (np.pi if value < _TOUCH - np.pi else value for value in (theta, alpha))  # half a turn either way
    theta, d, a, alpha = (0.0 if abs(value) < _TOUCH else value for value in (theta, d, a, alpha))
    return (theta, d, a, alpha), X @ rot_z(theta) @ translate(a, 0, d) @ rot_x(alpha)
