"""The axes along which a robot's task is written: those of the world, of the base, of the arm or of the tool."""

from __future__ import annotations

import numpy as np

from armature.engine.kinematics.task import row_scale
from armature.engine.model.body import PRISMATIC, Frame
from armature.engine.model.robot import Robot


def is_turned(robot: Robot, rows: np.ndarray) -> bool:
    """True where `rows` mean other motions along the axes of the task than along those of the world.

    All lengths together, and all rotations together, are the same along any axes.
    """
    lengths = int(np.sum(rows < 3))
    return robot.task_axes != "world" and (lengths % 3 != 0 or (len(rows) - lengths) % 3 != 0)


def base_rotation(robot: Robot, frame: Frame) -> np.ndarray:
    """R_W0 `(3, 3)` of the link called base or base_link, else of that which the first joint on the way to a frame hangs on."""
    for name in ("base", "base_link"):
        if name in robot.links and robot.links[name].body < 0:
            return robot.links[name].X_BF[:3, :3]
    first = robot.chain(frame)[:1]
    for name, parent in robot.link_parents.items():
        if (robot.links[name].body,) == first and robot.links[parent].body < 0:
            return robot.links[parent].X_BF[:3, :3]
    return robot.base[:3, :3]


def axes_frame(robot: Robot, frame: Frame) -> Frame:
    """The frame along whose axes the task is, on a body of the tree: the base's, or that turned with the first joint.

    The arm's axes are the base's where the first joint is at 0. "tool" has the frame itself.
    """
    if robot.task_axes == "tool":
        return frame
    X, chain = np.eye(4), robot.chain(frame)
    X[:3, :3] = base_rotation(robot, frame)
    if robot.task_axes == "base" or not chain or robot.bodies[chain[0]].joint_type == PRISMATIC:
        return Frame(-1, X)
    X[:3, :3] = robot.bodies[chain[0]].X_PJ[:3, :3].T @ X[:3, :3]
    return Frame(chain[0], X)


def axes_rotation(robot: Robot, q: np.ndarray, frame: str | None) -> np.ndarray:
    """R_WA `(…, 3, 3)` of the axes of the task at q `(…, n)`."""
    if robot.task_axes == "tool":
        from armature.engine.kinematics.poses import frame_pose  # compiled code, which the window must not wait for

        return frame_pose(robot, q, frame)[..., :3, :3]
    F = axes_frame(robot, robot.frame(frame))
    if F.body < 0:
        return np.broadcast_to(F.X_BF[:3, :3], (*np.shape(q)[:-1], 3, 3))
    values = np.asarray(q) if robot.coupling is None else robot.coupling.position(np.asarray(q))
    angle = values[..., F.body]
    turn = np.zeros((*angle.shape, 3, 3))
    turn[..., 0, 0] = turn[..., 1, 1] = np.cos(angle)
    turn[..., 1, 0] = np.sin(angle)
    turn[..., 0, 1] = -turn[..., 1, 0]
    turn[..., 2, 2] = 1.0
    return robot.bodies[F.body].X_PJ[:3, :3] @ turn @ F.X_BF[:3, :3]


def in_axes(R: np.ndarray, twist: np.ndarray) -> np.ndarray:
    """Twists `(…, 6)`, or columns of them `(…, 6, n)`, of world axes along the axes R `(…, 3, 3)`."""
    columns = twist if twist.ndim > R.ndim - 1 else twist[..., None]
    turned = R[..., None, :, :].swapaxes(-1, -2) @ columns.reshape(*columns.shape[:-2], 2, 3, columns.shape[-1])
    return turned.reshape(twist.shape)


def task_axes_at(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray) -> np.ndarray:
    """R_WA `(…, 3, 3)` along which `rows` are taken at q `(…, n)`: the identity where that makes no difference."""
    if not is_turned(robot, rows):
        return np.broadcast_to(np.eye(3), (*np.shape(q)[:-1], 3, 3))
    return axes_rotation(robot, q, frame)


def task_jacobian(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray) -> np.ndarray:
    """J `(…, m, n)` of a frame at q `(…, n)`: the `rows` along the axes of the robot's task."""
    from armature.engine.kinematics.jacobian import jacobian  # compiled code, which the window must not wait for

    J = jacobian(robot, q, frame)
    return (in_axes(axes_rotation(robot, q, frame), J) if is_turned(robot, rows) else J)[..., rows, :]


def scaled_jacobian(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray) -> np.ndarray:
    """A = S J `(…, m, n)`: `task_jacobian`, its rows of rotation times the characteristic length."""
    return task_jacobian(robot, q, frame, rows) * row_scale(robot, rows)[:, None]
