"""Admittance control: a push on the tool moves it like a mass on a spring and a damper; no force sensor is needed.

    r  = L (P - ∫ (tau + C(q, qd)ᵀ qd - g - friction + r) dt),  P = M(q) qd      r: estimated external joint torque
    f  = (J Jᵀ)⁻¹ J r, first three components, r beyond dry friction only         estimated push on the tool, N
    mass dv + damping v + stiffness x = f                                         x: offset of the goal, m
    qd_c = J⁺ (V_d + (v, 0) + k e),  tau = M(q) s (qd_c - qd_s) + C qd_s + g + friction   stiff inner velocity loop

qd_s is the velocity behind a low-pass of `cutoff`, because s M times the noise of a differenced position would shake the arm.
`cutoff` must be well above s and `observer`. J⁺ = Jᵀ (J Jᵀ + λ² 1)⁻¹ is damped more the closer the arm is to a singularity,
measured by its smallest singular value: motions the tool cannot make there are not commanded, and noise is amplified less.
C is in the Christoffel form, for which dM/dt = C + Cᵀ. Impedance control converts motion to force, admittance control force to
motion, so that a stiff arm with high friction feels light. A constant push F causes an offset of F / stiffness.

Dry friction can hold a joint at rest against any torque up to its maximum. Only the part of r beyond that maximum is used: else
the motor torque on a sticking joint would be mistaken for a push. A push that does not overcome the dry friction has no effect.

On a real arm, r contains all model errors; a push below `deadband` N is ignored. A small mass with a slow inner loop, or a stiff
wall at the tool, causes oscillations.

Source: De Luca, Mattone 2005, sensorless collision detection; Nakamura, Hanafusa 1986, damping near singularities; Hogan 1985;
Villani, De Schutter, Springer Handbook, chapter 9.
"""

import numpy as np

PERIOD = 0.001  # s
NEAR, DAMPED = 0.05, 0.02  # smallest singular value of J below which J⁺ is damped; λ² at 0
SLOW = 0.05  # rad/s, m/s: below, friction is blended out, because its sign would follow the noise of a joint at rest


def rotation_vector(R):
    """Return the rotation vector log(R), rad: axis times angle, up to π."""
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

    # momentum observer: the difference between actual and predicted momentum gives the external torque
    known = np.tanh(np.abs(qd) / SLOW)
    state["total"] += PERIOD * (state["tau"] + C.T @ qd - arm.gravity(q) - known * arm.friction(qd) + state["r"])
    state["r"] = r = p.observer * (momentum - state["total"])
    friction = (1 - known) * np.abs(arm.friction(-SLOW * np.sign(r)))  # possible dry friction at or near rest
    r = np.sign(r) * np.maximum(np.abs(r) - friction, 0.0)
    square = J @ J.T
    smallest = np.sqrt(max(np.linalg.eigvalsh(square)[0], 0.0))
    damped = square + (1e-4 + DAMPED * max(0.0, 1 - smallest / NEAR) ** 2) * np.eye(6)
    f = np.linalg.solve(damped, J @ r)[:3]
    size = np.sqrt(f @ f)
    f *= max(0.0, size - p.deadband) / max(size, 1e-9)

    # offset of the goal
    dv = (f - p.damping * state["v"] - p.stiffness * state["x"]) / p.mass
    state["v"] += PERIOD * dv
    state["x"] += PERIOD * state["v"]

    # inner loop: the arm follows the goal
    X, X_d = arm.pose(q), arm.pose(goal.q)
    e = np.concatenate((X_d[:3, 3] + state["x"] - X[:3, 3], rotation_vector(X_d[:3, :3] @ X[:3, :3].T)))
    V = arm.jacobian(goal.q) @ goal.qd + p.k * e
    V[:3] += state["v"]
    qd_c = J.T @ np.linalg.solve(damped, V)
    tau = np.clip(
        arm.rnea(q, qd, p.s * (qd_c - qd)) + arm.friction(qd_c) * np.tanh(np.abs(qd_c) / SLOW), -arm.tau_max, arm.tau_max
    )
    state["tau"] = tau
    p.log["push"], p.log["offset"] = f, state["x"]
    return tau


control.p = {
    "mass": (1, 50, 8),  # kg
    "damping": (1, 500, 120),  # N·s/m
    "stiffness": (0, 2000, 300),  # N/m; with 0 the tool does not return
    "observer": (1, 100, 40),  # L, 1/s
    "deadband": (0, 20, 1),  # N
    "k": (0, 40, 15),  # 1/s
    "s": (1, 100, 30),  # 1/s
    "cutoff": (20, 1000, 120),  # rad/s
}
control.period = PERIOD
