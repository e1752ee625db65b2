"""Statics: torque for a tool wrench and back, and what no wrench or torque can do."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from tests.engine.trees import random_state, random_tree

ARMS = [engine.load_robot(name) for name in engine.shipped_robots()]


@pytest.mark.parametrize("robot", ARMS + [random_tree(1, 4), random_tree(2, 9)], ids=lambda robot: robot.name)
def test_there_and_back(robot):
    rng = np.random.default_rng(1)
    q = random_state(robot, rng, 10)[0]
    w = rng.normal(size=(10, 6))
    tau = engine.statics_torque(robot, q, w)
    back = engine.statics_wrench(robot, q, tau)
    np.testing.assert_allclose(engine.statics_torque(robot, q, back.wrench), tau, atol=1e-9)
    np.testing.assert_allclose(back.unbalanced, 0, atol=1e-9)
    # what differs from the wrench that was requested is borne by the structure
    np.testing.assert_allclose(np.einsum("kij,kj->ki", back.borne, w - back.wrench), w - back.wrench, atol=1e-8)
    np.testing.assert_allclose(engine.statics_torque(robot, q, np.einsum("kij,kj->ki", back.borne, w)), 0, atol=1e-9)
    for k in range(10):
        one = engine.statics_wrench(robot, q[k], tau[k])
        np.testing.assert_allclose(one.wrench, back.wrench[k], atol=1e-9)
        assert one.borne.shape == (6, 6) and one.rank == back.rank[k] <= min(6, robot.n)
        assert np.trace(one.borne) == pytest.approx(6 - one.rank)


def test_virtual_work():
    robot = engine.load_robot("panda")
    rng = np.random.default_rng(2)
    q, qd, w = rng.normal(size=7), rng.normal(size=7), rng.normal(size=6)
    twist = engine.jacobian(robot, q, "link4") @ qd
    assert engine.statics_torque(robot, q, w, "link4") @ qd == pytest.approx(w @ twist)


def test_the_motors_hold_a_pushed_arm_still():
    robot = engine.load_robot("puma560").without_friction()
    q, w = robot.configurations["home"], np.array([10.0, -4, 7, 1, 2, -0.5])
    f = np.zeros((len(robot.links), 6))
    f[-1] = -w  # the surroundings push back at the last link, where the tool sits
    torque = engine.gravity_torque(robot, q) + engine.statics_torque(robot, q, w, robot.link_names[-1])
    np.testing.assert_allclose(engine.forward_dynamics(robot, q, np.zeros(6), torque, f), 0, atol=1e-10)


def test_a_stretched_arm_bears_what_pulls_along_it():
    robot = engine.load_robot("double_pendulum")
    pull = np.array([100.0, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(engine.statics_torque(robot, [0, 0], pull), 0, atol=1e-12)
    there = engine.statics_wrench(robot, [0.0, 0.0], [1.0, 1.0])
    np.testing.assert_allclose(there.borne @ pull, pull, atol=1e-9)


def test_torque_that_no_wrench_balances_is_told():
    robot = engine.load_robot("panda")  # seven joints: one way to move with the hand held still
    q = robot.configurations["home"]
    null = np.linalg.svd(engine.jacobian(robot, q))[2][-1]
    found = engine.statics_wrench(robot, q, null)
    assert found.rank == 6
    np.testing.assert_allclose(found.wrench, 0, atol=1e-9)
    np.testing.assert_allclose(found.unbalanced, null, atol=1e-9)


def test_refusals():
    robot = engine.load_robot("scara")
    with pytest.raises(engine.DimensionError, match=r"\(6,\)"):
        engine.statics_torque(robot, [0, 0, 0], [1, 2, 3])
    with pytest.raises(engine.DimensionError, match="non-finite"):
        engine.statics_torque(robot, [0, 0, 0], [np.nan] * 6)
    with pytest.raises(engine.DimensionError, match=r"\(2, 6\)"):
        engine.statics_torque(robot, np.zeros((2, 3)), np.zeros((3, 6)))
    with pytest.raises(engine.DimensionError, match="tau"):
        engine.statics_wrench(robot, [0, 0, 0], [1, 2])
    assert engine.statics_torque(robot, [0, 0, 0], np.zeros((4, 6))).shape == (4, 3)
