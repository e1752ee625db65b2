"""PID: tau = Kp e + Kd de + Ki ∫ e dt, all three poles at -w: Kp = 3 w² m, Kd = 3 w m, Ki = w³ m.

tau = control(t, q, qd, goal, arm, p) returns the motor torques, N·m or N, one per joint. Arguments:
    t               time, s
    q, qd           joint positions and velocities (n,), rad or m (per s)
    goal            desired motion: goal.q, goal.qd, goal.qdd
    arm             model of the arm: arm.gravity(q), arm.rnea(q, qd, qdd), arm.mass_matrix(q), arm.coriolis(q, qd),
                    arm.jacobian(q), arm.pose(q), arm.friction(qd), arm.n, arm.tau_max, arm.home ...
    p               parameters (the sliders below); p.memory, a dict retained between calls; p.log["e"] = ... plots a value
"""

import numpy as np

PERIOD = 0.001  # control period, s


def control(t, q, qd, goal, arm, p):
    m = np.diag(arm.mass_matrix(arm.home))  # inertia at each joint, kg·m² or kg
    e, de = goal.q - q, goal.qd - qd
    total = p.memory.setdefault("total", np.zeros(arm.n))  # ∫ e dt, retained between calls and when this file is saved
    Ki = p.w**3 * m
    tau = 3 * p.w**2 * m * e + 3 * p.w * m * de
    # anti-windup: freeze the integral while the motor is saturated, unless e reduces the torque
    wanted = tau + Ki * (total + PERIOD * e)
    grows = (np.abs(wanted) <= arm.tau_max) | (wanted * e < 0)
    total[grows] += PERIOD * e[grows]
    p.log["e"], p.log["integral"] = e, total
    return tau + Ki * total


control.p = {"w": (1, 40, 20)}  # rad/s; (minimum, maximum, initial value) of a slider
control.period = PERIOD
