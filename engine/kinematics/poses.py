"""Poses of frames and links."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.kernel_wait import kernels_awaited
from armature.engine.model.placed_bodies import placed_frames
from armature.engine.model.robot import Robot


def frame_pose(robot: Robot, q, frame: str | None = None) -> np.ndarray:
    """Pose X_WF of a frame F in the world frame W.

    X_WF = X_WB(q) X_BF,  with B the body that carries F.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.
        frame: a name in `robot.frames`; None: the tool.

    Returns:
        Homogeneous transform `(4, 4)` or `(N, 4, 4)`, translation in m.

    Raises:
        DimensionError, UnknownFrameError.
    """
    F = robot.frame(frame)
    if robot.coupling is not None:
        (q,) = batching.on_tree(robot, q=q)
        return frame_pose(robot.tree, q, frame)
    (q,), single = batching.states(robot, q=q)
    X = _frame_poses(robot, q, F.body, F.X_BF)
    return X[0] if single else X


def link_poses(robot: Robot, q) -> np.ndarray:
    """Poses X_WL of the frames L of all links in the world frame W, in the order of `robot.link_names` (base first).

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.

    Returns:
        Homogeneous transforms `(n_links, 4, 4)` or `(N, n_links, 4, 4)`, translations in m.

    Raises:
        DimensionError.
    """
    if robot.coupling is not None:
        return link_poses(robot.tree, *batching.on_tree(robot, q=q))
    (q,), single = batching.states(robot, q=q)
    X = _link_poses(robot, q, *robot.link_table)
    return X[0] if single else X


def body_point(robot: Robot, q: np.ndarray, body: int, p_B: np.ndarray) -> np.ndarray:
    """p_W `(3,)` m of the point p_B `(3,)` of a body at q `(n,)`; arguments are not checked."""
    X_BF = np.eye(4)
    X_BF[:3, 3] = p_B
    tree_q = q if robot.coupling is None else robot.coupling.position(q)
    return _frame_poses(robot.tree, np.ascontiguousarray(tree_q)[None], body, X_BF)[0, :3, 3]


def body_axes(robot: Robot, q) -> tuple[np.ndarray, np.ndarray]:
    """Unit vector `(n, 3)` and a point `(n, 3)` in m of every joint axis at q `(n,)`, world axes."""
    if robot.coupling is not None:
        z, p = body_axes(robot.tree, *batching.on_tree(robot, q=q))
        return z[robot.coupling.own], p[robot.coupling.own]
    (q,), _ = batching.states(robot, q=q)
    X = _link_poses(robot, q, np.arange(robot.n), np.tile(np.eye(4), (robot.n, 1, 1)))[0]
    return X[:, :3, 2], X[:, :3, 3]


def _frame_poses(robot: Robot, q: np.ndarray, body: int, X_BF: np.ndarray) -> np.ndarray:
    """Poses `(N, 4, 4)` of a frame F of an arm without coupled joints at q `(N, n)`, rad or m."""
    if kernels_awaited():
        return placed_frames(robot, q, np.array([body]), X_BF[None])[:, 0]
    from armature.engine.kinematics.pose_kernels import frame_poses_many  # numba: not while a window opens

    X = np.empty((len(q), 4, 4))
    batching.run(lambda lo, hi: frame_poses_many.call(robot.packed, q, body, X_BF, X, lo, hi), len(q))
    return X


def _link_poses(robot: Robot, q: np.ndarray, bodies: np.ndarray, X_BL: np.ndarray) -> np.ndarray:
    """Poses `(N, k, 4, 4)` of frames on k bodies of an arm without coupled joints at q `(N, n)`, rad or m."""
    if kernels_awaited():
        return placed_frames(robot, q, bodies, X_BL)
    from armature.engine.kinematics.pose_kernels import link_poses_many  # numba: not while a window opens

    X = np.empty((len(q), len(bodies), 4, 4))
    batching.run(lambda lo, hi: link_poses_many.call(robot.packed, q, bodies, X_BL, X, lo, hi), len(q))
    return X
