"""Motions of one joint that end all contacts."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.contact.contact_model import ContactModel

_JOINTS = 3  # that are tried, the most effective first
_STEPS = np.array([1.02, 1.2, 1.5, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0])  # in steps that end it with a constant gradient
_BETWEEN = 8  # poses between the last one in contact and the first free one
_FARTHEST = math.radians(60.0)  # of a revolute joint
_COARSE = np.radians([5.0, 10.0, 20.0, 30.0, 45.0, 60.0])
_GRID = math.radians(0.1), 1e-4  # rad and m: texts round to these, and the motion that is shown has to end the contacts


def freeing_motions(model: ContactModel, q: np.ndarray, distance: float, gradient: np.ndarray) -> list[tuple[int, float]]:
    """Return joints and their motions (rad or m) that end all contacts at q `(n,)`, one joint each, the smallest motion first.

    To first order, joint j ends a contact of depth d with dq_j = d / (∂distance/∂q_j). Multiples of that step are tested for the
    most effective joints, and if none is free, both directions of all joints. Motions are multiples of 0.1° or 0.1 mm, of at
    most 60° or the reach. One radian counts as half the reach.

    Args:
        model: its contacts.
        distance: signed distance of the deepest pair, m, negative.
        gradient: ∂distance/∂q `(n,)`, m/rad or 1.
    """
    robot = model.robot
    size = np.where(robot.prismatic, 1.0, robot.characteristic_length)
    effect = np.abs(gradient) / size
    joints = [int(j) for j in np.argsort(-effect)[:_JOINTS] if effect[j] > 1e-3]
    moves = {j: _first_free(model, q, j, -distance / gradient[j] * _STEPS) for j in joints}
    found = [(abs(move) * float(size[j]), j, move) for j, move in moves.items() if move is not None]
    if not found:
        ways = [(j, _COARSE * sign / size[j] * robot.characteristic_length) for j in range(robot.n) for sign in (-1.0, 1.0)]
        coarse = ((j, _first_free(model, q, j, steps)) for j, steps in ways)
        found = [(abs(move) * float(size[j]), j, move) for j, move in coarse if move is not None]
    return [(j, move) for _, j, move in sorted(found)]


def _first_free(model: ContactModel, q: np.ndarray, j: int, steps: np.ndarray) -> float | None:
    """Smallest motion of joint j towards and up to `steps` that is free, refined once; None where all are in contact."""
    slides = bool(model.robot.prismatic[j])
    steps = _rounded_up(steps[np.abs(steps) <= (model.robot.reach if slides else _FARTHEST)], _GRID[slides])
    first = _free(model, q, j, steps)
    if first is None:
        return None
    before = steps[first - 1] if first else 0.0
    finer = _rounded_up(np.linspace(before, steps[first], _BETWEEN + 1)[1:], _GRID[slides])
    best = _free(model, q, j, finer)
    return float(steps[first] if best is None else finer[best])


def _rounded_up(steps: np.ndarray, grid: float) -> np.ndarray:
    """Steps as multiples of `grid`, rounded away from 0."""
    return np.sign(steps) * np.ceil(np.abs(steps) / grid - 1e-9) * grid


def _free(model: ContactModel, q: np.ndarray, j: int, steps: np.ndarray) -> int | None:
    """Index of the first step of joint j that is within its limits and without contact."""
    poses = np.tile(q, (len(steps), 1))
    poses[:, j] += steps
    within = (poses[:, j] >= model.robot.q_min[j]) & (poses[:, j] <= model.robot.q_max[j])
    free = np.flatnonzero(within & ~model.collides(poses)) if within.any() else np.zeros(0, int)
    return int(free[0]) if len(free) else None
