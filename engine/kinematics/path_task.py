"""The coordinates of a path of the tool, for arms of fewer than six joints whose file names no task."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import TASK_AXES, Robot

_POSES, _SEED = 64, 0
_FAR = 1.0  # m that a slide without limits is tried out to
_INDEPENDENT = 5e-3  # of the largest singular value; files write right angles as 1.57


def path_task(robot: Robot) -> tuple[str, ...]:
    """Coordinates in which the tool follows a path: `robot.task`, or fewer where the file names none and the joints are too few.

    All that the joints can move where these are independent, such as x, y, z, rz of a SCARA. Else the position, or the rotation
    where the position stands still: coordinates in their order, as many as there are joints, each if it is independent of those
    before. Independent: at some of 64 poses the smallest singular value of these rows of the Jacobian is more than 0.005 of the
    largest of all rows.
    """
    return _coordinates(robot)[0]


def movable_task(robot: Robot) -> tuple[str, ...]:
    """Coordinates in W that a drag of the tool may change: `robot.task`; those that some joint moves where the file names none.

    Of a task along other axes all lengths where it has one, and all rotations.
    """
    found = _coordinates(robot)[1]
    if robot.task_axes == "world":
        return found
    kinds = {axis.startswith("r") for axis in found}
    return tuple(axis for axis in TASK_AXES if axis.startswith("r") in kinds)


def singular_task(robot: Robot) -> tuple[str, ...]:
    """Coordinates whose loss makes a pose singular: `robot.task`, or those of a path where the joints depend on each other.

    A planar arm of four joints has one to spare: its 6×4 Jacobian has rank 3 at most, and a rank below 4 is no loss. The path's
    coordinates count where the file names no task and the rank is below the number of joints at all of 64 poses.
    """
    return _coordinates(robot)[2]


_Coordinates = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
_KNOWN: WeakKeyDictionary[Robot, _Coordinates] = WeakKeyDictionary()


def _coordinates(robot: Robot) -> _Coordinates:
    """Coordinates of a path, of a drag, and of singular poses."""
    if not robot.task_reason:
        return robot.task, robot.task, robot.task
    if robot not in _KNOWN:
        path, movable, rank = _rows(robot)
        names = [tuple(TASK_AXES[row] for row in rows) for rows in (path, movable)]
        spare = rank < len(robot.moving_joints(robot.tool_frame))
        _KNOWN[robot] = names[0], names[1], names[0] if spare else robot.task
    return _KNOWN[robot]


def _rows(robot: Robot) -> tuple[list[int], list[int], int]:
    """Rows of the Jacobian of a path, those that the joints move, and its largest rank."""
    J, most = _jacobians(robot, _poses(robot)), len(robot.moving_joints(robot.tool_frame))
    sigma = np.linalg.svd(J, compute_uv=False)
    largest = sigma[:, 0]
    rank = int((sigma > _INDEPENDENT * largest[:, None]).sum(axis=1).max())
    movable = [row for row in range(len(TASK_AXES)) if (np.linalg.norm(J[:, row], axis=1) > _INDEPENDENT * largest).any()]
    position = [row for row in movable if row < 3]
    free = _independent(J, largest, movable, most)
    return (free if free == movable else _independent(J, largest, position or movable, most)), movable, rank


def _independent(J: np.ndarray, largest: np.ndarray, among: list[int], most: int) -> list[int]:
    """Rows of Jacobians `(N, 6, n)`, rotations scaled to lengths, that can be moved independently, at most so many."""
    rows: list[int] = []
    for row in among:
        if len(rows) == most:
            break
        smallest = np.linalg.svd(J[:, [*rows, row], :], compute_uv=False)[:, -1]
        if (smallest > _INDEPENDENT * largest).any():
            rows.append(row)
    return rows


def _poses(robot: Robot) -> np.ndarray:
    """q `(N, n)` drawn from the whole ranges, the same at every call."""
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
    """Rotation about z, or translation along it, as poses `(N, 4, 4)`."""
    X = np.tile(np.eye(4), (len(value), 1, 1))
    if slides:
        X[:, 2, 3] = value
    else:
        X[:, 0, 0] = X[:, 1, 1] = np.cos(value)
        X[:, 1, 0] = np.sin(value)
        X[:, 0, 1] = -X[:, 1, 0]
    return X
