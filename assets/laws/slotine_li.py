"""Adaptive computed torque by Slotine and Li: learns load and friction while the arm moves, from the tracking error alone.

    v   = qd_d + λ e,  s = v - qd
    tau = M(q) dv + C(q, qd) v + g(q) + friction + Y θ + K s     Y θ: what the arm needs beyond what it is known to
    dθ  = γ Γ Yᵀ s                                               Lyapunov: sᵀ M s / 2 + θ̃ᵀ Γ⁻¹ θ̃ / (2 γ) never grows

θ are the ten inertial parameters by which the last link is heavier than known (mass, first moment, inertia), and per joint the
viscous friction and the dry friction, forwards and backwards, beyond the known. The torque is linear in them. Y(q, qd, v, dv) of
the load comes from the engine's regressor Y(q, qd, qdd): C is bilinear, so that with h(u) = C(q, u) u,
C(q, a) b = (h(a + b) - h(a) - h(b)) / 2. No acceleration is measured, and no torque. θ becomes what makes the error vanish, not
what the load is: that takes a motion which excites all of θ. Recursive least squares learns from the torques instead, and tells
how well it knows.

A real arm: friction is taken along the goal; along qd or v its sign, and with it the torque, would jump with the noise at rest.
K s is damping, not stiffness, so noise of the speed sensor goes straight into the torque; γ too large lets θ swing. Errors
that are no fault of the model would let θ drift: `deaf` is the s below which nothing is learned.

Source: Slotine, Li 1987, On the adaptive control of robot manipulators; Applied Nonlinear Control, chapter 9.
"""

import numpy as np

PERIOD = 0.002  # s
SLOW = 0.03  # rad/s, m/s
LOAD = 10
SPEED_LOAD = np.array([1.0, 0.3, 0.3, 0.3, *[0.01] * 6])  # kg², (kg·m)², (kg·m²)²


def load_regressor(arm, q, qd, v, dv):
    """Y (n, 10) with which Y θ = ΔM dv + ΔC v + Δg for a last link that is θ heavier."""
    none = 0 * q
    qds, qdds = np.array([none, qd + v, qd, v, none]), np.array([dv, none, none, none, none])
    Y = arm.regressor(np.tile(q, (5, 1)), qds, qdds)[:, :, -LOAD:]  # five states in one call
    return Y[0] + (Y[1] - Y[2] - Y[3] + Y[4]) / 2


def friction_columns(qd):
    """Viscous friction, and dry friction forwards and backwards `(n, 3 n)`."""
    sign = np.tanh(qd / SLOW)
    return np.hstack([np.diag(qd), np.diag(np.maximum(sign, 0)), np.diag(np.minimum(sign, 0))])


def speeds(arm):
    """Γ: how fast each is learned; friction in proportion to what the motor gives."""
    most = np.where(np.isfinite(arm.tau_max), arm.tau_max, 50.0)
    return np.concatenate([SPEED_LOAD, *[1e-3 * most**2] * 3])


def control(t, q, qd, goal, arm, p):
    theta = p.memory.setdefault("theta", np.zeros(LOAD + 3 * arm.n))
    M = arm.mass_matrix(q)
    e, de = goal.q - q, goal.qd - qd
    v, dv = goal.qd + p.slope * e, goal.qdd + p.slope * de
    s = v - qd
    Y = np.hstack([load_regressor(arm, q, qd, v, dv), friction_columns(goal.qd)])
    known = M @ dv + arm.coriolis(q, qd) @ v + arm.gravity(q) + arm.friction(goal.qd)
    tau = known + Y @ theta + p.K * np.diag(M) * s
    if np.all(np.abs(tau) < arm.tau_max):  # a motor at its limit says nothing about the load
        theta += PERIOD * p.gamma * speeds(arm) * (Y.T @ (s * (np.abs(s) > p.deaf)))
    p.log["e"], p.log["mass"], p.log["dry friction"] = e, float(theta[0]), theta[-2 * arm.n : -arm.n].copy()
    return tau


control.p = {
    "slope": (1, 40, 10),  # λ, 1/s
    "K": (0, 100, 20),  # 1/s, times what the joint moves
    "gamma": (0, 100, 20),  # γ
    "deaf": (0, 0.1, 0),  # rad/s, m/s
}
control.period = PERIOD
