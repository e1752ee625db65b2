"""The converters of tests/peers.py against arithmetic written out here: a wrong peer would prove nothing about the engine."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from armature.engine.model.body import Body, Frame
from armature.engine.model.dh_table import translate
from armature.engine.model.robot import Robot
from armature.engine.rotations import rot_x, rot_z
from tests.peers import depth_first_order, mujoco_mass_matrix, mujoco_rnea, to_mujoco, to_pinocchio

RNG = np.random.default_rng(7)


def arm(parents, kinds, flat: bool = False) -> Robot:
    """A tree with oblique placements; `flat` gives point masses and one inertia that no rigid body could have."""
    bodies = []
    for k, (parent, kind) in enumerate(zip(parents, kinds, strict=True)):
        X = rot_z(RNG.uniform(-2, 2)) @ translate(*RNG.uniform(-0.5, 0.5, 3)) @ rot_x(RNG.uniform(-2, 2))
        A = RNG.uniform(-0.2, 0.2, (3, 3))
        inertia = A @ A.T + 0.01 * np.eye(3)
        if flat:
            inertia = np.diag([0.5, 0.1, 0.1]) if k == 0 else np.zeros((3, 3))
        bodies.append(Body(parent, kind, X, RNG.uniform(0.5, 3), RNG.uniform(-0.3, 0.3, 3), inertia, RNG.uniform(0, 0.2)))
    n = len(bodies)
    last = Frame(n - 1, rot_x(0.3) @ translate(0.1, 0.2, 0.3))
    return Robot(
        name="oblique",
        bodies=tuple(bodies),
        joint_names=tuple(f"j{k}" for k in range(n)),
        links={"base": Frame(-1, np.eye(4)), **{f"link{k}": Frame(k, np.eye(4)) for k in range(n)}},
        frames={"world": Frame(-1, np.eye(4)), "tool": last},
        tool="tool",
        q_min=np.full(n, -np.inf),
        q_max=np.full(n, np.inf),
        qd_max=np.full(n, np.inf),
        tau_max=np.full(n, np.inf),
        gravity=np.array([0.3, -0.4, -9.81]),
        configurations={},
    )


ARMS = {
    "chain": arm([-1, 0, 1, 2], ["revolute", "prismatic", "revolute", "revolute"]),
    "tree": arm([-1, 0, 0, 1, 2, 1], ["revolute", "revolute", "prismatic", "revolute", "revolute", "prismatic"]),
    "point masses": arm([-1, 0, 1], ["revolute", "revolute", "prismatic"], flat=True),
}


@pytest.fixture(params=ARMS, ids=str)
def case(request):
    robot = ARMS[request.param]
    rng = np.random.default_rng(11)
    return robot, np.array(depth_first_order(robot)), *rng.uniform(-1.5, 1.5, (3, robot.n))


def placements(robot: Robot, q) -> list[np.ndarray]:
    """X_WB of every body: the product of its placements and motions."""
    poses: list[np.ndarray] = []
    for body, value in zip(robot.bodies, q, strict=True):
        moved = translate(0, 0, value) if body.joint_type == "prismatic" else rot_z(value)
        poses.append((np.eye(4) if body.parent < 0 else poses[body.parent]) @ body.X_PJ @ moved)
    return poses


def kinetic_energy(robot: Robot, q, qd, h=1e-6) -> float:
    """½ Σ m v² + wᵀ I w + rotors, velocities by central differences of the poses."""
    total = 0.5 * sum(body.rotor_inertia * rate**2 for body, rate in zip(robot.bodies, qd, strict=True))
    before, now, after = (placements(robot, q + s * h * qd) for s in (-1, 0, 1))
    for body, X0, X, X1 in zip(robot.bodies, before, now, after, strict=True):
        Xd = (X1 - X0) / (2 * h)
        v = Xd[:3, :3] @ body.com + Xd[:3, 3]
        W = X[:3, :3].T @ Xd[:3, :3]
        w = np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2
        total += 0.5 * (body.mass * v @ v + w @ body.inertia @ w)
    return total


def test_the_order_is_depth_first():
    assert depth_first_order(ARMS["chain"]) == [0, 1, 2, 3]
    assert depth_first_order(ARMS["tree"]) == [0, 1, 3, 5, 2, 4]


def test_tool_poses_are_the_product_of_the_placements(case):
    robot, order, q, _, _ = case
    expected = placements(robot, q)[-1] @ robot.frames["tool"].X_BF
    model, data = to_pinocchio(robot)
    pin.framesForwardKinematics(model, data, q[order])
    np.testing.assert_allclose(data.oMf[model.getFrameId("tool")].homogeneous, expected, atol=1e-13)
    model, data = to_mujoco(robot)
    data.qpos[:] = q[order]
    mujoco.mj_kinematics(model, data)
    np.testing.assert_allclose(data.site("tool").xpos, expected[:3, 3], atol=1e-13)
    np.testing.assert_allclose(data.site("tool").xmat.reshape(3, 3), expected[:3, :3], atol=1e-13)


def test_the_mass_matrix_gives_the_kinetic_energy_of_the_moving_masses(case):
    robot, order, q, qd, _ = case
    T = kinetic_energy(robot, q, qd)
    model, data = to_pinocchio(robot)
    M = pin.crba(model, data, q[order])
    M = np.triu(M) + np.triu(M, 1).T
    assert qd[order] @ M @ qd[order] / 2 == pytest.approx(T, rel=1e-7)
    np.testing.assert_allclose(mujoco_mass_matrix(*to_mujoco(robot), q[order]), M, atol=1e-12)


def test_both_peers_agree_on_the_torque(case):
    robot, order, q, qd, qdd = case
    q, qd, qdd = q[order], qd[order], qdd[order]
    torque = pin.rnea(*to_pinocchio(robot), q, qd, qdd)
    np.testing.assert_allclose(mujoco_rnea(*to_mujoco(robot), q, qd, qdd), torque, rtol=1e-11, atol=1e-11)


def test_gravity_goes_along(case):
    robot, order, q, _, _ = case
    h = 1e-6

    def potential(q):
        poses = placements(robot, q)
        return -sum(b.mass * robot.gravity @ (X[:3, :3] @ b.com + X[:3, 3]) for b, X in zip(robot.bodies, poses, strict=True))

    slope = [(potential(q + h * e) - potential(q - h * e)) / (2 * h) for e in np.eye(robot.n)]
    model, data = to_pinocchio(robot)
    np.testing.assert_allclose(pin.computeGeneralizedGravity(model, data, q[order]), np.array(slope)[order], atol=1e-7)
