"""Sliding mode: robust against what the model does not know, at the price of chattering.

    s   = de + λ e                                          on s = 0 the error dies out by itself, e = e0 exp(-λ t)
    tau = M(q) (qdd_d + λ de + K sat(s / φ)) + C qd + g     drives every joint to s = 0 within |s0| / K

K (rad/s²) must be larger than what is not modelled, as an acceleration. With the boundary layer φ -> 0 sat is the sign:
the torque then jumps between its bounds, by 2 M K, from one call to the next, which no drive would survive: motors heat, gears
hammer, and what is elastic in the arm, left out here, is shaken. φ makes a slope of the
jump, K / φ steep, and s stays within what is not modelled times φ / K. A real arm: noise of the position of 1e-4 rad is
one of the speed of some 0.05 rad/s; a φ of 1 rad/s leaves the torque calm, 0.2 does not.

Source: Slotine, Li, Applied Nonlinear Control, chapter 7.
"""


def saturated(x):
    """x within -1 … 1."""
    return min(max(x, -1.0), 1.0)


def control(t, q, qd, goal, arm, p):
    e, de = goal.q - q, goal.qd - qd
    s = de + p.slope * e
    a = goal.qdd + p.slope * de
    for i in range(arm.n):
        a[i] += p.K * saturated(s[i] / p.boundary)
    p.log["s"] = s
    return arm.rnea(q, qd, a)


control.p = {
    "slope": (1, 50, 30),  # λ, 1/s
    "K": (0, 100, 30),  # rad/s² or m/s²
    "boundary": (0.001, 5, 1),  # φ, rad/s or m/s
}
control.period = 0.001
