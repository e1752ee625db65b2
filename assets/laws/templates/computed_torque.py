"""Computed torque: tau = M(q) (qdd_d + Kd de + Kp e) + C(q, qd) qd + g(q) + friction, with Kp = w², Kd = 2 w.

tau = control(t, q, qd, goal, arm, p) returns the motor torques, N·m or N, one per joint. Arguments:
    t               time, s
    q, qd           joint positions and velocities (n,), rad or m (per s)
    goal            desired motion: goal.q, goal.qd, goal.qdd
    arm             model of the arm: arm.gravity(q), arm.rnea(q, qd, qdd), arm.mass_matrix(q), arm.coriolis(q, qd),
                    arm.jacobian(q), arm.pose(q), arm.friction(qd), arm.n, arm.tau_max, arm.home ...
    p               parameters (the sliders below); p.memory, a dict retained between calls; p.log["e"] = ... plots a value
"""

import numpy as np

SLOW = 0.03  # rad/s, m/s: below, dry friction is blended out, because its sign would follow rounding errors


def control(t, q, qd, goal, arm, p):
    e, de = goal.q - q, goal.qd - qd
    p.log["e"] = e
    a = goal.qdd + 2 * p.w * de + p.w**2 * e
    return arm.rnea(q, qd, a) + arm.friction(goal.qd) * np.tanh(np.abs(goal.qd) / SLOW)  # sign of the desired velocity


control.p = {"w": (1, 60, 20)}  # rad/s; (minimum, maximum, initial value) of a slider
control.period = 0.001  # control period, s
