"""The text of a singularity report: why this pose is singular, or which singularity it is near."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.analysis.causes import Cause, find_causes
from engine.analysis.losses import direction_words
from engine.analysis.nearest_singularity import NearestSingularity, singular_near
from engine.analysis.thresholds import CONDITION_WARN
from engine.kinematics.poses import frame_pose
from engine.model.arrays import read_only
from engine.model.robot import Robot
from engine.model.words import listed

_FARTHEST = 0.7  # rad of joint motion: a singular pose farther off does not explain this one
_MOST = 3  # singular values looked into


@dataclass(frozen=True, eq=False)
class Explanation:
    """The `text`, the `causes` behind it, and the indices of the `joints` to blame."""

    text: str
    causes: tuple[Cause, ...]
    joints: tuple[int, ...]


def explain(
    robot: Robot,
    q: np.ndarray,
    frame: str | None,
    rows: np.ndarray,
    sigma: np.ndarray,
    condition: float,
    twist: np.ndarray,
    motion: np.ndarray,
) -> Explanation:
    """What the singular values `sigma` at q `(n,)` mean; `twist` `(6,)` and `motion` `(n,)` as in the report."""
    blamed = tuple(int(i) for i in np.flatnonzero(np.abs(motion) > 0.1 * np.abs(motion).max()))
    if condition < CONDITION_WARN:
        text = f"Regular: the tool can move in every direction of its task (condition {condition:.3g})."
        return Explanation(text, (), blamed)
    causes: tuple[Cause, ...] = ()
    text = ""
    if robot.coupling is None and not np.isfinite(condition):
        causes = find_causes(robot, q, frame, rows)
        text = " ".join(cause.sentence for cause in causes)
    elif robot.coupling is None:
        causes, text = _nearby(robot, q, frame, rows, sigma)
    if not causes:
        return Explanation(_plain(robot, condition, twist, blamed), (), blamed)
    return Explanation(text, causes, tuple(sorted({j for cause in causes for j in cause.joints})))


def _nearby(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray, sigma: np.ndarray) -> tuple[tuple[Cause, ...], str]:
    """The causes at the singular poses that the low singular values lead to, nearest first, and how far off they are.

    The points of the causes are where the arm has them now.
    """
    low = [k for k in range(min(_MOST, len(sigma))) if sigma[0] >= CONDITION_WARN * sigma[-1 - k]]
    poses = [near for k in low if (near := singular_near(robot, q, frame, rows, k)) is not None and near.distance < _FARTHEST]
    causes: dict[tuple[str, str], Cause] = {}
    sentences = []
    for near in sorted(poses, key=lambda near: near.distance):
        there_to_here = frame_pose(robot, q, frame) @ np.linalg.inv(frame_pose(robot, near.q, frame))
        for cause in find_causes(robot, near.q, frame, rows):
            if (cause.kind, cause.condition) not in causes:
                point = read_only(there_to_here[:3, :3] @ cause.point + there_to_here[:3, 3])
                causes[cause.kind, cause.condition] = replace(cause, point=point)
                sentences.append(f"{cause.title}, {_far(robot, q, near)} of joint motion away: there {cause.fact}.")
    return tuple(causes.values()), " ".join(sentences)


def _far(robot: Robot, q: np.ndarray, near: NearestSingularity) -> str:
    """The distance in the unit of the joints that move for it."""
    moved = np.abs(near.q - q) * np.where(robot.prismatic, 1.0 / robot.characteristic_length, 1.0)
    if moved[robot.prismatic].sum() > 0.9 * moved.sum():
        return f"{1000 * near.distance * robot.characteristic_length:.3g} mm"
    return f"{np.degrees(near.distance):.2g}°"


def _plain(robot: Robot, condition: float, twist: np.ndarray, joints: tuple[int, ...]) -> str:
    """What can be said without a reason: which joints cancel, and what the tool can hardly do."""
    names = listed([robot.joint_names[i] for i in joints])
    degree = "cannot" if not np.isfinite(condition) else "can hardly"
    lost = _direction(twist)
    if len(joints) == 1:
        return f"{names} does not move the tool here: the tool {degree} {lost}."
    return f"Close to a singularity: the motions of {names} cancel at the tool, which {degree} {lost}."


def _direction(twist: np.ndarray) -> str:
    linear, angular = twist[:3], twist[3:]
    v, w = np.linalg.norm(linear), np.linalg.norm(angular)
    if w < 0.1 * v:
        return f"move along {direction_words(linear)}"
    if v < 0.1 * w:
        return f"turn about {direction_words(angular)}"
    return f"move along {direction_words(linear)} while turning about {direction_words(angular)}"
