"""`LAWS`: the list of all built-in control laws, with their default gains and the routine that computes their torques."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.control.controller import HELD, LAW, MOST, NEXT, PERIOD, SETUP, Controller, Tuning
from armature.engine.control.laws.computed_torque import COMPUTED_TORQUE_LAW, ComputedTorque, computed_torque
from armature.engine.control.laws.constant_torque import CONSTANT_TORQUE_LAW, ConstantTorque, constant_torque
from armature.engine.control.laws.gravity_compensation import GRAVITY_LAW, GravityCompensation, gravity_compensation
from armature.engine.control.laws.impedance import IMPEDANCE_LAW, Impedance, impedance
from armature.engine.control.laws.pd import PD, PD_LAW, pd
from armature.engine.control.laws.pd_gravity import PD_GRAVITY_LAW, PDGravity, pd_gravity
from armature.engine.control.laws.pid import PID, PID_LAW, pid
from armature.engine.control.laws.resolved_rate import RESOLVED_RATE_LAW, ResolvedRate, resolved_rate
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.errors import EngineError
from armature.engine.jit import routine
from armature.engine.model.robot import Robot

LAWS: tuple[type[Controller], ...] = (
    ConstantTorque,
    PD,
    PID,
    PDGravity,
    ComputedTorque,
    Impedance,
    ResolvedRate,
    GravityCompensation,
)
"""All built-in laws; `_torque` calls the kernel of each."""
NAMES: dict[type[Controller], str] = {law: law.law for law in LAWS}
"""Names of the laws in files and on the command line."""
FREQUENCY = 20.0  # rad/s
_LEAST_INERTIA = 1e-4  # kg·m² or kg, of a joint that gains are computed for
_EARLY = 1e-6  # of a period: rounding of the time that must not skip a sample


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
    found = next((kind for kind in LAWS if kind.law == law), None)
    if found is None:
        raise EngineError(f"unknown controller {law!r}; valid: {', '.join(NAMES.values())}")
    if not (isinstance(natural_frequency, (int, float, np.number)) and 0 < natural_frequency <= 1e4):
        raise EngineError(f"the natural frequency must be above 0 and at most 1e4 rad/s, not {natural_frequency!r}")
    pose = robot.configurations["home"] if q is None else q
    M = mass_matrix(robot, pose)
    return found.tune(Tuning(robot, pose, float(natural_frequency), M, np.maximum(np.diag(M), _LEAST_INERTIA)))


class Desired(NamedTuple):
    """Desired position, velocity and acceleration of the joints, each `(n,)`."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


@routine
def is_due(C, S, t):
    """True if the controller samples the arm at time t s of the control; arguments as of `command`."""
    return not t < S[NEXT] - _EARLY * C[SETUP, PERIOD]


@routine
def command(C, P, S, t, dt, ref, q, qd, tau):
    """Torque tau `(n,)` at time t s of the control, computed once per period and held in between.

    C is the packed controller, P its model of the arm (from `step_model`), S its memory, ref `(3 n,)` the desired q, qd, qdd.
    """
    n, period = q.size, C[SETUP, PERIOD]
    if not is_due(C, S, t):
        for i in range(n):
            tau[i] = S[HELD + i]
        return
    S[NEXT] = period * (math.floor(t / period + _EARLY) + 1.0) if period > 0.0 else t
    _torque(C, P, S, max(period, dt), Desired(ref[:n], ref[n : 2 * n], ref[2 * n :]), q, qd, tau)
    for i in range(n):
        tau[i] = min(max(tau[i], -C[MOST, i]), C[MOST, i])
        S[HELD + i] = tau[i]


@routine
def _torque(C, P, S, h, desired, q, qd, tau):
    """Torque of the selected law `(n,)`; it is held for h s."""
    law = int(C[SETUP, LAW])
    for i in range(q.size):
        tau[i] = 0.0
    if law == CONSTANT_TORQUE_LAW:
        constant_torque(C, P, S, h, desired, q, qd, tau)
    elif law == GRAVITY_LAW:
        gravity_compensation(C, P, S, h, desired, q, qd, tau)
    elif law == PD_LAW:
        pd(C, P, S, h, desired, q, qd, tau)
    elif law == PID_LAW:
        pid(C, P, S, h, desired, q, qd, tau)
    elif law == PD_GRAVITY_LAW:
        pd_gravity(C, P, S, h, desired, q, qd, tau)
    elif law == COMPUTED_TORQUE_LAW:
        computed_torque(C, P, S, h, desired, q, qd, tau)
    elif law == IMPEDANCE_LAW:
        impedance(C, P, S, h, desired, q, qd, tau)
    elif law == RESOLVED_RATE_LAW:
        resolved_rate(C, P, S, h, desired, q, qd, tau)
