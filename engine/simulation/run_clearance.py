"""`RunClearance`: smallest clearance and first contact of a simulation, from its states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine.contact.collision import length
from armature.engine.contact.contact_model import ContactModel
from armature.engine.contact.motion_bounds import LeverArms
from armature.engine.contact.motion_search import MotionSearch
from armature.engine.contact.sampled_motion import SampledMotion
from armature.engine.simulation.contact_stop import RunContact

_TOLERANCE = 1e-4  # m, of the smallest clearance
_EXACT = 1e-3  # s, of the first contact
_SPANS = 50  # of a batch of states, before any of them is halved

Pair = tuple[str, str]


class Clearance(NamedTuple):
    """Smallest clearance of a run: `distance` in m, negative for a depth of penetration, of `pair` at `t` s.

    `first_contact`: time in s and pair; None: proved to be free of contact if the joints move straight between states.
    """

    distance: float
    pair: Pair
    t: float
    first_contact: tuple[float, Pair] | None

    @property
    def text(self) -> str:
        """Smallest clearance, or first and deepest contact, in one line."""
        where = f"{length(abs(self.distance))}, {' – '.join(self.pair)}, at t = {self.t:.3f} s"
        if self.first_contact is None:
            return f"smallest clearance {where}"
        t, pair = self.first_contact
        return f"{' hits '.join(pair)} at t = {t:.3f} s, deepest contact {where}"


def contact_texts(stop: RunContact | None, found: Clearance | None) -> list[str]:
    """Return where a run stopped, and its smallest clearance or its first and deepest contact, unless it stopped there."""
    if found is None or stop is None:
        return [one.text for one in (stop, found) if one is not None]
    touched_before = found.first_contact is not None and found.first_contact[0] < stop.t - _EXACT
    return [stop.text, found.text] if touched_before else [stop.text]


class RunClearance:
    """Smallest clearance and first contact of an arm in its cell, from the states so far."""

    def __init__(self, model: ContactModel):
        self._distance, self._t, self._pair = np.inf, 0.0, ("", "")
        self._first_contact: tuple[float, Pair] | None = None
        self._model, self._arms = model, LeverArms(model)
        self._last = np.zeros((0, model.robot.n + 1))  # t, q of the last state

    def add(self, states: np.ndarray) -> None:
        """Add further states `(k, ≥ 1 + n)`, rows t, q, …"""
        rows = np.concatenate([self._last, states[:, : self._last.shape[1]]])
        rows = rows[np.append(np.diff(rows[:, 0]) > 0, True)] if len(rows) else rows
        if not len(rows) or not len(self._model.pairs):
            return
        if not len(self._last):
            nearest = self._model.nearest(np.ascontiguousarray(rows[0, 1:]))
            self._take(float(nearest.distance), float(rows[0, 0]), int(nearest.pair_index))
        self._last = rows[-1:].copy()
        t, motion = rows[:, 0], SampledMotion(rows[:, 0], rows[:, 1:], most=_SPANS)
        search = MotionSearch(self._model, motion, arms=self._arms, limit=self._distance)
        step = 1.01 * float(np.diff(t).max(initial=0.0))
        if (smallest := search.smallest_clearance(_TOLERANCE, step)) is not None:
            self._take(*smallest)
        if self._first_contact is None and (first := search.first_contact()) is not None:
            self._first_contact = first[0], self._model.pair_names[first[1]]

    @property
    def result(self) -> Clearance | None:
        """Clearance of the states so far; None without pairs that can touch."""
        if not np.isfinite(self._distance):
            return None
        return Clearance(self._distance, self._pair, self._t, self._first_contact)

    def _take(self, distance: float, t: float, pair: int) -> None:
        self._distance, self._t, self._pair = distance, t, self._model.pair_names[pair]
