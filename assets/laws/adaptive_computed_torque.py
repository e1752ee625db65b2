"""Adaptive computed torque: learns what the last link and its load weigh while the arm moves.

    v   = qd_d + λ e,  s = v - qd
    tau = M(q) dv + C(q, qd) v + g(q) + Y θ + K s        Y θ: what the load needs beyond what the arm is known to
    dθ  = γ Yᵀ s                                         Lyapunov: sᵀ M s / 2 + θ̃ᵀ θ̃ / (2 γ) never grows

θ are the ten inertial parameters by which the last link is heavier than known: mass, first moment, inertia. The torque is linear
in them, and Y(q, qd, v, dv) comes from the engine's regressor Y(q, qd, qdd): C is bilinear, so that with h(u) = C(q, u) u
C(q, a) b = (h(a + b) - h(a) - h(b)) / 2. θ becomes what explains the torque, not what the load is: that takes a motion which
excites all of them.

A real arm: friction is taken along the goal; along qd or v its sign, and with it the torque, would jump with the noise at rest.
K s is damping, not stiffness, so noise of the speed sensor goes straight into the torque; γ too large lets θ swing.

Source: Slotine, Li 1987, On the adaptive control of robot manipulators.
"""

import numpy as np

PERIOD = 0.001  # s


def load_regressor(arm, q, qd, v, dv):
    """Y (n, 10) with which Y θ = ΔM dv + ΔC v + Δg for a last link that is θ heavier."""
    none = 0 * q
    qds, qdds = np.array([none, qd + v, qd, v, none]), np.array([dv, none, none, none, none])
    Y = arm.regressor(np.tile(q, (5, 1)), qds, qdds)[:, :, -10:]  # five states in one call
    return Y[0] + (Y[1] - Y[2] - Y[3] + Y[4]) / 2


def control(t, q, qd, goal, arm, p):
    theta = p.memory.setdefault("theta", np.zeros(10))
    m = np.diag(arm.mass_matrix(q))
    e, de = goal.q - q, goal.qd - qd
    v, dv = goal.qd + p.slope * e, goal.qdd + p.slope * de
    s = v - qd
    Y = load_regressor(arm, q, qd, v, dv)
    known = arm.mass_matrix(q) @ dv + arm.coriolis(q, qd) @ v + arm.gravity(q) + arm.friction(goal.qd)
    tau = known + Y @ theta + p.K * m * s
    if np.all(np.abs(tau) < arm.tau_max):  # a motor at its limit says nothing about the load
        theta += PERIOD * p.gamma * Y.T @ s
    p.log["e"], p.log["mass"] = e, float(theta[0])
    return tau


control.p = {
    "slope": (1, 40, 10),  # λ, 1/s
    "K": (0, 100, 20),  # 1/s, times what the joint moves
    "gamma": (0, 100, 20),  # γ
}
control.period = PERIOD
