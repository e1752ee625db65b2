"""`last_free_pose`: where a straight motion of the joints has to stop, so that the arm touches nothing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine.contact.contact_model import TOUCHING, ContactModel

_STEP = 0.01  # m that points within the reach of the arm move at most between two tested poses; links are thicker
_MOST = 64  # poses tested on a motion
_HALVINGS = 10  # of the step in which the contact begins: to 0.01 mm


class FreePose(NamedTuple):
    """Joint positions `q` `(n,)`, rad or m, and the names of the pair that prevents a motion beyond; None: nothing does."""

    q: np.ndarray
    pair: tuple[str, str] | None


def last_free_pose(model: ContactModel, start: np.ndarray, end: np.ndarray) -> FreePose:
    """Return the last pose without contact on the straight joint motion from `start` to `end`.

    q(s) = start + s (end − start), s ∈ [0, 1], is tested in steps, and the step in which the contact begins is halved. If the
    arm touches at the start, the result is `end` where this does not reduce the smallest signed distance, else `start`.

    Args:
        model: pairs of links and objects that are tested.
        start: joint positions `(n,)`, rad or m.
        end: requested joint positions `(n,)`, rad or m.

    Raises:
        DimensionError.
    """
    if model.collides(start):
        deeper = model.nearest(end).distance < model.nearest(start).distance - TOUCHING
        return FreePose(start, _pair(model, end)) if deeper else FreePose(end, None)
    motion, robot = end - start, model.robot
    length = float(np.abs(motion) @ np.where(robot.prismatic, 1.0, robot.reach))
    shares = np.linspace(0.0, 1.0, int(np.clip(np.ceil(length / _STEP), 1, _MOST)) + 1)
    touching = np.flatnonzero(model.collides(start + shares[1:, None] * motion))
    if not len(touching):
        return FreePose(end, None)
    free, hit = shares[touching[0]], shares[touching[0] + 1]
    for _ in range(_HALVINGS):
        middle = (free + hit) / 2
        if model.collides(start + middle * motion):
            hit = middle
        else:
            free = middle
    return FreePose(start + free * motion, _pair(model, start + hit * motion))


def _pair(model: ContactModel, q: np.ndarray) -> tuple[str, str]:
    """Names of the pair in the deepest contact."""
    return model.pair_names[int(model.nearest(q).pair_index)]
