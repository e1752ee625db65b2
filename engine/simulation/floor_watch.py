"""`FloorWatch`: contacts of an arm's links with its floor, with times and depths.

The floor exerts no force; a contact is only reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from armature.engine.kinematics.floor_depths import FloorDepths
from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import Robot
from armature.engine.recording.recording_notes import LOG
from armature.engine.simulation.commands import NoteKind
from armature.engine.simulation.simulation_event import Event, EventKind

EVERY = 0.04  # s between two states that are checked in any case
CLEAR = 1e-3  # m above the floor at which a contact is over
_FEW = 200  # states that are checked all at once instead of by bisection
_UPRIGHT = 1 - 1e-9  # z of an axis that counts as vertical


@dataclass(frozen=True)
class FloorContact:
    """A link below the floor from `t` to `until`, s, None if it did not end; `depth`: largest known depth, m."""

    link: str
    t: float
    depth: float
    until: float | None = None

    def begin_event(self) -> Event:
        """Return the event of its begin."""
        return Event(EventKind.CONTACT, f"{self.link} reached the floor at t = {self.t:.3f} s", t=self.t, **self._where())

    def end_event(self) -> Event:
        """Return the event of its end."""
        until = "" if self.until is None else f" to {self.until:.3f} s"
        text = f"{self.link} was below the floor from t = {self.t:.3f} s{until}, {1e3 * self.depth:.0f} mm at most"
        return Event(EventKind.CONTACT_ENDED, text, t=self.t, **self._where())

    def _where(self) -> dict[str, Any]:
        return {"link": self.link, "depth": self.depth}

    def note(self) -> dict[str, Any]:
        """Return the event of a recording."""
        return {"kind": NoteKind.CONTACT.value, "link": self.link, "t": self.t, "depth": self.depth, "until": self.until}


class FloorWatch:
    """Finds the contacts of one arm in its states; none without a floor.

    It checks states `EVERY` s apart, and bisects an interval in which a contact may begin or end: with depths a, b at its ends
    and a path of length L of a link's lowest point between them, no depth exceeds (a + b + L) / 2. So no state below the floor is
    missed, and begin and end are exact to one state. Not found: a dip between two consecutive states, and the exact depth of a
    long contact, which is that of its deepest checked state; at a reversal with acceleration a it is a `EVERY`² / 8 more, 2 mm in
    free fall.

    `active`: contacts that have not ended, with their depth so far, by the index of their link in `depths`.
    """

    def __init__(self, robot: Robot):
        self.active: dict[int, FloorContact] = {}
        self._last = np.zeros((0, robot.n + 1))  # t, q of the last state seen
        self.set_robot(robot)

    def set_robot(self, robot: Robot) -> None:
        """Set the same arm with other parameters."""
        self._robot = robot
        if robot.floor is None:
            return
        self._depths = FloorDepths(robot)
        self._out = np.zeros(robot.n)
        self._rates = height_rates(robot, self._depths.bodies, self._depths.far, self._out)

    @property
    def links(self) -> tuple[str, ...]:
        """Names of the links in `depths`."""
        return self._depths.links

    def depths(self, q: np.ndarray) -> np.ndarray:
        """Return the depth of each movable link below the floor at q `(n,)` or `(N, n)`, m; negative above it."""
        return self._depths.at(q)

    def look(self, states: np.ndarray) -> tuple[list[FloorContact], list[FloorContact]]:
        """Return the contacts that began and that ended in further states `(N, ≥ 1 + n)`, rows t, q, …"""
        began, ended = list[FloorContact](), list[FloorContact]()
        if self._robot.floor is None or not self._depths.links or not len(states):
            return began, ended
        seen = np.concatenate([self._last, states[:, : self._robot.n + 1]])
        self._last = seen[-1:].copy()
        rows, depths = self._checked(seen[:, 0], seen[:, 1:])
        for k, (deepest, least) in enumerate(zip(depths.max(axis=0).tolist(), depths.min(axis=0).tolist(), strict=True)):
            contact = self.active.get(k)
            if deepest > 0.0 if contact is None else least < -CLEAR:
                self._follow(k, seen[rows, 0], depths[:, k], began, ended)
            elif contact is not None and deepest > contact.depth:
                self.active[k] = replace(contact, depth=deepest)
        return sorted(began, key=_start), sorted(ended, key=_start)

    def restart(self) -> list[FloorContact]:
        """Forget the states so far; return the contacts that were active."""
        ended, self.active, self._last = list(self.active.values()), {}, self._last[:0]
        return ended

    def _checked(self, t: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the indices of states between which no contact begins or ends, and the depths there."""
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
        """Return `height_rates` for q `(N, n)`; prismatic joints may be farther out than before."""
        slides = self._robot.prismatic
        if slides.any():
            out = np.where(slides, np.abs(q).max(axis=0), 0.0)
            if (out > self._out).any():
                self._out = np.maximum(self._out, 1.1 * out)
                self._rates = height_rates(self._robot, self._depths.bodies, self._depths.far, self._out)
        return self._rates

    def _follow(self, k: int, t: np.ndarray, depths: np.ndarray, began: list[FloorContact], ended: list[FloorContact]) -> None:
        """Find begin and end of contacts of one link in checked states."""
        side = np.where(depths > 0.0, 1, np.where(depths < -CLEAR, -1, 0))
        rows = np.flatnonzero(side)
        changes = rows[np.diff(side[rows], prepend=1 if k in self.active else -1) != 0].tolist()
        for first, end in pairwise(sorted({0, *changes, len(t)})):
            if first in changes and side[first] > 0:
                self.active[k] = FloorContact(self._depths.links[k], float(t[first]), float(depths[first]))
                began.append(self.active[k])
            elif first in changes:
                ended.append(replace(self.active.pop(k), until=float(t[first])))
            if k in self.active and end > first:
                contact = self.active[k]
                self.active[k] = replace(contact, depth=max(contact.depth, float(depths[first:end].max())))


def floor_contacts(robot: Robot, t: np.ndarray, q: np.ndarray) -> tuple[FloorContact, ...]:
    """Return the contacts of an arm with its floor.

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


def contact_notes(contacts: Iterable[FloorContact], dt: float) -> list[dict[str, Any]]:
    """Return the events of a recording with a sample every `dt` s from t = 0; `row`: sample at which the contact begins."""
    return [{"row": round(contact.t / dt), **contact.note()} for contact in contacts]


def acting(events: list[Mapping[str, Any]] | None) -> list[Mapping[str, Any]]:
    """Return the events of a recording that affected the arm, without contacts, stops, cells and logged values."""
    others = NoteKind.CONTACT, NoteKind.STOP, NoteKind.CELL, LOG
    return [event for event in events or [] if not (isinstance(event, Mapping) and event.get("kind") in others)]


def _start(contact: FloorContact) -> float:
    return contact.t


def _inside(first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Return the indices of states inside intervals: their middles, or all if they are few."""
    if int((last - first).sum()) > _FEW:
        return (first + last) // 2
    return np.concatenate([np.arange(a + 1, b) for a, b in zip(first.tolist(), last.tolist(), strict=True)])


def _spaced(t: np.ndarray) -> np.ndarray:
    """Return the indices of states about `EVERY` s apart, with the first and the last one."""
    gap = float(t[-1] - t[0]) / max(len(t) - 1, 1)
    rows = np.arange(0, len(t), max(1, int(EVERY / gap)) if gap > 0 else 1)
    return rows if rows[-1] == len(t) - 1 else np.append(rows, len(t) - 1)


def height_rates(robot: Robot, bodies: np.ndarray, far: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return upper bounds of |∂z/∂q| for the points of some links, in all poses.

    A revolute joint lifts a point by no more than its distance, the sum of the placements between them; a joint whose axis is
    always vertical does not lift it.

    Args:
        bodies: bodies of the links `(k,)`.
        far: distances of their points from the origins of these bodies `(k,)`, m.
        out: largest displacement of each prismatic joint `(n,)`, m.

    Returns:
        `(n, k)`, m per rad or m.
    """
    tree, upright = robot.tree, upright_axes(robot)
    slid = (
        out
        if robot.coupling is None
        else np.abs(robot.coupling.multiplier) * out[robot.coupling.driver] + np.abs(robot.coupling.offset)
    )
    rates, placed = np.zeros((len(tree.bodies), len(bodies))), [float(np.linalg.norm(body.X_PJ[:3, 3])) for body in tree.bodies]
    for k, (body, length) in enumerate(zip(bodies.tolist(), far.tolist(), strict=True)):
        while body >= 0:
            slides = tree.bodies[body].joint_type == PRISMATIC
            rates[body, k] = 1.0 if slides else 0.0 if upright[body] else length
            length += (slid[body] if slides else 0.0) + placed[body]
            body = tree.bodies[body].parent
    return rates if robot.coupling is None else np.abs(robot.coupling.G).T @ rates


def upright_axes(robot: Robot) -> list[bool]:
    """Return for each body whether the axis of its joint is vertical in all poses."""
    out, placed = list[bool](), list[np.ndarray]()
    for body in robot.tree.bodies:
        X = (placed[body.parent] if body.parent >= 0 else np.eye(4)) @ body.X_PJ
        placed.append(X)
        before, held = body.parent, True
        while before >= 0:
            held = held and (out[before] or robot.tree.bodies[before].joint_type == PRISMATIC)
            before = robot.tree.bodies[before].parent
        out.append(held and abs(float(X[2, 2])) > _UPRIGHT)
    return out
