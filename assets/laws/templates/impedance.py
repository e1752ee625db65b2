"""Impedance: the tool hangs on springs and dampers, tau = Jᵀ (K e + D (V_d - J qd)) + C qd + g - N (d qd).

tau = control(t, q, qd, goal, arm, p), N·m or N, one for each joint. What it finds:
    t               s
    q, qd           where the arm is and how it moves, (n,), rad or m (per s)
    goal            where it should be: goal.q, goal.qd, goal.qdd
    arm             the arm as the controller knows it: arm.gravity(q), arm.rnea(q, qd, qdd), arm.mass_matrix(q),
                    arm.coriolis(q, qd), arm.jacobian(q), arm.pose(q), arm.friction(qd), arm.n, arm.tau_max, arm.home ...
    p               parameters by name (the sliders below), p.memory, a dict that lasts, and p.log["e"] = ..., which is plotted
"""

import numpy as np


def turn(R):
    """The vector log(R): its direction is the axis, its length the angle, rad, up to half a turn."""
    v = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2  # sin(angle) axis
    s = np.sqrt(v @ v)
    angle = np.arctan2(s, (R[0, 0] + R[1, 1] + R[2, 2] - 1) / 2)
    return v if s < 1e-9 else v * (angle / s)


def tool_error(X, X_d):
    """From the tool's pose to the desired one: m and rad, world axes."""
    return np.concatenate((X_d[:3, 3] - X[:3, 3], turn(X_d[:3, :3] @ X[:3, :3].T)))


def control(t, q, qd, goal, arm, p):
    X, X_d, J = arm.pose(q), arm.pose(goal.q), arm.jacobian(q)
    wanted = 1.0 * (arm.weights > 0)  # the axes that the robot's task counts
    K = wanted * np.array([p.k, p.k, p.k, p.k_turn, p.k_turn, p.k_turn])  # N/m, N·m/rad
    D = wanted * np.array([p.d, p.d, p.d, p.d_turn, p.d_turn, p.d_turn])  # N·s/m, N·m·s/rad
    e = tool_error(X, X_d)
    f = K * e + D * (arm.jacobian(goal.q) @ goal.qd - J @ qd)
    # N = 1 - Jᵀ (J Jᵀ + λ² 1)⁻¹ J damps what moves nothing of the tool
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
}  # low, high, start: a slider each
control.period = 0.001  # s between two calls
