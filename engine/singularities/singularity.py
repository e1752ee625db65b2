"""Singular values of the task Jacobian at a pose, the lost direction, the joints involved and the causes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from armature.engine import batching
from armature.engine.errors import enumeration
from armature.engine.kernel_wait import kernels_awaited
from armature.engine.kinematics.chain_arm import ChainArm, chain_arm
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.kinematics.poses import frame_pose
from armature.engine.kinematics.task import in_axes, is_turned, kept_rank, row_scale, singular_rows, task_axes_at
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import Matrix, Vector, read_only
from armature.engine.model.robot import TASK_AXES, Robot
from armature.engine.rounding import cleared
from armature.engine.singularities.nearest_singularity import NearestSingularity, singular_near
from armature.engine.singularities.singularity_causes import Cause, find_causes
from armature.engine.singularities.singularity_losses import direction_words
from armature.engine.singularities.task_freedom import freedom_words
from armature.engine.thresholds import CONDITION_STOP, CONDITION_WARN, Level

_FARTHEST = 0.7  # rad of joint motion: a singular pose farther off does not explain this one
_MOST = 3  # singular values that are analysed
_SMALLEST = 0.01  # ° or mm, the least distance shown


@dataclass(frozen=True, eq=False)
class Explanation:
    """Explanation of the singular values at a pose: `text`, `causes`, and the indices of the `joints` involved.

    `away`: distance to the nearest cause, such as "3°" or "12 mm"; "" for a regular or singular pose, or without a cause.
    """

    text: str
    causes: tuple[Cause, ...]
    joints: tuple[int, ...]
    away: str = ""


def explain(
    robot: Robot,
    q: np.ndarray,
    frame: str | None,
    rows: np.ndarray,
    sigma: np.ndarray,
    condition: float,
    twist: np.ndarray,
    motion: np.ndarray,
    warn: float,
) -> Explanation:
    """Explain the singular values `sigma` at q `(n,)`; `twist` `(6,)` and `motion` `(n,)` as in the report.

    Below the condition number `warn` a pose counts as non-singular.
    """
    if robot.frame(frame).body < 0:
        return Explanation("No joint moves the tool.", (), ())
    blamed = tuple(int(i) for i in np.flatnonzero(np.abs(motion) > 0.1 * np.abs(motion).max()))
    if condition < warn:
        able = "of its task" if len(sigma) == len(rows) else "that its joints allow"
        return Explanation(
            f"Non-singular: the tool can move in every direction {able} (condition number {condition:.3g}).", (), blamed
        )
    causes: tuple[Cause, ...] = ()
    text = away = ""
    part = None if kernels_awaited() else chain_arm(robot, frame)  # the search for the causes needs them
    if is_turned(robot, rows):
        near = None if part is None else singular_near(part.robot, q[part.joints], frame, rows, 0)
        close = part is not None and near is not None and near.distance < _FARTHEST and np.isfinite(condition)
        away = _far(part.robot, q[part.joints], near) if part is not None and near is not None and close else ""
        return Explanation(_plain(robot, condition, twist, blamed), (), blamed, away)
    if part is not None and not np.isfinite(condition):
        causes = find_causes(part.robot, q[part.joints], frame, rows)
        text = " ".join(cause.sentence for cause in causes)
    elif part is not None:
        causes, text, away = _nearby(part.robot, q[part.joints], frame, rows, sigma, warn)
    if part is not None:
        causes = tuple(in_whole_robot(cause, part, robot.n) for cause in causes)
    if not causes:
        return Explanation(_plain(robot, condition, twist, blamed), (), blamed)
    return Explanation(text, causes, tuple(sorted({j for cause in causes for j in cause.joints})), away)


def in_whole_robot(cause: Cause, part: ChainArm, n: int) -> Cause:
    """Cause of a part of a robot of n joints, with the joint indices of the whole robot."""
    motion = part.within(np.zeros(n), cause.motion)
    return replace(cause, joints=tuple(int(part.joints[j]) for j in cause.joints), motion=read_only(motion))


def _nearby(
    robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray, sigma: np.ndarray, warn: float
) -> tuple[tuple[Cause, ...], str, str]:
    """Causes at the singular poses found along the low singular values, nearest first, their text, and the distance to the first.

    The points of the causes are at their positions at q.
    """
    low = [k for k in range(min(_MOST, len(sigma))) if sigma[0] >= warn * sigma[-1 - k]]
    poses = [near for k in low if (near := singular_near(robot, q, frame, rows, k)) is not None and near.distance < _FARTHEST]
    causes: dict[tuple[str, str], Cause] = {}
    sentences = []
    for near in sorted(poses, key=lambda near: near.distance):
        there_to_here = frame_pose(robot, q, frame) @ np.linalg.inv(frame_pose(robot, near.q, frame))
        for cause in find_causes(robot, near.q, frame, rows):
            if (cause.kind, cause.condition) not in causes:
                point = read_only(there_to_here[:3, :3] @ cause.point + there_to_here[:3, 3])
                causes[cause.kind, cause.condition] = replace(cause, point=point)
                sentences.append(f"{cause.title}, {_far(robot, q, near)} away in joint space: {cause.fact}.")
    away = _far(robot, q, min(poses, key=lambda near: near.distance)) if causes else ""
    return tuple(causes.values()), " ".join(sentences), away


def _far(robot: Robot, q: np.ndarray, near: NearestSingularity) -> str:
    """Distance as text, in degrees, or in mm if prismatic joints move."""
    if is_slide(robot, near.q - q):
        return _at_least(1000 * near.distance * robot.characteristic_length, ".2g", " mm")
    return _at_least(np.degrees(near.distance), ".2g", "°")


def is_slide(robot: Robot, change: np.ndarray) -> bool:
    """True if a change of q `(n,)`, rad or m, is mostly one of prismatic joints, so that its size is a length."""
    moved = np.abs(change) * np.where(robot.prismatic, 1.0 / robot.characteristic_length, 1.0)
    return bool(moved[robot.prismatic].sum() > 0.9 * moved.sum())


def _at_least(value: float, digits: str, unit: str) -> str:
    """Distance as text; "less than …" below the precision of robots."""
    return f"{value:{digits}}{unit}" if value >= _SMALLEST else f"less than {_SMALLEST:g}{unit}"


def _plain(robot: Robot, condition: float, twist: np.ndarray, joints: tuple[int, ...]) -> str:
    """Text without a cause: the joints whose motions cancel, and the lost direction."""
    names = enumeration([robot.joint_names[i] for i in joints])
    degree = "cannot" if not np.isfinite(condition) else "can hardly"
    lost = _direction(twist)
    if len(joints) == 1:
        return f"{names} does not move the tool in this pose, so the tool {degree} {lost}."
    return f"The motions of {names} cancel at the tool, so it {degree} {lost}."


def _direction(twist: np.ndarray) -> str:
    linear, angular = twist[:3], twist[3:]
    v, w = np.linalg.norm(linear), np.linalg.norm(angular)
    if w < 0.1 * v:
        return f"move along {direction_words(linear)}"
    if v < 0.1 * w:
        return f"rotate about {direction_words(angular)}"
    return f"move along {direction_words(linear)} while rotating about {direction_words(angular)}"


@dataclass(frozen=True, eq=False)
class Singularity(Frozen):
    """Singular values of the task Jacobian at one pose, with their causes, as `singularity` returns them.

    `task`: the coordinates of the task, m of them; `length`: characteristic length in metres, by which rotational rows of the
    Jacobian are multiplied. `sigma` `(min(m, k),)`: singular values of the m rows of the task and the k columns of the joints
    that move the frame, largest first; `sigma_min`: the smallest one. `rank`: number of singular values above 1e-10 times the
    largest. `condition`: σ_max/σ_min, inf at rank loss. `manipulability`: Π σ of the task Jacobian without `length`. `lost_twist`
    `(6,)`: motion of the tool that is lost, or else requires the fastest joints: linear in m/s before angular in rad/s, world
    axes, a vector of length 1. `joint_motion` `(n,)`: joint velocity, rad/s or m/s, a vector of length 1, that moves the tool
    least. `joints`: 0-based indices of the joints whose columns are linearly dependent, or nearly so. `causes`: at rank loss the
    geometric causes of this pose; if only `condition` is at or above the warning threshold, the causes of the nearby singular
    poses; else empty. `reason`: the causes as text. `away`: distance in joint space to the nearest of these poses, such as "3°"
    or "12 mm", else "". `freedom`: a message if the number of joints differs from the number of coordinates, such as "2 joints
    for 3 coordinates: no motion along the rod.", else "". `explanation`: `reason` and `freedom`.

    Singular values below the rounding error, compared with the largest one and with the size of the arm, are set to 0. So is the
    manipulability, compared with the largest row of the Jacobian.
    """

    task: tuple[str, ...]
    length: float
    sigma: np.ndarray
    sigma_min: float
    condition: float
    manipulability: float
    rank: int
    lost_twist: np.ndarray
    joint_motion: np.ndarray
    joints: tuple[int, ...]
    causes: tuple[Cause, ...]
    reason: str
    away: str
    freedom: str

    @property
    def explanation(self) -> str:
        """`reason` and `freedom` in one text."""
        return f"{self.reason} {self.freedom}".rstrip()

    def verdict(self, warn: float = CONDITION_WARN) -> str:
        """Return "At a singularity" if the rank is reduced, else "Non-singular" if the condition number is below `warn`.

        Otherwise return a text such as "Near a singularity, 3° from it", without the distance if `away` is "".
        """
        if self.rank < len(self.sigma):
            return "At a singularity"
        if self.condition < warn:
            return "Non-singular"
        return "Near a singularity" + (f", {self.away} from it" if self.away else "")

    def level(self, warn: float = CONDITION_WARN, stop: float = CONDITION_STOP) -> Level:
        """Return the level of the condition number, an `IntEnum`: FINE = 0, WARN = 1 or STOP = 2.

        FINE below `warn`, WARN from `warn` on, STOP from `stop` on. At STOP an arm should be stopped; nothing stops it here.
        """
        return Level(int(self.condition >= warn) + int(self.condition >= stop))


@overload
def singularity(robot: Robot, q: Vector, frame: str | None = None, task=None, warn: float = CONDITION_WARN) -> Singularity: ...
@overload
def singularity(
    robot: Robot, q: Matrix, frame: str | None = None, task=None, warn: float = CONDITION_WARN
) -> tuple[Singularity, ...]: ...
def singularity(
    robot: Robot, q, frame: str | None = None, task=None, warn: float = CONDITION_WARN
) -> Singularity | tuple[Singularity, ...]:
    """Analyse the singular values of the task Jacobian at q.

    S J = U Σ Vᵀ with S = diag(1, 1, 1, L, L, L) and L = `robot.characteristic_length`. S J has the rows of the task and the
    columns of the k joints that move the frame. Without a task in the robot file all six rows are used; with k < 6 joints, a
    pose is then singular if the rank is below k. For the smallest singular value, lost_twist ∝ S⁻¹ u_min and
    joint_motion = v_min.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.
        frame: a name in `robot.frames`; None: the tool.
        task: subset of ("x", "y", "z", "rx", "ry", "rz") along the axes `robot.task_axes`; None: the task of the robot.
        warn: condition number from which the nearby singular pose is computed.

    Returns:
        A `Singularity` with read-only arrays; for N poses a tuple of them.

    Raises:
        DimensionError, EngineError, UnknownFrameError.

    Source: Yoshikawa 1985; Siciliano et al., Robotics: Modelling, Planning and Control, section 3.9.
    """
    (batch,), single = batching.vectors(robot, q=q)
    rows = singular_rows(robot, task)
    Js = jacobian(robot, batch, frame)
    axes = task_axes_at(robot, batch, frame, rows)
    reports = tuple(_report(robot, pose, J, R, rows, frame, warn) for pose, J, R in zip(batch, Js, axes, strict=True))
    return reports[0] if single else reports


def _report(
    robot: Robot, q: np.ndarray, J: np.ndarray, R: np.ndarray, rows: np.ndarray, frame: str | None, warn: float
) -> Singularity:
    """The report on the task's rows, along the axes R `(3, 3)`, of the Jacobian J `(6, n)` at q `(n,)`."""
    scale, joints = row_scale(robot, rows), list(robot.moving_joints(robot.frame(frame))) or list(range(robot.n))
    J = in_axes(R, J[:, joints])
    U, sigma, Vt = np.linalg.svd(J[rows] * scale[:, None], full_matrices=False)
    sigma = cleared(sigma, max(sigma[0], robot.characteristic_length))
    rank = kept_rank(robot, sigma)
    full = rank == len(sigma)
    twist = np.zeros(6)
    twist[rows] = U[:, -1] / scale
    motion = np.zeros(robot.n)
    motion[joints] = Vt[-1] * (1.0 if Vt[-1][np.argmax(np.abs(Vt[-1]))] > 0 else -1.0)
    twist = in_axes(R.T, twist / np.linalg.norm(twist))
    condition = float(sigma[0] / sigma[-1]) if full else np.inf
    why = explain(robot, q, frame, rows, sigma, condition, twist, motion, warn)
    return Singularity(
        task=tuple(TASK_AXES[r] for r in rows),
        length=robot.characteristic_length,
        sigma=read_only(sigma),
        sigma_min=float(sigma[-1]),
        condition=condition,
        manipulability=_volume(J[rows], sigma, scale) if sigma[-1] else 0.0,
        rank=rank,
        lost_twist=read_only(twist),
        joint_motion=read_only(motion),
        joints=why.joints,
        causes=why.causes,
        reason=why.text,
        away=why.away,
        freedom=freedom_words(robot, q, frame, rows),
    )


def _volume(J: np.ndarray, sigma: np.ndarray, scale: np.ndarray) -> float:
    """Π σ of J `(m, n)`, whose scaled singular values are `sigma`: with no more rows than columns it is Π σ(S J) / det S."""
    if J.shape[0] <= J.shape[1]:
        return float(np.prod(sigma) / np.prod(scale))
    R = np.linalg.qr(J, mode="r")
    return float(np.abs(np.prod(cleared(np.diag(R), np.linalg.norm(R, axis=0).max(initial=0.0)))))
