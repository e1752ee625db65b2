"""`check_trajectory`: first contact and clearance of a trajectory, proved between the samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armature.engine.contact.arm_contacts import arm_contacts
from armature.engine.contact.contact_model import TOUCHING, ContactModel
from armature.engine.contact.motion_bounds import lever_arms
from armature.engine.errors import DimensionError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.trajectory.path_lengths import path_lengths
from armature.engine.trajectory.trajectory import Trajectory

NEAR = 1e-6
"""Clearance in m that counts as contact, because proving a smaller one would take too many samples."""
_RESOLUTION = 2e-4  # s, of the time of the first contact
_SAMPLES = 201
_CHUNK = 1000  # poses whose results are in memory at once


@dataclass(frozen=True, eq=False)
class FirstContact(Frozen):
    """First contact of a trajectory.

    Attributes:
        time: s, at most 1 ms after the shapes touch; they touch at this time, or are nearer than 1 µm.
        pair: names of the two links, or of link and object.
        q: joint positions at this time `(n,)`, rad or m.
    """

    time: float
    pair: tuple[str, str]
    q: np.ndarray


@dataclass(frozen=True, eq=False)
class TrajectoryContacts(Frozen):
    """Contacts of a trajectory.

    Attributes:
        first_contact: `FirstContact`; None: proved to be free of contact.
        t: sample times `(K,)`, s.
        clearance: smallest signed distance at these times `(K,)`, m; negative: depth of penetration.
        pair_index: index of its pair in `pair_names` `(K,)`, −1 without pairs.
        pair_names: names of all tested pairs.
    """

    first_contact: FirstContact | None
    t: np.ndarray
    clearance: np.ndarray
    pair_index: np.ndarray
    pair_names: tuple[tuple[str, str], ...]


def check_trajectory(
    robot: Robot, trajectory: Trajectory, cell=None, cancelled: Callable[[], bool] | None = None
) -> TrajectoryContacts:
    """Return the first contact of a trajectory with itself, the floor and objects, and its clearance over time.

    d_k(t_0) + d_k(t_1) > Σ_i r_ki ∫ |qd_i| dt  for all pairs k: no contact between t_0 and t_1

    d_k is the distance of pair k, r_ki the largest distance of its moving points from the axis of joint i. Other
    intervals are halved, so that no contact between samples is missed. The same pairs are tested as by `collision`.

    Args:
        robot: arm, with its floor.
        trajectory: joint positions over time; of a loop, one period is checked.
        cell: `Cell` of objects around the arm; None: only the arm and its floor.
        cancelled: called repeatedly; `Cancelled` is raised after it returned True.

    Returns:
        `TrajectoryContacts` with first_contact, t, clearance, pair_index and pair_names.

    Raises:
        DimensionError: the trajectory is that of another arm; Cancelled.

    Source: Schwarzer, Saha, Latombe, Adaptive dynamic collision checking, IEEE Transactions on Robotics 21, 2005.
    """
    return trajectory_contacts(arm_contacts(robot, () if cell is None else tuple(cell.objects)), trajectory, cancelled)


def trajectory_contacts(
    model: ContactModel, trajectory: Trajectory, cancelled: Callable[[], bool] | None = None
) -> TrajectoryContacts:
    """Return the result of `check_trajectory` for the pairs of a contact model."""
    if trajectory.n != model.robot.n:
        raise DimensionError(f"{model.robot.name}: the trajectory has {trajectory.n} joints; expected {model.robot.n}")
    t = np.linspace(0.0, trajectory.duration, _SAMPLES)
    nearest = model.nearest(trajectory.sample(t)[0], cancelled=cancelled)
    first = _Search(model, trajectory, np.union1d(t, trajectory.breaks), cancelled).first_contact()
    return TrajectoryContacts(first, t, nearest.distance, nearest.pair_index, model.pair_names)


class _Search:
    """Intervals `start` … `end` `(K,)` that are not proved free of contact.

    `before` and `after` `(K, m)`: distances of the pairs at the ends; `moved` `(K, m)`: bounds of their change
    in between.
    """

    def __init__(self, model: ContactModel, trajectory: Trajectory, times: np.ndarray, cancelled: Callable[[], bool] | None):
        self._model, self._trajectory, self._cancelled = model, trajectory, cancelled
        self.start, self.end = times[:-1], times[1:]
        paths, coupling = self._paths(), model.robot.coupling
        q = self._positions(times) if coupling is None else coupling.position(self._positions(times))
        reached = paths.max(axis=0)
        self._arms = lever_arms(model, q.min(axis=0) - reached, q.max(axis=0) + reached)
        self.moved = paths @ self._arms.T
        d = self._distances(times)
        self.before, self.after = d[:-1], d[1:]

    def first_contact(self) -> FirstContact | None:
        """Halve the intervals until all before the first contact are free."""
        time, pair = np.inf, -1
        while True:
            time, pair = min((time, pair), *self._contacts())
            self._drop_free(time)
            if not len(self.start):
                break
            self._halve()
        return None if pair < 0 else FirstContact(time, self._model.pair_names[pair], self._positions(time))

    def _contacts(self) -> list[tuple[float, int]]:
        """Time and pair of the earliest known contact at a start, and at an end."""
        # before + after <= moved <= 2 NEAR: the distance at one of the ends is at most NEAR
        near = (self.before + self.after <= self.moved) & (self.moved <= 2 * NEAR)
        found = []
        for at, d, touches in ((self.start, self.before, near), (self.end, self.after, False)):
            rows = np.flatnonzero(((d <= TOUCHING) | touches).any(axis=1))
            if len(rows):
                first = rows[at[rows].argmin()]
                found.append((float(at[first]), int(d[first].argmin())))
        return found or [(np.inf, -1)]

    def _drop_free(self, time: float) -> None:
        """Keep the intervals that are not proved free, before a contact at `time`."""
        known = (self.end == time) & (self.end - self.start <= _RESOLUTION)
        kept = (self.before + self.after <= self.moved).any(axis=1) & (self.start < time) & ~known
        self.start, self.end, self.before, self.after = (x[kept] for x in (self.start, self.end, self.before, self.after))

    def _halve(self) -> None:
        middle = (self.start + self.end) / 2
        self.start, self.end = np.concatenate([self.start, middle]), np.concatenate([middle, self.end])
        self.moved = self._paths() @ self._arms.T
        d = self._distances(middle)
        self.before, self.after = np.concatenate([self.before, d]), np.concatenate([d, self.after])

    def _positions(self, t) -> np.ndarray:
        return self._trajectory.sample(t)[0]

    def _paths(self) -> np.ndarray:
        """Bounds `(K, bodies)` of ∫ |qd| dt of all joints of the tree."""
        paths, coupling = path_lengths(self._trajectory, self.start, self.end), self._model.robot.coupling
        return paths if coupling is None else np.abs(coupling.rate(paths))

    def _distances(self, t: np.ndarray) -> np.ndarray:
        """Distances `(len(t), m)`; lower bounds where these suffice."""
        limit = max(float(self.moved.max(initial=0.0)), NEAR)
        parts = (self._positions(t[k : k + _CHUNK]) for k in range(0, len(t), _CHUNK))
        return np.concatenate([self._model.distances(q, limit, self._cancelled).distance for q in parts])
