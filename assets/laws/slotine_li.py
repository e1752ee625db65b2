"""Adaptive control by Slotine and Li: adapts payload and friction online from the tracking error alone.

    v   = qd_d + λ e,  s = v - qd
    tau = M(q) dv + C(q, qd) v + g(q) + friction + Y θ + K s     Y θ: torque of the parameters beyond the known model
    dθ  = γ Γ Yᵀ s                                               Lyapunov: sᵀ M s / 2 + θ̃ᵀ Γ⁻¹ θ̃ / (2 γ) never grows

θ contains the deviations of the ten inertial parameters of the last link (mass, first moment, inertia) and, per joint, of the
viscous friction and the dry friction in both directions. The torque is linear in θ. The engine has rnea(q, qd, qdd) = M qdd +
h(qd) + g and its regressor; h is quadratic, so that C(q, a) b = h((a + b) / 2) - h((a - b) / 2), which takes three calls. No
acceleration and no torque is measured. θ converges to values that make the error vanish, not necessarily to the true ones:
these need a motion that excites all of θ. Recursive least squares uses the torques instead and estimates its accuracy.

On a real arm, friction is computed from the desired velocity: the sign of qd or v, and with it the torque, would jump with the
noise at rest. K s is damping, not stiffness, so velocity noise directly affects the torque; too large a γ makes θ oscillate.
Errors that are not model errors would let θ drift: no adaptation takes place for |s| below `deadband`.

Source: Slotine, Li 1987, On the adaptive control of robot manipulators; Applied Nonlinear Control, chapter 9.
"""

import numpy as np

PERIOD = 0.001  # s
SLOW = 0.03  # rad/s, m/s
LOAD = 10
GAIN_LOAD = np.array([1.0, 0.3, 0.3, 0.3, *[0.01] * 6])  # kg², (kg·m)², (kg·m²)²


def known_torque(arm, q, qd, v, dv):
    """Return M dv + C v + g `(n,)` of the known model."""
    rest = np.zeros(arm.n)
    return arm.rnea(q, (qd + v) / 2, dv) - arm.rnea(q, (qd - v) / 2, rest) + arm.gravity(q)


def load_regressor(arm, q, qd, v, dv):
    """Return the regressor Y `(n, 10)` of the inertial parameters of the last link."""
    rest = np.zeros(arm.n)
    Y = arm.regressor(q, (qd + v) / 2, dv) - arm.regressor(q, (qd - v) / 2, rest) + arm.regressor(q, rest, rest)
    return Y[:, -LOAD:]


def friction_columns(qd):
    """Return the regressor of viscous friction and dry friction in both directions `(n, 3 n)`."""
    sign = np.tanh(qd / SLOW)
    return np.hstack((np.diag(qd), np.diag(np.maximum(sign, 0.0)), np.diag(np.minimum(sign, 0.0))))


def adaptation_gains(arm):
    """Return the diagonal of Γ; the gains of friction are scaled by the motor limits."""
    most = np.where(np.isfinite(arm.tau_max), arm.tau_max, 50.0)
    friction = 1e-3 * most**2
    return np.concatenate((GAIN_LOAD, friction, friction, friction))


def control(t, q, qd, goal, arm, p):
    if "theta" not in p.memory:
        p.memory["theta"] = np.zeros(LOAD + 3 * arm.n)
    theta, n = p.memory["theta"], arm.n
    e, de = goal.q - q, goal.qd - qd
    v, dv = goal.qd + p.slope * e, goal.qdd + p.slope * de
    s = v - qd
    Y = np.hstack((load_regressor(arm, q, qd, v, dv), friction_columns(goal.qd)))
    friction = arm.friction(goal.qd) * np.tanh(np.abs(goal.qd) / SLOW)  # at rest the desired speed is rounding error of any sign
    tau = known_torque(arm, q, qd, v, dv) + friction + Y @ theta + p.K * np.diag(arm.mass_matrix(q)) * s
    if np.all(np.abs(tau) < arm.tau_max):  # no adaptation while a motor is saturated
        theta = theta + PERIOD * p.gamma * adaptation_gains(arm) * (Y.T @ (s * (np.abs(s) > p.deadband)))
    p.memory["theta"] = theta
    p.log["e"], p.log["mass"], p.log["dry friction"] = e, theta[0], theta[LOAD + n :][:n]
    return tau


control.p = {
    "slope": (1, 40, 10),  # λ, 1/s
    "K": (0, 100, 20),  # 1/s, times the inertia at the joint
    "gamma": (0, 100, 20),  # γ
    "deadband": (0, 0.1, 0),  # rad/s, m/s
}
control.period = PERIOD
control.title = "Slotine–Li (adaptive)"
control.equation = "τ = M v̇ + C v + g + Y θ + K s,  θ̇ = γ Γ Yᵀ s,  v = q̇* + λ e,  s = v − q̇"
control.explanation = (
    "Adapts payload and friction parameters from the tracking error alone; needs no measured torque or acceleration. The "
    "tracking error converges to zero, the parameters need not converge to their true values."
)
