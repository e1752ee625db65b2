"""PD with gravity: tau = Kp (q_d - q) + Kd (qd_d - qd) + g(q), with Kp = w² m, Kd = 2 w m.

tau = control(t, q, qd, goal, arm, p), N·m or N, one for each joint. What it finds:
    t               s
    q, qd           where the arm is and how it moves, (n,), rad or m (per s)
    goal            where it should be: goal.q, goal.qd, goal.qdd
    arm             the arm as the controller knows it: arm.gravity(q), arm.rnea(q, qd, qdd), arm.mass_matrix(q),
                    arm.coriolis(q, qd), arm.jacobian(q), arm.pose(q), arm.friction(qd), arm.n, arm.tau_max, arm.home ...
    p               parameters by name (the sliders below), p.memory, a dict that lasts, and p.log["e"] = ..., which is plotted
"""

import numpy as np


def control(t, q, qd, goal, arm, p):
    m = np.diag(arm.mass_matrix(arm.home))  # what each joint moves, kg·m² or kg
    e, de = goal.q - q, goal.qd - qd
    p.log["e"] = e
    return p.w**2 * m * e + 2 * p.w * m * de + arm.gravity(q)


control.p = {"w": (1, 60, 20)}  # rad/s; low, high, start: a slider
control.period = 0.001  # s between two calls
