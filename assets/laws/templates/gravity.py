"""Gravity compensation: tau = g(q). The arm floats and can be led by hand.

tau = control(t, q, qd, goal, arm, p), N·m or N, one for each joint. What it finds:
    t               s
    q, qd           where the arm is and how it moves, (n,), rad or m (per s)
    goal            where it should be: goal.q, goal.qd, goal.qdd
    arm             the arm as the controller knows it: arm.gravity(q), arm.rnea(q, qd, qdd), arm.mass_matrix(q),
                    arm.coriolis(q, qd), arm.jacobian(q), arm.pose(q), arm.friction(qd), arm.n, arm.tau_max, arm.home ...
    p               parameters by name (the sliders below), p.memory, a dict that lasts, and p.log["e"] = ..., which is plotted
"""


def control(t, q, qd, goal, arm, p):
    return arm.gravity(q)


control.period = 0.001  # s between two calls
