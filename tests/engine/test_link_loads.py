"""The load on every link: against RNEA, Pinocchio, and Newton's law for the whole arm."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from armature import engine
from armature.engine.kinematics.poses import body_axes
from tests.engine.trees import random_state, random_tree
from tests.peers import depth_first_order, to_pinocchio

ARMS = [robot for robot in map(engine.load_robot, engine.shipped_robots()) if robot.has_dynamics]
ROBOTS = ARMS + [random_tree(seed, n) for seed, n in enumerate((1, 2, 5, 9, 20, 40))]
IDS = [robot.name for robot in ROBOTS]


@pytest.mark.parametrize("robot", ROBOTS, ids=IDS)
def test_the_load_along_the_axis_is_the_joint_torque(robot):
    rng = np.random.default_rng(1)
    q, qd, qdd = random_state(robot, rng)
    f = rng.normal(size=(len(robot.links), 6))
    for load in (None, f):
        loads = engine.link_loads(robot, q, qd, qdd, load)
        z, _ = body_axes(robot, q)
        along = np.where(robot.prismatic, np.sum(z * loads[:, :3], axis=1), np.sum(z * loads[:, 3:], axis=1))
        rotor = np.array([body.rotor_inertia for body in robot.bodies])
        tau = engine.rnea(robot, q, qd, qdd, load)
        assert np.abs(along + rotor * qdd - tau).max() <= 1e-12 * max(1.0, np.abs(loads).max())


@pytest.mark.parametrize("robot", ROBOTS, ids=IDS)
def test_loads_as_pinocchio(robot):
    model, data = to_pinocchio(robot)
    order = depth_first_order(robot)
    for q, qd, qdd in zip(*random_state(robot, np.random.default_rng(2), 5), strict=True):
        pin.rnea(model, data, q[order], qd[order], qdd[order])
        pin.forwardKinematics(model, data, q[order])
        loads = engine.link_loads(robot, q, qd, qdd)
        for k, i in enumerate(order):
            R, f = data.oMi[k + 1].rotation, data.f[k + 1]
            theirs = np.concatenate([R @ f.linear, R @ f.angular])
            assert np.abs(loads[i] - theirs).max() <= 1e-9 * np.abs(loads).max()


def test_a_resting_arm_hangs_on_its_base_with_its_weight():
    robot = engine.load_robot("puma560")
    q = robot.configurations["home"]
    load = engine.link_loads(robot, q, np.zeros(6), np.zeros(6))
    mass = sum(body.mass for body in robot.bodies)
    np.testing.assert_allclose(load[0, :3], [0, 0, mass * 9.81], atol=1e-12)
    _, p = body_axes(robot, q)
    np.testing.assert_allclose(load[0, 3:], np.cross(engine.center_of_mass(robot, q) - p[0], load[0, :3]), atol=1e-12)


def test_a_held_object_loads_every_link():
    robot = engine.load_robot("puma560")
    q, rest = robot.configurations["home"], np.zeros(6)
    more = engine.link_loads(robot.with_payload(0.851), q, rest, rest) - engine.link_loads(robot, q, rest, rest)
    np.testing.assert_allclose(more[:, :3], np.tile([0, 0, 0.851 * 9.81], (6, 1)), atol=1e-12)


def test_batches_and_bad_input():
    robot = random_tree(3, 6)
    rng = np.random.default_rng(3)
    q, qd, qdd = random_state(robot, rng, 4)
    f = rng.normal(size=(4, 7, 6))
    together = engine.link_loads(robot, q, qd, qdd, f)
    assert together.shape == (4, 6, 6) and engine.link_loads(robot, q[0], qd[0], qdd[0], f).shape == (4, 6, 6)
    for k in range(4):
        np.testing.assert_allclose(together[k], engine.link_loads(robot, q[k], qd[k], qdd[k], f[k]), atol=1e-12)
    with pytest.raises(engine.DimensionError, match="f_ext"):
        engine.link_loads(robot, q, qd, qdd, np.zeros((3, 6)))
