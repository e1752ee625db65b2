"""URDF files read by Armature and by Pinocchio mean the same arm, to 1e-9, on every file of example-robot-data."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from armature import engine
from tests.engine.example_robots import REFUSED, example_files
from tests.peers import depth_first_order, to_mujoco

FILES = example_files()
STATES = 3


def close(ours, theirs, scale=0.0) -> None:
    """1e-9 of the largest entry, or of `scale` where terms of that size cancel."""
    assert np.abs(np.asarray(ours) - theirs).max() <= 1e-9 * max(np.abs(theirs).max(), scale, 1e-6)


def same_acceleration(ours, theirs, M) -> None:
    """1e-9 of the acceleration; where M, of condition above 1e6, leaves no nine digits of it, 1e-9 of the torque it takes."""
    if np.linalg.cond(M) < 1e6:
        close(ours, theirs)
    else:
        close(M @ ours, M @ theirs)


def opened(path):
    """The robot; skips, with the reason in the summary, what is listed as refused and must be."""
    if path.stem in REFUSED:
        with pytest.raises(engine.ModelError, match=REFUSED[path.stem]) as refusal:
            engine.load_robot(path)
        pytest.skip(f"{path.name} is refused: {str(refusal.value).rpartition(path.name + ': ')[2]}")
    return engine.load_robot(path)


class Peer:
    """Pinocchio's own reading of the file; mimic joints coupled here, by an own look at the file."""

    def __init__(self, path, robot):
        self.model = pin.buildModelFromUrdf(str(path))
        self.data = self.model.createData()
        names = list(self.model.names)[1:]
        self.joints = [self.model.joints[self.model.getJointId(name)] for name in names]
        self.G, self.offset = np.zeros((self.model.nv, robot.n)), np.zeros(self.model.nv)
        mimics = {
            joint.get("name"): joint.find("mimic")
            for joint in ET.parse(path).getroot().findall("joint")
            if joint.find("mimic") is not None
        }
        for name, joint in zip(names, self.joints, strict=True):
            mimic = mimics.get(name)
            leader = name if mimic is None else mimic.get("joint")
            self.G[joint.idx_v, robot.joint_names.index(leader)] = 1.0 if mimic is None else float(mimic.get("multiplier", 1))
            self.offset[joint.idx_v] = 0.0 if mimic is None else float(mimic.get("offset", 0))

    def q(self, q):
        x, out = self.G @ q + self.offset, np.zeros(self.model.nq)
        for joint in self.joints:
            angle = x[joint.idx_v]
            out[joint.idx_q : joint.idx_q + joint.nq] = angle if joint.nq == 1 else (np.cos(angle), np.sin(angle))
        return out

    def mass_matrix(self, x):
        M = pin.crba(self.model, self.data, x)
        return self.G.T @ symmetric(M) @ self.G

    def turned(self, robot) -> np.ndarray:
        """T with pi_theirs = T pi_ours, both in the order of their own joints.

        Pinocchio keeps the file's axes of each link; our bodies are turned so that the joint axis is z.
        """
        T = np.zeros((10 * len(self.joints), 10 * len(robot.bodies)))
        for frame in self.model.frames:
            if frame.type == pin.BODY and frame.placement.isIdentity() and frame.parentJoint > 0:
                link = robot.links[frame.name]
                assert np.abs(link.X_BF[:3, 3]).max() < 1e-15
                row = 10 * self.model.joints[frame.parentJoint].idx_v
                T[row : row + 10, 10 * link.body : 10 * link.body + 10] = parameters_turned(link.X_BF[:3, :3].T)
        return T


def symmetric(upper):
    return np.triu(upper) + np.triu(upper, 1).T


def parameters_turned(R) -> np.ndarray:
    """The `(10, 10)` map of m, h, Ixx Ixy Iyy Ixz Iyz Izz into axes turned by R."""
    T, at = np.zeros((10, 10)), ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))
    T[0, 0], T[1:4, 1:4] = 1.0, R
    for column, (i, j) in enumerate(at):
        E = np.zeros((3, 3))
        E[i, j] = E[j, i] = 1.0
        E = R @ E @ R.T
        T[4:, 4 + column] = [E[k] for k in at]
    return T


def states(robot, seed):
    return np.random.default_rng(seed).uniform(-2, 2, (STATES, 3, robot.n))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_kinematics_as_pinocchio_reads_it(path):
    robot = opened(path)
    peer = Peer(path, robot)
    for q, qd, _ in states(robot, 1):
        pin.computeJointJacobiansTimeVariation(peer.model, peer.data, peer.q(q), peer.G @ qd)
        pin.updateFramePlacements(peer.model, peer.data)
        poses = engine.link_poses(robot, q)
        for name, X in zip(robot.link_names, poses, strict=True):
            F = peer.model.getFrameId(name, pin.BODY)
            close(X, peer.data.oMf[F].homogeneous, robot.reach)
            at = (peer.model, peer.data, F, pin.LOCAL_WORLD_ALIGNED)
            close(engine.jacobian(robot, q, name), pin.getFrameJacobian(*at).reshape(6, -1) @ peer.G, 1.0)
            rate = pin.getFrameJacobianTimeVariation(*at).reshape(6, -1) @ peer.G
            close(engine.jacobian_dot(robot, q, qd, name), rate, 1.0)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_dynamics_as_pinocchio_reads_it(path):
    robot = opened(path)
    peer = Peer(path, robot)
    G, free = peer.G, robot.without_friction()
    for q, qd, qdd in states(robot, 2):
        x, v, a = peer.q(q), G @ qd, G @ qdd
        tau = G.T @ pin.rnea(peer.model, peer.data, x, v, a)
        close(engine.rnea(robot, q, qd, qdd), tau)
        M = peer.mass_matrix(x)
        close(engine.mass_matrix(robot, q), M)
        close(engine.gravity_torque(robot, q), G.T @ pin.computeGeneralizedGravity(peer.model, peer.data, x))
        C, theirs = engine.coriolis_matrix(robot, q, qd), pin.computeCoriolisMatrix(peer.model, peer.data, x, v)
        close(C @ qd, G.T @ theirs @ v)  # of the many C, ours is Christoffel's, theirs not; C qd and C + Cᵀ = dM/dt are unique
        close(C + C.T, G.T @ (theirs + theirs.T) @ G)
        bias = G.T @ pin.nle(peer.model, peer.data, x, v)
        expected = np.linalg.solve(M, tau - bias)
        same_acceleration(engine.forward_dynamics(free, q, qd, tau), expected, M)
        if robot.coupling is None:
            order = [robot.joint_names.index(name) for name in list(peer.model.names)[1:]]
            expected = pin.aba(peer.model, peer.data, x, v, tau[order])[np.argsort(order)]
            for method in ("crba", "aba"):
                same_acceleration(engine.forward_dynamics(free, q, qd, tau, method=method), expected, M)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_regressor_as_pinocchio_reads_it(path):
    robot = opened(path)
    peer = Peer(path, robot)
    T = peer.turned(robot)
    pi = np.concatenate([peer.model.inertias[k].toDynamicParameters() for k in range(1, peer.model.njoints)])
    close(T @ engine.parameters(robot.tree), pi)
    for q, qd, qdd in states(robot, 4):
        Y = pin.computeJointTorqueRegressor(peer.model, peer.data, peer.q(q), peer.G @ qd, peer.G @ qdd)
        close(engine.regressor(robot, q, qd, qdd), peer.G.T @ Y @ T)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_derivatives_as_pinocchio_reads_them(path):
    robot = opened(path)
    peer = Peer(path, robot)
    G, free, args = peer.G, robot.without_friction(), (peer.model, peer.data)
    for q, qd, qdd in states(robot, 5):
        x, v = peer.q(q), G @ qd
        dq, dqd, M = (np.array(d) for d in pin.computeRNEADerivatives(*args, x, v, G @ qdd))
        dq, dqd, M = G.T @ dq @ G, G.T @ dqd @ G, G.T @ symmetric(M) @ G
        tau = G.T @ peer.data.tau
        ours = engine.rnea_derivatives(robot, q, qd, qdd)
        for mine, theirs in zip(ours, (dq, dqd, M), strict=True):
            close(mine, theirs, np.abs(tau).max())
        ours = engine.forward_dynamics_derivatives(free, q, qd, tau)
        # qdd(q, qd, tau) solves tau = rnea(q, qd, qdd): M ∂qdd/∂q = −∂rnea/∂q, and in the same way for qd
        expected = [np.linalg.solve(M, -dq), np.linalg.solve(M, -dqd), np.linalg.inv(M)]
        if robot.coupling is None:
            order = [robot.joint_names.index(name) for name in list(peer.model.names)[1:]]
            theirs = [np.array(d) for d in pin.computeABADerivatives(*args, x, v, tau[order])]
            back = np.ix_(np.argsort(order), np.argsort(order))
            expected = [theirs[0][back], theirs[1][back], symmetric(theirs[2])[back]]
        for mine, theirs in zip(ours, expected, strict=True):
            same_acceleration(mine, theirs, M)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_dynamics_as_mujoco(path):
    robot = opened(path)
    tree, move = robot.tree, robot.coupling
    model, data = to_mujoco(tree)
    order, back = depth_first_order(tree), np.argsort(depth_first_order(tree))
    G = np.eye(robot.n) if move is None else move.G
    for q, qd, tau in states(robot, 3):
        q_b, qd_b = (q, qd) if move is None else (move.position(q), move.rate(qd))
        data.qpos[:], data.qvel[:] = q_b[order], qd_b[order]
        mujoco.mj_forward(model, data)
        M = np.zeros((tree.n, tree.n))
        mujoco.mj_fullM(model, data, M)
        M = G.T @ M[np.ix_(back, back)] @ G
        close(engine.mass_matrix(robot, q), M)
        bias = G.T @ data.qfrc_bias[back]
        close(engine.rnea(robot, q, qd, 0 * q), bias)
        qdd = engine.forward_dynamics(robot.without_friction(), q, qd, tau)
        same_acceleration(qdd, np.linalg.solve(M, tau - bias), M)
