"""Contacts of a recorded motion, in the cell that is around the arm now."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from armature.engine.contact.contact_model import ContactModel
from armature.engine.contact.motion_search import MotionSearch
from armature.engine.contact.sampled_motion import SampledMotion
from armature.engine.recording.recording import Recording

_RESOLUTION = 1e-3  # s, of the ends of contacts
_PARTS = 4000  # of a long recording, to which the ends of its contacts are exact
_FASTER = 4.0  # times the recorded speed, from which a step is no motion: the arm was placed
_STEP = 0.02  # rad or m, that any step may have


class RecordedContact(NamedTuple):
    """A contact from `start` to `end`, s after the first sample; `pair`: names of the pair that touches first."""

    start: float
    end: float
    pair: tuple[str, str]


def recorded_contacts(
    model: ContactModel, recording: Recording, cancelled: Callable[[], bool] | None = None
) -> list[RecordedContact]:
    """Return the contacts of the joint positions of a recording, straight between samples, in their order.

    The first contact is found like that of `check_trajectory`, without missing any between samples; of the others, those shorter
    than 1 ms or 1/4000 of the recording may be missing. Samples with NaN are omitted, and steps that are much faster than the
    recorded speed do not count as motion, because the arm was placed there. Raises Cancelled.
    """
    motion = recorded_motion(recording)
    return [] if motion is None else motion_contacts(model, motion, cancelled)


def motion_contacts(
    model: ContactModel, motion: SampledMotion, cancelled: Callable[[], bool] | None = None
) -> list[RecordedContact]:
    """Return the contacts of a motion, in their order as exact as `recorded_contacts`. Raises Cancelled."""
    if not len(model.pairs):
        return []
    search = MotionSearch(model, motion, cancelled)
    first = search.first_contact()
    if first is None:
        return []
    resolution = max(_RESOLUTION, float(np.ptp(motion.spans)) / _PARTS)
    found = [RecordedContact(*one[:2], model.pair_names[one.pair]) for one in search.contacts(resolution)]
    start, pair = first[0], model.pair_names[first[1]]
    if not found or found[0].start > start + resolution:
        return [RecordedContact(start, start, pair), *found]
    return [RecordedContact(start, max(found[0].end, start), pair), *found[1:]]


def recorded_motion(recording: Recording) -> SampledMotion | None:
    """Motion of a recording; None without a sample whose positions are all known."""
    rows = np.flatnonzero(np.isfinite(recording.q).all(axis=1))
    rows = rows[np.append(np.diff(recording.t[rows]) > 0, True)] if len(rows) else rows
    if not len(rows):
        return None
    t, q, speed = recording.t[rows], recording.q[rows], np.abs(np.nan_to_num(recording.qd[rows]))
    farthest = _FASTER * np.maximum(speed[:-1], speed[1:]) * np.diff(t)[:, None] + _STEP
    return SampledMotion(t - recording.t[0], q, (np.abs(np.diff(q, axis=0)) > farthest).any(axis=1))
