"""`Controller`: base class of all control laws, with the description of a law for the window and its packed form for kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot

LARGEST = 1e12  # of a gain
JOINTS, AXES, SINGLE = "joints", "axes", "single"
"""Number of values of a gain: one per joint, one per coordinate x y z rx ry rz of the tool, or one in all."""

# Rows of the packed controller, with one column per joint unless stated otherwise.
SETUP = 0  # columns below
MOST = 1  # largest |tau|, inf where unlimited
TASK_WEIGHTS = 2  # per coordinate of the tool: 0 outside the task, else the factor of one unit
FRAME = 3  # R_BT row by row and p_BT of the tool on its body
GAINS = 4  # the first gain of the law, and one row for each other

LAW, PERIOD, BODY = 0, 1, 2  # columns of row SETUP
WIDTH = 12  # least number of columns

# Memory of a controller: time of the next sample; then, n numbers each, the held torque, the integrals of PID, and the
# feed-forward, the push and the direction of the last push of dry friction compensation.
NEXT, HELD = 0, 1


def memory_size(n: int) -> int:
    """Length of a controller's memory for n joints."""
    return HELD + 5 * n


class Gain(NamedTuple):
    """Description of a gain for the window: symbol, unit, meaning, number of values, and valid range."""

    label: str
    unit: str
    explanation: str
    per: str = JOINTS
    low: float = 0.0
    high: float = LARGEST

    @property
    def metadata(self) -> Mapping[str, Gain]:
        """Metadata of the dataclass field that stores this gain."""
        return {"gain": self}

    def check(self, name: str, value: Any, n: int) -> np.ndarray | float:
        """Return the value, for a gain per joint `(n,)` and per coordinate of the tool `(6,)`. Raises EngineError."""
        values: Any
        if self.per == SINGLE:
            values, kind = value if isinstance(value, (int, float, np.number)) else np.nan, "a number"
        else:
            count = n if self.per == JOINTS else 6
            kind = f"one number or {count} numbers"
            try:
                values = np.broadcast_to(np.asarray(value, float), (count,))
            except (TypeError, ValueError, OverflowError):
                values = np.nan
        if not np.all((values >= self.low) & (values <= self.high)):
            raise EngineError(f"{name} must be {kind} from {self.low:g} to {self.high:g}, not {value!r}")
        return values


LinearGains = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Kp, Kd and Ki `(N, n, n)` of a torque −Kp q − Kd qd − Ki ∫ q dt."""


class Tuning(NamedTuple):
    """Pose q `(n,)` and natural frequency w in rad/s that default gains are computed for.

    M `(n, n)` is the mass matrix at q, `inertia` `(n,)` its diagonal, in kg·m² or kg, with a lower bound.
    """

    robot: Robot
    q: np.ndarray
    w: float
    M: np.ndarray
    inertia: np.ndarray


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

    law: ClassVar[str] = ""
    """Name of the law in files and on the command line."""
    number: ClassVar[int] = 0
    """Number of the law in packed controllers, which selects its kernel in `control_laws`."""
    title: ClassVar[str] = ""
    equation: ClassVar[str] = ""
    explanation: ClassVar[str] = ""
    units: ClassVar[str] = ""
    """Units and meaning of the gains, for the window."""
    tracks: ClassVar[bool] = False
    """True if the torque depends on the desired motion."""
    damping_gain: ClassVar[str] = ""
    """Name of the gain that damps the motion."""

    def __post_init__(self):
        if self.period is not None and not (isinstance(self.period, (int, float, np.number)) and 0 < self.period <= 1):
            raise EngineError(f"the control period must be above 0 and at most 1 s, not {self.period!r}")
        if not isinstance(self.saturate, (bool, np.bool_)):
            raise EngineError(f"saturate must be true or false, not {self.saturate!r}")

    @classmethod
    def gains(cls) -> dict[str, Gain]:
        """Return a description of each gain by the name of its field.

        A description has `label` (the symbol), `unit`, `explanation`, `per` ("joints", "axes" of the tool, or "single"), and the
        valid range `low` to `high`.
        """
        return {item.name: item.metadata["gain"] for item in fields(cls) if "gain" in item.metadata}

    @classmethod
    def table_gains(cls) -> dict[str, Gain]:
        """Return those `gains` that have as many values as the first one, by field name; a window shows them in one table."""
        gains = cls.gains()
        return {name: gain for name, gain in gains.items() if gain.per == next(iter(gains.values())).per}

    def gain_table(self, rows: int) -> np.ndarray:
        """Return the gains of `table_gains` as a table `(rows, columns)`, one row per joint or coordinate, or a single row."""
        columns = [np.broadcast_to(np.asarray(getattr(self, name), float), (rows,)) for name in self.table_gains()]
        return np.column_stack(columns) if columns else np.zeros((rows, 0))

    def with_gain_table(self, values: np.ndarray) -> Controller:
        """Return the controller with the gains of a table as `gain_table` returns it: a row per joint, a column per gain."""
        gains = zip(self.table_gains().items(), values.T, strict=True)
        changes: dict[str, Any] = {name: float(column[0]) if gain.per == SINGLE else column for (name, gain), column in gains}
        return replace(self, **changes)

    @classmethod
    def tune(cls, tuning: Tuning) -> Controller:
        """Return this type of controller with its default gains, for `default_gains`.

        `tuning` has the `robot`, a pose `q` `(n,)` in rad or m, the natural frequency `w` in rad/s, the mass matrix `M` `(n, n)`
        at q, and its diagonal `inertia` `(n,)`, kg·m² or kg.
        """
        return cls()

    def linearize(self, robot: Robot, model: Robot, q: np.ndarray) -> LinearGains | None:
        """Return the tuple (Kp, Kd, Ki), `(N, n, n)` each, of the controller linearized at rest at N goals q `(N, n)`, rad or m.

        δtau = −Kp δq − Kd δqd − Ki ∫ δq dt, in N·m or N. `robot`: the simulated arm; `model`: the controller's model of the arm.
        None if the controller has no feedback of joint positions.
        """

    def pack(self, robot: Robot) -> np.ndarray:
        """Return the controller as the array `(rows, ≥ 12)` that the compiled simulation reads.

        Raises EngineError if the number of gains does not fit the robot.
        """
        gains = self.gains()
        C = np.zeros((GAINS + len(gains), max(WIDTH, robot.n)))
        C[SETUP, LAW] = self.number
        C[SETUP, PERIOD] = self.period or 0.0
        C[MOST, : robot.n] = robot.tau_max if self.saturate else np.inf
        for row, (name, gain) in enumerate(gains.items(), GAINS):
            columns = {JOINTS: robot.n, AXES: 6, SINGLE: 1}[gain.per]
            C[row, :columns] = gain.check(name, getattr(self, name), robot.n)
        return C

    def describe(self) -> dict[str, Any]:
        """Return name and parameters as plain values, for the metadata of a recording."""
        values = {item.name: vars(self)[item.name] for item in fields(self)}
        plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}
        return {"kind": self.law, **plain}
