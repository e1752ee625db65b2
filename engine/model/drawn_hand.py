"""`DrawnHand`: the gripper that is drawn for an arm without shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from armature.engine.model.skeleton import Skeleton
from armature.engine.rotations import pose_along


@dataclass(frozen=True, eq=False)
class DrawnHand:
    """Gripper H on a body B at `X_BH` `(4, 4)`, its z axis along the approach and its x axis across the jaws; lengths in m.

    `radius`: of the tube that carries it; `width`: of the palm; `fingers`: body and pose `(4, 4)` of each finger.
    """

    body: int
    X_BH: np.ndarray
    radius: float
    length: float
    width: float
    fingers: tuple[tuple[int, np.ndarray], ...]


def drawn_hand(bones: Skeleton) -> DrawnHand | None:
    """Return the gripper of an arm with its jaws closed; None where a mass or a wheel is drawn instead."""
    if bones.hand_is_mass:
        return None
    frame = bones.robot.tool_frame
    r, (start, length) = float(bones.tubes[frame.body + 1]), bones.grip
    jaws = [_jaw(bones, i, start) for i in sorted(bones.jaws)]
    X = pose_along(bones.approach, start, jaws[0].outward if jaws else frame.X_BF[:3, 1])
    width = max([2.9 * r, *(2.0 * jaw.travel + r for jaw in jaws)])
    fingers: list[tuple[int, np.ndarray]] = []
    for jaw in jaws:
        X_BF = pose_along(bones.approach, start + (0.21 * r - jaw.closed) * jaw.outward, jaw.outward)
        fingers.append((jaw.body, np.linalg.inv(bones.robot.bodies[jaw.body].X_PJ) @ X_BF))
    for side in (-1.0, 1.0) if not jaws else (-1.0,) if len(jaws) == 1 else ():
        X_HF = np.eye(4)
        X_HF[0, 3] = side * (0.21 if jaws else 0.95) * r
        fingers.append((frame.body, X @ X_HF))
    return DrawnHand(frame.body, X, r, length, width, tuple(fingers))


class _Jaw(NamedTuple):
    """A finger that slides `outward` `(3,)`, in axes of the hand's body, from its position `closed` in m on a `travel` in m."""

    body: int
    outward: np.ndarray
    closed: float
    travel: float


def _jaw(bones: Skeleton, i: int, start: np.ndarray) -> _Jaw:
    """The jaw of finger i of a gripper that begins at `start`: closed at the limit where it is nearest to the middle."""
    X_PJ, robot = bones.robot.bodies[i].X_PJ, bones.robot
    middle = float((X_PJ[:3, 3] - start) @ X_PJ[:3, 2])
    limits = np.array([robot.q_min[i], robot.q_max[i]], float)
    limits = limits if np.isfinite(limits).all() else np.zeros(2)
    side = -1.0 if middle + limits.mean() < 0.0 else 1.0
    return _Jaw(i, side * X_PJ[:3, 2], float((side * limits).min()), float(np.ptp(limits)))
