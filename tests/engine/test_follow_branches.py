"""Branches keep their names while the target moves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from armature import engine
from tests.engine.six_joint_arms import dh_arm

START = np.array([0.3, 2.4, 1.9, 0.8, 1.2, -0.4])
STEP = np.array([0.004, -0.003, 0.002])


def moved(X, step) -> np.ndarray:
    out = np.array(X)
    out[:3, 3] += step
    return out


def drag(robot, X, steps, **given):
    """The branches of every pose on the way."""
    ways = [engine.ik_all(robot, X, **given)]
    for step in steps:
        X = moved(X, step)
        ways.append(engine.follow_branches(robot, ways[-1], X, **given))
    return X, ways


def test_names_stay_with_their_branches_on_a_drag():
    robot = dh_arm("jaco")
    X, ways = drag(robot, engine.frame_pose(robot, START), [STEP] * 40)
    assert {b.name for b in ways[0]} == {f"branch {k + 1}" for k in range(len(ways[0]))}
    kept = 0
    for before, after in pairwise(ways):
        names = [b.name for b in after]
        assert len(set(names)) == len(names)
        for b in before:
            for c in after:
                if c.name == b.name:
                    kept += 1
                    assert np.abs(c.q - b.q).max() < 0.3
    assert kept > 100
    fresh = engine.ik_all(robot, X)
    assert len(fresh) == len(ways[-1])
    for b in fresh:
        d = np.array([c.q for c in ways[-1]]) - b.q
        assert np.abs((d + np.pi) % (2 * np.pi) - np.pi).max(axis=1).min() < 1e-6


def test_there_and_back_is_where_it_began():
    robot = dh_arm("jaco")
    X = engine.frame_pose(robot, START)
    _, ways = drag(robot, X, [STEP] * 10 + [-STEP] * 10)
    first, last = ({b.name: b.q for b in way} for way in (ways[0], ways[-1]))
    assert len({len(way) for way in ways}) == 1  # no singularity on the way
    assert first.keys() == last.keys()
    for name, q in first.items():
        np.testing.assert_allclose(last[name], q, atol=1e-6)


def test_branches_end_and_begin_where_two_become_one():
    """Out of reach and back: every branch ends, and those that come are numbered anew."""
    robot = dh_arm("jaco")
    X = engine.frame_pose(robot, START)
    here = engine.ik_all(robot, X)
    assert engine.follow_branches(robot, here, moved(X, [5, 0, 0])) == ()
    assert [b.name for b in engine.follow_branches(robot, (), X)] == [b.name for b in engine.ik_all(robot, X)]
    some = here[2:]
    again = engine.follow_branches(robot, some, moved(X, STEP))
    assert [b.name for b in again[: len(some)]] == [b.name for b in some]  # in their order, the others after them
    assert {b.name for b in again[len(some) :]} == {b.name for b in here[:2]}  # under the numbers that are free


def test_branches_follow_on_their_turn():
    robot = dh_arm("jaco")
    X = engine.frame_pose(robot, START)
    here = engine.ik_all(robot, X, START + 2 * np.pi)
    assert min(np.abs(b.q - START - 2 * np.pi).max() for b in here) < 1e-6
    after = engine.follow_branches(robot, here, moved(X, STEP))
    assert [b.name for b in after] == [b.name for b in here]
    assert max(np.abs(a.q - b.q).max() for a, b in zip(after, here, strict=True)) < 0.3


def test_names_of_shoulder_elbow_and_wrist_are_kept_as_they_are():
    robot = engine.load_robot("puma560")
    X = engine.frame_pose(robot, robot.configurations["home"])
    _, ways = drag(robot, X, [STEP] * 5)
    assert [b.name for b in ways[0]] == [b.name for b in ways[-1]]
    assert all(np.abs(a.q - b.q).max() < 0.3 for a, b in zip(ways[0], ways[-1], strict=True))


def test_a_held_joint_may_move_as_well():
    robot = engine.load_robot("panda")
    name, q = robot.joint_names[2], np.array(robot.configurations["home"]) + 0.2
    X = engine.frame_pose(robot, q)
    here = engine.ik_all(robot, X, q, fixed={name: q[2]})
    for value in q[2] + np.linspace(0.02, 0.3, 15):
        after = engine.follow_branches(robot, here, X, q, fixed={name: value})
        own = next(b for b in after if b.name == here[0].name)
        assert own.q[2] == pytest.approx(value) and np.abs(own.q - here[0].q).max() < 0.2
        here = (own, *(b for b in after if b is not own))


def test_several_targets_are_refused():
    robot = dh_arm("jaco")
    with pytest.raises(engine.EngineError, match="one target"):
        engine.follow_branches(robot, (), np.tile(np.eye(4), (2, 1, 1)))
