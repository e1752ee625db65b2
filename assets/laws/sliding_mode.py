"""Sliding mode control: robust against model errors, at the price of chattering.

    s   = de + λ e                                          on s = 0 the error decays: e = e0 exp(-λ t)
    tau = M(q) (qdd_d + λ de + K sat(s / φ)) + C qd + g     drives every joint to s = 0 within |s0| / K

K (rad/s²) must exceed the model error, expressed as an acceleration. For a boundary layer φ -> 0, sat becomes the sign
function: the torque then switches by 2 M K from one call to the next (chattering), which heats motors, wears gears and excites
elastic modes, which are not simulated here. A finite φ replaces the switching by a slope K / φ, and |s| remains below
model error · φ / K. On a real arm, position noise of 1e-4 rad means velocity noise of about 0.05 rad/s: φ = 1 rad/s keeps the
torque calm, 0.2 does not.

Source: Slotine, Li, Applied Nonlinear Control, chapter 7.
"""


def saturated(x):
    """Return x limited to -1 … 1."""
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
