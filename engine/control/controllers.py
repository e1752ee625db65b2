"""Control laws as values: what a controller is, and its packed form for the stepping kernel."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from armature.engine.control import packed_controller as packed
from armature.engine.errors import EngineError
from armature.engine.kinematics.task import row_scale, task_rows
from armature.engine.kinematics.task_axes import is_turned
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot

LARGEST = 1e12  # of a gain


@dataclass(frozen=True, kw_only=True, eq=False)
class Controller(Frozen):
    """Base class of all controllers.

    `period`: time between two updates of the torque, s; the torque is held in between (zero-order hold). None: it is updated in
    every simulation step. `saturate`: whether torques are clamped to ±`robot.tau_max`. The controller computes with the inertial
    parameters, friction and payload of its own model of the arm: the simulated robot, unless `simulate(..., model=...)` is given
    another one.
    """

    period: float | None = None
    saturate: bool = True
    kind: ClassVar[int] = packed.NONE

    def __post_init__(self):
        if self.period is not None and not (isinstance(self.period, (int, float, np.number)) and 0 < self.period <= 1):
            raise EngineError(f"the control period must be above 0 and at most 1 s, not {self.period!r}")
        if not isinstance(self.saturate, (bool, np.bool_)):
            raise EngineError(f"saturate must be true or false, not {self.saturate!r}")

    def pack(self, robot: Robot) -> np.ndarray:
        """Return the controller as the array `(ROWS, ≥ 12)` that the compiled simulation reads.

        Raises EngineError if the number of gains does not fit the robot.
        """
        C = np.zeros((packed.ROWS, max(packed.WIDTH, robot.n)))
        C[packed.SETUP, packed.KIND] = self.kind
        C[packed.SETUP, packed.PERIOD] = self.period or 0.0
        C[packed.MOST, : robot.n] = robot.tau_max if self.saturate else np.inf
        self._fill(C, robot)
        return C

    def _fill(self, C: np.ndarray, robot: Robot) -> None:
        """Writes the law's own rows."""

    def describe(self) -> dict[str, Any]:
        """Return name and parameters as plain values, for the metadata of a recording."""
        values = {item.name: vars(self)[item.name] for item in fields(self)}
        plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}
        return {"kind": NAMES[type(self)], **plain}


@dataclass(frozen=True, eq=False)
class ConstantTorque(Controller):
    """Constant motor torque: tau = const, N·m or N.

    `tau`: a number for all joints, or `(n,)`. `period`, `saturate`: as in `Controller`.
    """

    tau: np.ndarray | float

    kind: ClassVar[int] = packed.TORQUE

    def _fill(self, C: np.ndarray, robot: Robot) -> None:
        _row(C, packed.CONSTANT, "tau", self.tau, robot.n, negative=True)


@dataclass(frozen=True, eq=False)
class PD(Controller):
    """PD control: tau = Kp (q_d − q) + Kd (qd_d − qd), N·m or N.

    `kp` N·m/rad or N/m, `kd` N·m·s/rad or N·s/m, each a number or `(n,)`; q_d, qd_d: desired positions and velocities. `period`,
    `saturate`: as in `Controller`.
    """

    kp: np.ndarray | float
    kd: np.ndarray | float

    kind: ClassVar[int] = packed.PD

    def _fill(self, C: np.ndarray, robot: Robot) -> None:
        _row(C, packed.KP, "kp", self.kp, robot.n)
        _row(C, packed.KD, "kd", self.kd, robot.n)


@dataclass(frozen=True, eq=False)
class PDGravity(PD):
    """PD control with gravity compensation: tau = Kp (q_d − q) + Kd (qd_d − qd) + g(q), N·m or N.

    `kp` N·m/rad or N/m, `kd` N·m·s/rad or N·s/m, each a number or `(n,)`; q_d, qd_d: desired positions and velocities. `period`,
    `saturate`: as in `Controller`.
    """

    kind: ClassVar[int] = packed.PD_GRAVITY


@dataclass(frozen=True, eq=False)
class PID(PD):
    """PID control: tau = Kp (q_d − q) + Kd (qd_d − qd) + Ki ∫ (q_d − q) dt, N·m or N.

    `kp` N·m/rad or N/m, `kd` N·m·s/rad or N·s/m, `ki` N·m/rad/s or N/m/s, each a number or `(n,)`; q_d, qd_d: desired
    positions and velocities. The integral of a joint does not grow while its motor is saturated (anti-windup). `period`,
    `saturate`: as in `Controller`.
    """

    ki: np.ndarray | float

    kind: ClassVar[int] = packed.PID

    def _fill(self, C: np.ndarray, robot: Robot) -> None:
        super()._fill(C, robot)
        _row(C, packed.KI, "ki", self.ki, robot.n)


@dataclass(frozen=True, eq=False)
class ComputedTorque(PD):
    """Computed torque: tau = M(q)(qdd_d + Kd (qd_d − qd) + Kp (q_d − q)) + C(q, qd) qd + g(q) + B qd_d + F, N·m or N.

    `kp` 1/s², `kd` 1/s, each a number or `(n,)`; q_d, qd_d, qdd_d: desired motion; B: viscous friction. F compensates dry
    friction: F_c sign(qd_d) with the Coulomb friction F_c, reduced in proportion to the speed below 1 mrad/s (prismatic: 1 mm/s),
    and the static friction at the start of a trajectory while the joint still sticks. F changes by at most the static friction
    within 20 ms, and is 0 at zero desired speed. `period`, `saturate`: as in `Controller`.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 8.5.2.
    """

    kind: ClassVar[int] = packed.COMPUTED_TORQUE


@dataclass(frozen=True, eq=False)
class Impedance(Controller):
    """Impedance control: tau = Jᵀ (K e + D (V_d − J qd)) + C qd + g − N (d qd), N·m or N.

    A spring K and a damper D act between the tool and its desired pose: e = (p_d − p, log(R_d Rᵀ)) is the error of position (m)
    and orientation (rad), V_d the desired twist, J the Jacobian of the tool, all in world axes. N = 1 − Jᵀ (J Jᵀ)⁻¹ J restricts
    the joint damping d to null-space motion. `stiffness` K: N/m, then N·m/rad; `damping` D: N·s/m, then N·m·s/rad; each a number
    or `(6,)`, used as zero for coordinates outside `robot.task` if the task is along the world axes. `posture` d: N·m·s/rad or
    N·s/m, a number or `(n,)`. `period`, `saturate`: as in `Controller`.

    Source: Hogan 1985, Impedance control: an approach to manipulation; Siciliano et al., section 9.2.
    """

    stiffness: np.ndarray | float
    damping: np.ndarray | float
    posture: np.ndarray | float = 0.0

    kind: ClassVar[int] = packed.IMPEDANCE

    def _fill(self, C: np.ndarray, robot: Robot) -> None:
        _tool(C, robot)
        _row(C, packed.STIFFNESS, "stiffness", self.stiffness, 6)
        _row(C, packed.DAMPING, "damping", self.damping, 6)
        _row(C, packed.KD, "posture", self.posture, robot.n)
        wanted = C[packed.ROWS_WANTED, :6] > 0
        C[packed.STIFFNESS, :6] *= wanted
        C[packed.DAMPING, :6] *= wanted
        C[packed.SETUP, packed.LAMBDA] = 1e-3


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

    gain: float
    servo: float
    damping: float = 0.02

    kind: ClassVar[int] = packed.RESOLVED_RATE

    def _fill(self, C: np.ndarray, robot: Robot) -> None:
        _tool(C, robot)
        _row(C, packed.STIFFNESS, "gain", self.gain, 6)
        for name, value, low in (("servo", self.servo, 0.0), ("damping", self.damping, 1e-6)):
            if not (isinstance(value, (int, float, np.number)) and low <= value <= LARGEST):
                raise EngineError(f"{name} must be a number from {low:g} to {LARGEST:g}, not {value!r}")
        C[packed.SETUP, packed.SERVO], C[packed.SETUP, packed.LAMBDA] = self.servo, self.damping


@dataclass(frozen=True, eq=False)
class GravityCompensation(Controller):
    """Gravity compensation: tau = g(q) `(n,)`, N·m or N; the arm can be guided by hand.

    `period`, `saturate`: as in `Controller`.
    """

    kind: ClassVar[int] = packed.GRAVITY


NAMES: dict[type[Controller], str] = {
    ConstantTorque: "torque",
    PD: "pd",
    PID: "pid",
    PDGravity: "pd-gravity",
    ComputedTorque: "computed-torque",
    Impedance: "impedance",
    ResolvedRate: "resolved-rate",
    GravityCompensation: "gravity",
}
"""What each law is called on the command line and in files."""


def _row(C: np.ndarray, row: int, name: str, value, count: int, negative: bool = False) -> None:
    """Writes one number for all or `count` of them. Raises EngineError."""
    try:
        values = np.broadcast_to(np.asarray(value, float), (count,))
    except (TypeError, ValueError, OverflowError):
        values = np.full(count, np.nan)
    low = -LARGEST if negative else 0.0
    if not ((values >= low) & (values <= LARGEST)).all():
        raise EngineError(f"{name} must be one number or {count} numbers from {low:g} to {LARGEST:g}, not {value!r}")
    C[row, :count] = values


def _tool(C: np.ndarray, robot: Robot) -> None:
    tool = robot.frame()
    if tool.body < 0:
        raise EngineError(f"{robot.name}: its tool {robot.tool!r} does not move and cannot be controlled")
    C[packed.SETUP, packed.BODY] = tool.body
    C[packed.FRAME, :9], C[packed.FRAME, 9:12] = tool.X_BF[:3, :3].ravel(), tool.X_BF[:3, 3]
    rows = task_rows(robot)
    rows = np.arange(6) if is_turned(robot, rows) else rows
    C[packed.ROWS_WANTED, rows] = row_scale(robot, rows)
