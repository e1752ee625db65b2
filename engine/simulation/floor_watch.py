"""`FloorWatch`: when which link of an arm was how deep below its floor.

The floor holds nothing: no force acts on an arm that reaches it, which goes on through it. That is told, once per contact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from armature.engine.kinematics.poses import link_poses
from armature.engine.model.link_outline import link_outline
from armature.engine.model.robot import Robot
from armature.engine.simulation.note_kind import NoteKind
from armature.engine.simulation.simulation_event import Event, EventKind

EVERY = 0.04  # s between two states that are looked at; where a contact began or ended between them, every one is
CLEAR = 1e-3  # m above the floor at which a contact is over
_FEW = 4  # states


@dataclass(frozen=True)
class Contact:
    """A link below the floor, from `t` to `until` s, None where it still was at the end; `depth` m is the deepest it was, as far
    as that is known."""

    link: str
    t: float
    depth: float
    until: float | None = None

    def begun(self) -> Event:
        """What is told when it begins."""
        return Event(EventKind.CONTACT, f"{self.link} reached the floor at t = {self.t:.3f} s", t=self.t, **self._where())

    def over(self) -> Event:
        """What is told when it is over."""
        until = "" if self.until is None else f" to {self.until:.3f} s"
        text = f"{self.link} was below the floor from t = {self.t:.3f} s{until}, {1e3 * self.depth:.0f} mm at most"
        return Event(EventKind.CONTACT_ENDED, text, t=self.t, **self._where())

    def _where(self) -> dict[str, Any]:
        return {"link": self.link, "depth": self.depth}

    def note(self) -> dict[str, Any]:
        """As an event of a recording."""
        return {"kind": NoteKind.CONTACT.value, "link": self.link, "t": self.t, "depth": self.depth, "until": self.until}


class FloorWatch:
    """Follows one arm; without a floor it has nothing to do.

    `going_on` are the contacts that are not over, each as deep as it was so far, by the place of their link in `depths`.
    """

    def __init__(self, robot: Robot):
        self.going_on: dict[int, Contact] = {}
        self.set_robot(robot)

    def set_robot(self, robot: Robot) -> None:
        """The same arm with another load, tool or gravity."""
        self._robot = robot
        if robot.floor is None:
            return
        outline = link_outline(robot)
        order = np.argsort(outline.bodies, kind="stable")
        self._bodies, self._first = np.unique(outline.bodies[order], return_index=True)
        carrier, X_BL = robot.link_table
        links = np.array([int(np.flatnonzero(carrier == body)[0]) for body in outline.bodies[order]], int)
        R_BL, p_BL = X_BL[links, :3, :3], X_BL[links, :3, 3]
        points = np.einsum("kij,ki->kj", R_BL, outline.points[order] - p_BL)
        self._links, self._balls = links, np.column_stack([points, np.ones(len(links))])
        self._offset = robot.floor + outline.radii[order]

    def depths(self, q: np.ndarray) -> np.ndarray:
        """How deep m each link that can fall is below the floor at q `(n,)` or `(N, n)`, negative above it."""
        lowest = (link_poses(self._robot, q)[..., self._links, 2, :] * self._balls).sum(axis=-1)
        return np.maximum.reduceat(self._offset - lowest, self._first, axis=-1)

    def look(self, states: np.ndarray) -> tuple[list[Contact], list[Contact]]:
        """Contacts that began and those that ended in states `(N, ≥ 1 + n)`, rows t, q, …, which follow those seen before."""
        if self._robot.floor is None or not len(self._bodies) or not len(states):
            return [], []
        t, q = states[:, 0], states[:, 1 : self._robot.n + 1]
        began, ended = list[Contact](), list[Contact]()
        first, coarse = 0, _spaced(t)
        few = len(coarse) <= _FEW  # each by itself is sooner done
        seen = np.array([self.depths(q[row]) for row in coarse]) if few else self.depths(q[coarse])
        if not self.going_on and seen.max() <= 0.0:
            return began, ended
        for row, depths in zip(coarse.tolist(), seen, strict=True):
            if self._changes(depths):
                self._follow(t[first : row + 1], self.depths(q[first : row + 1]), began, ended)
            for k, contact in self.going_on.items():
                if depths[k] > contact.depth:
                    self.going_on[k] = replace(contact, depth=float(depths[k]))
            first = row + 1
        return began, ended

    def restart(self) -> list[Contact]:
        """The arm is put somewhere else, or what is told of it ends; the contacts that were going on."""
        left, self.going_on = list(self.going_on.values()), {}
        return left

    def _changes(self, depths: np.ndarray) -> bool:
        """Whether these depths begin a contact or end one."""
        below = sum(bool(depths[k] > 0.0) for k in self.going_on)
        return int((depths > 0.0).sum()) > below or any(depths[k] < -CLEAR for k in self.going_on)

    def _follow(self, t: np.ndarray, depths: np.ndarray, began: list[Contact], ended: list[Contact]) -> None:
        """Every state of an interval `(N, …)` at whose end something has changed."""
        for k in np.flatnonzero((depths > 0.0).any(axis=0) | (depths[-1] < -CLEAR)).tolist():
            if k not in self.going_on:
                rows = np.flatnonzero(depths[:, k] > 0.0)
                if not len(rows):
                    continue
                link = self._robot.link_names[self._links[self._first[k]]]
                contact = Contact(link, float(t[rows[0]]), float(depths[rows[0], k]))
                began.append(contact)
                self.going_on[k] = replace(contact, depth=float(depths[:, k].max()))
            if depths[-1, k] < -CLEAR:
                above = np.flatnonzero(depths[:, k] >= -CLEAR)
                gone = int(above[-1]) + 1 if len(above) else 0
                ended.append(replace(self.going_on.pop(k), until=float(t[gone])))


def floor_contacts(robot: Robot, t: np.ndarray, q: np.ndarray) -> tuple[Contact, ...]:
    """When links of an arm were below its floor.

    d(t) = z_floor − min over the link's outline of z(q(t)) > 0

    Args:
        t: times `(N,)` s, ascending.
        q: joint positions `(N, n)` rad or m.

    Returns:
        The contacts in the order in which they began; none for a robot without a floor.
    """
    watch = FloorWatch(robot)
    _, ended = watch.look(np.column_stack([np.asarray(t, float), np.asarray(q, float)]))
    return tuple(sorted([*ended, *watch.restart()], key=lambda contact: contact.t))


def contact_notes(contacts: tuple[Contact, ...], t: np.ndarray) -> list[dict[str, Any]]:
    """The events of a recording whose samples lie at `t` `(N,)`."""
    return [{"row": int(np.searchsorted(t, contact.t)), **contact.note()} for contact in contacts]


def acting(events: list[Mapping[str, Any]] | None) -> list[Mapping[str, Any]]:
    """The events of a recording that did something to the arm: those that tell of contacts follow from where it was."""
    return [event for event in events or [] if not (isinstance(event, Mapping) and event.get("kind") == NoteKind.CONTACT)]


def _spaced(t: np.ndarray) -> np.ndarray:
    """Indices of states about `EVERY` s apart, the last one among them."""
    gap = float(t[-1] - t[0]) / max(len(t) - 1, 1)
    stride = max(1, int(EVERY / gap)) if gap > 0 else 1
    return np.arange((len(t) - 1) % stride, len(t), stride)
