"""Impedance control of the tool."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from armature.engine.control.controller import AXES, GAINS, TASK_WEIGHTS, Controller, Gain, LinearGains, Tuning
from armature.engine.control.model_compensation import bias
from armature.engine.control.tool_motion import damped_square, pack_tool, tool_error, tool_jacobian
from armature.engine.jit import routine
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.linear_algebra import solve
from armature.engine.model.robot import Robot

IMPEDANCE_LAW = 7
STIFFNESS, DAMPING, POSTURE = GAINS, GAINS + 1, GAINS + 2  # rows of the packed controller
LAMBDA = 1e-3  # m, damping of the null-space projector near singularities
_STIFFNESS = Gain("K", "N/m, N·m/rad", "Stiffness of the tool", AXES)
_DAMPING = Gain("D", "N·s/m, N·m·s/rad", "Damping of the tool", AXES)
_POSTURE = Gain("d", "N·m·s/rad", "Damping of joint motion that leaves the tool at rest; for prismatic joints in N·s/m")


@dataclass(frozen=True, eq=False)
class Impedance(Controller):
    """Impedance control: tau = Jᵀ (K e + D (V_d − J qd)) + C qd + g − N (d qd), N·m or N.

    A spring K and a damper D act between the tool and its desired pose: e = (p_d − p, log(R_d Rᵀ)) is the error of position (m)
    and orientation (rad), V_d the desired twist, J the Jacobian of the tool with all six rows, all in world axes. The projector
    N = 1 − Jᵀ (J Jᵀ + λ² 1)⁻¹ J restricts the joint damping d to null-space motion; λ = 0.001 bounds it at singular poses.
    `stiffness` K: N/m along x, y, z, then N·m/rad about them; `damping` D: N·s/m, then N·m·s/rad; each a number or `(6,)`. If
    `Robot.task_axes` is "world", gains of coordinates outside `Robot.task` count as 0; otherwise all gains are used. `posture` d:
    N·m·s/rad or N·s/m, a number or `(n,)`. `period`, `saturate`: as in `Controller`.

    Source: Hogan 1985, Impedance control: an approach to manipulation; Siciliano et al., section 9.2.
    """

    stiffness: np.ndarray | float = field(metadata=_STIFFNESS.metadata)
    damping: np.ndarray | float = field(metadata=_DAMPING.metadata)
    posture: np.ndarray | float = field(default=0.0, metadata=_POSTURE.metadata)

    law: ClassVar[str] = "impedance"
    number: ClassVar[int] = IMPEDANCE_LAW
    title: ClassVar[str] = "Impedance"
    equation: ClassVar[str] = "τ = Jᵀ (K e + D (V* − J q̇)) + C q̇ + g"
    explanation: ClassVar[str] = "Virtual springs and dampers connect the tool to its desired pose; it yields when pushed."
    units: ClassVar[str] = "K in N/m and N·m/rad, D in N·s/m and N·m·s/rad, along the world's axes."
    tracks: ClassVar[bool] = True
    damping_gain: ClassVar[str] = "damping"

    @classmethod
    def tune(cls, tuning: Tuning) -> Impedance:
        """Return the controller with the default gains K = w² m, D = 2 w m, d_i = 2 w M_ii.

        m is the effective mass of the tool, M the mass matrix, and w the natural frequency of `tuning`, rad/s.
        """
        w, m = tuning.w, _effective_mass(tuning)
        return cls(w * w * m, 2 * w * m, 2 * w * tuning.inertia)

    def pack(self, robot: Robot) -> np.ndarray:
        """Return the controller as the array `(rows, ≥ 12)` that the compiled simulation reads, gains in SI units.

        Gains of coordinates outside the task are 0. Raises EngineError if the number of gains does not fit the robot.
        """
        C = super().pack(robot)
        pack_tool(C, robot)
        C[STIFFNESS : DAMPING + 1, :6] *= C[TASK_WEIGHTS, :6] > 0
        return C

    def linearize(self, robot: Robot, model: Robot, q: np.ndarray) -> LinearGains:
        """Return the tuple (Kp, Kd, Ki), `(N, n, n)` each, of the controller linearized at rest at N goals q `(N, n)`, rad or m.

        Kp = Jᵀ K J,  Kd = Jᵀ D J + N d,  Ki = 0

        N is the null-space projector, d the damping of the posture. `robot`: the simulated arm; `model`: the controller's model.
        """
        C, n, J = self.pack(robot), robot.n, jacobian(model, q)
        T = J.swapaxes(1, 2)
        inverse = np.linalg.inv(J @ T + LAMBDA**2 * np.eye(6))
        null = np.eye(n) - T @ inverse @ J
        return T * C[STIFFNESS, :6] @ J, T * C[DAMPING, :6] @ J + null * C[POSTURE, :n], np.zeros((len(q), n, n))


def _effective_mass(tuning: Tuning) -> np.ndarray:
    """Mass and inertia of the tool against forces and moments, the geometric mean over its mobile directions, `(6,)`.

    The arithmetic mean would be too stiff for the lightest direction at 1 kHz. The harmonic mean is governed by a wrist of almost
    no inertia, so that the whole arm would oscillate on a far too soft spring.
    """
    J = jacobian(tuning.robot, tuning.q)
    mobility = J @ np.linalg.pinv(tuning.M) @ J.T
    mass = np.zeros(6)
    for rows in (slice(0, 3), slice(3, 6)):
        eigenvalues = np.linalg.eigvalsh(mobility[rows, rows])
        mobile = eigenvalues[eigenvalues > 1e-9 * max(float(eigenvalues[-1]), 1e-300)]
        mass[rows] = np.exp(-np.log(mobile).mean()) if len(mobile) else 0.0
    return mass


@routine
def impedance(C, P, S, h, desired, q, qd, tau):
    """tau = Jᵀ (K e + D (V_d − J qd)) + C qd + g − N (d qd),  N = 1 − Jᵀ (J Jᵀ + λ² 1)⁻¹ J."""
    n = q.size
    Z, _, rest = bias(P, q, qd)
    Z_d, _, _ = bias(P, desired.q, desired.qd)
    F, J, e, twist, y = np.empty((3, 4)), np.empty((6, n)), np.empty(6), np.empty(6), np.zeros(6)
    tool_error(C, Z, Z_d, F, e, twist)
    tool_jacobian(C, P, Z, F, J)
    for r in range(6):
        rate = twist[r]
        for i in range(n):
            rate -= J[r, i] * qd[i]
            y[r] += J[r, i] * C[POSTURE, i] * qd[i]
        e[r] = C[STIFFNESS, r] * e[r] + C[DAMPING, r] * rate
    solve(damped_square(J, LAMBDA), y)
    for i in range(n):
        tau[i] -= C[POSTURE, i] * qd[i]
        for r in range(6):
            tau[i] += J[r, i] * (e[r] + y[r])
    for i in range(n):
        tau[i] -= rest[i]
