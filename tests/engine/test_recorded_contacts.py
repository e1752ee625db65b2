"""Contacts of recordings: intervals, gaps, and poses that are no motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.contact.arm_contacts import cell_contacts
from armature.engine.contact.contact_model import ContactGroup, ContactModel
from armature.engine.contact.shapes import Shape
from armature.engine.errors import Cancelled
from armature.engine.recording.recorded_contacts import recorded_contacts
from tests.engine.contact_peers import pose

ARM = engine.load_robot("pendulum").with_gravity([0, 0, 0])
STILL = engine.simulate(ARM, [0.0], [1.0], 8.0, 1e-3)  # one turn and a quarter at 1 rad/s


def swing(*plates: tuple[str, float, float]) -> ContactModel:
    """A point 1 m from the axis, and plates by name, angle and thickness, m."""
    tip = ARM.links[ARM.link_names[-1]]
    groups = [ContactGroup("tip", 0, (Shape("sphere", (0.0,), pose(1.0)),))]
    for name, angle, thickness in plates:
        X = engine.frame_pose(ARM, np.array([angle]), ARM.link_names[-1]) @ np.linalg.inv(tip.X_BF)
        groups.append(ContactGroup(name, -1, (Shape("box", (0.2, thickness, 0.2), X @ pose(1.0)),)))
    return ContactModel(ARM, tuple(groups), np.array([[0, k] for k in range(1, len(groups))]))


def test_every_contact_has_its_interval_and_its_pair():
    found = recorded_contacts(swing(("wall", 1.0, 0.1), ("post", 3.0, 0.3)), STILL)
    assert [one.pair for one in found] == [("tip", "wall"), ("tip", "post"), ("tip", "wall")]
    expected = [(0.95, 1.05), (2.85, 3.15), (0.95 + 2 * np.pi, 1.05 + 2 * np.pi)]
    np.testing.assert_allclose([one[:2] for one in found], expected, atol=3e-3)
    assert recorded_contacts(swing(("wall", -2.0, 0.1)), replace(STILL, t=STILL.t[:2000], q=STILL.q[:2000])) == []


@pytest.mark.parametrize("rate", [1000, 20])
def test_a_thin_plate_between_two_samples_is_found(rate):
    step = 1000 // rate
    sparse = replace(STILL, **{name: vars(STILL)[name][::step] for name in ("t", "q", "qd")})
    found = recorded_contacts(swing(("plate", 1.02345, 1e-4)), sparse)
    assert found[0].pair == ("tip", "plate") and found[0].start == pytest.approx(1.02345 - 5e-5, abs=3e-4)


def test_a_pose_set_by_hand_is_no_motion_to_it():
    """Placed at 2 rad after 0 rad: the wall at 1 rad is not touched, a post at 2 rad is."""
    q = np.where(STILL.t < 4.0, 0.0, 2.0)[:, None]
    placed = replace(STILL, q=q, qd=np.zeros_like(q))
    assert recorded_contacts(swing(("wall", 1.0, 0.1)), placed) == []
    (post,) = recorded_contacts(swing(("wall", 1.0, 0.1), ("post", 2.0, 0.1)), placed)
    assert post.pair == ("tip", "post")
    assert (post.start, post.end) == pytest.approx((4.0, 8.0), abs=3e-3)


def test_gaps_are_omitted_and_a_recording_of_one_sample_is_checked():
    q = STILL.q.copy()
    q[900:1100] = np.nan  # where it touches
    wall, post, *_ = recorded_contacts(swing(("wall", 1.0, 0.1), ("post", 3.0, 0.3)), replace(STILL, q=q))
    assert wall.pair == ("tip", "wall") and post.pair == ("tip", "post")  # straight through the gap
    one = replace(STILL, t=STILL.t[1000:1001], q=STILL.q[1000:1001], qd=STILL.qd[1000:1001])
    assert recorded_contacts(swing(("wall", 1.0, 0.1)), one) == [(0.0, 0.0, ("tip", "wall"))]
    assert recorded_contacts(swing(("wall", 1.0, 0.1)), replace(one, q=np.full((1, 1), np.nan))) == []


def test_contacts_of_an_arm_are_those_of_its_samples():
    robot, cell = engine.load_robot("panda"), engine.load_cell("table")
    recording = engine.simulate(robot, robot.configurations["home"], None, 2.0, 1e-3)
    model = cell_contacts(robot, cell)
    found = recorded_contacts(model, recording)
    touching = model.collides(recording.q)
    inside = np.zeros(len(recording), bool)
    for one in found:
        inside |= (recording.t >= one.start - 1.1e-3) & (recording.t <= one.end + 1.1e-3)
    assert touching.any() and not touching.all() and not (touching & ~inside).any()
    assert inside.sum() <= touching.sum() + 4 * len(found)
    with pytest.raises(Cancelled):
        recorded_contacts(model, recording, lambda: True)
