"""The same arm in two independent engines, Pinocchio and MuJoCo, to check every number against and to measure beside.

Neither belongs to what Armature needs: they are imported on request, and ImportError says that one is not there. What is left
out on both sides: friction, joint stops, contact. Rotor inertia, gravity and every named frame go along.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import Robot


def depth_first_order(robot: Robot) -> list[int]:
    """Body indices in the order in which Pinocchio and MuJoCo number the joints; 0…n-1 for every serial arm.

    Their q, qd, tau are ours taken in this order: `q_peer = q[..., order]`.
    """
    order: list[int] = []
    todo = _children(robot, -1)[::-1]
    while todo:
        i = todo.pop()
        order.append(i)
        todo += _children(robot, i)[::-1]
    return order


def to_pinocchio(robot: Robot) -> tuple[Any, Any]:
    """The arm as a Pinocchio model; frames keep their names, joints and bodies stand in `depth_first_order`."""
    pin = import_module("pinocchio")
    model = pin.Model()
    model.name = robot.name
    model.gravity.linear = np.array(robot.gravity)
    joints = {-1: 0}
    for i in depth_first_order(robot):
        body = robot.bodies[i]
        moves = pin.JointModelPZ() if body.joint_type == PRISMATIC else pin.JointModelRZ()
        joints[i] = model.addJoint(joints[body.parent], moves, pin.SE3(np.array(body.X_PJ)), robot.joint_names[i])
        inertia = pin.Inertia.Zero()  # its constructor refuses a principal moment of −1e-20, which rounding makes of 0
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
    """The arm as a MuJoCo model; frames are sites, joints and bodies stand in `depth_first_order`.

    MuJoCo's compiler refuses point masses and published inertias that break the triangle inequality, and would alter them to
    make them pass. So it compiles with unit masses at the true inertial frames, and the true masses and principal moments are
    written into the compiled model afterwards: nothing about the arm is changed or skipped.
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


def mujoco_mass_matrix(model: Any, data: Any, q) -> np.ndarray:
    """M(q) `(n, n)`, rotor inertia included."""
    mujoco = import_module("mujoco")
    data.qpos[:], data.qvel[:] = q, 0
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    return M


def mujoco_rnea(model: Any, data: Any, q, qd, qdd) -> np.ndarray:
    """Inverse dynamics tau `(n,)` = M qdd + bias, the rotor inertia included (which `mj_rne` alone leaves out)."""
    mujoco = import_module("mujoco")
    data.qpos[:], data.qvel[:] = q, qd
    mujoco.mj_forward(model, data)
    tau = np.zeros(model.nv)
    data.qacc[:] = qdd
    mujoco.mj_rne(model, data, 1, tau)
    return tau + model.dof_armature * qdd


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
