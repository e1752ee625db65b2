"""Joints of a draft come, go and move, with their comments and poses."""

from __future__ import annotations

import math
import tomllib

import numpy as np
import pytest

from armature import engine
from armature.engine.model.draft.new_drafts import draft_from_text
from tests.engine.test_draft import ROBOTS, comments, draft


@pytest.mark.parametrize("name", ROBOTS)
def test_a_joint_comes_and_goes_at_every_place(name):
    one = draft(name)
    for index in range(one.robot.n + 1):
        more = one.with_joint(index)
        assert more.robot.n == one.robot.n + 1
        for pose, q in one.robot.configurations.items():
            assert np.array_equal(np.delete(more.robot.configurations[pose], index), q)
        back = more.without_joint(index)
        assert tomllib.loads(back.text) == tomllib.loads(one.text)
        assert comments(back.text) == comments(one.text)
    poses = engine.frame_pose(one.robot, one.robot.configurations["home"])
    assert np.array_equal(poses, engine.frame_pose(back.robot, back.robot.configurations["home"]))


def test_a_row_of_ones_own_is_inserted_with_poses_within_its_limits():
    row = {
        "name": "slide",
        "type": "prismatic",
        "limits": [0.25, 0.75],
        "alpha": "pi/2",
        "mass": 1.0,
        "friction": {"viscous": 2.0},
    }
    one = draft("puma560").with_joint(2, row)
    assert one.table["joints"][2] == row
    assert one.robot.configurations["home"][2] == 0.25
    turning = draft("scara").with_joint(0, {"type": "revolute", "limits_deg": [10, 20], "mass": 0.0})
    assert turning.robot.configurations["home"][0] == pytest.approx(math.radians(10))
    with pytest.raises(engine.ModelError, match="joints: the index of a new joint must be 0 to 6, got 8"):
        draft("puma560").with_joint(8)
    with pytest.raises(engine.ModelError, match="mass"):
        draft("puma560").with_joint(0, {"type": "revolute"})
    with pytest.raises(engine.ModelError, match="a joint must be a table of keys and values, got 'elbow'"):
        draft("puma560").with_joint(0, "elbow")
    with pytest.raises(engine.ModelError, match="no joint two"):
        draft("puma560").without_joint("two")


def test_joints_move_with_their_comments_and_poses():
    one = draft("puma560")
    other = one.with_joint_moved(4, 1)
    assert [line for line in other.text.splitlines() if line.startswith("[[")] == [
        "[[joints]]  # 1: waist",
        "[[joints]]  # 2: wrist pitch",
        "[[joints]]  # 3: shoulder",
        "[[joints]]  # 4: elbow",
        "[[joints]]  # 5: forearm roll",
        "[[joints]]  # 6: flange roll",
    ]
    assert np.allclose(np.degrees(other.robot.configurations["home"]), [0, 45, 45, -180, 0, 0])
    assert other.with_joint_moved(1, 4).text == one.text
    with pytest.raises(engine.ModelError, match="no joint 6; the robot has 6"):
        one.with_joint_moved(0, 6)


def test_the_last_joint_stays_and_64_are_the_most():
    one = engine.empty_draft()
    with pytest.raises(engine.ModelError, match="the only joint cannot be removed"):
        one.without_joint(0)
    rows = "\n[[joints]]\ntype = 'revolute'\n" * 64
    with pytest.raises(engine.ModelError, match="already has 64"):
        draft_from_text(f"name = 'long'\nconvention = 'standard'\n{rows}").with_joint(3)


def test_branches_of_a_tree_follow_their_links():
    one = draft("two_arms")
    more = one.with_joint(0)
    assert [body.parent for body in more.robot.bodies] == [-1, 0, 1, 2, 3, 1, 5, 6]
    assert tomllib.loads(more.without_joint(0).text) == tomllib.loads(one.text)
    assert [body.parent for body in one.without_joint(1).robot.bodies] == [-1, 0, 1, 0, 3, 4]
    assert [body.parent for body in one.without_joint(4).robot.bodies] == [-1, 0, 1, 2, 0, 4]


def test_a_new_arm_is_one_joint_of_either_convention():
    standard, modified = engine.empty_draft(), engine.empty_draft("mine", "modified")
    assert not standard.changed and standard.path is None and standard.robot.n == 1
    assert modified.robot.name == "mine" and modified.table["convention"] == "modified"
    assert np.allclose(engine.frame_pose(standard.robot, [0.3]), engine.frame_pose(modified.robot, [0.3]))
    with pytest.raises(engine.ModelError, match="name: must be a name"):
        engine.empty_draft("my arm")
    with pytest.raises(engine.ModelError, match="convention: must be"):
        engine.empty_draft("mine", "craig")
