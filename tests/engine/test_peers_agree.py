"""Agreement with Pinocchio and MuJoCo, two engines that share nothing with ours, at 1e-9 relative."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from armature import engine
from tests.engine.trees import random_state, random_tree
from tests.peers import depth_first_order, to_mujoco, to_pinocchio

ARMS = [engine.load_robot(name) for name in engine.shipped_robots()]
DYNAMIC = [arm for arm in ARMS if arm.has_dynamics]
TREES = [random_tree(seed, n) for seed, n in enumerate((1, 2, 5, 9, 20, 40))]
STATES = 20


def ids(robots):
    return [robot.name for robot in robots]


def close(ours, theirs, scale=0.0) -> None:
    """1e-9 of the largest entry, or of `scale` where terms of that size cancel."""
    assert np.abs(np.asarray(ours) - theirs).max() <= 1e-9 * max(np.abs(theirs).max(), scale, 1e-3)


@pytest.mark.parametrize("robot", ARMS + TREES, ids=ids(ARMS + TREES))
def test_kinematics_as_pinocchio(robot):
    model, data = to_pinocchio(robot)
    order, back = depth_first_order(robot), np.argsort(depth_first_order(robot))
    for q, qd, _ in zip(*random_state(robot, np.random.default_rng(1), STATES), strict=True):
        pin.computeJointJacobiansTimeVariation(model, data, q[order], qd[order])
        pin.updateFramePlacements(model, data)
        for name in robot.frames:
            F = model.getFrameId(name)
            close(engine.frame_pose(robot, q, name), data.oMf[F].homogeneous)
            args = (model, data, F, pin.LOCAL_WORLD_ALIGNED)
            close(engine.jacobian(robot, q, name), pin.getFrameJacobian(*args).reshape(6, -1)[:, back])
            close(engine.jacobian_dot(robot, q, qd, name), pin.getFrameJacobianTimeVariation(*args).reshape(6, -1)[:, back])


@pytest.mark.parametrize("robot", DYNAMIC + TREES, ids=ids(DYNAMIC + TREES))
def test_dynamics_as_pinocchio(robot):
    model, data = to_pinocchio(robot)
    order, back = depth_first_order(robot), np.argsort(depth_first_order(robot))
    free = robot.without_friction()
    for q, qd, qdd in zip(*random_state(robot, np.random.default_rng(2), STATES), strict=True):
        x, v, a = q[order], qd[order], qdd[order]
        tau = pin.rnea(model, data, x, v, a)[back]
        close(engine.rnea(robot, q, qd, qdd), tau)
        M = pin.crba(model, data, x)
        M = np.triu(M) + np.triu(M, 1).T
        close(engine.mass_matrix(robot, q), M[np.ix_(back, back)])
        close(engine.gravity_torque(robot, q), pin.computeGeneralizedGravity(model, data, x)[back], np.abs(tau).max())
        c = pin.computeCoriolisMatrix(model, data, x, v) @ v
        close(engine.coriolis_matrix(robot, q, qd) @ qd, c[back], np.abs(tau).max())
        close(engine.kinetic_energy(robot, q, qd), pin.computeKineticEnergy(model, data, x, v))
        expected = pin.aba(model, data, x, v, tau[order])[back]
        if np.linalg.cond(M) < 1e6:
            for method in ("crba", "aba"):
                close(engine.forward_dynamics(free, q, qd, tau, method=method), expected)


@pytest.mark.parametrize("robot", DYNAMIC + TREES, ids=ids(DYNAMIC + TREES))
def test_dynamics_as_mujoco(robot):
    model, data = to_mujoco(robot)
    order, back = depth_first_order(robot), np.argsort(depth_first_order(robot))
    free = robot.without_friction()
    for q, qd, tau in zip(*random_state(robot, np.random.default_rng(3), STATES), strict=True):
        data.qpos[:], data.qvel[:] = q[order], qd[order]
        data.qfrc_applied[:] = tau[order]
        mujoco.mj_forward(model, data)
        M = np.zeros((robot.n, robot.n))
        mujoco.mj_fullM(model, data, M)
        close(engine.mass_matrix(robot, q), M[np.ix_(back, back)])
        bias = engine.rnea(robot, q, qd, np.zeros(robot.n))
        close(bias, data.qfrc_bias[back])
        if np.linalg.cond(M) < 1e6:
            close(engine.forward_dynamics(free, q, qd, tau), data.qacc[back])
