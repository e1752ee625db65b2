"""Mass, centre and inertia of a link from a shape, and where along the link it lies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.model.body import PRISMATIC
from armature.engine.model.checked_figures import floats
from armature.engine.model.draft.draft_text import Parts, with_values
from armature.engine.model.draft.places import Placed
from armature.engine.model.draft.shape import Shape
from armature.engine.model.draft.written_places import needed
from armature.engine.model.robot import Robot
from armature.engine.model.toml.written_values import short, short_inertia

_DIGITS = 9  # that are written of what a shape gives
_TINY = 1e-9  # m


def link_span(robot: Robot, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Where link i begins and ends, two points `(3,)` in m in the frame of the link.

    It begins on its joint's axis, where the link before ends (of a slide, where that is when the slide is fully out), and ends on
    the axis of the joint that it carries, at the foot of the common normal; the last one at its own frame, or at the tool where
    that is the same place.

    Args:
        robot: with links `base`, `link1`, … as robot files give them.
        i: of the joint that moves it, from 0.
    """
    body, X_BL = robot.bodies[i], robot.links[f"link{i + 1}"].X_BF
    before = robot.links["base" if body.parent < 0 else f"link{body.parent + 1}"]
    origin = before.X_BF[:3, 3]
    z = float((body.X_PJ[:3, :3].T @ (origin - body.X_PJ[:3, 3]))[2])
    if body.joint_type == PRISMATIC and np.isfinite(robot.q_max[i]):
        z -= max(float(robot.q_max[i]), 0.0)
    start = np.array([0.0, 0.0, z])
    end = X_BL[:3, 3]
    child = next((other for other in robot.bodies if other.parent == i), None)
    if child is not None:
        point, axis = child.X_PJ[:3, 3], child.X_PJ[:3, 2]
        end = point + ((end - point) @ axis) * axis
    elif np.linalg.norm(end - start) < _TINY and robot.tool_frame.body == i:
        end = robot.tool_frame.X_BF[:3, 3]
    R, p = X_BL[:3, :3], X_BL[:3, 3]
    return R.T @ (start - p), R.T @ (end - p)


def along_link(robot: Robot, i: int) -> np.ndarray:
    """X_LS `(4, 4)` of a shape in the middle of link i, z along the link; along the joint's axis for one of no length."""
    start, end = link_span(robot, i)
    z = end - start
    length = float(np.linalg.norm(z))
    z = z / length if length > _TINY else robot.links[f"link{i + 1}"].X_BF[:3, :3].T[:, 2]
    x = next(e for e in np.eye(3) if abs(e @ z) < 0.9)
    x = x - (x @ z) * z
    x /= np.linalg.norm(x)
    X = np.eye(4)
    X[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    X[:3, 3] = (start + end) / 2
    return X


def with_shape(
    parts: Parts, table: Mapping[str, Any], robot: Robot, i: int, shape: Shape, mass: float, X_LS: np.ndarray | None
) -> Parts:
    """Link i with the mass, the centre and the inertia of a shape at X_LS in its frame.

    com = p_LS,  I_L = R_LS I_S R_SL.
    """
    if not isinstance(i, int) or not 0 <= i < robot.n:
        raise ModelError(f"joints: no joint {i}; the robot has {robot.n}, counted from 0")
    X = along_link(robot, i) if X_LS is None else floats(X_LS)
    if X.shape != (4, 4) or not np.isfinite(X).all() or not np.allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3), atol=1e-6):
        raise ModelError(f"joints[{i}]: the pose of a shape must be 4×4 with an orthonormal rotation")
    inertia = X[:3, :3] @ shape.inertia(mass) @ X[:3, :3].T
    changes: list[Placed] = []
    for key, value in (("mass", _few(mass)), ("com", short(_few(X[:3, 3]))), ("inertia", short_inertia(_few(inertia)))):
        changes += needed(table, ("joints", i, key), np.asarray(value).tolist() if key != "inertia" else value)
    return with_values(parts, changes)


def _few(values: Any) -> Any:
    """Rounded to nine digits of the largest."""
    numbers = np.asarray(values, float)
    most = float(np.abs(numbers).max())
    return numbers if most == 0 else np.round(numbers, _DIGITS - 1 - int(np.floor(np.log10(most))))
