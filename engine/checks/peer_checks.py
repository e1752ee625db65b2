"""Comparison with Pinocchio and MuJoCo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np

from armature.engine.dynamics.coriolis import coriolis_matrix
from armature.engine.dynamics.derivatives import rnea_derivatives
from armature.engine.dynamics.forward import forward_dynamics
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.dynamics.newton_euler import gravity_torque, rnea
from armature.engine.dynamics.regressor import regressor
from armature.engine.kinematics.jacobian import jacobian, jacobian_dot
from armature.engine.kinematics.poses import frame_pose
from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import Robot
from armature.engine.reach.random_states import States, deviation, sizes


def depth_first_order(robot: Robot) -> list[int]:
    """Return the body indices in the order of Pinocchio's and MuJoCo's joints: `q_peer = q[..., order]`; 0…n-1 if serial."""
    order: list[int] = []
    todo = _children(robot, -1)[::-1]
    while todo:
        i = todo.pop()
        order.append(i)
        todo += _children(robot, i)[::-1]
    return order


def to_pinocchio(robot: Robot) -> tuple[Any, Any]:
    """Return the arm as Pinocchio's model and data; frames have the same names, joints the order `depth_first_order`."""
    pin = import_module("pinocchio")
    model = pin.Model()
    model.name = robot.name
    model.gravity.linear = np.array(robot.gravity)
    joints = {-1: 0}
    for i in depth_first_order(robot):
        body = robot.bodies[i]
        moves = pin.JointModelPZ() if body.joint_type == PRISMATIC else pin.JointModelRZ()
        joints[i] = model.addJoint(joints[body.parent], moves, pin.SE3(np.array(body.X_PJ)), robot.joint_names[i])
        inertia = pin.Inertia.Zero()  # its constructor rejects a principal moment of −1e-20, the rounding error of 0
        inertia.mass, inertia.lever, inertia.inertia = body.mass, np.array(body.com), np.array(body.inertia)
        model.appendBodyToJoint(joints[i], inertia, pin.SE3.Identity())
    order = depth_first_order(robot)
    model.armature = np.array([robot.bodies[i].rotor_inertia for i in order])
    model.lowerPositionLimit = np.array(robot.q_min)[order]
    model.upperPositionLimit = np.array(robot.q_max)[order]
    for name, frame in robot.frames.items():
        model.addFrame(pin.Frame(name, joints[frame.body], pin.SE3(np.array(frame.X_BF)), pin.FrameType.OP_FRAME))
    return model, model.createData()


def to_mujoco(robot: Robot) -> tuple[Any, Any]:
    """Return the arm as MuJoCo's model and data; frames are sites, joints have the order `depth_first_order`.

    MuJoCo's compiler rejects or changes point masses and published inertias that violate the triangle inequality. Unit masses are
    compiled at the true inertial frames, and the true masses and principal moments are written into the compiled model.
    """
    mujoco = import_module("mujoco")
    spec = mujoco.MjSpec()
    spec.option.gravity = robot.gravity
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_EULERDAMP
    nodes = {-1: spec.worldbody}
    moments = {}
    for i in depth_first_order(robot):
        body = robot.bodies[i]
        moments[i], R_BI = _principal(body.inertia)
        node = nodes[i] = nodes[body.parent].add_body(
            name=_body_name(i), pos=body.X_PJ[:3, 3], quat=_quaternion(mujoco, body.X_PJ[:3, :3])
        )
        node.explicitinertial = True
        node.mass, node.inertia, node.ipos, node.iquat = 1.0, [1.0, 1.0, 1.0], body.com, _quaternion(mujoco, R_BI)
        kind = mujoco.mjtJoint.mjJNT_SLIDE if body.joint_type == PRISMATIC else mujoco.mjtJoint.mjJNT_HINGE
        node.add_joint(name=robot.joint_names[i], type=kind, axis=[0, 0, 1], armature=body.rotor_inertia)
    for name, frame in robot.frames.items():
        nodes[frame.body].add_site(name=name, pos=frame.X_BF[:3, 3], quat=_quaternion(mujoco, frame.X_BF[:3, :3]))
    model = spec.compile()
    for i, principal in moments.items():
        k = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, _body_name(i))
        model.body_mass[k], model.body_inertia[k] = robot.bodies[i].mass, principal
    data = mujoco.MjData(model)
    mujoco.mj_setConst(model, data)
    return model, data


def _children(robot: Robot, parent: int) -> list[int]:
    return [i for i, body in enumerate(robot.bodies) if body.parent == parent]


def _body_name(i: int) -> str:
    return f"body{i}"


def _quaternion(mujoco: Any, R: np.ndarray) -> np.ndarray:
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, np.ascontiguousarray(R).ravel())
    return quaternion


def _principal(I_c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal moments `(3,)` and the right-handed axes R_BI with I_c = R_BI diag(moments) R_BIᵀ."""
    if np.count_nonzero(I_c - np.diag(np.diagonal(I_c))) == 0:
        return np.diagonal(I_c).copy(), np.eye(3)
    moments, R = np.linalg.eigh(I_c)
    if np.linalg.det(R) < 0:
        R[:, 0] = -R[:, 0]
    return moments, R


Check = tuple[str, Callable[[], float]]
FORWARD = "forward dynamics"  # undefined without an invertible mass matrix


class Pinocchio:
    """Comparisons with Pinocchio at given states of an arm without mimic joints; raises ImportError if it is not installed."""

    name = "Pinocchio"

    def __init__(self, robot: Robot, s: States):
        self._pin: Any = import_module("pinocchio")
        self._robot, self._s = robot.without_friction(), s
        self._model, self._data = to_pinocchio(robot)
        self._order = depth_first_order(robot)
        self._back = np.argsort(self._order)

    def kinematics(self) -> list[Check]:
        """Comparisons that need no masses."""
        pin, world, robot, s = self._pin, self._pin.LOCAL_WORLD_ALIGNED, self._robot, self._s

        def pose(model, data, F):
            return data.oMf[F].homogeneous

        def columns(read):
            return lambda model, data, F: read(model, data, F, world).reshape(6, -1)[:, self._back]

        J, J_dot = columns(pin.getFrameJacobian), columns(pin.getFrameJacobianTimeVariation)
        return [
            ("poses", lambda: self._frames(pose, lambda name: frame_pose(robot, s.q, name))),
            ("Jacobians", lambda: self._frames(J, lambda name: jacobian(robot, s.q, name))),
            ("Jacobian rates", lambda: self._frames(J_dot, lambda name: jacobian_dot(robot, s.q, s.qd, name))),
        ]

    def dynamics(self) -> list[Check]:
        """Comparisons of dynamics."""
        return [
            ("inverse dynamics", self._torque),
            ("mass matrix", self._mass),
            ("Coriolis torque", self._coriolis),
            ("gravity torque", self._gravity),
            (FORWARD, self._forward),
            ("regressor", self._regressor),
            ("derivatives of inverse dynamics", self._derivatives),
        ]

    def _each(self, call: Callable[..., np.ndarray]) -> np.ndarray:
        """Results of Pinocchio at all states `(N, …)`, in its order of joints; `call` receives model, data, q, qd, qdd, tau."""
        states = (x[:, self._order] for x in (self._s.q, self._s.qd, self._s.qdd, self._s.tau))
        return np.stack([np.array(call(self._model, self._data, *state)) for state in zip(*states, strict=True)])

    def _frames(self, read: Callable[..., np.ndarray], ours: Callable[[str], np.ndarray]) -> float:
        """Largest deviation over all frames."""
        worst = 0.0
        for name in self._robot.frames:
            F = self._model.getFrameId(name)

            def one(model, data, q, qd, qdd, tau, F=F):
                self._pin.computeJointJacobiansTimeVariation(model, data, q, qd)
                self._pin.updateFramePlacements(model, data)
                return read(model, data, F)

            worst = max(worst, deviation(ours(name), self._each(one), min(1.0, self._robot.reach)))
        return worst

    def _square(self, A: np.ndarray) -> np.ndarray:
        return A[:, self._back][:, :, self._back]

    def _torque(self) -> float:
        theirs = self._each(lambda m, d, q, qd, qdd, tau: self._pin.rnea(m, d, q, qd, qdd))[:, self._back]
        return deviation(rnea(self._robot, self._s.q, self._s.qd, self._s.qdd), theirs, sizes(self._s.tau))

    def _mass(self) -> float:
        upper = self._each(lambda m, d, q, qd, qdd, tau: self._pin.crba(m, d, q))
        theirs = np.triu(upper) + np.swapaxes(np.triu(upper, 1), 1, 2)
        return deviation(mass_matrix(self._robot, self._s.q), self._square(theirs))

    def _coriolis(self) -> float:
        theirs = self._each(lambda m, d, q, qd, qdd, tau: self._pin.computeCoriolisMatrix(m, d, q, qd) @ qd)[:, self._back]
        ours = np.einsum("kij,kj->ki", coriolis_matrix(self._robot, self._s.q, self._s.qd), self._s.qd)
        return deviation(ours, theirs, sizes(self._s.tau))

    def _gravity(self) -> float:
        theirs = self._each(lambda m, d, q, qd, qdd, tau: self._pin.computeGeneralizedGravity(m, d, q))[:, self._back]
        return deviation(gravity_torque(self._robot, self._s.q), theirs, sizes(self._s.tau))

    def _forward(self) -> float:
        theirs = self._each(lambda m, d, q, qd, qdd, tau: self._pin.aba(m, d, q, qd, tau))[:, self._back]
        return _deviation_of_accelerations(self._robot, self._s, theirs)

    def _regressor(self) -> float:
        columns = (10 * self._back[:, None] + np.arange(10)).ravel()
        theirs = self._each(lambda m, d, q, qd, qdd, tau: self._pin.computeJointTorqueRegressor(m, d, q, qd, qdd))
        theirs = theirs.reshape(len(theirs), self._robot.n, -1)[:, self._back][:, :, columns]
        return deviation(regressor(self._robot, self._s.q, self._s.qd, self._s.qdd), theirs)

    def _derivatives(self) -> float:
        theirs = self._each(lambda m, d, q, qd, qdd, tau: self._pin.computeRNEADerivatives(m, d, q, qd, qdd)[:2])
        ours = rnea_derivatives(self._robot, self._s.q, self._s.qd, self._s.qdd)
        scale = sizes(self._s.tau)
        return max(deviation(ours[k], self._square(theirs[:, k]), scale) for k in (0, 1))


class MuJoCo:
    """Comparisons with MuJoCo at given states of an arm without mimic joints; raises ImportError if it is not installed."""

    name = "MuJoCo"

    def __init__(self, robot: Robot, s: States):
        self._mujoco: Any = import_module("mujoco")
        self._robot, self._s = robot.without_friction(), s
        with _no_log(self._mujoco):
            self._model, self._data = to_mujoco(robot)
        self._order = depth_first_order(robot)
        self._back = np.argsort(self._order)

    def kinematics(self) -> list[Check]:
        """Comparisons that need no masses."""
        return [("poses", self._poses)]

    def dynamics(self) -> list[Check]:
        """Comparisons of dynamics."""
        return [("mass matrix", self._mass), ("bias torque", self._bias), (FORWARD, self._forward)]

    def _each(self, read: Callable[[Any, Any], np.ndarray]) -> np.ndarray:
        """Results of MuJoCo at all states `(N, …)`, in its order of joints."""
        s, rows = self._s, []
        for q, qd, tau in zip(s.q, s.qd, s.tau, strict=True):
            self._data.qpos[:], self._data.qvel[:] = q[self._order], qd[self._order]
            self._data.qfrc_applied[:] = tau[self._order]
            with _no_log(self._mujoco):
                self._mujoco.mj_forward(self._model, self._data)
            rows.append(np.array(read(self._model, self._data)))
        return np.stack(rows)

    def _poses(self) -> float:
        def site(data, name):
            X = np.eye(4)
            X[:3, :3], X[:3, 3] = data.site(name).xmat.reshape(3, 3), data.site(name).xpos
            return X

        names = list(self._robot.frames)
        theirs = self._each(lambda model, data: np.stack([site(data, name) for name in names]))
        poses = (frame_pose(self._robot, self._s.q, name) for name in names)
        return max((deviation(ours, theirs[:, k]) for k, ours in enumerate(poses)), default=0.0)

    def _mass(self) -> float:
        def full(model, data):
            M = np.zeros((model.nv, model.nv))
            self._mujoco.mj_fullM(model, data, M)
            return M

        theirs = self._each(full)[:, self._back][:, :, self._back]
        return deviation(mass_matrix(self._robot, self._s.q), theirs)

    def _bias(self) -> float:
        theirs = self._each(lambda model, data: data.qfrc_bias)[:, self._back]
        ours = rnea(self._robot, self._s.q, self._s.qd, np.zeros_like(self._s.q))
        return deviation(ours, theirs, sizes(self._s.tau))

    def _forward(self) -> float:
        theirs = self._each(lambda model, data: data.qacc)[:, self._back]
        return _deviation_of_accelerations(self._robot, self._s, theirs)


def _deviation_of_accelerations(robot: Robot, s: States, theirs: np.ndarray) -> float:
    """Deviation of two accelerations as torques, so that an ill-conditioned mass matrix does not count against either."""
    M = mass_matrix(robot, s.q)
    ours = forward_dynamics(robot, s.q, s.qd, s.tau)
    inertial = np.einsum("kij,kj->ki", np.abs(M), np.abs(theirs))
    apart = np.einsum("kij,kj->ki", M, ours - theirs)
    return deviation(apart, np.zeros_like(apart), sizes(inertial, s.tau))


@contextmanager
def _no_log(mujoco: Any) -> Iterator[None]:
    """Suppress MuJoCo's warnings and its file MUJOCO_LOG.TXT in the working directory; the check judges its numbers anyway."""
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda message: None)
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(before)
