"""Learned feed-forward: a motion done again and again is done better each time, with no model but gravity.

    tau = Kp e + Kd de + g(q) + Σ_k w_k φ_k(phase)       φ: bells along one round of `round` seconds, which sum to 1
    dw_k = rate · (Kp e + Kd de) φ_k                     what the feedback still has to give goes over into the feed-forward

Feedback-error learning: once the feed-forward moves the arm, the feedback has nothing left to do. Run it on a trajectory that
loops (in the window "in a loop", `--rounds 4` of a command), with `round` as long as one round of it; `e` shrinks from round to
round. What it has learned, p.memory["w"], lasts over a save of this file.

A real arm: learns its friction and its gears' errors, too, as far as they repeat. A rate too high learns the noise and, since the
arm answers late, swings up: rate · round of some 1 … 20 is calm.

Source: Kawato, Furukawa, Suzuki 1987; Nakanishi, Schaal 2004.
"""

import numpy as np

PERIOD = 0.002  # s
BELLS = 80


def bells(phase):
    """φ (BELLS,) at a phase 0 … 1."""
    away = np.abs(phase - np.arange(BELLS) / BELLS)
    away = BELLS * np.minimum(away, 1 - away)  # the round closes
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
    "frequency": (1, 40, 15),  # rad/s, of the feedback
    "rate": (0, 20, 4),  # 1/s
}
control.period = PERIOD
