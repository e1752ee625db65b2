"""Computed torque that identifies while the arm moves: recursive least squares with forgetting.

    tau = M̂ (qdd_d + 2 ω de + ω² e) + Ĉ qd + ĝ + friction^        what the file says, and Y θ more
    r   = (tau - M qdd - C qd - g - friction)_f = Y_f θ           both sides through 1 / (1 + s / filter): no acceleration needed
    R  <- λ R + (1 - λ) R0 + w Y_fᵀ Y_f,  θ <- θ + R⁻¹ w Y_fᵀ (r - Y_f θ),  λ = exp(-T / forget)

θ is what the arm is beyond its file: ten inertial parameters of the last link with its load (mass kg, first moment kg·m,
inertia kg·m²), and per joint viscous friction and dry friction forwards and backwards. R is the information, R⁻¹ the covariance
of θ. Forgetting alone would let R die where the motion tells nothing, and the first noise afterwards would throw θ about
(wind-up): what is forgotten is therefore filled up with R0, what was known at first, about the present θ (stabilised
forgetting). So an arm at rest keeps its estimate, and R⁻¹ stays below R0⁻¹ for good. A joint slower than `SLOW` tells nothing
either: its dry friction takes any value.

A real arm: measured torques are those of the drives, with their errors; a short `forget` follows a change fast and the noise,
too. θ explains the torques of this motion; that mass and moment are the load's takes a motion that turns the last link about
all axes against gravity. p.log has the mass with its 2 σ.

Source: Kulhavý, Zarrop 1993, stabilised forgetting; Hsu, Bodson, Sastry, Paden 1987, filtered torques; Slotine, Li, Applied
Nonlinear Control, chapter 8.7.
"""

import numpy as np

PERIOD = 0.002  # s
FILTER = 20.0  # rad/s
SLOW = 0.03  # rad/s, m/s
LOAD = 10
SIGMA_LOAD = np.array([3.0, 0.5, 0.5, 0.5, *[0.05] * 6])  # what a load may be: kg, kg·m, kg·m²


def motor_torques(arm):
    """By what torques are compared `(n,)`: those of the motors, where the file has them."""
    return np.where(np.isfinite(arm.tau_max), arm.tau_max, 50.0)


def known(arm):
    """R0 `(p, p)`."""
    most = motor_torques(arm)
    return np.diag(1 / np.concatenate([SIGMA_LOAD, *[0.1 * most] * 3]) ** 2)


def friction_columns(qd):
    """Viscous friction, and dry friction forwards and backwards `(n, 3 n)`."""
    sign = np.tanh(qd / SLOW)
    return np.hstack([np.diag(qd), np.diag(np.maximum(sign, 0)), np.diag(np.minimum(sign, 0))])


def begin(m, t, q, qd, arm):
    """Nothing known beyond the file."""
    count = LOAD + 3 * arm.n
    m.update(theta=np.zeros(count), R=known(arm), R0=known(arm), mass_sigma=SIGMA_LOAD[0], t=t, q=q, qd=qd)
    m.update(Y=np.zeros((arm.n, count)), r=np.zeros(arm.n), moves=np.zeros(arm.n))


def identify(m, T, speed, Y, r, arm, p):
    """θ and R after T s more at this `speed`, in which the torque beyond the file's was `r`, and `Y` its regressor."""
    share = 1 - np.exp(-FILTER * T)
    m["Y"] += share * (Y - m["Y"])
    m["r"] += share * (r - m["r"])
    m["moves"] += share * ((np.abs(speed) > SLOW) - m["moves"])
    rows = (m["moves"] > 0.9) / (p.noise * motor_torques(arm))
    Y, e = rows[:, None] * m["Y"], rows * (m["r"] - m["Y"] @ m["theta"])
    keep = np.exp(-T / p.forget)
    m["R"] = keep * m["R"] + (1 - keep) * m["R0"] + FILTER * T * (Y.T @ Y)
    step, of_mass = np.linalg.solve(m["R"], np.column_stack([FILTER * T * (e @ Y), np.eye(len(Y.T))[0]])).T
    m["theta"] = m["theta"] + step
    m["mass_sigma"] = float(np.sqrt(of_mass[0]))


def control(t, q, qd, goal, arm, p):
    m = p.memory
    if "theta" not in m:
        begin(m, t, q, qd, arm)
    T = t - m["t"]
    e, de = goal.q - q, goal.qd - qd
    a = goal.qdd + 2 * p.frequency * de + p.frequency**2 * e
    middle = (q + m["q"]) / 2, (qd + m["qd"]) / 2, (qd - m["qd"]) / max(T, 1e-6)  # of the time since the last call
    states = [np.array(pair) for pair in zip(middle, (q, qd, a))]
    load = arm.regressor(*states)[:, :, -LOAD:]
    Y = [np.hstack([columns, friction_columns(speed)]) for columns, speed in zip(load, (middle[1], goal.qd))]
    if 0 < T < 0.1:
        identify(m, T, middle[1], Y[0], arm.tau_measured - arm.rnea(*middle) - arm.friction(middle[1]), arm, p)
    m.update(t=t, q=q, qd=qd)
    p.log["e"], p.log["mass"] = e, float(m["theta"][0])
    p.log["mass 2σ"] = 2 * m["mass_sigma"]
    p.log["dry friction"] = m["theta"][-2 * arm.n : -arm.n]
    return arm.rnea(q, qd, a) + arm.friction(goal.qd) + Y[1] @ m["theta"]


control.p = {
    "frequency": (1, 40, 20),  # ω, rad/s
    "forget": (0.1, 60, 2),  # s after which what was measured counts 1/e
    "noise": (0.001, 1, 0.02),  # of the torques, as a share of what the motors give
}
control.period = PERIOD
