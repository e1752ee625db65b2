"""`ClearanceCheck`: contacts of a planned trajectory with the arm itself, its floor and the cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from armature import engine

if TYPE_CHECKING:
    from armature.app.trajectory.trajectory_preview import Preview
    from armature.engine.contact.contact_model import ContactModel
    from armature.engine.trajectory.trajectory_check import FirstContact, TrajectoryContacts

EPSILON = 2e-6  # m between two that count as touching: a first contact is found to 1 µm


@dataclass(frozen=True, eq=False)
class ClearanceCheck:
    """Contacts `found` of a trajectory by a contact model; `place` `(3,)` of the tool at the first contact in W, m."""

    preview: Preview
    contacts: ContactModel
    found: TrajectoryContacts
    place: np.ndarray | None

    @property
    def first(self) -> FirstContact | None:
        """First contact; None: proved to be free of contact."""
        return self.found.first_contact

    @property
    def has_pairs(self) -> bool:
        """True if there is a pair whose distance can be measured."""
        return bool((self.found.pair_index >= 0).all())

    @property
    def smallest(self) -> tuple[float, float, tuple[str, str]]:
        """Smallest sampled clearance in m, its time in s, and the names of its pair."""
        k = int(np.argmin(self.found.clearance))
        return float(self.found.clearance[k]), float(self.found.t[k]), self.found.pair_names[self.found.pair_index[k]]

    @property
    def waypoints(self) -> tuple[int, int] | None:
        """Rows of the waypoints before and after the first contact; twice the row of a waypoint that touches itself; None if it
        is not between two."""
        if self.first is None:
            return None
        row = int(np.searchsorted(self.preview.times, self.first.time))
        if row >= len(self.preview.times):
            return None
        touches = bool(self.contacts.collides(self.preview.q_at(self.preview.times[row]), EPSILON))
        return (row if touches else max(row - 1, 0)), row


def check_clearance(preview: Preview, contacts: ContactModel, cancelled: Callable[[], bool]) -> ClearanceCheck:
    """Check a trajectory by a contact model; raises Cancelled after `cancelled()` returned True."""
    from armature.engine.trajectory.trajectory_check import trajectory_contacts  # numba: not before the window is on screen

    found = trajectory_contacts(contacts, preview.trajectory, cancelled)
    first = found.first_contact
    place = None if first is None else engine.frame_pose(preview.robot, first.q)[:3, 3]
    return ClearanceCheck(preview, contacts, found, place)
