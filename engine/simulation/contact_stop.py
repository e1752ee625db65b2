"""`ContactStop`: ends a simulation at its first contact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from armature.engine.contact.collision import length
from armature.engine.contact.contact_model import ContactModel
from armature.engine.contact.motion_bounds import LeverArms
from armature.engine.contact.motion_search import NEAR, MotionSearch
from armature.engine.contact.sampled_motion import SampledMotion
from armature.engine.simulation.commands import NoteKind

CLEAR = 1e-3  # m between a pair at which its contact is over
_FAR = 0.3  # m, from which a lower bound of a distance suffices
_MOST = 100  # steps between two checks
_LEAST = 1e-4  # m that a touching pair moves at least between two checks


@dataclass(frozen=True)
class RunContact:
    """First contact of a run: time in s, names of the pair, and depth of penetration in m where the run stopped."""

    t: float
    pair: tuple[str, str]
    depth: float

    @property
    def text(self) -> str:
        """Pair, time and depth in one line."""
        return f"stopped at contact: {' and '.join(self.pair)} at t = {self.t:.3f} s, {length(self.depth)} deep"

    def note(self) -> dict[str, Any]:
        """Return the event of a recording."""
        return {"kind": NoteKind.STOP.value, "t": self.t, "pair": list(self.pair), "depth": self.depth}


class ContactStop:
    """Finds the first contact in the steps of a simulation.

    No pair k touches before the joints have travelled so far that  Σ_i r_ki ∫ |qd_i| dt ≥ d_k , its distance at the last check;
    until then nothing is computed. Between two states the joints count as straight. Pairs that touch when a run begins or
    continues do not end it before they were `CLEAR` apart.
    """

    def __init__(self) -> None:
        self.set(None)

    def set(self, model: ContactModel | None) -> None:
        """Set the pairs that are tested; None: the run does not stop."""
        self._model, self._arms = model, None if model is None else LeverArms(model)
        self.restart()

    def restart(self) -> None:
        """Forget the states so far: the arm was placed."""
        self._left: np.ndarray | None = None  # distance of each pair minus its travel since the check
        self._touching = np.zeros(0, bool)
        self._acceleration: np.ndarray | None = None

    def steps(self, q: np.ndarray, qd: np.ndarray, dt: float) -> int:
        """Return after how many steps of dt s from q, qd `(n,)` to check again, at least 1.

        d = 2 v τ + a τ²  with the present speed v and acceleration a of the pair reaches about half of its distance in τ.
        """
        if self._model is None or self._arms is None:
            return np.iinfo(np.int64).max
        if self._left is None:
            d = self._distances(q)
            self._touching = d <= NEAR
            self._measure(d)
            return 1
        if self._acceleration is None:
            return 1
        here = self._tree(q)
        r = self._arms.over(here, here)
        v, a = (r @ np.abs(self._rate(x)) for x in (qd, self._acceleration))
        root = v + np.sqrt(v * v + a * self._left)
        tau = np.divide(self._left, root, out=np.full(len(root), np.inf), where=root > 0)
        return int(np.clip(tau.min(initial=np.inf) / dt, 1, _MOST))

    def look(self, states: np.ndarray, t: float, q: np.ndarray) -> RunContact | None:
        """Return the first new contact in steps with the states `(k, 1 + 4n)` at their starts, to q `(n,)` at t, s."""
        if self._model is None or self._arms is None or self._left is None:
            return None
        n = len(q)
        times, rows = np.append(states[:, 0], t), np.vstack([states[:, 1 : n + 1], q])
        self._acceleration = states[-1, 2 * n + 1 : 3 * n + 1] if len(states) else None
        tree = self._tree(rows)
        moved = self._arms.over(tree.min(axis=0), tree.max(axis=0)) @ np.abs(np.diff(tree, axis=0)).sum(axis=0)
        if (moved < self._left).all():
            self._left = self._left - moved
            return None
        d, found = self._distances(q), None
        if ((self._left + d <= moved) & ~self._touching).any():
            motion = SampledMotion(times, rows)
            found = MotionSearch(self._model, motion, arms=self._arms, ignored=self._touching).first_contact()
        if found is not None:
            self._touching = self._touching | (d <= NEAR)
        self._measure(d)
        return None if found is None else RunContact(found[0], self._model.pair_names[found[1]], max(0.0, -float(d[found[1]])))

    def _measure(self, d: np.ndarray) -> None:
        self._touching = self._touching & (d < CLEAR)
        self._left = np.where(self._touching, np.maximum(CLEAR - d, _LEAST), d)

    def _distances(self, q: np.ndarray) -> np.ndarray:
        assert self._model is not None
        return self._model.distances(np.ascontiguousarray(q), _FAR).distance

    def _tree(self, q: np.ndarray) -> np.ndarray:
        """Positions of all joints of the tree."""
        assert self._model is not None
        coupling = self._model.robot.coupling
        return q if coupling is None else coupling.position(q)

    def _rate(self, x: np.ndarray) -> np.ndarray:
        """Speeds or accelerations of all joints of the tree."""
        assert self._model is not None
        coupling = self._model.robot.coupling
        return x if coupling is None else coupling.rate(x)
