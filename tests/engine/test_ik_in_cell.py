"""Inverse kinematics among obstacles: free solutions are preferred, contacts are named."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine


def surroundings(**balls: tuple[float, float, float, float]) -> engine.Cell:
    """Balls by name: centre and radius in m."""
    cell = engine.Cell()
    for name, (x, y, z, radius) in balls.items():
        cell = cell.with_object(name, "sphere", radius=radius, xyz=(x, y, z))
    return cell


@pytest.fixture(scope="module")
def puma():
    return engine.load_robot("puma560")


@pytest.fixture(scope="module")
def target(puma):
    return engine.frame_pose(puma, [0.3, 0.4, -0.3, 0.2, 0.6, 0.1])


def elbow(robot, q) -> np.ndarray:
    return engine.frame_pose(robot, q, "link3")[:3, 3]


def test_a_solution_in_contact_is_replaced_by_a_free_one(puma, target):
    plain = engine.ik(puma, target, q0="home")
    assert plain.success and not plain.colliding
    cell = surroundings(post=(*elbow(puma, plain.q), 0.05))
    assert engine.collision(puma, plain.q, cell=cell).pair[1] == "post"
    found = engine.ik(puma, target, q0="home", cell=cell)
    assert found.success and not found.colliding and found.reason == "reached"
    assert not engine.collision(puma, found.q, cell=cell).colliding
    assert engine.frame_pose(puma, found.q) == pytest.approx(target, abs=1e-5)
    assert (puma.q_min <= found.q).all() and (found.q <= puma.q_max).all()
    assert np.abs(found.q - plain.q).max() > 0.1


def test_without_obstacles_in_the_way_the_result_is_that_of_a_plain_search(puma, target):
    plain, found = engine.ik(puma, target, q0="home"), engine.ik(puma, target, q0="home", cell=surroundings())
    assert np.array_equal(plain.q, found.q) and plain.iterations == found.iterations


def test_a_target_inside_an_object_is_reached_only_in_contact(puma, target):
    cell = surroundings(block=(*target[:3, 3], 0.08))
    found = engine.ik(puma, target, q0="home", cell=cell)
    assert found.colliding and not found.success and found.error < 1e-6
    assert found.reason.startswith("reached only in contact: ") and " hits block" in found.reason
    assert engine.frame_pose(puma, found.q) == pytest.approx(target, abs=1e-5)


def test_a_batch_replaces_only_what_is_in_contact(puma, target):
    plain = engine.ik(puma, target, q0="home")
    cell = surroundings(post=(*elbow(puma, plain.q), 0.05))
    away = engine.frame_pose(puma, [-1.5, 0.2, -0.4, 0.0, 0.5, 0.0])
    alone = engine.ik(puma, away, q0="home")
    many = engine.ik(puma, np.array([away, target]), q0="home", cell=cell)
    assert many.success.all() and not many.colliding.any() and many.reason == ("reached", "reached")
    assert np.array_equal(many.q[0], alone.q)
    assert not engine.collision(puma, many.q, cell=cell).colliding.any()


def test_branches_name_their_contacts_and_free_ones_come_first(puma, target):
    plain = engine.ik_all(puma, target)
    assert all(branch.collides == () for branch in plain)
    cell = surroundings(post=(*elbow(puma, plain[0].q), 0.05))
    found = engine.ik_all(puma, target, cell=cell)
    assert {branch.name for branch in found} == {branch.name for branch in plain}
    hits = [branch for branch in found if branch.collides]
    assert plain[0].name in {branch.name for branch in hits}
    for branch in found:
        report = engine.collision(puma, branch.q, cell=cell)
        assert bool(branch.collides) == report.colliding
        assert not branch.collides or branch.collides == report.pair
    order = [(not branch.within_limits, bool(branch.collides)) for branch in found]
    assert order == sorted(order)


def test_followed_branches_name_their_contacts(puma, target):
    plain = engine.ik_all(puma, target)
    cell = surroundings(post=(*elbow(puma, plain[0].q), 0.05))
    moved = target.copy()
    moved[2, 3] += 0.01
    followed = engine.follow_branches(puma, plain, moved, cell=cell)
    assert [branch.name for branch in followed] == [branch.name for branch in plain]
    hits = [branch for branch in followed if branch.collides]
    assert 0 < len(hits) < len(followed)
    for branch in followed:
        report = engine.collision(puma, branch.q, cell=cell)
        assert branch.collides == (report.pair if report.colliding else ())
    assert not any(branch.collides for branch in engine.follow_branches(puma, followed, target))
