"""Impedance control: virtual springs and dampers at the tool, tau = Jᵀ (K e + D (V_d - J qd)) + C qd + g - N (d qd).

tau = control(t, q, qd, goal, arm, p) returns the motor torques, N·m or N, one per joint. Arguments:
    t               time, s
    q, qd           joint positions and velocities (n,), rad or m (per s)
    goal            desired motion: goal.q, goal.qd, goal.qdd
    arm             model of the arm: arm.gravity(q), arm.rnea(q, qd, qdd), arm.mass_matrix(q), arm.coriolis(q, qd),
                    arm.jacobian(q), arm.pose(q), arm.friction(qd), arm.n, arm.tau_max, arm.home ...
    p               parameters (the sliders below); p.memory, a dict retained between calls; p.log["e"] = ... plots a value
"""

import numpy as np


def rotation_vector(R):
    """Return the rotation vector log(R), rad: axis times angle, up to π."""
    v = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2  # sin(angle) axis
    s = np.sqrt(v @ v)
    angle = np.arctan2(s, (R[0, 0] + R[1, 1] + R[2, 2] - 1) / 2)
    return v if s < 1e-9 else v * (angle / s)


def tool_error(X, X_d):
    """Return the pose error of the tool `(6,)`, m and rad, world axes."""
    return np.concatenate((X_d[:3, 3] - X[:3, 3], rotation_vector(X_d[:3, :3] @ X[:3, :3].T)))


def control(t, q, qd, goal, arm, p):
    X, X_d, J = arm.pose(q), arm.pose(goal.q), arm.jacobian(q)
    active = 1.0 * (arm.weights > 0)  # axes of the robot's task
    K = active * np.array([p.k, p.k, p.k, p.k_turn, p.k_turn, p.k_turn])  # N/m, N·m/rad
    D = active * np.array([p.d, p.d, p.d, p.d_turn, p.d_turn, p.d_turn])  # N·s/m, N·m·s/rad
    e = tool_error(X, X_d)
    f = K * e + D * (arm.jacobian(goal.q) @ goal.qd - J @ qd)
    # N = 1 - Jᵀ (J Jᵀ + λ² 1)⁻¹ J: damp the null-space motion
    damp = p.posture * qd
    damp = damp - J.T @ np.linalg.solve(J @ J.T + 1e-6 * np.eye(6), J @ damp)
    p.log["force"] = f
    return J.T @ f + arm.rnea(q, qd, np.zeros(arm.n)) - damp


control.p = {
    "k": (0, 5000, 1000),
    "d": (0, 500, 100),
    "k_turn": (0, 200, 20),
    "d_turn": (0, 20, 2),
    "posture": (0, 20, 1),
}  # (minimum, maximum, initial value) of a slider each
control.period = 0.001  # control period, s
