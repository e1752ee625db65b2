"""Motions that increase the distance of a pair."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.contact.arm_contacts import arm_contacts
from armature.engine.contact.freeing_motion import freeing_motions
from armature.engine.contact.opening_motion import opening_motion, steepest

Q = np.radians([0.0, 27.0, 0.0, -126.0, 0.0, 130.0, 45.0])
TABLE = engine.CellObject(name="table", shape="box", size=(1.2, 1.2, 0.1), xyz=(0.5, 0.0, -0.05))


@pytest.fixture(scope="module")
def arm():
    return engine.load_robot("panda")


def distance(model, pair, q) -> float:
    return float(model.distances(q).distance[model.pair_names.index(pair)])


@pytest.mark.parametrize("depth", [0.0, 0.06])
@pytest.mark.parametrize("joint", [None, 1, 3])
def test_a_pair_is_opened_by_the_requested_distance(arm, joint, depth):
    q = Q + np.eye(7)[1] * depth * 2
    model = arm_contacts(arm, (TABLE,))
    pair = model.pair_names[int(model.nearest(q).pair_index)]
    assert (distance(model, pair, q) < 0) == (depth > 0)
    found = opening_motion(model, q, pair, 0.01, joint)
    assert found.opened == pytest.approx(0.01, abs=5e-5) and found.obstacle is None
    assert distance(model, pair, found.q) - distance(model, pair, q) == pytest.approx(found.opened, abs=1e-9)
    moved = np.flatnonzero(found.q != q)
    assert len(moved) > 2 if joint is None else moved.tolist() == [joint]


def test_the_combined_motion_is_the_smallest_one(arm):
    model = arm_contacts(arm, (TABLE,))
    gradient = model.nearest(Q).gradient
    both, single = steepest(arm, gradient), [steepest(arm, gradient, j) for j in (1, 3)]
    assert both @ gradient == pytest.approx(1.0)
    assert np.linalg.norm(both) < min(np.linalg.norm(one) for one in single)
    assert not steepest(arm, np.zeros(7)).any()


def test_a_motion_ends_at_a_limit_or_where_another_pair_would_touch(arm):
    model = arm_contacts(arm, (TABLE,))
    pair = model.pair_names[int(model.nearest(Q).pair_index)]
    end = opening_motion(model, Q, pair, 2.0, 1)
    assert 0.1 < end.opened < 2.0
    forearm = engine.frame_pose(arm, Q - 0.6 * np.eye(7)[1], "link4")[:3, 3]
    ball = engine.CellObject(name="ball", shape="sphere", radius=0.05, xyz=tuple(forearm))
    blocked = arm_contacts(arm, (TABLE, ball))
    assert not blocked.collides(Q)
    stop = opening_motion(blocked, Q, pair, 0.5, 1)
    assert stop.obstacle is not None and stop.obstacle[1] == "ball"
    assert 0.0 < stop.opened < 0.5 and not blocked.collides(stop.q)


def test_a_deep_contact_is_ended_by_each_of_the_motions_of_one_joint(arm):
    crate = engine.CellObject(name="crate", shape="box", size=(0.2, 0.2, 0.3), xyz=(0.5, 0.0, 0.35))
    model, q = arm_contacts(arm, (TABLE, crate)), np.radians([0.0, 20.0, 0.0, -120.0, 0.0, 130.0, 45.0])
    nearest = model.nearest(q)
    found = freeing_motions(model, q, float(nearest.distance), nearest.gradient)
    assert nearest.distance < -0.1 and found
    assert [abs(move) for _, move in found] == sorted(abs(move) for _, move in found)
    assert not any(model.collides(q + move * np.eye(7)[j]) for j, move in found)
