"""Contact models of arms: their links, their floor and the objects of a cell."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from armature.engine.contact.contact_model import ContactGroup, ContactModel
from armature.engine.contact.link_pairs import link_groups, self_pairs, with_trimmed_links
from armature.engine.contact.shapes import FLOOR, Shape, is_level
from armature.engine.errors import EngineError
from armature.engine.model.robot import Robot

_CACHED = 8  # arms with their cells


class Thing(Protocol):
    """An object of a cell: its `name`, and its `shapes` in W."""

    @property
    def name(self) -> str: ...

    @property
    def shapes(self) -> tuple[Shape, ...]: ...


def is_floor(thing: Thing, robot: Robot) -> bool:
    """Whether an object is the floor of the robot."""
    return thing.name == FLOOR and is_level(thing.shapes, robot.floor)


@lru_cache(_CACHED)
def arm_contacts(robot: Robot, things: tuple[Any, ...] = (), near: bool = False) -> ContactModel:
    """Return the contact model of an arm with its floor and objects (`Thing`).

    Its pairs are `self_pairs`, and every link that a joint moves with every object. An object named "floor" replaces the
    floor of the robot, unless it is the same half-space.
    `near` omits links that touch each other in no pose: the distance of many of them is almost constant.
    """
    things = tuple(thing for thing in things if not is_floor(thing, robot))  # it is among the links, with its pairs
    own = any(thing.name == FLOOR for thing in things)
    links = tuple(group for group in link_groups(robot) if not (own and group.name == FLOOR and group.body < 0))
    groups = [*links, *(ContactGroup(thing.name, -1, thing.shapes) for thing in things)]
    place = {group.name: k for k, group in enumerate(links)}
    for thing in things:
        if thing.name in place:
            raise EngineError(f"{robot.name} has a link {thing.name}; rename the object {thing.name} of the cell")
    dropped = {frozenset(pair) for pair in robot.ignored_contacts}
    pairs = [(place[one], place[other]) for one, other in self_pairs(robot, near) if one in place and other in place]
    for k in range(len(links), len(groups)):
        moved = (g for g, link in enumerate(links) if link.body >= 0 and {link.name, groups[k].name} not in dropped)
        pairs += [(g, k) for g in moved]
    grown, pairs = with_trimmed_links(robot, tuple(groups), pairs)
    return ContactModel(robot, grown, np.array(pairs, int).reshape(-1, 2))


def cell_contacts(robot: Robot, cell: Any = None) -> ContactModel:
    """Return the contact model of an arm with its floor and the objects of a `Cell`, None without one."""
    return arm_contacts(robot, () if cell is None else tuple(cell.objects))
