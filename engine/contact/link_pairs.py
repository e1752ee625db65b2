"""Pairs of links whose contact counts: all but neighbours, pairs that always touch, and pairs that a file ignores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from armature.engine.contact.arm_shapes import arm_shapes
from armature.engine.contact.contact_model import TOUCHING, ContactGroup, ContactModel
from armature.engine.contact.shapes import FLOOR, Shape
from armature.engine.model.frozen import Frozen
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.link_outline import HOUSING, link_radii
from armature.engine.model.robot import Robot

_SAMPLES = 500  # poses in which pairs that always touch are searched
_CHUNK = 500  # poses whose distances are in memory together
_CACHED = 8  # robots

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class CollisionPairs(Frozen):
    """Pairs of link names by how often they touch in random poses; "floor" is the floor of the robot.

    `adjacent`: links of one body, or joined by one joint, and as drawn also by two joints whose housings overlap; these are not
    sampled. `never`, `always`, `sometimes`: pairs that touch
    in none, in all or in some of the poses; `ignored`: pairs among them that the robot's file ignores.
    """

    adjacent: tuple[Pair, ...]
    never: tuple[Pair, ...]
    always: tuple[Pair, ...]
    sometimes: tuple[Pair, ...]
    ignored: tuple[Pair, ...]


def collision_pairs(robot: Robot, samples: int = 10_000, seed: int = 0) -> CollisionPairs:
    """Sort all pairs of links, and of moving links and the floor, by how often they touch in random poses within the limits.

    Args:
        samples: number of poses, from a uniform distribution over the joint ranges (±180° for joints without limits).
        seed: of the random numbers; the same seed gives the same poses.

    Returns:
        Names of links in pairs: `adjacent`, `never`, `always`, `sometimes` and `ignored`.

    Source: the Setup Assistant of MoveIt sorts pairs in the same way.
    """
    groups, links = link_groups(robot), range(len(arm_shapes(robot).groups))
    short = _short_links(robot) if arm_shapes(robot).drawn else set()
    joined = {pair for pair in combinations(links, 2) if _are_joined(robot, groups, *pair, short)}
    sampled = [pair for pair in combinations(links, 2) if pair not in joined]
    sampled += [(k, len(links)) for k in links if groups[k].body >= 0 and len(groups) > len(links)]
    counts = _touches(robot, groups, sampled, samples, seed)
    names = [tuple(groups[k].name for k in pair) for pair in sampled]

    def those(chosen: np.ndarray) -> tuple[Pair, ...]:
        return tuple((names[k][0], names[k][1]) for k in np.flatnonzero(chosen))

    dropped = _ignored(robot)
    return CollisionPairs(
        adjacent=tuple((groups[g].name, groups[h].name) for g, h in sorted(joined)),
        never=those(counts == 0),
        always=those((counts == samples) & (counts > 0)),
        sometimes=those((counts > 0) & (counts < samples)),
        ignored=those(np.array([frozenset(pair) in dropped for pair in names], bool)),
    )


def _touches(
    robot: Robot, groups: tuple[ContactGroup, ...], pairs: Sequence[tuple[int, int]], samples: int, seed: int
) -> np.ndarray:
    """Number `(m,)` of random poses in which each pair touches."""
    counts = np.zeros(len(pairs), int)
    model, chance = ContactModel(robot, groups, np.array(pairs, int)), np.random.default_rng(seed)
    low, high = joint_ranges(robot)
    for start in range(0, samples if pairs else 0, _CHUNK):
        q = chance.uniform(low, high, (min(_CHUNK, samples - start), robot.n))
        counts += (model.distances(q, TOUCHING).pair_index >= 0).sum(axis=0)
    return counts


def link_groups(robot: Robot) -> tuple[ContactGroup, ...]:
    """Return the shapes of all links of a robot, followed by its floor, if it has one and no link of that name."""
    groups = arm_shapes(robot).groups
    if robot.floor is None or any(group.name == FLOOR for group in groups):
        return groups
    X = np.eye(4)
    X[2, 3] = robot.floor
    return (*groups, ContactGroup(FLOOR, -1, (Shape("halfspace", (), X),)))


def self_pairs(robot: Robot, near: bool = False) -> tuple[Pair, ...]:
    """Return the pairs of links, and of links and the floor, whose contact counts; with `near`, only pairs that can touch."""
    found = _default_pairs(robot)
    return tuple(pair for pair in (() if near else found.never) + found.sometimes if pair not in found.ignored)


@lru_cache(_CACHED)
def _default_pairs(robot: Robot) -> CollisionPairs:
    return collision_pairs(robot, _SAMPLES)


def _ignored(robot: Robot) -> frozenset[frozenset[str]]:
    return frozenset(map(frozenset, robot.ignored_contacts))


def _short_links(robot: Robot) -> set[int]:
    """Bodies between two joints that are so near to each other that their drawn housings overlap.

    The links before and after such a link are drawn through each other.
    """
    radii, tree = HOUSING * link_radii(robot.tree), robot.tree
    gaps = [float(np.linalg.norm(body.X_PJ[:3, 3])) for body in robot.bodies]
    ends = [(body.parent, gap, radii[k + 1]) for k, (body, gap) in enumerate(zip(robot.bodies, gaps, strict=True))]
    return {i for i, gap, radius in ends if i >= 0 and not tree.prismatic[i] and gap < radii[i + 1] + radius}


def _are_joined(robot: Robot, groups: tuple[ContactGroup, ...], g: int, h: int, short: set[int]) -> bool:
    """True for groups on one body, or on bodies with one joint and bodies without shapes between them, or one `short` body."""
    shaped = {group.body for group in groups}
    one, other = groups[g].body, groups[h].body
    return one == other or any(_is_carried(robot, far, near, shaped, short) for far, near in ((one, other), (other, one)))


def _is_carried(robot: Robot, body: int, by: int, shaped: set[int], short: set[int]) -> bool:
    """True if `by` is the nearest body with shapes before `body` (-1: the world), or the next one before a short body."""
    before = _carrier(robot, body, shaped)
    return before is not None and (before == by or (before in short and _carrier(robot, before, shaped) == by))


def _carrier(robot: Robot, body: int, shaped: set[int]) -> int | None:
    """Nearest body with shapes that carries `body`, -1 for the world; None for the world itself."""
    if body < 0:
        return None
    body = robot.bodies[body].parent
    while body >= 0 and body not in shaped:
        body = robot.bodies[body].parent
    return body
