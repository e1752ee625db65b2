"""PD with gravity: tau = Kp (q_d - q) + Kd (qd_d - qd) + g(q), with Kp = w² m, Kd = 2 w m.

tau = control(t, q, qd, goal, arm, p) returns the motor torques, N·m or N, one per joint. Arguments:
    t               time, s
    q, qd           joint positions and velocities (n,), rad or m (per s)
    goal            desired motion: goal.q, goal.qd, goal.qdd
    arm             model of the arm: arm.gravity(q), arm.rnea(q, qd, qdd), arm.mass_matrix(q), arm.coriolis(q, qd),
                    arm.jacobian(q), arm.pose(q), arm.friction(qd), arm.n, arm.tau_max, arm.home ...
    p               parameters (the sliders below); p.memory, a dict retained between calls; p.log["e"] = ... plots a value
"""

import numpy as np


def control(t, q, qd, goal, arm, p):
    m = np.diag(arm.mass_matrix(arm.home))  # inertia at each joint, kg·m² or kg
    e, de = goal.q - q, goal.qd - qd
    p.log["e"] = e
    return p.w**2 * m * e + 2 * p.w * m * de + arm.gravity(q)


control.p = {"w": (1, 60, 20)}  # rad/s; (minimum, maximum, initial value) of a slider
control.period = 0.001  # control period, s
