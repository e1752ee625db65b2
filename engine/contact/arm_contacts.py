"""Contact models of arms: their links, their floor and the objects of a cell."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from armature.engine.contact.contact_model import TOUCHING, ContactGroup, ContactModel
from armature.engine.contact.link_pairs import FLOOR, link_groups, self_pairs
from armature.engine.contact.shapes import Shape
from armature.engine.model.robot import Robot

_CACHED = 8  # arms with their cells


class Thing(Protocol):
    """An object of a cell: its `name`, and its `shapes` in W."""

    @property
    def name(self) -> str: ...

    @property
    def shapes(self) -> tuple[Shape, ...]: ...


class ContactObjects:
    """Base of a cell: the contacts of an arm with itself, with its floor and with the `objects` of the cell (`Obstacles`)."""

    objects: tuple[Any, ...]

    def collides(self, robot: Robot, q) -> np.ndarray:
        """Return whether an arm is in contact at q `(N, n)`, rad or m: `(N,)` bool."""
        return arm_contacts(robot, tuple(self.objects)).collides(q)

    def contact_pairs(self, robot: Robot, q) -> list[tuple[str, str] | None]:
        """Return the names of the pair in the deepest contact at each of q `(N, n)`, rad or m; None without contact."""
        model = arm_contacts(robot, tuple(self.objects))
        found, names = model.nearest(q, TOUCHING), model.pair_names
        return [names[k] if k >= 0 else None for k in map(int, found.pair_index)]


@lru_cache(_CACHED)
def arm_contacts(robot: Robot, things: tuple[Any, ...] = (), near: bool = False) -> ContactModel:
    """Return the contact model of an arm with its floor and objects (`Thing`).

    Its pairs are `self_pairs`, and every link that a joint moves with every object. An object named "floor" replaces the
    floor of the robot. `near` omits links that touch each other in no pose: the distance of many of them is almost constant.
    """
    own = any(thing.name == FLOOR for thing in things)
    links = tuple(group for group in link_groups(robot) if not (own and group.name == FLOOR and group.body < 0))
    groups = (*links, *(ContactGroup(thing.name, -1, thing.shapes) for thing in things))
    place = {group.name: k for k, group in enumerate(links)}
    dropped = {frozenset(pair) for pair in robot.ignored_contacts}
    pairs = [(place[one], place[other]) for one, other in self_pairs(robot, near) if one in place and other in place]
    for k in range(len(links), len(groups)):
        moved = (g for g, link in enumerate(links) if link.body >= 0 and {link.name, groups[k].name} not in dropped)
        pairs += [(g, k) for g in moved]
    return ContactModel(robot, groups, np.array(pairs, int).reshape(-1, 2))
