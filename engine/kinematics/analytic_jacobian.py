"""The analytic Jacobian: rates of a frame's position and of its angles or quaternion, and its time derivative."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kinematics.jacobian import jacobian, jacobian_dot
from armature.engine.kinematics.poses import frame_pose
from armature.engine.model.robot import Robot
from armature.engine.rotations import quaternion, quaternion_rates, roll_pitch_yaw, rpy_rates, rpy_rates_dot

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
        angles: "rpy" or "quaternion", as in `analytic_jacobian`.

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
