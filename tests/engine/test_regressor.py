"""The torque regressor and the base parameters: against RNEA, Pinocchio, and the counts in the literature."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from armature import engine
from armature.engine.dynamics.regressor import PARAMETERS
from armature.engine.model.body import REVOLUTE, Body
from armature.engine.model.dh_table import translate
from armature.engine.rotations import rot_x, rot_z
from tests.engine.arms import different_arms
from tests.engine.trees import random_inertia, random_state, random_tree
from tests.peers import depth_first_order, to_pinocchio

ARMS = [robot for robot in map(engine.load_robot, different_arms()) if robot.has_dynamics]
TREES = [random_tree(seed, n) for seed, n in enumerate((1, 2, 5, 9, 20, 40))]
ROBOTS = ARMS + TREES
IDS = [robot.name for robot in ROBOTS]


@pytest.mark.parametrize("robot", ROBOTS, ids=IDS)
def test_regressor_as_pinocchio_and_as_rnea(robot):
    model, data = to_pinocchio(robot)
    order = depth_first_order(robot)
    back = np.argsort(order)
    columns = (10 * back[:, None] + np.arange(10)).ravel()
    pi, rotor = engine.parameters(robot), np.array([body.rotor_inertia for body in robot.bodies])
    q, qd, qdd = random_state(robot, np.random.default_rng(1), 10)
    Y = engine.regressor(robot, q, qd, qdd)
    tau = engine.rnea(robot, q, qd, qdd)
    assert Y.shape == (10, robot.n, 10 * robot.n)
    assert np.abs(Y @ pi + rotor * qdd - tau).max() <= 1e-11 * np.abs(tau).max()
    for k in range(10):
        theirs = pin.computeJointTorqueRegressor(model, data, q[k][order], qd[k][order], qdd[k][order])
        theirs = theirs.reshape(robot.n, -1)[back][:, columns]
        assert np.abs(Y[k] - theirs).max() <= 1e-9 * np.abs(theirs).max()
        assert np.abs(engine.regressor(robot, q[k], qd[k], qdd[k]) - Y[k]).max() <= 1e-14 * np.abs(Y[k]).max()


@pytest.mark.parametrize("robot", ARMS, ids=[robot.name for robot in ARMS])
def test_base_parameters_make_every_torque(robot):
    base = engine.base_parameters(robot)
    q, qd, qdd = random_state(robot, np.random.default_rng(2), 30)
    Y = engine.regressor(robot, q, qd, qdd)
    tau = Y @ engine.parameters(robot)
    assert np.abs(Y[..., base.columns] @ base.values - tau).max() <= 1e-9 * np.abs(tau).max()
    # other parameters with the same combinations make the same torques; and the combinations are independent
    stacked = Y.reshape(-1, Y.shape[-1])
    assert np.linalg.matrix_rank(stacked, tol=1e-8 * np.linalg.norm(stacked)) == base.rank == len(base.columns)
    hidden = np.linalg.svd(base.combination)[2][base.rank :]
    assert np.abs(Y @ hidden.T).max() <= 1e-8 * np.abs(Y).max()
    assert np.abs(Y[..., base.unidentifiable]).max(initial=0.0) <= 1e-9 * np.abs(Y).max()
    assert len(base.names) == base.rank and engine.base_parameters(robot, seed=5).rank == base.rank


@pytest.mark.parametrize(("name", "count"), [("puma560", 36), ("panda", 43), ("ur10", 36), ("double_pendulum", 6)])
def test_counts_of_the_literature(name, count):
    """Puma 560: Mayeda, Yoshida, Osuka 1990; Panda: Gaz et al. 2019."""
    assert engine.base_parameters(engine.load_robot(name)).rank == count


def planar(n: int, gravity) -> engine.Robot:
    rng = np.random.default_rng(n)
    arm = random_tree(n, n, branching=False)
    bodies = [
        Body(i - 1, REVOLUTE, translate(0.5 if i else 0.0, 0, 0), 1.0, rng.normal(size=3), random_inertia(rng)) for i in range(n)
    ]
    return replace(arm, bodies=tuple(bodies), gravity=np.array(gravity))


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_planar_arms_have_three_parameters_per_link(n):
    """Izz, mx, my of each; in a horizontal plane gravity does not show the first moment of link 1."""
    assert engine.base_parameters(planar(n, [0, -9.81, 0])).rank == 3 * n
    assert engine.base_parameters(planar(n, [0, 0, -9.81])).rank == 3 * n - 2


@pytest.mark.parametrize("n", [2, 4, 7])
def test_general_chains_follow_mayedas_formula(n):
    """7 n − 4 for axes that alternate at right angles with gravity across the first, 2 less with gravity along it."""
    rng = np.random.default_rng(n)
    arm = random_tree(n, n, branching=False)
    bodies = tuple(
        Body(
            parent=i - 1,
            joint_type=REVOLUTE,
            X_PJ=rot_z(0.3) @ translate(0.4, 0, 0.2) @ rot_x(np.pi / 2 if i else 0),
            mass=1.0,
            com=rng.normal(size=3),
            inertia=random_inertia(rng),
        )
        for i in range(n)
    )
    assert engine.base_parameters(replace(arm, bodies=bodies, gravity=np.array([9.81, 0, 0]))).rank == 7 * n - 4
    assert engine.base_parameters(replace(arm, bodies=bodies, gravity=np.array([0, 0, 9.81]))).rank == 7 * n - 6


def test_names_say_what_the_combinations_are():
    base = engine.base_parameters(engine.load_robot("double_pendulum"))
    assert set(base.names) == {"mx1 + 0.7 m2", "my1", "Izz1 + 0.49 m2", "mx2", "my2", "Izz2"}
    values = dict(zip(base.names, base.values, strict=True))
    assert values["mx1 + 0.7 m2"] == pytest.approx(1.5 * 0.7 + 0.7 * 1.0)
    assert values["Izz1 + 0.49 m2"] == pytest.approx((1.5 + 1.0) * 0.7**2)
    assert len(PARAMETERS) == 10


def test_no_masses_no_regressor():
    robot = replace(random_tree(1, 2), has_dynamics=False)
    with pytest.raises(engine.MissingDynamicsError):
        engine.regressor(robot, [0, 0], [0, 0], [0, 0])
    for call in (engine.parameters, engine.base_parameters):
        with pytest.raises(engine.MissingDynamicsError):
            call(robot)
