"""`free_ranges`: how far each joint can move on its own before the arm touches something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from armature.engine import batching
from armature.engine.contact.arm_contacts import arm_contacts
from armature.engine.contact.collision import NO_PAIR
from armature.engine.contact.contact_model import ContactGroup, ContactModel
from armature.engine.contact.motion_bounds import lever_arms
from armature.engine.contact.packed_shapes import BODY, EDGES, POS, ROT
from armature.engine.errors import Cancelled, EngineError
from armature.engine.kinematics.poses import body_axes
from armature.engine.model.frozen import Frozen
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.model.skeleton import body_poses

NEAR = 1e-4  # m: a clearance that counts as contact, because proving a smaller one takes too many poses
_NEAREST = 1e-6  # m: the same where the arm is already nearer than `NEAR`
_LIMIT = 0.1  # m, from which a lower bound of a distance will do
_CORNERS = np.array(list(product(*[(-1.0, 1.0)] * 3)))
_CACHED = 8  # models

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class FreeRanges(Frozen):
    """Positions between which each joint can move on its own without a contact of the links that it moves.

    Attributes:
        low, high: ends of the free range of each joint `(n,)`, rad or m: a contact, to within 0.1 mm of clearance, a limit, or
            ±inf where a joint without limits is free for a whole turn. Both are q where a link that it moves already touches.
        low_pairs, high_pairs: names of the two that touch at these ends, or ("", "") where there is no contact.
    """

    low: np.ndarray
    high: np.ndarray
    low_pairs: tuple[Pair, ...]
    high_pairs: tuple[Pair, ...]


def free_ranges(robot: Robot, q, cell=None, cancelled: Callable[[], bool] | None = None) -> FreeRanges:
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
    return ranges_of(arm_contacts(robot, () if cell is None else tuple(cell.objects)), rows[0], cancelled)


def ranges_of(model: ContactModel, q: np.ndarray, cancelled: Callable[[], bool] | None = None) -> FreeRanges:
    """Return the result of `free_ranges` for the pairs of a contact model at q `(n,)`, which is not checked."""
    robot, n = model.robot, model.robot.n
    joint, sign = np.tile(np.arange(n), 2), np.repeat([-1.0, 1.0], n)  # a lane for each joint and direction
    moved, hit = _advance(model, q, joint, sign, cancelled)
    ends = np.clip(q[joint] + sign * moved, np.minimum(robot.q_min, q)[joint], np.maximum(robot.q_max, q)[joint])
    whole = (hit < 0) & ~robot.prismatic[joint] & (moved >= 2 * np.pi)
    ends[whole] = sign[whole] * np.inf
    names = [model.pair_names[k] if k >= 0 else NO_PAIR for k in map(int, hit)]
    return FreeRanges(read_only(ends[:n]), read_only(ends[n:]), tuple(names[:n]), tuple(names[n:]))


def _advance(
    model: ContactModel, q: np.ndarray, joint: np.ndarray, sign: np.ndarray, cancelled: Callable[[], bool] | None
) -> tuple[np.ndarray, np.ndarray]:
    """Free motion `(lanes,)` of a joint in a direction, and the index of the pair that ends it, −1 where none does."""
    parts, owners, reach = _split(model)
    robot, axes = model.robot, body_axes(model.robot, q)
    alone = np.ones(robot.n, bool) if robot.coupling is None else np.count_nonzero(robot.coupling.G, axis=0) == 1
    reach = np.where((alone & ~robot.prismatic)[:, None] & (reach > 0), _radii(parts, q, *axes), reach)[joint]
    z, turns, alone, room = axes[0][joint], ~robot.prismatic[joint], alone[joint], _room(robot, q, joint, sign)
    contact = np.clip(parts.distances(q, 2 * NEAR).distance / 2, _NEAREST, NEAR)
    moved, hit, lanes = np.zeros(len(joint)), np.full(len(joint), -1), np.arange(len(joint))
    while len(lanes):
        if cancelled is not None and cancelled():
            raise Cancelled("free ranges")
        poses, speed = np.tile(q, (len(lanes), 1)), reach[lanes]
        poses[np.arange(len(lanes)), joint[lanes]] += sign[lanes] * moved[lanes]
        found = parts.distances(poses, _LIMIT)
        d = np.where(speed > 0, found.distance, np.inf)
        ended = (d <= contact).any(axis=1)
        if ended.any():
            hit[lanes[ended]] = owners[(d - contact)[ended].argmin(axis=1)]
        # two convex shapes are apart until a point has moved by d along the normal between their nearest points
        along = np.abs((found.normal @ z[lanes, :, None])[..., 0])
        share = np.where(turns[lanes, None], np.sqrt(np.maximum(0.0, 1.0 - along**2)), along)
        speed = speed * np.where((found.pair_index >= 0) & alone[lanes, None], share, 1.0)
        step = np.divide(d, speed, out=np.full_like(d, np.inf), where=speed > 0).min(axis=1, initial=np.inf)
        before = moved[lanes]
        moved[lanes] = np.where(ended, before, np.minimum(before + step, room[lanes]))
        lanes = lanes[~ended & (before < room[lanes])]
    return moved, hit


def _radii(parts: ContactModel, q: np.ndarray, z: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Radius `(n, m)` in m, about each axis along z through p `(n, 3)`, of the box around the shape of a pair that moves."""
    robot, rows = parts.robot, parts.packed.rows[: len(parts.groups)]
    tree_q = q if robot.coupling is None else robot.coupling.position(q)
    bodies = rows[:, BODY].astype(int)  # −1, the world, is the last one
    X = np.concatenate([body_poses(robot.tree, tree_q), np.eye(4)[None]])[bodies]
    corners = _CORNERS * rows[:, None, EDGES : EDGES + 3] @ rows[:, ROT : ROT + 9].reshape(-1, 3, 3).swapaxes(1, 2)
    corners = (corners + rows[:, None, POS : POS + 3]) @ X[:, :3, :3].swapaxes(1, 2) + X[:, None, :3, 3]
    radii = np.linalg.norm(np.cross(z[:, None, None], corners - p[:, None, None]), axis=3).max(axis=2)
    moves = np.zeros((len(robot.bodies) + 1, robot.n))
    for i, body in enumerate(robot.bodies):
        moves[i] = moves[body.parent] + np.isin(robot.joint_bodies, i)
    return (radii * moves[bodies].T)[:, parts.pairs].max(axis=2)


def _room(robot: Robot, q: np.ndarray, joint: np.ndarray, sign: np.ndarray) -> np.ndarray:
    """Largest motion of each lane: to the limit, a whole turn of a revolute joint without one, the reach of a prismatic one."""
    low, high = joint_ranges(robot)
    to_end = np.where(sign > 0, high[joint] - q[joint], q[joint] - low[joint])
    endless = ~robot.prismatic[joint] & ~np.isfinite(np.where(sign > 0, robot.q_max[joint], robot.q_min[joint]))
    return np.where(endless, 2 * np.pi, np.maximum(to_end, 0.0))


@lru_cache(_CACHED)
def _split(model: ContactModel) -> tuple[ContactModel, np.ndarray, np.ndarray]:
    """Model of all pairs of single shapes, the index `(m,)` of the pair of groups of each, and the most that a joint moves it
    `(n, m)`, m/rad or 1."""
    robot, shapes, members = model.robot, list[ContactGroup](), list[range]()
    for group in model.groups:
        members.append(range(len(shapes), len(shapes) + len(group.shapes)))
        shapes += [ContactGroup(group.name, group.body, (shape,)) for shape in group.shapes]
    rows = [(g, h, k) for k, (one, other) in enumerate(model.pairs) for g, h in product(members[one], members[other])]
    pairs = np.array(rows, int).reshape(-1, 3)
    parts, ends, coupling = ContactModel(robot, tuple(shapes), pairs[:, :2]), np.array(joint_ranges(robot)), robot.coupling
    if coupling is None:
        return parts, pairs[:, 2], lever_arms(parts, *ends).T
    ends = coupling.position(ends)
    return parts, pairs[:, 2], np.abs(coupling.G).T @ lever_arms(parts, ends.min(axis=0), ends.max(axis=0)).T
