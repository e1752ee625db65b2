"""The elementary moves of a DH chain lead to the robot's own frames, in both conventions."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.model.dh.dh_moves import ORDER, chain_positions, dh_chain, dh_moves, frame_poses
from armature.engine.model.dh_table import MODIFIED, STANDARD
from tests.engine.example_robots import example

ARMS = [name for name in engine.shipped_robots() if engine.load_robot(name).dh is not None]


def described(robot, convention):
    """The robot with its link frames placed as that convention has them."""
    return engine.to_standard(robot) if convention == STANDARD else engine.to_modified(robot)


@pytest.mark.parametrize("convention", [STANDARD, MODIFIED])
@pytest.mark.parametrize("name", ARMS)
def test_moves_build_every_link_frame_and_the_tool(name, convention):
    robot = engine.load_robot(name)
    chain = dh_chain(robot, convention)
    for q in np.random.default_rng(0).uniform(-3, 3, (5, robot.n)):
        moves = dh_moves(chain, chain_positions(robot, chain, q))
        poses = frame_poses(moves)
        links = engine.link_poses(described(robot, convention), q)
        np.testing.assert_allclose(poses[-1], engine.frame_pose(robot, q), atol=1e-12)
        for k, move in enumerate(moves):
            if move.quantity == "base":
                np.testing.assert_allclose(poses[k + 1], links[0], atol=1e-12)
            elif move.quantity == ORDER[convention][-1]:
                np.testing.assert_allclose(poses[k + 1], links[move.row + 1], atol=1e-12)


@pytest.mark.parametrize("name", ["puma560", "panda", "stanford", "double_pendulum"])
def test_a_part_of_a_move_goes_evenly_from_nothing_to_all(name):
    robot = engine.load_robot(name)
    for move in dh_moves(dh_chain(robot), np.random.default_rng(1).uniform(-2, 2, robot.n)):
        np.testing.assert_allclose(move.at(0.0), np.eye(4), atol=1e-15)
        assert np.array_equal(move.at(1.0), move.X)
        np.testing.assert_allclose(move.at(1 - 1e-13), move.X, atol=1e-12)
        np.testing.assert_allclose(move.at(0.5)[:3, :3] @ move.at(0.5)[:3, :3], move.X[:3, :3], atol=1e-12)
        np.testing.assert_allclose(2 * move.at(0.5)[:3, 3], move.X[:3, 3], atol=1e-12)


@pytest.mark.parametrize("turn", [np.diag([1.0, -1, -1]), np.diag([-1.0, 1, -1]), np.diag([-1.0, -1, 1])])
def test_half_a_turn_of_a_base_is_passed_through(turn):
    X = np.eye(4)
    X[:3, :3] = turn
    robot = engine.load_robot("puma560").with_tool(X)
    tool = dh_moves(dh_chain(robot), np.zeros(6))[-1]
    assert tool.quantity == "tool"
    np.testing.assert_allclose(tool.at(0.5) @ tool.at(0.5), X, atol=1e-12)
    np.testing.assert_allclose(tool.at(0.5)[:3, :3] @ tool.at(0.5)[:3, :3].T, np.eye(3), atol=1e-12)


def test_order_subscripts_and_the_live_quantity():
    q = np.array([0.1, 0.2, 0.3])
    scara = dh_moves(dh_chain(engine.load_robot("scara")), q)
    assert [(m.quantity, m.index) for m in scara[:5]] == [("theta", 1), ("d", 1), ("a", 1), ("alpha", 1), ("theta", 2)]
    assert [(m.row, m.quantity) for m in scara if m.live] == [(0, "theta"), (1, "theta"), (2, "d")]
    assert scara[9].quantity == "d" and scara[9].value == pytest.approx(0.3)
    panda = dh_moves(dh_chain(engine.load_robot("panda")), np.zeros(7))
    assert [(m.quantity, m.index) for m in panda[4:8]] == [("alpha", 1), ("a", 1), ("theta", 2), ("d", 2)]
    assert panda[-1].quantity == "tool" and len(panda) == 29
    assert dh_moves(dh_chain(engine.load_robot("double_pendulum")), np.zeros(2))[0].quantity == "base"


@pytest.mark.parametrize("name", ["ur5_robot", "panda", "baxter"])
def test_urdf_arms_are_built_from_the_table_found_for_them(name):
    robot = engine.load_robot(example(name))
    for convention in (STANDARD, MODIFIED):
        chain = dh_chain(robot, convention)
        q = np.random.default_rng(2).uniform(-1, 1, robot.n)
        poses = frame_poses(dh_moves(chain, chain_positions(robot, chain, q)))
        np.testing.assert_allclose(poses[-1], engine.frame_pose(robot, q), atol=1e-9)
