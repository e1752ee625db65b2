"""`free_ranges`: how far each joint can move on its own before the arm touches something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from armature.engine import batching
from armature.engine.contact.arm_contacts import cell_contacts
from armature.engine.contact.collision import NO_PAIR
from armature.engine.contact.contact_model import TOUCHING, ContactGroup, ContactModel
from armature.engine.contact.motion_bounds import lever_arms
from armature.engine.contact.packed_shapes import BALL, BODY, POS
from armature.engine.errors import Cancelled, EngineError
from armature.engine.kinematics.poses import body_axes
from armature.engine.model.frozen import Frozen
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.model.skeleton import body_poses

if TYPE_CHECKING:
    from armature.engine.contact.cell import Cell

NEAR = 1e-4  # m: a clearance that counts as contact, because proving a smaller one takes too many poses
_LIMIT = 0.1  # m, from which a lower bound of a distance will do
_CACHED = 8  # models

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class FreeRanges(Frozen):
    """Positions between which each joint can move on its own without a contact of the links that it moves.

    Attributes:
        low, high: ends of the free range of each joint `(n,)`, rad or m: a contact, to within 0.1 mm of clearance, a limit, or
            a whole turn from q for a joint without limits. Both are q where a link that it moves already touches.
        low_pairs, high_pairs: names of the two that touch at these ends, or ("", "") where there is no contact.
    """

    low: np.ndarray
    high: np.ndarray
    low_pairs: tuple[Pair, ...]
    high_pairs: tuple[Pair, ...]


def free_ranges(robot: Robot, q, cell: Cell | None = None, cancelled: Callable[[], bool] | None = None) -> FreeRanges:
    """Return how far each joint can move from a pose in both directions before the arm touches itself, the floor or an object.

    q_j(k + 1) = q_j(k) ± min over pairs  d / r,  until a distance d vanishes: no contact in between

    d is the distance of a pair and r the fastest that joint j moves any of its points along the normal. The other joints do not
    move. The same pairs are tested as by `collision`.

    Args:
        robot: arm, with its floor.
        q: joint positions `(n,)`, rad or m, or the name of a pose.
        cell: `Cell` of objects around the arm; None: only the arm and its floor.
        cancelled: called repeatedly; `Cancelled` is raised after it returned True.

    Returns:
        `FreeRanges` with low, high, low_pairs and high_pairs.

    Raises:
        DimensionError; EngineError: more than one pose; Cancelled.

    Source: Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems, dissertation, Berkeley 1996 (conservative
    advancement).
    """
    (rows,), single = batching.vectors(robot, q=q)
    if not single:
        raise EngineError(f"{robot.name}: free_ranges accepts one pose, not {len(rows)}")
    return ranges_of(cell_contacts(robot, cell), rows[0], cancelled)


def ranges_of(model: ContactModel, q: np.ndarray, cancelled: Callable[[], bool] | None = None) -> FreeRanges:
    """Return the result of `free_ranges` for the pairs of a contact model at q `(n,)`, which is not checked."""
    robot, n = model.robot, model.robot.n
    low, high = joint_ranges(robot)
    low = np.where(np.isinf(robot.q_min) & ~robot.prismatic, q - 2 * np.pi, np.minimum(low, q))
    high = np.where(np.isinf(robot.q_max) & ~robot.prismatic, q + 2 * np.pi, np.maximum(high, q))
    stops, hit = _advance(model, q, np.concatenate([low, high]), cancelled)
    names = [model.pair_names[k] if k >= 0 else NO_PAIR for k in map(int, hit)]
    return FreeRanges(read_only(stops[:n]), read_only(stops[n:]), tuple(names[:n]), tuple(names[n:]))


def _advance(
    model: ContactModel, q: np.ndarray, ends: np.ndarray, cancelled: Callable[[], bool] | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return where each joint stops before its low and high end `(2 n,)`, and the index of the pair that stops it, or −1."""
    parts, owners, reach, turns = _split(model)
    hit, joint = np.full(len(ends), -1), np.tile(np.arange(len(q)), 2)
    lanes, stops, axes = np.arange(len(ends) if len(owners) else 0), ends.copy(), body_axes(model.robot, q)
    reach = np.where(turns[:, None] & (reach > 0), _radii(parts, q, *axes), reach)[joint]
    z, turns, room, moved = axes[0][joint, :, None], turns[joint, None], ends - q[joint], np.zeros(len(ends))
    contact = np.clip(parts.distances(q, 2 * NEAR).distance / 2, TOUCHING, NEAR)
    while len(lanes):
        if cancelled is not None and cancelled():
            raise Cancelled("free ranges")
        poses = np.tile(q, (len(lanes), 1))
        poses[np.arange(len(lanes)), joint[lanes]] += moved[lanes]
        found = parts.distances(poses, _LIMIT)
        d = np.where(reach[lanes] > 0, found.distance, np.inf)
        stopped, nearest = (d <= contact).any(axis=1), owners[(d - contact).argmin(axis=1)]
        hit[lanes[stopped]], stops[lanes[stopped]] = nearest[stopped], (q[joint] + moved)[lanes[stopped]]
        # two convex shapes are apart until a point has moved by d along the normal between their nearest points
        across = np.sqrt(np.maximum(0.0, 1.0 - (found.normal @ z[lanes])[..., 0] ** 2))
        with np.errstate(divide="ignore"):
            step = (d / (reach[lanes] * np.where((found.pair_index >= 0) & turns[lanes], across, 1.0))).min(axis=1)
        going = ~stopped & (moved[lanes] != room[lanes])
        lanes, step = lanes[going], step[going]
        moved[lanes] = np.clip(room[lanes], moved[lanes] - step, moved[lanes] + step)
    return stops, hit


def _radii(parts: ContactModel, q: np.ndarray, z: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Radius `(n, m)` in m, about each axis along z through p `(n, 3)`, of the ball around the shape of a pair that moves."""
    robot, rows = parts.robot, parts.packed.rows[: len(parts.groups)]
    tree_q = q if robot.coupling is None else robot.coupling.position(q)
    bodies = rows[:, BODY].astype(int)  # −1, the world, is the last one
    X = np.concatenate([body_poses(robot.tree, tree_q), np.eye(4)[None]])[bodies]
    centres = (X[:, :3, :3] @ rows[:, POS : POS + 3, None])[..., 0] + X[:, :3, 3]
    radii = np.linalg.norm(np.cross(z[:, None], centres - p[:, None]), axis=2) + rows[:, BALL]
    moves = np.zeros((len(robot.bodies) + 1, robot.n))
    for i, body in enumerate(robot.bodies):
        moves[i] = moves[body.parent] + np.isin(robot.joint_bodies, i)
    return (radii * moves[bodies].T)[:, parts.pairs].max(axis=2)


@lru_cache(_CACHED)
def _split(model: ContactModel) -> tuple[ContactModel, np.ndarray, np.ndarray, np.ndarray]:
    """Model of all pairs of single shapes, the index `(m,)` of the pair of groups of each, the most that a joint moves it
    `(n, m)`, m/rad or 1, and which joints are one revolute axis `(n,)`."""
    robot, shapes, members = model.robot, list[ContactGroup](), list[range]()
    for group in model.groups:
        members.append(range(len(shapes), len(shapes) + len(group.shapes)))
        shapes += [ContactGroup(group.name, group.body, (shape,)) for shape in group.shapes]
    rows = [(g, h, k) for k, (one, other) in enumerate(model.pairs) for g, h in product(members[one], members[other])]
    pairs, ends = np.array(rows, int).reshape(-1, 3), np.array(joint_ranges(robot))
    parts, G = ContactModel(robot, tuple(shapes), pairs[:, :2]), np.eye(robot.n)
    if robot.coupling is not None:
        ends, G = robot.coupling.position(ends), robot.coupling.G
    arms = lever_arms(parts, ends.min(axis=0), ends.max(axis=0)) @ np.abs(G)
    return parts, pairs[:, 2], arms.T, ~robot.prismatic & (np.count_nonzero(G, axis=0) == 1)
