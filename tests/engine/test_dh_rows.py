"""DH rows are found for every joint of an arm that has none: those it was made of where its links tell, else from its axes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.model.body import Frame
from armature.engine.model.dh.dh_rows import in_dh_frames
from armature.engine.model.dh_table import MODIFIED, STANDARD
from armature.engine.model.toml.robot_writer import robot_text
from tests.chance import seeds
from tests.engine.trees import random_tree

CHAINS = [name for name in engine.shipped_robots() if engine.load_robot(name).dh is not None]


def written_and_read(robot, folder, convention=None):
    arm, rows = in_dh_frames(robot, convention)
    path = folder / "arm.toml"
    path.write_text(robot_text(arm, rows=rows), encoding="utf-8")
    return engine.load_robot(path), rows


def agree(one, other, seed=0):
    """Both move alike: the tool's pose to 1e-12, torques and mass matrix to 1e-9 of the largest."""
    q, qd, qdd = np.random.default_rng(seed).uniform(-2, 2, (3, 20, one.n))
    np.testing.assert_allclose(engine.frame_pose(other, q), engine.frame_pose(one, q), atol=1e-12)
    if one.has_dynamics:
        for figures in (lambda arm: engine.rnea(arm, q, qd, qdd), lambda arm: engine.mass_matrix(arm, q)):
            expected = figures(one)
            np.testing.assert_allclose(figures(other), expected, atol=1e-9 * np.abs(expected).max())
        np.testing.assert_allclose(engine.friction_torque(other, qd), engine.friction_torque(one, qd), atol=1e-12)


@pytest.mark.parametrize("name", CHAINS)
def test_the_table_an_arm_was_made_of_comes_back_from_its_links(name, tmp_path):
    robot = engine.load_robot(name)
    found, rows = written_and_read(replace(robot, dh=None), tmp_path)
    assert rows.convention == robot.dh.convention
    for key in ("a", "alpha", "d", "theta"):
        np.testing.assert_allclose(getattr(rows, key), getattr(robot.dh, key), atol=1e-15)
    agree(robot, found)


@pytest.mark.parametrize("convention", [STANDARD, MODIFIED])
@pytest.mark.parametrize("name", ["puma560", "panda", "stanford", "scara"])
def test_axes_alone_are_enough(name, convention, tmp_path):
    robot = engine.load_robot(name)
    axes_only = replace(robot, dh=None, links={"base": robot.links["base"]})
    found, rows = written_and_read(axes_only, tmp_path, convention)
    assert rows.convention == convention
    agree(robot, found)


@pytest.mark.parametrize("seed", seeds(6))
def test_any_chain_with_its_tool_anywhere(seed, tmp_path):
    robot = random_tree(seed, 6, branching=False)
    found, _ = written_and_read(replace(robot, name=f"chain{seed}"), tmp_path)
    agree(robot, found, seed)


def test_a_tree_is_written_with_parents(tmp_path):
    robot = engine.load_robot("two_arms")
    found, _ = written_and_read(robot, tmp_path)
    assert [body.parent for body in found.bodies] == [body.parent for body in robot.bodies]
    agree(robot, found)
    agree(robot, written_and_read(replace(robot, links={"base": robot.links["base"]}), tmp_path)[0])


def test_branches_on_axes_of_their_own_have_no_rows():
    robot = random_tree(0, 5)
    assert len({body.parent for body in robot.bodies}) < 5
    with pytest.raises(
        engine.ModelError, match=r"DH rows cannot describe the branches at .*: the axes of .* are not on one line"
    ):
        in_dh_frames(robot)


def test_a_tool_on_another_link_than_the_last_stays_there(tmp_path):
    robot = engine.load_robot("two_arms")
    robot = replace(robot, frames={**robot.frames, "tool": Frame(3, np.eye(4))})
    found, _ = written_and_read(robot, tmp_path)
    assert found.tool_frame.body == 3
    agree(robot, found)


def test_axes_that_are_all_but_parallel(tmp_path):
    """1.5708 for a right angle, as files write it: the normal lies kilometres away, and the poses still agree."""
    robot = engine.load_robot("ur5")
    bodies = list(robot.bodies)
    c, s = np.cos(3.7e-6), np.sin(3.7e-6)
    bent = np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])
    bodies[2] = replace(bodies[2], X_PJ=bodies[2].X_PJ @ bent)
    robot = replace(robot, bodies=tuple(bodies), dh=None, links={"base": robot.links["base"]})
    found, _ = written_and_read(robot, tmp_path)
    q = np.random.default_rng(0).uniform(-2, 2, (20, 6))
    np.testing.assert_allclose(engine.frame_pose(found, q), engine.frame_pose(robot, q), atol=1e-9)
