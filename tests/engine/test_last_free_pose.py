"""Motions that stop at the first contact."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.contact.arm_contacts import arm_contacts
from armature.engine.contact.last_free_pose import last_free_pose
from tests.chance import seeds, some

CROSSING = np.radians([0.0, -15.0, 0.0, -126.0, 0.0, 60.0, 45.0])  # half of the hand on either side of the plate
BESIDE, BEYOND = CROSSING + np.eye(7)[0] * 0.8, CROSSING - np.eye(7)[0] * 0.8
PLATE = {"name": "plate", "shape": "box", "size": [1.2, 0.001, 2.0], "xyz": [0.8, 0.0, 0.5]}


@pytest.fixture(scope="module")
def model():
    """Contact model of the Panda with a thin upright plate before it."""
    return arm_contacts(engine.load_robot("panda"), (engine.CellObject(**PLATE),))


def test_a_motion_ends_just_before_the_contact(model):
    stop, pair = last_free_pose(model, BESIDE, CROSSING)
    assert pair is not None and pair[1] == "plate"
    share = (stop - BESIDE)[0] / (CROSSING - BESIDE)[0]
    assert 0.1 < share < 1.0 and np.allclose(stop, BESIDE + share * (CROSSING - BESIDE))
    assert 0.0 < model.nearest(stop).distance < 1e-4
    assert model.collides(stop + 1e-3 * (CROSSING - BESIDE))
    assert np.array_equal(last_free_pose(model, stop, stop + 0.1 * (CROSSING - BESIDE)).q[1:], stop[1:])


def test_a_motion_through_a_plate_between_two_free_poses_stops_before_it(model):
    assert not model.collides(np.array([BESIDE, BEYOND])).any()
    stop = last_free_pose(model, BESIDE, BEYOND).q
    assert stop == pytest.approx(last_free_pose(model, BESIDE, CROSSING).q, abs=1e-4)


def test_a_free_motion_is_not_changed(model):
    end = BESIDE + 0.3
    assert not model.collides(end)
    stop = last_free_pose(model, BESIDE, end)
    assert stop.q is end and stop.pair is None


def test_an_arm_that_touches_moves_only_away(model):
    way = 0.01 * np.eye(7)[0]
    touching = CROSSING + 5 * way
    nearer, deep, farther = (model.nearest(touching + k * way).distance for k in (-1, 0, 1))
    assert nearer < deep < farther < 0.0
    out, back = last_free_pose(model, touching, touching + way), last_free_pose(model, touching, touching - way)
    assert np.array_equal(out.q, touching + way) and out.pair is None
    assert np.array_equal(back.q, touching) and back.pair is not None and back.pair[1] == "plate"


@pytest.mark.parametrize("seed", some(seeds(20), 2))
def test_no_motion_ends_in_contact(model, seed):
    robot, random = model.robot, np.random.default_rng(seed)
    for _ in range(20):
        start, end = random.uniform(robot.q_min, robot.q_max, (2, robot.n))
        if not model.collides(start):
            assert not model.collides(last_free_pose(model, start, end).q)
