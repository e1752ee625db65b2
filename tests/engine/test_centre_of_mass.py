"""The centre of mass and its Jacobian."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from armature import engine
from tests.engine.trees import random_state, random_tree
from tests.peers import depth_first_order, to_pinocchio

ARMS = [robot for robot in map(engine.load_robot, engine.shipped_robots()) if robot.has_dynamics]
ROBOTS = ARMS + [random_tree(seed, n) for seed, n in enumerate((1, 2, 5, 9, 20, 40))]
IDS = [robot.name for robot in ROBOTS]


@pytest.mark.parametrize("robot", ROBOTS, ids=IDS)
def test_as_pinocchio(robot):
    model, data = to_pinocchio(robot)
    order = depth_first_order(robot)
    q = random_state(robot, np.random.default_rng(1), 10)[0]
    points, J = engine.center_of_mass(robot, q), engine.com_jacobian(robot, q)
    for k in range(10):
        theirs = pin.centerOfMass(model, data, q[k][order])
        assert np.abs(points[k] - theirs).max() <= 1e-9 * max(np.abs(theirs).max(), 1e-3)
        theirs = pin.jacobianCenterOfMass(model, data, q[k][order]).reshape(3, -1)[:, np.argsort(order)]
        assert np.abs(J[k] - theirs).max() <= 1e-9 * max(np.abs(theirs).max(), 1e-3)
        np.testing.assert_allclose(engine.center_of_mass(robot, q[k]), points[k], rtol=1e-14)
        np.testing.assert_allclose(engine.com_jacobian(robot, q[k]), J[k], rtol=1e-14)


@pytest.mark.parametrize("robot", ROBOTS, ids=IDS)
def test_jacobian_is_the_slope_of_the_point_and_carries_gravity(robot):
    q, h = random_state(robot, np.random.default_rng(2))[0], 1e-6
    J = engine.com_jacobian(robot, q)
    for i, e in enumerate(np.eye(robot.n)):
        slope = (engine.center_of_mass(robot, q + h * e) - engine.center_of_mass(robot, q - h * e)) / (2 * h)
        np.testing.assert_allclose(J[:, i], slope, atol=1e-8)
    mass = sum(body.mass for body in robot.bodies)
    g = engine.gravity_torque(robot, q)
    assert np.abs(-mass * robot.gravity @ J - g).max() <= 1e-11 * max(1.0, np.abs(g).max())


def test_an_arm_without_masses_has_none():
    tree = random_tree(1, 3)
    weightless = replace(tree, bodies=tuple(replace(body, mass=0.0) for body in tree.bodies))
    with pytest.raises(engine.EngineError, match="centre of mass is undefined"):
        engine.center_of_mass(weightless, np.zeros(3))
    with pytest.raises(engine.MissingDynamicsError):
        engine.com_jacobian(replace(tree, has_dynamics=False), np.zeros(3))
