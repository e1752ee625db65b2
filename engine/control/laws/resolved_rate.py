"""Resolved motion rate control of the tool."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from armature.engine.control.controller import GAINS, SINGLE, TASK_WEIGHTS, Controller, Gain, LinearGains, Tuning
from armature.engine.control.model_compensation import Commanded, bias, drive
from armature.engine.control.tool_motion import damped_square, pack_tool, tool_error, tool_jacobian
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.jit import routine
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.linear_algebra import solve
from armature.engine.model.robot import Robot

RESOLVED_RATE_LAW = 8
GAIN, SERVO, DAMPING = GAINS, GAINS + 1, GAINS + 2  # rows of the packed controller
_GAIN = Gain("k", "1/s", "Tool velocity per unit of tool pose error", SINGLE)
_SERVO = Gain("s", "1/s", "Acceleration per unit of joint velocity error", SINGLE)
_DAMPING = Gain("λ", "m", "Damping of the inverse Jacobian near singularities", SINGLE, low=1e-6)


@dataclass(frozen=True, eq=False)
class ResolvedRate(Controller):
    """Resolved motion rate control: qd_c = Jᵀ (J Jᵀ + λ² 1)⁻¹ (V_d + k e), tau = M(q) s (qd_c − qd) + C qd + g + B qd_c + F.

    tau in N·m or N; qd_c: commanded joint velocity; J, V_d and e as in `Impedance`, in the coordinates of `robot.task`; B:
    viscous friction. `gain` k in 1/s acts on the tool error, `servo` s in 1/s on the error of joint velocity; `damping` λ in m
    limits joint speeds near singularities. F compensates dry friction along the part of qd_c that V_d causes, as in
    `ComputedTorque`. If a joint sticks although e commands a speed, the torque rises to the static friction within 0.25 s. Speeds
    commanded by e below 0.1 mrad/s (0.1 mm/s) are ignored, and below 50 mrad/s (50 mm/s) if opposite to the last push, so that
    the joint does not hunt. `period`, `saturate`: as in `Controller`.

    Source: Whitney 1969, Resolved motion rate control; Nakamura, Hanafusa 1986 for the damping.
    """

    gain: float = field(metadata=_GAIN.metadata)
    servo: float = field(metadata=_SERVO.metadata)
    damping: float = field(default=0.02, metadata=_DAMPING.metadata)

    law: ClassVar[str] = "resolved-rate"
    number: ClassVar[int] = RESOLVED_RATE_LAW
    title: ClassVar[str] = "Resolved rate"
    equation: ClassVar[str] = "q̇c = Jᵀ (J Jᵀ + λ² 1)⁻¹ (V* + k e),  τ = M s (q̇c − q̇) + C q̇ + g + friction"
    explanation: ClassVar[str] = (
        "The inverse Jacobian converts the desired tool velocity to joint velocities; damping limits them near singularities."
    )
    units: ClassVar[str] = "k: feedback gain of the tool pose. s: gain of the joint velocity loop. λ: damping."
    tracks: ClassVar[bool] = True
    damping_gain: ClassVar[str] = "servo"

    @classmethod
    def tune(cls, tuning: Tuning) -> ResolvedRate:
        """Return the controller with the default gains k = w/2, s = 2 w for the natural frequency w of `tuning`, rad/s."""
        return cls(tuning.w / 2, 2 * tuning.w)

    def pack(self, robot: Robot) -> np.ndarray:
        """Return the controller as the array `(rows, ≥ 12)` that the compiled simulation reads, gains in SI units.

        Raises EngineError if the number of gains does not fit the robot.
        """
        C = super().pack(robot)
        pack_tool(C, robot)
        return C

    def linearize(self, robot: Robot, model: Robot, q: np.ndarray) -> LinearGains:
        """Return the tuple (Kp, Kd, Ki), `(N, n, n)` each, of the controller linearized at rest at N goals q `(N, n)`, rad or m.

        Kp = s M Jᵀ (J Jᵀ + λ² I)⁻¹ k J,  Kd = s M,  Ki = 0

        s, k and λ are the gains `servo`, `gain` and `damping`, I is the identity. `robot`: the simulated arm; `model`: the
        controller's model.
        """
        servo = self.servo * mass_matrix(model, q)
        A = self.pack(robot)[TASK_WEIGHTS, :6, None] * jacobian(model, q)
        pull = A.swapaxes(1, 2) @ np.linalg.solve(A @ A.swapaxes(1, 2) + self.damping**2 * np.eye(6), A * self.gain)
        return servo @ pull, servo, np.zeros_like(servo)


@routine
def resolved_rate(C, P, S, h, desired, q, qd, tau):
    """tau = M s (qd_c − qd) + C qd + g + friction,  qd_c = Jᵀ (J Jᵀ + λ² 1)⁻¹ (V_d + k e) on the weighted task rows."""
    n = q.size
    Z, M, rest = bias(P, q, qd)
    Z_d, _, _ = bias(P, desired.q, desired.qd)
    F, J, e, twist = np.empty((3, 4)), np.empty((6, n)), np.empty(6), np.empty(6)
    tool_error(C, Z, Z_d, F, e, twist)
    tool_jacobian(C, P, Z, F, J)
    for r in range(6):
        e[r] *= C[TASK_WEIGHTS, r] * C[GAIN, 0]
        twist[r] *= C[TASK_WEIGHTS, r]
        for i in range(n):
            J[r, i] *= C[TASK_WEIGHTS, r]
    G = damped_square(J, C[DAMPING, 0])
    solve(G, e)
    solve(G, twist)
    ahead, speed, a = np.zeros(n), np.zeros(n), np.empty(n)
    for i in range(n):
        for r in range(6):
            ahead[i] += J[r, i] * twist[r]
            speed[i] += J[r, i] * (twist[r] + e[r])
        a[i] = C[SERVO, 0] * (speed[i] - qd[i])
    drive(P, S, h, M, rest, a, Commanded(np.full(n, C[SERVO, 0]), ahead, speed), qd, tau)
