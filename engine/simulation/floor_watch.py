"""`FloorWatch`: when which link of an arm was how deep below its floor.

The floor holds nothing: no force acts on an arm that reaches it, which goes on through it. That is told, once per contact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from armature.engine.kinematics.floor_depths import FloorDepths
from armature.engine.model.robot import Robot
from armature.engine.recording.recording_notes import LOG
from armature.engine.simulation.commands import NoteKind
from armature.engine.simulation.height_rates import height_rates
from armature.engine.simulation.simulation_event import Event, EventKind

EVERY = 0.04  # s between two states that are looked at in any case
CLEAR = 1e-3  # m above the floor at which a contact is over
_FEW = 200  # states that are sooner looked at all at once than by halves


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

    Looks at states `EVERY` s apart, and halves an interval as long as something may begin or end inside it: with depths a, b at
    its ends and the way L that a link's lowest point can have gone meanwhile, it was nowhere deeper than (a + b + L) / 2. So no
    recorded state below the floor is missed, and a contact begins and ends at the state where it did. What is left open: a dip
    between two states that follow each other, and the depth of a long contact, that of its deepest state looked at; at a turning
    point with acceleration a it is a `EVERY`² / 8 more, 2 mm in free fall.

    `going_on` are the contacts that are not over, each as deep as it was so far, by the place of their link in `depths`.
    """

    def __init__(self, robot: Robot):
        self.going_on: dict[int, Contact] = {}
        self._last = np.zeros((0, robot.n + 1))  # t, q of the last state seen
        self.set_robot(robot)

    def set_robot(self, robot: Robot) -> None:
        """The same arm with another load, tool or gravity."""
        self._robot = robot
        if robot.floor is None:
            return
        self._depths = FloorDepths(robot)
        self._out = np.zeros(robot.n)
        self._rates = height_rates(robot, self._depths.bodies, self._depths.far, self._out)

    @property
    def links(self) -> tuple[str, ...]:
        """Names of the links whose `depths` there are."""
        return self._depths.links

    def depths(self, q: np.ndarray) -> np.ndarray:
        """How deep m each link that can fall is below the floor at q `(n,)` or `(N, n)`, negative above it."""
        return self._depths.at(q)

    def look(self, states: np.ndarray) -> tuple[list[Contact], list[Contact]]:
        """Contacts that began and those that ended in states `(N, ≥ 1 + n)`, rows t, q, …, which follow those seen before."""
        began, ended = list[Contact](), list[Contact]()
        if self._robot.floor is None or not self._depths.links or not len(states):
            return began, ended
        seen = np.concatenate([self._last, states[:, : self._robot.n + 1]])
        self._last = seen[-1:].copy()
        rows, depths = self._looked_at(seen[:, 0], seen[:, 1:])
        for k, (deepest, least) in enumerate(zip(depths.max(axis=0).tolist(), depths.min(axis=0).tolist(), strict=True)):
            contact = self.going_on.get(k)
            if deepest > 0.0 if contact is None else least < -CLEAR:
                self._follow(k, seen[rows, 0], depths[:, k], began, ended)
            elif contact is not None and deepest > contact.depth:
                self.going_on[k] = replace(contact, depth=deepest)
        return sorted(began, key=_start), sorted(ended, key=_start)

    def restart(self) -> list[Contact]:
        """The arm is put somewhere else, or what is told of it ends; the contacts that were going on."""
        left, self.going_on, self._last = list(self.going_on.values()), {}, self._last[:0]
        return left

    def _looked_at(self, t: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Indices of states between which no contact begins or ends, and the depths there."""
        rows = _spaced(t)
        depths = self.depths(q[rows])
        steps, rates = np.abs(q[1:] - q[:-1]), self._rates_over(q)
        while len(rows) < len(q):
            middle = depths[:-1] + depths[1:]
            way = np.add.reduceat(steps, rows[:-1], axis=0) @ rates
            high, low = middle + way, middle - way  # twice the deepest that there may be, and the least deep
            changes = ((high > 0.0) & (low <= 0.0)) | ((high >= -2 * CLEAR) & (low < -2 * CLEAR))
            wide = changes.any(axis=1) & (rows[1:] - rows[:-1] > 1)
            if not wide.any():
                break
            between = _inside(rows[:-1][wide], rows[1:][wide])
            rows, depths = np.concatenate([rows, between]), np.concatenate([depths, self.depths(q[between])])
            order = rows.argsort()
            rows, depths = rows[order], depths[order]
        return rows, depths

    def _rates_over(self, q: np.ndarray) -> np.ndarray:
        """`height_rates` that hold at all of these q `(N, n)`: what slides may be farther out than ever."""
        slides = self._robot.prismatic
        if slides.any():
            out = np.where(slides, np.abs(q).max(axis=0), 0.0)
            if (out > self._out).any():
                self._out = np.maximum(self._out, 1.1 * out)
                self._rates = height_rates(self._robot, self._depths.bodies, self._depths.far, self._out)
        return self._rates

    def _follow(self, k: int, t: np.ndarray, depths: np.ndarray, began: list[Contact], ended: list[Contact]) -> None:
        """One link through the states that were looked at."""
        side = np.where(depths > 0.0, 1, np.where(depths < -CLEAR, -1, 0))
        rows = np.flatnonzero(side)
        changes = rows[np.diff(side[rows], prepend=1 if k in self.going_on else -1) != 0].tolist()
        for first, end in pairwise(sorted({0, *changes, len(t)})):
            if first in changes and side[first] > 0:
                self.going_on[k] = Contact(self._depths.links[k], float(t[first]), float(depths[first]))
                began.append(self.going_on[k])
            elif first in changes:
                ended.append(replace(self.going_on.pop(k), until=float(t[first])))
            if k in self.going_on and end > first:
                contact = self.going_on[k]
                self.going_on[k] = replace(contact, depth=max(contact.depth, float(depths[first:end].max())))


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
    return tuple(sorted([*ended, *watch.restart()], key=_start))


def contact_notes(contacts: Iterable[Contact], dt: float) -> list[dict[str, Any]]:
    """The events of a recording with a sample every `dt` s from t = 0 on; `row` is the sample at which each contact begins."""
    return [{"row": round(contact.t / dt), **contact.note()} for contact in contacts]


def acting(events: list[Mapping[str, Any]] | None) -> list[Mapping[str, Any]]:
    """The events of a recording that did something to the arm: contacts, and what a law logged, follow from where it was."""
    return [event for event in events or [] if not (isinstance(event, Mapping) and event.get("kind") in (NoteKind.CONTACT, LOG))]


def _start(contact: Contact) -> float:
    return contact.t


def _inside(first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Indices of states inside some intervals: those in their middles, or all where these are few."""
    if int((last - first).sum()) > _FEW:
        return (first + last) // 2
    return np.concatenate([np.arange(a + 1, b) for a, b in zip(first.tolist(), last.tolist(), strict=True)])


def _spaced(t: np.ndarray) -> np.ndarray:
    """Indices of states about `EVERY` s apart, the first and the last one among them."""
    gap = float(t[-1] - t[0]) / max(len(t) - 1, 1)
    rows = np.arange(0, len(t), max(1, int(EVERY / gap)) if gap > 0 else 1)
    return rows if rows[-1] == len(t) - 1 else np.append(rows, len(t) - 1)
