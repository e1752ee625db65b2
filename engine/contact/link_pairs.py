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
_AROUND = 1.5  # radii of two housings, around the joints of a very short link

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class CollisionPairs(Frozen):
    """Pairs of link names, sorted by how often they touch in random poses; "floor" is the floor of the robot.

    `adjacent`: links of one body, or joined by one joint; these are not sampled. `never`, `always`, `sometimes`: pairs that touch
    in none, in all or in some of the poses; `ignored`: pairs among them that the robot's file ignores. Of two drawn links with a
    very short one between them, the region around its joints does not count.
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
    apart = [pair for pair in combinations(links, 2) if not _are_joined(robot, groups, *pair)]
    groups, sampled = with_trimmed_links(robot, groups, apart)
    sampled += [(k, len(links)) for k in links if groups[k].body >= 0 and len(link_groups(robot)) > len(links)]
    counts = _touches(robot, groups, sampled, samples, seed)
    names = [tuple(groups[k].name for k in pair) for pair in sampled]

    def those(chosen: np.ndarray) -> tuple[Pair, ...]:
        return tuple((names[k][0], names[k][1]) for k in np.flatnonzero(chosen))

    dropped = _ignored(robot)
    return CollisionPairs(
        adjacent=tuple(pair for pair in combinations([groups[k].name for k in links], 2) if pair not in names),
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


def with_trimmed_links(
    robot: Robot, groups: tuple[ContactGroup, ...], pairs: Sequence[tuple[int, int]]
) -> tuple[tuple[ContactGroup, ...], list[tuple[int, int]]]:
    """Return groups and pairs in which drawn links before and after a very short link count without the region around its joints.

    There the housings and tubes are drawn through each other. A group of the rest of the second link is appended for each pair;
    pairs without a rest are omitted.
    """
    grown, out, radii = list(groups), list[tuple[int, int]](), HOUSING * link_radii(robot.tree)
    shaped = {group.body for group in groups}
    for g, h in pairs:
        far = groups[h]
        short = _carrier(robot, far.body, shaped) if arm_shapes(robot).drawn else None
        if (
            short is not None
            and short >= 0
            and _carrier(robot, short, shaped) == groups[g].body
            and not robot.tree.prismatic[short]
        ):
            gap = float(np.linalg.norm(robot.bodies[far.body].X_PJ[:3, 3]))
            size = float(radii[short + 1] + radii[far.body + 1])
            if gap < size:
                rest = [shape for shape in (_outside(shape, gap + _AROUND * size) for shape in far.shapes) if shape is not None]
                if not rest:
                    continue
                grown.append(ContactGroup(far.name, far.body, tuple(rest)))
                h = len(grown) - 1
        out.append((g, h))
    return tuple(grown), out


def _outside(shape: Shape, radius: float) -> Shape | None:
    """Shape without the part in a ball around the origin: the far end of a capsule, all or nothing of others."""
    p, z = shape.X_BS[:3, 3], shape.X_BS[:3, 2]
    square = radius**2 - p @ p + (p @ z) ** 2
    if shape.kind != "capsule" or square < 0.0:
        return shape if np.linalg.norm(p) > radius else None
    # |p + s z| > radius for s > −p·z + √square; tubes begin near the origin
    high = shape.size[1] / 2
    low = max(-high, float(-p @ z + np.sqrt(square)))
    if high <= low:
        return None
    X = shape.X_BS.copy()
    X[:3, 3] += (low + high) / 2 * z
    return Shape("capsule", (shape.size[0], high - low), X)


def _are_joined(robot: Robot, groups: tuple[ContactGroup, ...], g: int, h: int) -> bool:
    """True for groups on one body, or on two bodies with one joint and bodies without shapes between them."""
    shaped = {group.body for group in groups}
    one, other = groups[g].body, groups[h].body
    return one == other or _carrier(robot, one, shaped) == other or _carrier(robot, other, shaped) == one


def _carrier(robot: Robot, body: int, shaped: set[int]) -> int | None:
    """Nearest body with shapes that carries `body`, -1 for the world; None for the world itself."""
    if body < 0:
        return None
    body = robot.bodies[body].parent
    while body >= 0 and body not in shaped:
        body = robot.bodies[body].parent
    return body
