"""Adaptive computed torque with online identification: recursive least squares with forgetting.

    tau = M̂ (qdd_d + 2 ω de + ω² e) + Ĉ qd + ĝ + friction^        model of the robot file plus Y θ
    r   = (tau - M qdd - C qd - g - friction)_f = Y_f θ           filtered by 1 / (1 + s / filter): no acceleration needed
    R  <- λ R + (1 - λ) R0 + w Y_fᵀ Y_f,  θ <- θ + R⁻¹ w Y_fᵀ (r - Y_f θ),  λ = exp(-T / forget)

θ is the deviation from the robot file: ten inertial parameters of the last link with its payload (mass kg, first moment kg·m,
inertia kg·m²), and per joint viscous friction and dry friction in positive and negative direction. R is the information matrix,
R⁻¹ the covariance of θ. With plain forgetting, R would vanish without excitation, and later noise would make θ diverge
(wind-up). Forgotten information is therefore replaced by the prior R0 at the current θ (stabilised forgetting): an arm at rest
retains its estimate, and R⁻¹ never exceeds R0⁻¹. A joint slower than `SLOW` gives no information either, because its dry
friction is undetermined.

On a real arm, measured torques come from the drives, with errors; a short `forget` follows changes fast but amplifies noise. θ
explains the torques of this motion; mass and moment equal the true payload only if the motion rotates the last link about all
axes against gravity. p.log contains the mass with its 2 σ.

Source: Kulhavý, Zarrop 1993, stabilised forgetting; Hsu, Bodson, Sastry, Paden 1987, filtered torques; Slotine, Li, Applied
Nonlinear Control, chapter 8.7.
"""

import numpy as np

PERIOD = 0.001  # s
FILTER = 20.0  # rad/s
SLOW = 0.03  # rad/s, m/s
LOAD = 10
SIGMA_LOAD = np.array([3.0, 0.5, 0.5, 0.5, *[0.05] * 6])  # prior σ of the payload: kg, kg·m, kg·m²


def motor_torques(arm):
    """Return the reference torques `(n,)`, N·m or N: the motor limits where the robot file has them."""
    return np.where(np.isfinite(arm.tau_max), arm.tau_max, 50.0)


def prior_information(arm):
    """Return the diagonal of R0 `(p,)`."""
    friction = 0.1 * motor_torques(arm)
    return 1 / np.concatenate((SIGMA_LOAD, friction, friction, friction)) ** 2


def regressor(arm, q, qd, qdd, speed):
    """Return the regressor Y `(n, p)` of payload, viscous friction and dry friction in both directions at a `speed`."""
    sign = np.tanh(speed / SLOW)
    friction = np.hstack((np.diag(speed), np.diag(np.maximum(sign, 0.0)), np.diag(np.minimum(sign, 0.0))))
    return np.hstack((arm.regressor(q, qd, qdd)[:, -LOAD:], friction))


def initial_memory(t, q, qd, arm):
    """Return the initial memory: the prior, with θ = 0."""
    count, none = LOAD + 3 * arm.n, np.zeros(arm.n)
    estimate = {"theta": np.zeros(count), "R": np.diag(prior_information(arm)), "mass sigma": float(SIGMA_LOAD[0])}
    return {**estimate, "Y": np.zeros((arm.n, count)), "r": none, "moves": none, "t": t, "q": q, "qd": qd}


def update(theta, R, Y, r, T, arm, p):
    """Return θ and R after T s with residual torques r and regressor Y, and the σ of the mass."""
    e = r - Y @ theta
    keep = np.exp(-T / p.forget)
    R = keep * R + (1 - keep) * np.diag(prior_information(arm)) + FILTER * T * (Y.T @ Y)
    sides = np.zeros((len(theta), 2))
    sides[:, 0], sides[0, 1] = FILTER * T * (e @ Y), 1.0
    found = np.linalg.solve(R, sides)
    return theta + found[:, 0], R, np.sqrt(found[0, 1])


def control(t, q, qd, goal, arm, p):
    if "theta" not in p.memory:
        p.memory.update(initial_memory(t, q, qd, arm))
    theta, R, sigma = p.memory["theta"], p.memory["R"], p.memory["mass sigma"]
    T = t - p.memory["t"]
    if 0 < T < 0.1:  # motion since the last call
        q_m, qd_m, qdd_m = (q + p.memory["q"]) / 2, (qd + p.memory["qd"]) / 2, (qd - p.memory["qd"]) / T
        share = 1 - np.exp(-FILTER * T)
        Y_f = p.memory["Y"] + share * (regressor(arm, q_m, qd_m, qdd_m, qd_m) - p.memory["Y"])
        r = arm.tau_measured - arm.rnea(q_m, qd_m, qdd_m) - arm.friction(qd_m)
        r_f = p.memory["r"] + share * (r - p.memory["r"])
        moves = p.memory["moves"] + share * ((np.abs(qd_m) > SLOW) - p.memory["moves"])
        rows = (moves > 0.9) / (p.noise * motor_torques(arm))
        theta, R, sigma = update(theta, R, (Y_f.T * rows).T, r_f * rows, T, arm, p)
        p.memory["Y"], p.memory["r"], p.memory["moves"] = Y_f, r_f, moves
    p.memory["theta"], p.memory["R"], p.memory["mass sigma"] = theta, R, sigma
    p.memory["t"], p.memory["q"], p.memory["qd"] = t, q, qd

    e, de, n = goal.q - q, goal.qd - qd, arm.n
    a = goal.qdd + 2 * p.frequency * de + p.frequency**2 * e
    p.log["e"], p.log["mass"], p.log["mass 2σ"] = e, theta[0], 2 * sigma
    p.log["dry friction"] = theta[LOAD + n :][:n]
    friction = arm.friction(goal.qd) * np.tanh(np.abs(goal.qd) / SLOW)  # at rest the desired speed is rounding error of any sign
    return arm.rnea(q, qd, a) + friction + regressor(arm, q, qd, a, goal.qd) @ theta


control.p = {
    "frequency": (1, 40, 20),  # ω, rad/s
    "forget": (0.1, 60, 2),  # s, time constant of forgetting
    "noise": (0.001, 1, 0.02),  # σ of the torques, as a fraction of the motor limits
}
control.period = PERIOD
control.title = "Recursive least squares"
control.equation = "τ = M̂ (q̈* + 2ω ė + ω² e) + Ĉ q̇ + ĝ + friction,  θ ← θ + R⁻¹ Yᵀ (τ − Y θ)"
control.explanation = (
    "Computed torque that identifies payload and friction online from measured torques, with a forgetting factor."
)
