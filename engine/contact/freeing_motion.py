"""The smallest motion of one joint that ends a contact."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.contact.contact_model import ContactModel
from armature.engine.model.robot import Robot

_JOINTS = 3  # that are tried, the most effective first
_STEPS = np.array([1.02, 1.2, 1.5, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0])  # in steps that end it with a constant gradient
_BETWEEN = 8  # poses between the last one in contact and the first free one
_FARTHEST = math.radians(60.0)  # of a revolute joint


def freeing_motion(model: ContactModel, q: np.ndarray, distance: float, gradient: np.ndarray) -> tuple[int, float] | None:
    """Return index and motion (rad or m) of the joint that ends all contacts at q `(n,)` by the smallest motion; None for none.

    To first order, joint j ends a contact of depth d with dq_j = d / (∂distance/∂q_j); larger steps are tried, too, and every
    pose is tested. One radian counts as half the reach.

    Args:
        model: its contacts.
        distance: signed distance of the deepest pair, m, negative.
        gradient: ∂distance/∂q `(n,)`, m/rad or 1.
    """
    robot = model.robot
    size = np.where(robot.prismatic, 1.0, robot.characteristic_length)
    effect = np.abs(gradient) / size
    joints = [int(j) for j in np.argsort(-effect)[:_JOINTS] if effect[j] > 1e-3]
    found: list[tuple[float, int, float]] = []
    for j in joints:
        step = -distance / gradient[j]
        steps = step * _STEPS[np.abs(step * _STEPS) <= _farthest(robot, j)]
        first = _first_free(model, q, j, steps)
        if first is None:
            continue
        before = steps[first - 1] if first else 0.0
        finer = np.linspace(before, steps[first], _BETWEEN + 1)[1:]
        best = _first_free(model, q, j, finer)
        move = float(steps[first] if best is None else finer[best])
        found.append((abs(move) * float(size[j]), j, move))
    return min(found)[1:] if found else None


def _farthest(robot: Robot, j: int) -> float:
    return robot.reach if robot.prismatic[j] else _FARTHEST


def _first_free(model: ContactModel, q: np.ndarray, j: int, steps: np.ndarray) -> int | None:
    """Index of the first step of joint j that is within its limits and without contact."""
    if not len(steps):
        return None
    poses = np.tile(q, (len(steps), 1))
    poses[:, j] += steps
    robot = model.robot
    within = (poses[:, j] >= robot.q_min[j]) & (poses[:, j] <= robot.q_max[j])
    free = np.flatnonzero(within & ~model.collides(poses))
    return int(free[0]) if len(free) else None
