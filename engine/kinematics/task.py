"""Tasks of a robot: the coordinates that count, their rows, scales and axes."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.model.body import PRISMATIC, Frame
from armature.engine.model.robot import TASK_AXES, Robot
from armature.engine.rounding import cleared

_POSES, _SEED = 64, 0
_FAR = 1.0  # m that a slide without limits is tried out to
_INDEPENDENT = 5e-3  # of the largest singular value; files write right angles as 1.57


def path_task(robot: Robot) -> tuple[str, ...]:
    """Coordinates in which the tool follows a path: `robot.task`, or fewer if the file names none and the joints are too few.

    All that the joints can move if these are independent, such as x, y, z, rz of a SCARA. Else the position, or the rotation if
    the position is fixed: coordinates in order, as many as joints, each independent of the coordinates before. Rows of the
    Jacobian are independent if at some of 64 poses their smallest singular value is more than 0.005 of the largest of all rows.
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
    """Coordinates whose loss makes a pose singular: `robot.task`, or those of a path if the joints are dependent.

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


RANK_TOLERANCE = 1e-10
"""Share of the largest singular value of a scaled Jacobian below which a direction counts as lost."""


def task_rows(robot: Robot, task=None) -> np.ndarray:
    """Row indices of the Jacobian that count: of `task`, or of the robot's own task when None. Raises EngineError."""
    wanted = robot.task if task is None else task_axes(task)
    return np.array(sorted(TASK_AXES.index(axis) for axis in wanted), dtype=np.int64)


def singular_rows(robot: Robot, task=None) -> np.ndarray:
    """Row indices of the Jacobian that lose rank at a singular pose: of `task`, or of `singular_task` when None.

    Raises EngineError.
    """
    return task_rows(robot, singular_task(robot) if task is None else task)


def path_rows(robot: Robot) -> np.ndarray:
    """Row indices of the Jacobian that count while the tool follows a path; see `path_task`."""
    return task_rows(robot, path_task(robot))


def row_scale(robot: Robot, rows: np.ndarray) -> np.ndarray:
    """S `(m,)` that makes rows of a Jacobian comparable: 1 for lengths, `robot.characteristic_length` in m for angles."""
    return np.where(rows >= 3, robot.characteristic_length, 1.0)


def kept_rank(robot: Robot, sigma: np.ndarray) -> int:
    """Number of singular values of a scaled Jacobian, largest first, above rounding and above RANK_TOLERANCE of the largest.

    Values below the rounding of the arm's own size never count, even without a larger value.
    """
    clear = cleared(sigma, robot.characteristic_length)
    return int(np.sum(clear > RANK_TOLERANCE * max(clear[0], np.finfo(float).tiny)))


def task_axes(task) -> tuple[str, ...]:
    """The axes of a task as the caller gave them, checked. Raises EngineError."""
    wanted = tuple(task) if isinstance(task, Iterable) else (task,)
    if not wanted or any(axis not in TASK_AXES for axis in wanted) or len(set(wanted)) != len(wanted):
        raise EngineError(f"task {wanted!r} is not a non-empty subset of {TASK_AXES}")
    return wanted


def is_turned(robot: Robot, rows: np.ndarray) -> bool:
    """True if `rows` are other motions along the axes of the task than along those of the world.

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
