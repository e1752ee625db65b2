"""Poses of frames and links."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.jit import CUBE, INT, INTS, MAT, MODEL, OUT3, OUT4, kernel
from armature.engine.model.body_placement import frame_in_world, place_in_world
from armature.engine.model.robot import Robot


def frame_pose(robot: Robot, q, frame: str | None = None) -> np.ndarray:
    """Pose X_WF of a frame F in the world.

    X_WF = X_WB(q) X_BF

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.
        frame: a name in `robot.frames`; the tool when None.

    Returns:
        `(4, 4)` or `(N, 4, 4)`.

    Raises:
        DimensionError, UnknownFrameError.
    """
    F = robot.frame(frame)
    if robot.coupling is not None:
        (q,) = batching.on_tree(robot, q=q)
        return frame_pose(robot.tree, q, frame)
    (q,), single = batching.states(robot, q=q)
    out = np.empty((len(q), 4, 4))
    batching.run(lambda lo, hi: frame_poses_many.call(robot.packed, q, F.body, F.X_BF, out, lo, hi), len(q))
    return out[0] if single else out


def link_poses(robot: Robot, q) -> np.ndarray:
    """Poses X_WL of all links, in the order of `robot.link_names`.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.

    Returns:
        `(n_links, 4, 4)` or `(N, n_links, 4, 4)`.

    Raises:
        DimensionError.
    """
    body, X_BL = robot.link_table
    if robot.coupling is not None:
        return link_poses(robot.tree, *batching.on_tree(robot, q=q))
    (q,), single = batching.states(robot, q=q)
    out = np.empty((len(q), len(body), 4, 4))
    batching.run(lambda lo, hi: _links_many.call(robot.packed, q, body, X_BL, out, lo, hi), len(q))
    return out[0] if single else out


@kernel(MODEL, MAT, INT, MAT, OUT3, INT, INT)
def frame_poses_many(P, q, body, X_BF, out, lo, hi):
    n = P.shape[0] - 1
    X, W = np.empty((n, 12)), np.empty((n, 12))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        frame_in_world(W, body, X_BF, out[k])


@kernel(MODEL, MAT, INTS, CUBE, OUT4, INT, INT)
def _links_many(P, q, body, X_BL, out, lo, hi):
    n = P.shape[0] - 1
    X, W = np.empty((n, 12)), np.empty((n, 12))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        for i in range(body.size):
            frame_in_world(W, body[i], X_BL[i], out[k, i])


def body_point(robot: Robot, q: np.ndarray, body: int, p_B: np.ndarray) -> np.ndarray:
    """p_W `(3,)` m of the point p_B `(3,)` of a body at q `(n,)`; arguments are taken as they are."""
    X_BF, out = np.eye(4), np.empty((1, 4, 4))
    X_BF[:3, 3] = p_B
    tree_q = q if robot.coupling is None else robot.coupling.position(q)
    frame_poses_many.call(robot.tree.packed, np.ascontiguousarray(tree_q)[None], body, X_BF, out, 0, 1)
    return out[0, :3, 3]


def body_axes(robot: Robot, q) -> tuple[np.ndarray, np.ndarray]:
    """Unit vector `(n, 3)` and a point `(n, 3)` in m of every joint axis at q `(n,)`, world axes."""
    if robot.coupling is not None:
        z, p = body_axes(robot.tree, *batching.on_tree(robot, q=q))
        return z[robot.coupling.own], p[robot.coupling.own]
    (q,), _ = batching.states(robot, q=q)
    out = np.empty((1, robot.n, 4, 4))
    _links_many.call(robot.packed, q, np.arange(robot.n), np.tile(np.eye(4), (robot.n, 1, 1)), out, 0, 1)
    return out[0, :, :3, 2], out[0, :, :3, 3]
