"""The text of a singularity report: why this pose is singular, or which singularity it is near."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armature.engine.errors import enumeration
from armature.engine.kernel_wait import kernels_awaited
from armature.engine.kinematics.chain_arm import ChainArm, chain_arm
from armature.engine.kinematics.poses import frame_pose
from armature.engine.kinematics.task_axes import is_turned
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.singularities.nearest_singularity import NearestSingularity, singular_near
from armature.engine.singularities.singularity_causes import Cause, find_causes
from armature.engine.singularities.singularity_losses import direction_words

_FARTHEST = 0.7  # rad of joint motion: a singular pose farther off does not explain this one
_MOST = 3  # singular values looked into
_SMALLEST = 0.01  # ° or mm, the least distance told


@dataclass(frozen=True, eq=False)
class Explanation:
    """The `text`, the `causes` behind it, the indices of the `joints` to blame, and how far the nearest cause is `away`.

    `away` is such as "3°" or "12 mm"; "" for a regular pose, a singular one, and where no cause was found.
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
    """What the singular values `sigma` at q `(n,)` mean; `twist` `(6,)` and `motion` `(n,)` as in the report.

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
    """A cause found for a part of a robot of n joints, with the indices of the whole robot's joints."""
    motion = part.within(np.zeros(n), cause.motion)
    return replace(cause, joints=tuple(int(part.joints[j]) for j in cause.joints), motion=read_only(motion))


def _nearby(
    robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray, sigma: np.ndarray, warn: float
) -> tuple[tuple[Cause, ...], str, str]:
    """The causes at the singular poses that the low singular values lead to, nearest first, in words, and how far the first is.

    The points of the causes are where the arm has them now.
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
    """The distance in the unit of the joints that move for it."""
    if is_slide(robot, near.q - q):
        return _at_least(1000 * near.distance * robot.characteristic_length, ".2g", " mm")
    return _at_least(np.degrees(near.distance), ".2g", "°")


def is_slide(robot: Robot, change: np.ndarray) -> bool:
    """Whether a change of q `(n,)`, rad or m, is nearly all one of slides; its size is then told as a length."""
    moved = np.abs(change) * np.where(robot.prismatic, 1.0 / robot.characteristic_length, 1.0)
    return bool(moved[robot.prismatic].sum() > 0.9 * moved.sum())


def _at_least(value: float, digits: str, unit: str) -> str:
    """A distance; what is smaller than robots can be placed is not told in digits."""
    return f"{value:{digits}}{unit}" if value >= _SMALLEST else f"less than {_SMALLEST:g}{unit}"


def _plain(robot: Robot, condition: float, twist: np.ndarray, joints: tuple[int, ...]) -> str:
    """What can be said without a reason: which joints cancel, and what the tool can hardly do."""
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
