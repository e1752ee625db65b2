"""Resolved rate: qd_c = Jᵀ (J Jᵀ + λ² 1)⁻¹ (V_d + k e),  tau = M(q) s (qd_c - qd) + C qd + g + friction.

tau = control(t, q, qd, goal, arm, p) returns the motor torques, N·m or N, one per joint. Arguments:
    t               time, s
    q, qd           joint positions and velocities (n,), rad or m (per s)
    goal            desired motion: goal.q, goal.qd, goal.qdd
    arm             model of the arm: arm.gravity(q), arm.rnea(q, qd, qdd), arm.mass_matrix(q), arm.coriolis(q, qd),
                    arm.jacobian(q), arm.pose(q), arm.friction(qd), arm.n, arm.tau_max, arm.home ...
    p               parameters (the sliders below); p.memory, a dict retained between calls; p.log["e"] = ... plots a value
"""

import numpy as np

SLOW = 0.03  # rad/s, m/s: below, dry friction is blended out, because its sign would follow rounding errors


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
    W = np.diag(arm.weights)  # 0 for axes outside the robot's task; rotations weighted by a length, m
    J = W @ arm.jacobian(q)
    e = tool_error(arm.pose(q), arm.pose(goal.q))
    V = W @ (arm.jacobian(goal.q) @ goal.qd + p.k * e)
    qd_c = J.T @ np.linalg.solve(J @ J.T + p.damping**2 * np.eye(6), V)
    p.log["e"] = e
    return arm.rnea(q, qd, p.s * (qd_c - qd)) + arm.friction(qd_c) * np.tanh(np.abs(qd_c) / SLOW)


control.p = {"k": (0, 50, 10), "s": (1, 200, 40), "damping": (0.001, 0.2, 0.02)}  # 1/s, 1/s, m
control.period = 0.001  # control period, s
