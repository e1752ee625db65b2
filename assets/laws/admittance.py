"""Admittance: who pushes the tool moves it as if it were a mass on a spring and a damper; no force sensor is needed.

    r  = L (P - ∫ (tau + C(q, qd)ᵀ qd - g - friction + r) dt),  P = M(q) qd      r follows the torque that somebody else makes
    f  = (J Jᵀ)⁻¹ J r, its first three, r as far as it is beyond dry friction     the push on the tool, N
    mass dv + damping v + stiffness x = f                                         x: how far the goal gives way, m
    qd_c = J⁺ (V_d + (v, 0) + k e),  tau = M(q) s (qd_c - qd_s) + C qd_s + g + friction   the arm goes there, stiffly

qd_s is the speed behind a low-pass of `cutoff`: s M times the noise of a differenced position would shake the arm. It must stay
well above s and `observer`. J⁺ = Jᵀ (J Jᵀ + λ² 1)⁻¹ is damped more the nearer a singularity is, by its smallest singular value:
what the tool cannot do there is not requested, and noise is not made 50 times larger.
C is in the Christoffel form, for which dM/dt = C + Cᵀ. Impedance sets force against motion; admittance moves by force, so that a
stiff arm with much friction feels light. A push of F gives way by F / stiffness in the end.

A joint at rest rubs with whatever torque holds it there, up to its dry friction. r is believed as far as it is beyond that: else
our own torque on a joint that sticks would pass for a push. So a push that does not overcome the dry friction is not felt at all.

A real arm: r takes what is wrong with the model for a push; below `deaf` N it is not believed. A small mass with a slow inner
loop, or a stiff wall at the tool, makes it swing.

Source: De Luca, Mattone 2005, sensorless collision detection; Nakamura, Hanafusa 1986, damping near singularities; Hogan 1985;
Villani, De Schutter, Springer Handbook, chapter 9.
"""

import numpy as np

PERIOD = 0.001  # s
NEAR, DAMPED = 0.05, 0.02  # a smallest singular value of J below which J⁺ is damped, and λ² where it is 0
SLOW = 0.05  # rad/s, m/s: below, friction is given and known only in part: its sign would follow the noise of a joint at rest


def turn(R):
    """The vector log(R): its direction is the axis, its length the angle, rad, up to half a turn."""
    v = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2  # sin(angle) axis
    s = np.sqrt(v @ v)
    angle = np.arctan2(s, (R[0, 0] + R[1, 1] + R[2, 2] - 1) / 2)
    return v if s < 1e-9 else v * (angle / s)


def control(t, q, qd, goal, arm, p):
    state = p.memory
    if "r" not in state:
        state["speed"] = qd.copy()
    state["speed"] = state["speed"] + (1 - np.exp(-PERIOD * p.cutoff)) * (qd - state["speed"])
    qd = state["speed"]
    C, M, J = arm.coriolis(q, qd), arm.mass_matrix(q), arm.jacobian(q)
    momentum = M @ qd
    if "r" not in state:
        state.update(r=np.zeros(arm.n), total=momentum.copy(), tau=arm.gravity(q), x=np.zeros(3), v=np.zeros(3))

    # the observer: where the momentum is not what our torque makes of it, somebody pushes
    known = np.tanh(np.abs(qd) / SLOW)
    state["total"] += PERIOD * (state["tau"] + C.T @ qd - arm.gravity(q) - known * arm.friction(qd) + state["r"])
    state["r"] = r = p.observer * (momentum - state["total"])
    friction = (1 - known) * np.abs(arm.friction(-SLOW * np.sign(r)))  # what it may be besides, at rest or nearly so
    r = np.sign(r) * np.maximum(np.abs(r) - friction, 0.0)
    square = J @ J.T
    smallest = np.sqrt(max(np.linalg.eigvalsh(square)[0], 0.0))
    damped = square + (1e-4 + DAMPED * max(0.0, 1 - smallest / NEAR) ** 2) * np.eye(6)
    f = np.linalg.solve(damped, J @ r)[:3]
    size = np.sqrt(f @ f)
    f *= max(0.0, size - p.deaf) / max(size, 1e-9)

    # the goal gives way
    dv = (f - p.damping * state["v"] - p.stiffness * state["x"]) / p.mass
    state["v"] += PERIOD * dv
    state["x"] += PERIOD * state["v"]

    # the arm follows it
    X, X_d = arm.pose(q), arm.pose(goal.q)
    e = np.concatenate((X_d[:3, 3] + state["x"] - X[:3, 3], turn(X_d[:3, :3] @ X[:3, :3].T)))
    V = arm.jacobian(goal.q) @ goal.qd + p.k * e
    V[:3] += state["v"]
    qd_c = J.T @ np.linalg.solve(damped, V)
    tau = np.clip(
        arm.rnea(q, qd, p.s * (qd_c - qd)) + arm.friction(qd_c) * np.tanh(np.abs(qd_c) / SLOW), -arm.tau_max, arm.tau_max
    )
    state["tau"] = tau
    p.log["push"], p.log["gives way"] = f, state["x"]
    return tau


control.p = {
    "mass": (1, 50, 8),  # kg
    "damping": (1, 500, 120),  # N·s/m
    "stiffness": (0, 2000, 300),  # N/m; at 0 the tool stays where it is led
    "observer": (1, 100, 40),  # L, 1/s
    "deaf": (0, 20, 1),  # N
    "k": (0, 40, 15),  # 1/s
    "s": (1, 100, 30),  # 1/s
    "cutoff": (20, 1000, 120),  # rad/s
}
control.period = PERIOD
