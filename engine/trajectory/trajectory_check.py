"""`check_trajectory`: first contact and clearance of a trajectory, proved between the samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armature.engine.contact.arm_contacts import cell_contacts
from armature.engine.contact.cell import Cell
from armature.engine.contact.contact_model import ContactModel
from armature.engine.contact.motion_search import MotionSearch
from armature.engine.errors import DimensionError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.trajectory.path_lengths import path_lengths
from armature.engine.trajectory.trajectory import Trajectory

_SAMPLES = 201


@dataclass(frozen=True, eq=False)
class FirstContact(Frozen):
    """First contact of a trajectory.

    Attributes:
        time: s, at most 1 ms after the contact begins; at this time the shapes overlap, touch, or are less than 1 µm apart.
        pair: names of two links, or of a link and "floor" or an object.
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
    robot: Robot, trajectory: Trajectory, cell: Cell | None = None, cancelled: Callable[[], bool] | None = None
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
    return trajectory_contacts(cell_contacts(robot, cell), trajectory, cancelled)


def trajectory_contacts(
    model: ContactModel, trajectory: Trajectory, cancelled: Callable[[], bool] | None = None
) -> TrajectoryContacts:
    """Return the result of `check_trajectory` for the pairs of a contact model."""
    if trajectory.n != model.robot.n:
        raise DimensionError(f"{model.robot.name}: the trajectory has {trajectory.n} joints; expected {model.robot.n}")
    t, motion = _sample_times(trajectory), _PlannedMotion(trajectory)
    nearest = model.nearest(motion.positions(t), cancelled=cancelled)
    first = MotionSearch(model, motion, cancelled).first_contact()
    found = None if first is None else FirstContact(first[0], model.pair_names[first[1]], trajectory.sample(first[0])[0])
    return TrajectoryContacts(found, t, nearest.distance, nearest.pair_index, model.pair_names)


class _PlannedMotion:
    """A trajectory as `MotionOverTime`."""

    def __init__(self, trajectory: Trajectory):
        self._trajectory = trajectory

    @property
    def spans(self) -> np.ndarray:
        """Starts and ends `(2, K)`, s, of intervals within the pieces of the trajectory."""
        times = np.union1d(_sample_times(self._trajectory), self._trajectory.breaks)
        return np.stack([times[:-1], times[1:]])

    def positions(self, t: np.ndarray) -> np.ndarray:
        """Return the joint positions `(K, n)`, rad or m, at times `(K,)`, s."""
        return self._trajectory.sample(t)[0]

    def paths(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return bounds `(K, n)` of ∫ |qd| dt, rad or m, from `start` to `end` `(K,)`, s."""
        return path_lengths(self._trajectory, start, end)


def _sample_times(trajectory: Trajectory) -> np.ndarray:
    return np.linspace(0.0, trajectory.duration, _SAMPLES)
