"""Learned feed-forward: iterative learning of a repeated motion, with gravity as the only model.

    tau = Kp e + Kd de + g(q) + Σ_k w_k φ_k(phase)       φ: bell-shaped basis functions over one round, which sum to 1
    dw_k = rate · (Kp e + Kd de) φ_k                     the feedback torque is shifted to the feed-forward

Feedback-error learning: the better the feed-forward, the less the feedback has to correct. Run it on a looped trajectory (in the
window "in a loop", `--rounds 4` of a command) with `round` equal to the duration of one round; `e` decreases from round to
round. The learned weights p.memory["w"] are retained when this file is saved.

On a real arm, repeatable friction and gear errors are learned, too. Too high a rate learns noise and becomes unstable because of
delays: rate · round of about 1 … 20 is stable.

Source: Kawato, Furukawa, Suzuki 1987; Nakanishi, Schaal 2004.
"""

import numpy as np

PERIOD = 0.002  # s
BELLS = 80


def bells(phase):
    """Return the basis functions φ (BELLS,) at a phase 0 … 1."""
    away = np.abs(phase - np.arange(BELLS) / BELLS)
    away = BELLS * np.minimum(away, 1 - away)  # periodic
    phi = np.exp(-(away**2))
    return phi / phi.sum()


def control(t, q, qd, goal, arm, p):
    w = p.memory.setdefault("w", np.zeros((BELLS, arm.n)))
    m = np.diag(arm.mass_matrix(arm.home))
    e, de = goal.q - q, goal.qd - qd
    phi = bells((t / p.round) % 1.0)
    feedback = p.frequency**2 * m * e + 2 * p.frequency * m * de
    forward = phi @ w
    w += PERIOD * p.rate * BELLS / 3 * np.outer(phi, feedback)
    p.log["e"], p.log["forward"], p.log["feedback"] = e, forward, feedback
    return feedback + forward + arm.gravity(q)


control.p = {
    "round": (0.2, 60, 2),  # s
    "frequency": (1, 40, 15),  # rad/s, bandwidth of the feedback
    "rate": (0, 20, 4),  # 1/s
}
control.period = PERIOD
