"""PID: tau = Kp e + Kd de + Ki ∫ e dt, all three poles at -w: Kp = 3 w² m, Kd = 3 w m, Ki = w³ m.

tau = control(t, q, qd, goal, arm, p), N·m or N, one for each joint. What it finds:
    t               s
    q, qd           where the arm is and how it moves, (n,), rad or m (per s)
    goal            where it should be: goal.q, goal.qd, goal.qdd
    arm             the arm as the controller knows it: arm.gravity(q), arm.rnea(q, qd, qdd), arm.mass_matrix(q),
                    arm.coriolis(q, qd), arm.jacobian(q), arm.pose(q), arm.friction(qd), arm.n, arm.tau_max, arm.home ...
    p               parameters by name (the sliders below), p.memory, a dict that lasts, and p.log["e"] = ..., which is plotted
"""

import numpy as np

PERIOD = 0.001  # s between two calls


def control(t, q, qd, goal, arm, p):
    m = np.diag(arm.mass_matrix(arm.home))  # what each joint moves, kg·m² or kg
    e, de = goal.q - q, goal.qd - qd
    total = p.memory.setdefault("total", np.zeros(arm.n))  # ∫ e dt, lasts between calls and over a save of this file
    Ki = p.w**3 * m
    tau = 3 * p.w**2 * m * e + 3 * p.w * m * de
    # the integral of a joint whose motor gives all it can waits, unless e leads back
    wanted = tau + Ki * (total + PERIOD * e)
    grows = (np.abs(wanted) <= arm.tau_max) | (wanted * e < 0)
    total[grows] += PERIOD * e[grows]
    p.log["e"], p.log["integral"] = e, total
    return tau + Ki * total


control.p = {"w": (1, 40, 20)}  # rad/s; low, high, start: a slider
control.period = PERIOD
