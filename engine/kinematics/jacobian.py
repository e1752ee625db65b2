"""Geometric and analytic Jacobians of a frame, and the tool's velocity and acceleration."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kernel_wait import kernels_awaited
from armature.engine.kinematics.poses import frame_pose
from armature.engine.model.placed_bodies import placed_jacobian
from armature.engine.model.robot import Robot
from armature.engine.rotations import quaternion, quaternion_rates, roll_pitch_yaw, rpy_rates, rpy_rates_dot


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
    """J `(6, n)` of the point p_B `(3,)` of a body at q `(n,)`, world axes; arguments are not checked."""
    X_BF = np.eye(4)
    X_BF[:3, 3] = p_B
    tree_q = q if robot.coupling is None else robot.coupling.position(q)
    J = _jacobians(robot.tree, np.ascontiguousarray(tree_q)[None], body, X_BF)[0]
    return J if robot.coupling is None else robot.coupling.columns(J)


def _jacobians(robot: Robot, q: np.ndarray, body: int, X_BF: np.ndarray) -> np.ndarray:
    """Jacobians `(N, 6, n)` of a frame of an arm without coupled joints at q `(N, n)`."""
    if kernels_awaited():
        return placed_jacobian(robot, q, body, X_BF)
    from armature.engine.kinematics.pose_kernels import jacobian_many  # numba: not while a window opens

    J = np.empty((len(q), 6, robot.n))
    batching.run(lambda lo, hi: jacobian_many.call(robot.packed, q, body, X_BF, J, lo, hi), len(q))
    return J


ANGLES = ("rpy", "quaternion")
_GIMBAL = 1e-6  # cos(pitch) below which roll and yaw count as one


def analytic_jacobian(robot: Robot, q, frame: str | None = None, angles: str = "rpy") -> np.ndarray:
    """Analytic Jacobian J_A of a frame F: (pdot, φdot) = J_A(q) qd with φ its roll, pitch and yaw, or its quaternion.

    J_A = diag(1, E(φ)) J,  φdot = E(φ) w

    pdot is the velocity of the origin of F in m/s and w its angular velocity in rad/s, both in world axes; J is its `jacobian`,
    and E(φ) the matrix that converts w into φdot.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.
        frame: a name in `robot.frames`; None: the tool.
        angles: "rpy" for R = Rot_z(yaw) Rot_y(pitch) Rot_x(roll), or "quaternion" for (w, x, y, z) with w ≥ 0.

    Returns:
        "rpy": `(6, n)` or `(N, 6, n)`, rates of x, y, z (m/s) and of roll, pitch, yaw (rad/s) per unit of qd.
        "quaternion": `(7, n)` or `(N, 7, n)`, rates of x, y, z (m/s) and of the quaternion's w, x, y, z (1/s) per unit of qd.

    Raises:
        DimensionError, UnknownFrameError.
        EngineError: unknown `angles`, or "rpy" where the pitch is ±90°, because roll and yaw then rotate about one axis and their
            rates are not defined.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 3.6.
    """
    (q,), single = batching.vectors(robot, q=q)
    phi = _described(robot, q, frame, angles)
    J_A = _stacked(_rates(phi, angles), jacobian(robot, q, frame))
    return J_A[0] if single else J_A


def analytic_jacobian_dot(robot: Robot, q, qd, frame: str | None = None, angles: str = "rpy") -> np.ndarray:
    """Time derivative of the analytic Jacobian J_A along qd: (pddot, φddot) = J_A qdd + Jdot_A qd.

    Jdot_A = diag(1, E) Jdot + diag(0, Edot) J

    p is the position of the frame F in m, φ its roll, pitch and yaw, or its quaternion; E with φdot = E w converts the angular
    velocity w, and J is the `jacobian`, all in world axes, as in `analytic_jacobian`.

    Args:
        q, qd: joint positions and velocities `(n,)` or `(N, n)`; rad and rad/s (prismatic: m and m/s).
        frame: a name in `robot.frames`; None: the tool.
        angles: "rpy" for R = Rot_z(yaw) Rot_y(pitch) Rot_x(roll), or "quaternion" for (w, x, y, z) with w ≥ 0.

    Returns:
        "rpy": `(6, n)` or `(N, 6, n)`; "quaternion": `(7, n)` or `(N, 7, n)`. Rows as in `analytic_jacobian`,
            divided by s.

    Raises:
        DimensionError, UnknownFrameError.
        EngineError: unknown `angles`, or "rpy" where the pitch is ±90°.
    """
    (q, qd), single = batching.vectors(robot, q=q, qd=qd)
    phi = _described(robot, q, frame, angles)
    E, J = _rates(phi, angles), jacobian(robot, q, frame)
    phid = (E @ J[:, 3:] @ qd[:, :, None])[..., 0]
    out = _stacked(E, jacobian_dot(robot, q, qd, frame))
    out[:, 3:] += (rpy_rates_dot(phi, phid) if angles == "rpy" else quaternion_rates(phid)) @ J[:, 3:]
    return out[0] if single else out


def _described(robot: Robot, q: np.ndarray, frame: str | None, angles: str) -> np.ndarray:
    """φ `(N, 3)` or `(N, 4)` of the frame's rotation. Raises EngineError where its rates are not defined."""
    if angles not in ANGLES:
        raise EngineError(f"analytic Jacobian: unknown angles {angles!r}; valid: {', '.join(ANGLES)}")
    R = frame_pose(robot, q, frame)[:, :3, :3]
    if angles == "quaternion":
        return quaternion(R)
    phi = roll_pitch_yaw(R)
    locked = np.cos(phi[:, 1]) < _GIMBAL
    if locked.any():
        k = int(np.argmax(locked))
        where = "" if len(q) == 1 else f" in state {k}"
        sign = "+" if phi[k, 1] > 0 else "−"
        raise EngineError(
            f"{robot.name}: the pitch of {frame or robot.tool} is {sign}90°{where}: there, roll and yaw rotate about one axis "
            'and their rates are undefined; use angles="quaternion" or the geometric Jacobian'
        )
    return phi


def _rates(phi: np.ndarray, angles: str) -> np.ndarray:
    return rpy_rates(phi) if angles == "rpy" else quaternion_rates(phi)


def _stacked(E: np.ndarray, J: np.ndarray) -> np.ndarray:
    """diag(1, E) J."""
    return np.concatenate([J[:, :3], E @ J[:, 3:]], axis=1)


def tool_rates(robot: Robot, q, qd, qdd) -> tuple[np.ndarray, np.ndarray]:
    """The tool's twist xd = J qd and its derivative xdd = J qdd + Jdot qd.

    Args:
        q, qd, qdd: joint positions, velocities and accelerations `(n,)` or `(N, n)`, rad or m (per s, s²).

    Returns:
        Twice `(6,)` or `(N, 6)`; world axes, linear before angular, at the tool's origin.

    Raises:
        DimensionError.
    """
    J = jacobian(robot, q)
    twist = np.einsum("...ij,...j->...i", J, qd)
    rate = np.einsum("...ij,...j->...i", J, qdd) + np.einsum("...ij,...j->...i", jacobian_dot(robot, q, qd), qd)
    return twist, rate
