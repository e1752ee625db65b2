"""A draft in the other Denavit–Hartenberg convention is the same arm, and an arm without rows gets some."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from tests.engine.example_robots import example

SERIAL = [name for name in engine.shipped_robots() if engine.load_robot(name).dh is not None]
OTHER = {"standard": "modified", "modified": "standard"}


def assert_same_arm(one: engine.Robot, other: engine.Robot) -> None:
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.uniform(-2, 2, (3, 20, one.n))
    assert np.abs(engine.frame_pose(one, q) - engine.frame_pose(other, q)).max() <= 1e-12 * max(1.0, one.reach)
    if one.has_dynamics:
        tau = engine.rnea(one, q, qd, qdd)
        assert np.abs(tau - engine.rnea(other, q, qd, qdd)).max() <= 1e-12 * np.abs(tau).max()
    for figures in ("q_min", "q_max", "qd_max", "tau_max"):
        assert np.allclose(getattr(one, figures), getattr(other, figures), rtol=1e-14)
    frictions = [[(f.viscous, *f.coulomb, f.stiction) for f in (body.friction for body in arm.bodies)] for arm in (one, other)]
    assert np.allclose(*frictions, rtol=1e-14, atol=0)


@pytest.mark.parametrize("name", SERIAL)
def test_the_other_convention_is_the_same_arm_there_and_back(name):
    robot = engine.load_robot(name)
    first = engine.draft_of(robot)
    there = first.converted(OTHER[robot.dh.convention])
    assert there.robot.dh.convention == OTHER[robot.dh.convention]
    assert_same_arm(robot, there.robot)
    back = there.converted(robot.dh.convention)
    assert_same_arm(robot, back.robot)
    assert first.converted(robot.dh.convention) is first


def test_an_arm_with_base_tool_and_masses_everywhere_converts_there_and_back():
    first = (
        engine.draft_of(engine.load_robot("panda"))
        .with_value(("base",), {"xyz": [0.1, -0.2, 0.3], "quaternion": [0.5, 0.5, -0.5, 0.5]})
        .with_value(("tool", "rpy"), [0.1, -1.2, 0.4])
        .with_value(("joints", 0, "alpha"), 0.3)
        .with_value(("joints", 0, "a"), -0.25)
    )
    there = first.converted("standard")
    assert_same_arm(first.robot, there.robot)
    assert "quaternion" in there.table["base"]
    assert_same_arm(first.robot, there.converted("modified").robot)


def test_what_cannot_be_converted_is_said():
    with pytest.raises(engine.ModelError, match="without branches"):
        engine.draft_of(engine.load_robot("two_arms")).converted("modified")
    with pytest.raises(engine.ModelError, match='must be "standard" or "modified"'):
        engine.draft_of(engine.load_robot("scara")).converted("spong")


@pytest.mark.parametrize("name", engine.shipped_robots())
def test_an_arm_that_was_changed_is_written_out_anew(name):
    robot = engine.load_robot(name).with_gravity([0.0, 0.0, -1.62])
    draft = engine.draft_of(robot)
    assert draft.path is None and not draft.changed
    assert draft.robot.gravity.tolist() == [0.0, 0.0, -1.62]
    assert_same_arm(robot, draft.robot)


@pytest.mark.parametrize("name", ["ur5_robot", "ur10_robot", "kinova", "double_pendulum_continuous"])
def test_an_arm_from_a_urdf_file_gets_rows_that_can_be_edited(name):
    robot = engine.load_robot(example(name))
    draft = engine.draft_of(robot)
    assert draft.path is None and draft.robot.sources[-1] == f"{robot.source.name}; DH rows computed by Armature"
    assert_same_arm(robot, draft.robot)
    assert draft.with_value(("joints", 1, "a"), 0.5).with_joint(0).robot.dh is not None


def test_the_gripper_of_a_urdf_file_stays_one():
    robot = engine.load_robot(example("z1"))
    draft = engine.draft_of(robot)
    assert_same_arm(robot, draft.robot)
    assert draft.robot.flange == "link6" and dict(draft.robot.groups) == dict(robot.groups)
    longer = draft.with_joint(0)
    assert longer.robot.flange == "link7" and longer.robot.groups["gripper"] == ("jointGripper",)
    shorter = longer.without_joint(0)
    assert_same_arm(robot, shorter.robot)


@pytest.mark.parametrize(("name", "says"), [("panda", "mimic"), ("anymal", "branches"), ("b1-z1", "branches")])
def test_an_arm_that_no_robot_file_describes_is_refused_in_one_line(name, says):
    with pytest.raises(engine.ModelError, match=says):
        engine.draft_of(engine.load_robot(example(name)))
