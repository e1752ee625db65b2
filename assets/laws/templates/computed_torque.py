"""Computed torque: tau = M(q) (qdd_d + Kd de + Kp e) + C(q, qd) qd + g(q) + friction, with Kp = w², Kd = 2 w.

tau = control(t, q, qd, goal, arm, p), N·m or N, one for each joint. What it finds:
    t               s
    q, qd           where the arm is and how it moves, (n,), rad or m (per s)
    goal            where it should be: goal.q, goal.qd, goal.qdd
    arm             the arm as the controller knows it: arm.gravity(q), arm.rnea(q, qd, qdd), arm.mass_matrix(q),
                    arm.coriolis(q, qd), arm.jacobian(q), arm.pose(q), arm.friction(qd), arm.n, arm.tau_max, arm.home ...
    p               parameters by name (the sliders below), p.memory, a dict that lasts, and p.log["e"] = ..., which is plotted
"""

import numpy as np

SLOW = 0.03  # rad/s, m/s: below, dry friction is given in part, or it would take the sign of a goal's rounding


def control(t, q, qd, goal, arm, p):
    e, de = goal.q - q, goal.qd - qd
    p.log["e"] = e
    a = goal.qdd + 2 * p.w * de + p.w**2 * e
    return arm.rnea(q, qd, a) + arm.friction(goal.qd) * np.tanh(np.abs(goal.qd) / SLOW)  # by the sign of the desired speed


control.p = {"w": (1, 60, 20)}  # rad/s; low, high, start: a slider
control.period = 0.001  # s between two calls
