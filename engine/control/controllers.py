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
    """A control law. `period` s between two looks at the arm, its torque held in between; every step when None.

    With `saturate` no joint gets more than `tau_max`. A robot given to it has the friction, mass and payload that the
    controller knows: see `simulate(..., model=...)`.
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
        """The array `(ROWS, ≥ 12)` that the kernel reads. Raises EngineError for gains that do not fit the robot."""
        C = np.zeros((packed.ROWS, max(packed.WIDTH, robot.n)))
        C[packed.SETUP, packed.KIND] = self.kind
        C[packed.SETUP, packed.PERIOD] = self.period or 0.0
        C[packed.MOST, : robot.n] = robot.tau_max if self.saturate else np.inf
        self._fill(C, robot)
        return C

    def _fill(self, C: np.ndarray, robot: Robot) -> None:
        """Writes the law's own rows."""

    def describe(self) -> dict[str, Any]:
        """Its name and figures as plain values, for the metadata of a recording."""
        values = {item.name: vars(self)[item.name] for item in fields(self)}
        plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}
        return {"kind": NAMES[type(self)], **plain}


@dataclass(frozen=True, eq=False)
class ConstantTorque(Controller):
    """tau = constant `(n,)`, N·m or N."""

    tau: np.ndarray | float

    kind: ClassVar[int] = packed.TORQUE

    def _fill(self, C: np.ndarray, robot: Robot) -> None:
        _row(C, packed.CONSTANT, "tau", self.tau, robot.n, negative=True)


@dataclass(frozen=True, eq=False)
class PD(Controller):
    """tau = Kp (q_d − q) + Kd (qd_d − qd);  kp N·m/rad or N/m, kd N·m·s/rad or N·s/m, a number or `(n,)`."""

    kp: np.ndarray | float
    kd: np.ndarray | float

    kind: ClassVar[int] = packed.PD

    def _fill(self, C: np.ndarray, robot: Robot) -> None:
        _row(C, packed.KP, "kp", self.kp, robot.n)
        _row(C, packed.KD, "kd", self.kd, robot.n)


@dataclass(frozen=True, eq=False)
class PDGravity(PD):
    """tau = Kp (q_d − q) + Kd (qd_d − qd) + g(q)."""

    kind: ClassVar[int] = packed.PD_GRAVITY


@dataclass(frozen=True, eq=False)
class PID(PD):
    """tau = Kp (q_d − q) + Kd (qd_d − qd) + Ki ∫ (q_d − q) dt; the integral waits while the motor is saturated."""

    ki: np.ndarray | float

    kind: ClassVar[int] = packed.PID

    def _fill(self, C: np.ndarray, robot: Robot) -> None:
        super()._fill(C, robot)
        _row(C, packed.KI, "ki", self.ki, robot.n)


@dataclass(frozen=True, eq=False)
class ComputedTorque(PD):
    """tau = M(q)(qdd_d + Kd (qd_d − qd) + Kp (q_d − q)) + C(q, qd) qd + g(q) + B qd_d + F;  kp 1/s², kd 1/s.

    F makes up for dry friction along the desired speed: it goes to F_c sign(qd_d), below 1 mrad/s (mm/s) to a share of it, and to
    the breakaway level while a desired trajectory begins and the joint still holds; it changes gradually, by the breakaway level
    within 20 ms at the fastest. At rest it is 0, so that a joint stays where friction holds it.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 8.5.2.
    """

    kind: ClassVar[int] = packed.COMPUTED_TORQUE


@dataclass(frozen=True, eq=False)
class Impedance(Controller):
    """tau = Jᵀ (K e + D (V_d − J qd)) + C qd + g − N (d qd): the tool hangs on springs and dampers at its desired pose.

    e = (p_d − p, log(R_d Rᵀ)) in world axes; N = 1 − Jᵀ (J Jᵀ)⁻¹ J damps what moves nothing of the tool, by `posture` N·m·s/rad.
    `stiffness` `(6,)` N/m and N·m/rad, `damping` `(6,)` per m/s and rad/s; of axes outside `robot.task` they are zero,
    unless that is written along other axes than the world's.

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
    """qd_c = Jᵀ (J Jᵀ + λ² 1)⁻¹ (V_d + k e),  tau = M(q) s (qd_c − qd) + C qd + g + B qd_c + F.

    e as for `Impedance`, on the rows of `robot.task`; `gain` k 1/s pulls the tool back, `servo` s 1/s the joints to their speed;
    `damping` λ m keeps them slow near singularities. F makes up for dry friction along the part of qd_c from V_d, as in
    `ComputedTorque`; besides, a joint that holds while e wants it to move is pushed, within 0.25 s up to the breakaway level.
    Where e wants less than 0.1 mrad/s (mm/s), or less than 50 against the last push, the joint may rest: it does not hunt.

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
    """tau = g(q): the arm floats and can be led by hand."""

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
