"""`opening_motion`: the joint motion that increases the distance of one pair fastest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.contact.collision import touching_pairs
from armature.engine.contact.contact_model import ContactModel
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot

_STEP = 2e-3  # m, largest change of the distance between two tested poses
_ENOUGH = 1e-6  # m

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class OpeningMotion(Frozen):
    """Pose `q` `(n,)` in which the distance of a pair has increased by `opened` m; `obstacle`: a pair that ends the motion
    because it would touch, or None."""

    q: np.ndarray
    opened: float
    obstacle: Pair | None


def steepest(robot: Robot, gradient: np.ndarray, joint: int | None = None) -> np.ndarray:
    """Return the smallest joint motion per metre of distance `(n,)`, rad/m or 1, by all joints or one.

    dq_j = g_j / s_j² / Σ_i g_i² / s_i²,  g = ∂distance/∂q,  s_j = half the reach for revolute, 1 for prismatic joints

    It is 0 where the joints do not change the distance.
    """
    moves = gradient / np.where(robot.prismatic, 1.0, robot.characteristic_length) ** 2
    if joint is not None:
        moves = np.where(np.arange(robot.n) == joint, moves, 0.0)
    rate = float(moves @ gradient)
    return moves / rate if rate > 1e-9 else np.zeros(robot.n)


def opening_motion(model: ContactModel, q: np.ndarray, pair: Pair, by: float, joint: int | None = None) -> OpeningMotion:
    """Return the pose in which a pair is `by` m farther apart than at q `(n,)`, or the last one before a limit or contact.

    The arm follows the steepest ascent of the distance, within its limits, until it has opened the pair, the distance no longer
    increases, or another pair would touch.

    Args:
        model: pairs of links and objects that are tested.
        q: joint positions `(n,)`, rad or m, not checked.
        pair: names of the two, in the order of the model.
        by: m.
        joint: index of the only joint that moves; None: all joints.
    """
    k, robot = model.pair_names.index(pair), model.robot
    single = ContactModel(robot, model.groups, model.pairs[k : k + 1])
    known, found = {k, *map(int, touching_pairs(model, q))}, single.nearest(q)
    first = float(found.distance)
    for _ in range(int(4 * by / _STEP) + 8):
        missing = by - (float(found.distance) - first)
        if missing < _ENOUGH:
            break
        step = min(missing, _STEP) * steepest(robot, found.gradient, joint)
        end = np.clip(q + step, np.minimum(robot.q_min, q), np.maximum(robot.q_max, q))
        after = single.nearest(end)
        if float(after.distance) <= float(found.distance) + _ENOUGH:
            break
        if others := set(map(int, touching_pairs(model, end))) - known:
            return OpeningMotion(q, float(found.distance) - first, model.pair_names[min(others)])
        q, found = end, after
    return OpeningMotion(q, float(found.distance) - first, None)
