"""Adaptive computed torque by Slotine and Li: learns load and friction while the arm moves, from the tracking error alone.

    v   = qd_d + λ e,  s = v - qd
    tau = M(q) dv + C(q, qd) v + g(q) + friction + Y θ + K s     Y θ: what the arm needs beyond what it is known to
    dθ  = γ Γ Yᵀ s                                               Lyapunov: sᵀ M s / 2 + θ̃ᵀ Γ⁻¹ θ̃ / (2 γ) never grows

θ are the ten inertial parameters by which the last link is heavier than known (mass, first moment, inertia), and per joint the
viscous friction and the dry friction, forwards and backwards, beyond the known. The torque is linear in them. The engine has
rnea(q, qd, qdd) = M qdd + h(qd) + g and its regressor; as h is quadratic, C(q, a) b = h((a + b) / 2) - h((a - b) / 2), and three
calls give what is needed. No acceleration is measured, and no torque. θ becomes what makes the error vanish, not what the load
is: that takes a motion which excites all of θ. Recursive least squares learns from the torques instead, and tells how well it
knows.

A real arm: friction is taken along the goal; along qd or v its sign, and with it the torque, would jump with the noise at rest.
K s is damping, not stiffness, so noise of the speed sensor goes straight into the torque; γ too large lets θ swing. Errors
that are no fault of the model would let θ drift: `deaf` is the s below which nothing is learned.

Source: Slotine, Li 1987, On the adaptive control of robot manipulators; Applied Nonlinear Control, chapter 9.
"""

import numpy as np

PERIOD = 0.001  # s
SLOW = 0.03  # rad/s, m/s
LOAD = 10
SPEED_LOAD = np.array([1.0, 0.3, 0.3, 0.3, *[0.01] * 6])  # kg², (kg·m)², (kg·m²)²


def known_torque(arm, q, qd, v, dv):
    """M dv + C v + g `(n,)` of the arm as it is known."""
    rest = np.zeros(arm.n)
    return arm.rnea(q, (qd + v) / 2, dv) - arm.rnea(q, (qd - v) / 2, rest) + arm.gravity(q)


def load_regressor(arm, q, qd, v, dv):
    """Y `(n, 10)` with which Y θ is the same for a last link that is θ heavier."""
    rest = np.zeros(arm.n)
    Y = arm.regressor(q, (qd + v) / 2, dv) - arm.regressor(q, (qd - v) / 2, rest) + arm.regressor(q, rest, rest)
    return Y[:, -LOAD:]


def friction_columns(qd):
    """Viscous friction, and dry friction forwards and backwards `(n, 3 n)`."""
    sign = np.tanh(qd / SLOW)
    return np.hstack((np.diag(qd), np.diag(np.maximum(sign, 0.0)), np.diag(np.minimum(sign, 0.0))))


def speeds(arm):
    """Γ: how fast each is learned; friction in proportion to what the motor gives."""
    most = np.where(np.isfinite(arm.tau_max), arm.tau_max, 50.0)
    friction = 1e-3 * most**2
    return np.concatenate((SPEED_LOAD, friction, friction, friction))


def control(t, q, qd, goal, arm, p):
    if "theta" not in p.memory:
        p.memory["theta"] = np.zeros(LOAD + 3 * arm.n)
    theta, n = p.memory["theta"], arm.n
    e, de = goal.q - q, goal.qd - qd
    v, dv = goal.qd + p.slope * e, goal.qdd + p.slope * de
    s = v - qd
    Y = np.hstack((load_regressor(arm, q, qd, v, dv), friction_columns(goal.qd)))
    friction = arm.friction(goal.qd) * np.tanh(np.abs(goal.qd) / SLOW)  # a goal at rest has a speed of rounding, of any sign
    tau = known_torque(arm, q, qd, v, dv) + friction + Y @ theta + p.K * np.diag(arm.mass_matrix(q)) * s
    if np.all(np.abs(tau) < arm.tau_max):  # a motor at its limit says nothing about the load
        theta = theta + PERIOD * p.gamma * speeds(arm) * (Y.T @ (s * (np.abs(s) > p.deaf)))
    p.memory["theta"] = theta
    p.log["e"], p.log["mass"], p.log["dry friction"] = e, theta[0], theta[LOAD + n :][:n]
    return tau


control.p = {
    "slope": (1, 40, 10),  # λ, 1/s
    "K": (0, 100, 20),  # 1/s, times what the joint moves
    "gamma": (0, 100, 20),  # γ
    "deaf": (0, 0.1, 0),  # rad/s, m/s
}
control.period = PERIOD
