"""Operational-space inertia: the defining equation, textbook cases, singular poses."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from tests.engine.trees import random_state, random_tree

TREES = [random_tree(seed, n, branching=False) for seed, n in ((1, 3), (2, 6), (3, 7), (4, 12))]


@pytest.mark.parametrize("robot", TREES, ids=[robot.name for robot in TREES])
@pytest.mark.parametrize("task", [("x", "y", "z"), ("z", "rx"), ("x",)])
def test_inverse_of_the_mobility(robot, task):
    q = random_state(robot, np.random.default_rng(1), 6)[0]
    rows = ["xyz".index(a) if a in "xyz" else 3 + "xyz".index(a[1]) for a in task]
    ours = engine.operational_inertia(robot, q, task=task)
    assert ours.shape == (6, len(task), len(task))
    for k in range(6):
        J = engine.jacobian(robot, q[k])[rows]
        mobility = J @ np.linalg.solve(engine.mass_matrix(robot, q[k]), J.T)
        if np.linalg.cond(mobility) < 1e8:
            np.testing.assert_allclose(ours[k] @ mobility, np.eye(len(task)), atol=1e-7)
        np.testing.assert_allclose(engine.operational_inertia(robot, q[k], task=task), ours[k], rtol=1e-9)


def test_a_push_at_the_tool_accelerates_it_by_its_inertia():
    robot = engine.load_robot("panda").without_friction()
    q = robot.configurations["home"]
    rest, w = np.zeros(7), np.array([3.0, -2, 5, 0.2, 0.1, -0.4])
    J, g = engine.jacobian(robot, q), engine.gravity_torque(robot, q)
    a = J @ engine.forward_dynamics(robot, q, rest, g + J.T @ w)
    np.testing.assert_allclose(engine.operational_inertia(robot, q) @ a, w, rtol=1e-9)


def test_the_scara_lifts_the_mass_of_its_slide_and_its_rotor():
    robot = engine.load_robot("scara")
    q = [0.3, 0.8, 0.1]
    M = engine.mass_matrix(robot, q)
    assert engine.operational_inertia(robot, q, task=("z",))[0, 0] == pytest.approx(M[2, 2])


def test_a_lost_direction_is_left_out_and_the_rest_stays_true():
    robot = engine.load_robot("double_pendulum")
    inertia = engine.operational_inertia(robot, [0.0, 0.0], task=("x", "z"))  # stretched along x, which is lost
    np.testing.assert_allclose(inertia[0], 0, atol=1e-9)
    up, M = engine.jacobian(robot, [0.0, 0.0])[2], engine.mass_matrix(robot, [0.0, 0.0])
    assert inertia[1, 1] == pytest.approx(1 / (up @ np.linalg.solve(M, up)))


def test_near_a_singularity_the_lost_direction_grows_without_end():
    robot = engine.load_robot("double_pendulum")
    along = [engine.operational_inertia(robot, [0.0, angle])[0, 0] for angle in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)]
    np.testing.assert_allclose(np.diff(np.log10(along)), 2, atol=0.02)


def test_refusals():
    with pytest.raises(engine.SingularMassMatrixError, match="phi"):
        engine.operational_inertia(engine.load_robot("spherical_pendulum"), [0.3, 0.0])
    with pytest.raises(engine.EngineError, match="rx"):
        engine.operational_inertia(engine.load_robot("panda"), np.zeros(7), task=("roll",))
    with pytest.raises(engine.UnknownFrameError, match="link7"):
        engine.operational_inertia(engine.load_robot("panda"), np.zeros(7), "nose")
