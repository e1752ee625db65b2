"""`default_gains`: a controller whose gains come from what the robot weighs."""

from __future__ import annotations

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.control.controllers import (
    NAMES,
    PD,
    PID,
    ComputedTorque,
    ConstantTorque,
    Controller,
    GravityCompensation,
    Impedance,
    PDGravity,
    ResolvedRate,
)
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.errors import EngineError
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.model.robot import Robot

FREQUENCY = 20.0  # rad/s
_SOFT = 1e-4  # kg·m², kg: the least inertia a joint is tuned for


def default_gains(robot: Robot, law: str, natural_frequency: float = FREQUENCY, q=None) -> Controller:
    """Return a critically damped controller with natural frequency ω, tuned with the mass matrix M at one pose.

    "pd", "pd-gravity": Kp_i = ω² M_ii, Kd_i = 2 ω M_ii.
    "pid": Kp_i = 3 ω² M_ii, Kd_i = 3 ω M_ii, Ki_i = ω³ M_ii, so that each joint has the characteristic polynomial (s + ω)³.
    "computed-torque": Kp = ω², Kd = 2 ω for every joint.
    "resolved-rate": gain ω/2 of the tool error and servo 2 ω of the joint velocity, 1/s.
    "impedance": stiffness ω² m and damping 2 ω m along x, y and z, with the effective mass m of the tool: the geometric mean of
    the eigenvalues of (J_v M⁻¹ J_vᵀ)⁻¹, over the directions in which the tool can move. About x, y and z the effective inertia
    replaces m, computed in the same way with J_w. J_v and J_w are the linear and angular rows of the tool's Jacobian.
    "torque" (zero torque) and "gravity" have no gains and do not use ω.

    Args:
        law: "torque", "pd", "pid", "pd-gravity", "computed-torque", "impedance", "resolved-rate" or "gravity".
        natural_frequency: ω, rad/s.
        q: pose `(n,)` at which M is evaluated, rad or m; None: home.

    Returns:
        A `ConstantTorque`, `PD`, `PID`, `PDGravity`, `ComputedTorque`, `Impedance`, `ResolvedRate` or `GravityCompensation`.

    Raises:
        EngineError: unknown `law` or invalid `natural_frequency`; DimensionError; MissingDynamicsError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, sections 8.3 and 8.5.
    """
    require_dynamics(robot)
    if law not in NAMES.values():
        raise EngineError(f"unknown controller {law!r}; valid: {', '.join(NAMES.values())}")
    if not (isinstance(natural_frequency, (int, float, np.number)) and 0 < natural_frequency <= 1e4):
        raise EngineError(f"the natural frequency must be above 0 and at most 1e4 rad/s, not {natural_frequency!r}")
    w = float(natural_frequency)
    pose = robot.configurations["home"] if q is None else q
    M = mass_matrix(robot, pose)
    m = np.maximum(np.diag(M), _SOFT)
    made: dict[str, Controller] = {
        "torque": ConstantTorque(np.zeros(robot.n)),
        "pd": PD(w * w * m, 2 * w * m),
        "pid": PID(3 * w * w * m, 3 * w * m, w**3 * m),
        "pd-gravity": PDGravity(w * w * m, 2 * w * m),
        "computed-torque": ComputedTorque(np.full(robot.n, w * w), np.full(robot.n, 2 * w)),
        "resolved-rate": ResolvedRate(w / 2, 2 * w),
        "gravity": GravityCompensation(),
    }
    if law != "impedance":
        return made[law]
    effective = _effective_mass(robot, pose, M)
    return Impedance(w * w * effective, 2 * w * effective, 2 * w * m)


def _effective_mass(robot: Robot, q, M: np.ndarray) -> np.ndarray:
    """Mass and inertia that the tool sets against forces and moments, mean over directions it can move in, `(6,)`.

    The geometric mean: the arithmetic one would be too stiff for the lightest direction at 1 kHz, the harmonic one, which a wrist
    with next to no inertia governs, leaves the whole arm swinging on a spring that is far too soft.
    """
    J = jacobian(robot, q)
    mobility = J @ np.linalg.pinv(M) @ J.T
    out = np.zeros(6)
    for rows in (slice(0, 3), slice(3, 6)):
        free = np.linalg.eigvalsh(mobility[rows, rows])
        moving = free[free > 1e-9 * max(float(free[-1]), 1e-300)]
        out[rows] = np.exp(-np.log(moving).mean()) if len(moving) else 0.0
    return out
