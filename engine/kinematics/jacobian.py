"""The geometric Jacobian of a frame and its time derivative."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.kernel_wait import kernels_awaited
from armature.engine.model.placed_bodies import placed_jacobian
from armature.engine.model.robot import Robot


def jacobian(robot: Robot, q, frame: str | None = None) -> np.ndarray:
    """Geometric Jacobian J of a frame F: (v_WF, w_WF) = J(q) qd, linear rows first.

    J_i = (z_i × (p_F − p_i), z_i) for a revolute joint, (z_i, 0) for a prismatic one.

    v_WF in m/s is the velocity of the origin p_F of F, w_WF in rad/s its angular velocity, z_i the axis of joint i and p_i a
    point on it, all in world axes.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.
        frame: a name in `robot.frames`; None: the tool.

    Returns:
        `(6, n)` or `(N, 6, n)`, world axes, at the frame's origin; rows in m and rad per rad (prismatic joints: per m).

    Raises:
        DimensionError, UnknownFrameError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, eq. 3.30.
    """
    F = robot.tool_frame if frame is None else robot.frame(frame)
    if robot.coupling is not None:
        (q,) = batching.on_tree(robot, q=q)
        return robot.coupling.columns(jacobian(robot.tree, q, frame))
    (q,), single = batching.states(robot, q=q)
    J = _jacobians(robot, q, F.body, F.X_BF)
    return J[0] if single else J


def jacobian_dot(robot: Robot, q, qd, frame: str | None = None) -> np.ndarray:
    """Time derivative of the geometric Jacobian along qd: the acceleration of F is J qdd + Jdot qd.

    Jdot_i = ((w_i × z_i) × r + z_i × (v_F − v_i), w_i × z_i) for a revolute joint, r = p_F − p_i;
    Jdot_i = (w_i × z_i, 0) for a prismatic one.

    z_i and p_i are the axis and origin of joint i, w_i and v_i the angular velocity of its body and the velocity of p_i; p_F and
    v_F are position and velocity of the origin of F, all in world axes.

    Args:
        q, qd: joint positions and velocities `(n,)` or `(N, n)`; rad and rad/s (prismatic: m and m/s).
        frame: a name in `robot.frames`; None: the tool.

    Returns:
        `(6, n)` or `(N, 6, n)`, world axes, at the frame's origin; rows in m/s and rad/s per rad (prismatic joints: per m).

    Raises:
        DimensionError, UnknownFrameError.
    """
    F = robot.frame(frame)
    if robot.coupling is not None:
        q, qd = batching.on_tree(robot, q=q, qd=qd)
        return robot.coupling.columns(jacobian_dot(robot.tree, q, qd, frame))
    (q, qd), single = batching.states(robot, q=q, qd=qd)
    from armature.engine.kinematics.pose_kernels import jacobian_dot_many  # numba: not while a window opens

    out = np.empty((len(q), 6, robot.n))
    batching.run(lambda lo, hi: jacobian_dot_many.call(robot.packed, q, qd, F.body, F.X_BF, out, lo, hi), len(q))
    return out[0] if single else out


def body_jacobian(robot: Robot, q: np.ndarray, body: int, p_B: np.ndarray) -> np.ndarray:
    """J `(6, n)` of the point p_B `(3,)` of a body at q `(n,)`, world axes; arguments are taken as they are."""
    X_BF = np.eye(4)
    X_BF[:3, 3] = p_B
    tree_q = q if robot.coupling is None else robot.coupling.position(q)
    J = _jacobians(robot.tree, np.ascontiguousarray(tree_q)[None], body, X_BF)[0]
    return J if robot.coupling is None else robot.coupling.columns(J)


def _jacobians(robot: Robot, q: np.ndarray, body: int, X_BF: np.ndarray) -> np.ndarray:
    """Jacobians `(N, 6, n)` of a frame of a free tree at q `(N, n)`."""
    if kernels_awaited():
        return placed_jacobian(robot, q, body, X_BF)
    from armature.engine.kinematics.pose_kernels import jacobian_many  # numba: not while a window opens

    J = np.empty((len(q), 6, robot.n))
    batching.run(lambda lo, hi: jacobian_many.call(robot.packed, q, body, X_BF, J, lo, hi), len(q))
    return J
