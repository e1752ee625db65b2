"""The task of an arm whose file names none: where fewer than six joints move the tool, as many coordinates as they can move."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import TASK_AXES, Robot

_POSES, _SEED = 64, 0
_FAR = 1.0  # m that a slide without limits is tried out to
_INDEPENDENT = 5e-3  # of the largest singular value; files write right angles as 1.57


def with_usual_task(robot: Robot) -> Robot:
    """The robot with the task that its joints can do; unchanged where six or more of them move the tool, or none does.

    Coordinates are taken in the order x, y, z, rx, ry, rz, each if the joints can move it independently of those before: if at
    some of 64 poses the smallest singular value of these rows of the Jacobian is more than 0.005 of the largest of all rows.
    """
    movers = {robot.body_joints[i] for i in robot.chain(robot.tool_frame)}
    if not 0 < len(movers) < len(TASK_AXES):
        return robot
    axes = _independent(_jacobians(robot, _poses(robot)), len(movers))
    if not axes:
        return robot
    joints = "the only joint that moves the tool" if len(movers) == 1 else f"the {len(movers)} joints that move the tool"
    most = f"{len(axes)} coordinate{'s' * (len(axes) > 1)}"
    why = f"chosen because the file names no task: {joints} can move {most} at most, lengths first"
    return replace(robot, task=axes, task_reason=why)


def _independent(J: np.ndarray, most: int) -> tuple[str, ...]:
    """Rows of Jacobians `(N, 6, n)`, angles scaled to lengths, that can be moved independently, at most so many."""
    largest = np.linalg.svd(J, compute_uv=False)[:, 0]
    rows: list[int] = []
    for row in range(len(TASK_AXES)):
        if len(rows) == most:
            break
        smallest = np.linalg.svd(J[:, [*rows, row], :], compute_uv=False)[:, -1]
        if (smallest > _INDEPENDENT * largest).any():
            rows.append(row)
    return tuple(TASK_AXES[row] for row in rows)


def _poses(robot: Robot) -> np.ndarray:
    """q `(N, n)` all over the limits, always the same."""
    far = np.where(robot.prismatic, _FAR, np.pi)
    low = np.where(np.isfinite(robot.q_min), robot.q_min, np.minimum(-far, robot.q_max - far))
    high = np.where(np.isfinite(robot.q_max), robot.q_max, np.maximum(far, robot.q_min + far))
    return np.random.default_rng(_SEED).uniform(low, high, (_POSES, robot.n))


def _jacobians(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`(N, 6, n)` of the tool in world axes at q `(N, n)`, angles times `robot.characteristic_length`; no kernel is needed."""
    tool = robot.tool_frame
    chain = robot.chain(tool)
    G, offset = (np.eye(robot.n), np.zeros(robot.n)) if robot.coupling is None else (robot.coupling.G, robot.coupling.offset)
    values = q @ G.T + offset
    X, axes = np.broadcast_to(np.eye(4), (len(q), 4, 4)), {}
    for i in chain:
        body = robot.bodies[i]
        X = X @ body.X_PJ
        axes[i] = X[:, :3, 2], X[:, :3, 3]
        X = X @ _moved(values[:, i], body.joint_type == PRISMATIC)
    p = (X @ tool.X_BF)[:, :3, 3]
    J = np.zeros((len(q), 6, len(robot.bodies)))
    for i, (z, origin) in axes.items():
        if robot.bodies[i].joint_type == PRISMATIC:
            J[:, :3, i] = z
        else:
            J[:, :3, i], J[:, 3:, i] = np.cross(z, p - origin), z * robot.characteristic_length
    return J @ G


def _moved(value: np.ndarray, slides: bool) -> np.ndarray:
    """Turned about z or slid along it `(N, 4, 4)`."""
    X = np.tile(np.eye(4), (len(value), 1, 1))
    if slides:
        X[:, 2, 3] = value
    else:
        X[:, 0, 0] = X[:, 1, 1] = np.cos(value)
        X[:, 1, 0] = np.sin(value)
        X[:, 0, 1] = -X[:, 1, 0]
    return X
