"""What an arm is built like, as far as closed forms care: read off its axes, not its name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.kinematics.search.search_problem import chain
from armature.engine.model.robot import Robot

SPHERICAL, PARALLEL = "spherical wrist", "axes 2, 3, 4 parallel"
NEARLY = 1e-4  # rad, and of the reach: as exact as robot files are; what is missing is made up when branches are sharpened


@dataclass(frozen=True, eq=False)
class SixAxes:
    """A chain of six joints with a closed form.

    `bodies` their indices; `X` `(6, 4, 4)` each joint's placement in the one before; `X_6F` the frame on the last; `turns` which
    joints turn; `kind` SPHERICAL or PARALLEL; `centre3` and `centre6` `(3,)` the point where the wrist's axes meet, in the frames
    of bodies 3 and 6 (SPHERICAL), or where axes 5 and 6 cross, in those of bodies 4 and 6 (PARALLEL); `size` the reach in m.
    """

    bodies: tuple[int, ...]
    X: np.ndarray
    X_6F: np.ndarray
    turns: tuple[bool, ...]
    kind: str
    centre3: np.ndarray
    centre6: np.ndarray
    size: float


def six_axes(robot: Robot, frame: str | None) -> SixAxes:
    """The closed form that fits the way to a frame. Raises EngineError with the reason where none does, UnknownFrameError."""
    F, tree = robot.frame(frame), robot.tree
    bodies = chain(robot, F)
    if len(bodies) != 6:
        raise _unfit(robot, f"{len(bodies)} joints move this frame")
    X = np.array([tree.bodies[b].X_PJ for b in bodies])
    turns = tuple(not bool(tree.prismatic[b]) for b in bodies)
    if not all(turns[3:]):
        raise _unfit(robot, "one of the last three joints slides")
    size = robot.reach
    meet56 = _crossing(X[5], size)
    meet45 = _crossing(X[4], size)
    kind, where = "", ""
    if meet56 is None:
        where = "axes 5 and 6 do not cross"
    elif meet45 is not None and abs(meet45[1] - meet56[0]) < NEARLY * size:
        kind, host, on = SPHERICAL, X[3], meet45[0]
    elif all(turns) and _parallel(X[2]) and _parallel(X[3]) and not _parallel(X[1]) and not _parallel(X[4]):
        kind, host, on = PARALLEL, X[4], meet56[0]
    else:
        where = "the last three axes do not meet in one point, nor are axes 2, 3, 4 parallel"
    if not kind or meet56 is None:
        raise _unfit(robot, where)
    centre3 = host[:3, :3] @ np.array([0, 0, on]) + host[:3, 3]
    return SixAxes(bodies, X, F.X_BF, turns, kind, centre3, np.array([0, 0, meet56[1]]), size)


def _unfit(robot: Robot, why: str) -> EngineError:
    return EngineError(
        f"{robot.name}: no closed form: {why}; it takes six joints with a spherical wrist, or with axes 2, 3, 4 parallel and "
        "axes 5, 6 crossing; use ik, which takes any arm"
    )


def _parallel(X: np.ndarray) -> bool:
    """Whether the next axis, placed at X, is parallel to this one."""
    return bool(np.hypot(X[0, 2], X[1, 2]) < NEARLY)


def _crossing(X: np.ndarray, size: float) -> tuple[float, float] | None:
    """Where this axis and the next, placed at X, cross: heights on this one and on the next, or None.

    p + t d lies on z where its x and y vanish: t = −(p · d)_xy/|d|²_xy, and nothing must be left.
    """
    if _parallel(X):
        return None
    p, d = X[:3, 3], X[:3, 2]
    t = -float(p[:2] @ d[:2]) / float(d[:2] @ d[:2])
    if np.hypot(*(p + t * d)[:2]) > NEARLY * size:
        return None
    return float(p[2] + t * d[2]), t
