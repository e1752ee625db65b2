"""Derivatives of inverse and forward dynamics: against Pinocchio's, and against finite differences where it has none."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from armature import engine
from tests.engine.trees import random_state, random_tree
from tests.peers import depth_first_order, to_pinocchio

ARMS = [robot for robot in map(engine.load_robot, engine.shipped_robots()) if robot.has_dynamics]
TREES = [random_tree(seed, n) for seed, n in enumerate((1, 2, 5, 9, 20, 40))] + [random_tree(7, 12, branching=False)]
ROBOTS = ARMS + TREES
IDS = [robot.name for robot in ROBOTS]
H = 1e-5


def close(ours, theirs, scale, digits=1e-9) -> None:
    assert np.abs(ours - theirs).max() <= digits * max(np.abs(theirs).max(), scale)


def slope(function, x):
    """∂f/∂x by central differences of two step lengths, the error of the fourth order."""

    def difference(h):
        return np.stack([(function(x + h * e) - function(x - h * e)) / (2 * h) for e in np.eye(len(x))], axis=-1)

    return (4 * difference(H) - difference(2 * H)) / 3


@pytest.mark.parametrize("robot", ROBOTS, ids=IDS)
def test_inverse_dynamics_as_pinocchio(robot):
    model, data = to_pinocchio(robot)
    order = depth_first_order(robot)
    back = np.ix_(np.argsort(order), np.argsort(order))
    for q, qd, qdd in zip(*random_state(robot, np.random.default_rng(4), 20), strict=True):
        dq, dqd, M = (np.array(x) for x in pin.computeRNEADerivatives(model, data, q[order], qd[order], qdd[order]))
        M = np.triu(M) + np.triu(M, 1).T
        ours = engine.rnea_derivatives(robot, q, qd, qdd)
        scale = np.abs(data.tau).max()
        for mine, theirs in zip(ours, (dq, dqd, M), strict=True):
            close(mine, theirs[back], scale)


@pytest.mark.parametrize("robot", ROBOTS, ids=IDS)
def test_forward_dynamics_as_pinocchio(robot):
    robot = robot.without_friction()
    model, data = to_pinocchio(robot)
    order = depth_first_order(robot)
    back = np.ix_(np.argsort(order), np.argsort(order))
    for q, qd, tau in zip(*random_state(robot, np.random.default_rng(5), 20), strict=True):
        condition = np.linalg.cond(engine.mass_matrix(robot, q))
        if condition > 1e6:
            continue
        theirs = [np.array(x) for x in pin.computeABADerivatives(model, data, q[order], qd[order], tau[order])]
        theirs[2] = np.triu(theirs[2]) + np.triu(theirs[2], 1).T
        scale = np.abs(data.ddq).max()
        for mine, other in zip(engine.forward_dynamics_derivatives(robot, q, qd, tau), theirs, strict=True):
            close(mine, other[back], scale)


@pytest.mark.parametrize("robot", TREES, ids=[robot.name for robot in TREES])
def test_slopes_under_external_wrenches(robot):
    rng = np.random.default_rng(6)
    q, qd, qdd = random_state(robot, rng)
    f = rng.normal(size=(len(robot.links), 6)) * 5
    ours = engine.rnea_derivatives(robot, q, qd, qdd, f)
    scale = np.abs(engine.rnea(robot, q, qd, qdd, f)).max()
    close(ours.dq, slope(lambda x: engine.rnea(robot, x, qd, qdd, f), q), scale, 1e-8)
    close(ours.dqd, slope(lambda x: engine.rnea(robot, q, x, qdd, f), qd), scale, 1e-8)
    close(ours.dqdd, engine.mass_matrix(robot, q), scale)
    tau = engine.rnea(robot, q, qd, qdd)
    ours = engine.forward_dynamics_derivatives(robot, q, qd, tau, f)
    scale = np.abs(engine.forward_dynamics(robot, q, qd, tau, f)).max() * np.linalg.cond(engine.mass_matrix(robot, q)) ** 0.5
    close(ours.dq, slope(lambda x: engine.forward_dynamics(robot, x, qd, tau, f), q), scale, 1e-7)


def test_friction_adds_its_slope():
    robot = engine.load_robot("puma560")
    rng = np.random.default_rng(7)
    q, qd, tau = rng.normal(size=(3, 6))
    ours = engine.forward_dynamics_derivatives(robot, q, qd, tau)
    close(ours.dqd, slope(lambda x: engine.forward_dynamics(robot, q, x, tau), qd), 1.0, 1e-8)
    close(ours.dtau, slope(lambda x: engine.forward_dynamics(robot, q, qd, x), tau), 1.0, 1e-8)


def test_batches_answer_as_single_states():
    robot = random_tree(11, 8)
    rng = np.random.default_rng(8)
    q, qd, qdd = random_state(robot, rng, 5)
    f = rng.normal(size=(5, len(robot.links), 6))
    for call in (engine.rnea_derivatives, engine.forward_dynamics_derivatives):
        for loads in (None, f, f[0]):
            together = call(robot, q, qd, qdd, loads)
            for k in range(5):
                one = call(robot, q[k], qd[k], qdd[k], loads if loads is None or loads.ndim == 2 else loads[k])
                for all_, mine in zip(together, one, strict=True):
                    assert mine.shape == (8, 8)
                    np.testing.assert_allclose(all_[k], mine, rtol=1e-12, atol=1e-12 * np.abs(mine).max())
        assert call(robot, q[0], qd[0], qdd[0], f).dq.shape == (5, 8, 8)
        assert call(robot, list(q[0]), qd[0], np.zeros(8, int)).dq.shape == (8, 8)
        assert call(robot, np.zeros((0, 8)), qd[0], qdd[0]).dq.shape == (0, 8, 8)


def test_bad_input_is_refused_in_one_line():
    robot = random_tree(3, 4)
    zero = np.zeros(4)
    for call in (engine.rnea_derivatives, engine.forward_dynamics_derivatives):
        with pytest.raises(engine.DimensionError, match="qd has shape"):
            call(robot, zero, np.zeros(3), zero)
        with pytest.raises(engine.DimensionError, match="non-finite"):
            call(robot, [0, np.nan, 0, 0], zero, zero)
        with pytest.raises(engine.DimensionError, match=r"f_ext has shape \(2, 6\)"):
            call(robot, zero, zero, zero, np.zeros((2, 6)))
    with pytest.raises(engine.SingularMassMatrixError, match="phi"):
        engine.forward_dynamics_derivatives(engine.load_robot("spherical_pendulum"), [0.3, 0], [0.0, 0], [0.0, 0])
