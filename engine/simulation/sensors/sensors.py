"""`Sensors`: encoders, torque sensors and their delay, between the arm and its controller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot

LONGEST = 1.0  # s of delay
FINEST, COARSEST = 1.0, 1e12  # counts
SEEDS = 2**63

PerJoint = float | Sequence[float] | None


@dataclass(frozen=True, kw_only=True)
class Sensors(Frozen):
    """Encoders, torque sensors and their delay, as the controller sees them; one number for all joints, or one per joint.

    They are read once per control period, or at every step if there is no control period or no controller, and hold their values
    in between. The k-th reading at time t measures the state at t − delay:

        q_m = round((q + e_q) / c) c,    c = 2π / counts, of a prismatic joint 1 / counts
        qd_m ← qd_m + h / (h + T) ((q_m,k − q_m,k−1) / h − qd_m),    T = 1 / (2π speed_cutoff)
        tau_m = tau + e_tau

    e_q, e_tau are independent and normally distributed; h is the time between two readings. Speed is not measured: it is the
    difference of two positions after a first-order low-pass. A joint with exact positions, without counts or noise, has the exact
    speed. tau is the motor torque of the step before, as a drive computes it from its current; it includes friction and rotor
    inertia. Before the first reading, and after the arm is placed elsewhere, the current state counts as the past.

    Args:
        counts: encoder counts per turn of the joint, or per metre of a prismatic joint; None, or 0 for one joint, for exact
            positions.
        position_noise: standard deviation of e_q, rad or m; added before quantisation.
        torque_noise: standard deviation of e_tau, N·m or N.
        delay: s from the arm to the controller, rounded to whole steps of the simulation; 0 … 1.
        speed_cutoff: Hz; None, or inf, for no low-pass.
        seed: 0 … 2⁶³ − 1; the same seed gives the same noise. A random value depends only on the seed, the joint and the
            index of the reading since t = 0, not on how many steps are computed at once.

    Source: Franklin, Powell, Workman: Digital Control of Dynamic Systems, sections 4.3 (speed from differences) and 10.1
    (quantisation); MATLAB's PID block for the filter. The generator is SplitMix64 (Steele, Lea, Flood 2014), with Box–Muller.
    """

    counts: PerJoint = None
    position_noise: PerJoint = 0.0
    torque_noise: PerJoint = 0.0
    delay: float = 0.0
    speed_cutoff: float | None = 100.0
    seed: int = 0

    def __post_init__(self):
        set_ = object.__setattr__
        set_(self, "counts", None if self.counts is None else _figures("counts", self.counts, FINEST, COARSEST))
        for name in ("position_noise", "torque_noise"):
            set_(self, name, _figures(name, vars(self)[name], 0.0, COARSEST))
        set_(self, "delay", _figure("delay", self.delay, 0.0, LONGEST, " s"))
        if self.speed_cutoff == np.inf:
            set_(self, "speed_cutoff", None)
        elif self.speed_cutoff is not None:
            set_(self, "speed_cutoff", _figure("speed_cutoff", self.speed_cutoff, 1e-3, 1e9, " Hz, or None"))
        seed = self.seed
        if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < SEEDS:
            raise EngineError(f"sensors: the seed must be a whole number from 0 to 2^63 - 1, not {seed!r}")
        set_(self, "seed", int(seed))

    def describe(self) -> dict[str, Any]:
        """Return the parameters as plain values, for the metadata of a recording."""
        values = {item.name: vars(self)[item.name] for item in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def per_joint(self, name: str, robot: Robot) -> np.ndarray:
        """Return the field `name`, `counts`, `position_noise` or `torque_noise`, with one value per joint `(n,)`.

        Units as in `Sensors`. Raises EngineError if the field has values for another number of joints.
        """
        value = vars(self)[name]
        if isinstance(value, tuple) and len(value) != robot.n:
            joints = ", ".join(robot.joint_names)
            raise EngineError(f"sensors: {name} must be one number, or one for each of {joints}; got {len(value)}")
        return np.full(robot.n, 0.0 if value is None else value) if not isinstance(value, tuple) else np.array(value)

    @property
    def any(self) -> bool:
        """True if any reading differs from the exact value."""
        return any(map(_any, (self.counts, self.position_noise, self.torque_noise, self.delay)))

    def delay_steps(self, dt: float) -> int:
        """Return the delay in steps of dt s, rounded."""
        return round(self.delay / dt)

    def told(self, dt: float | None = None) -> str:
        """Return a description of the measurement errors in one line.

        `dt`: simulation step in s, to which the delay is rounded; None: the delay is not rounded.
        """
        delay = self.delay if dt is None else self.delay_steps(dt) * dt
        rounded = f" ({1e3 * self.delay:g} ms, rounded to whole steps)" if abs(delay - self.delay) > 1e-9 * self.delay else ""
        parts = [] if not _any(self.counts) else [f"{_range(self.counts)} counts"]
        parts += [f"position noise {_range(self.position_noise)} rad (m)"] if _any(self.position_noise) else []
        parts += [f"torque noise {_range(self.torque_noise)} N·m (N)"] if _any(self.torque_noise) else []
        parts += [f"delay {1e3 * delay:g} ms{rounded}"] if self.delay else []
        return (
            ", ".join(parts) + (f", seed {self.seed}" if _any(self.position_noise) or _any(self.torque_noise) else "") or "exact"
        )


def sensors_from(description: Any) -> Sensors | None:
    """Return the sensors of a description by `Sensors.describe`, None for None; raises EngineError for an invalid one."""
    if description is None:
        return None
    names = [item.name for item in fields(Sensors)]
    unknown = [name for name in description if name not in names]
    if unknown:
        raise EngineError(f"sensors: unknown {str(unknown[0])[:40]!r}; valid: {', '.join(names)}")
    return Sensors(**description)


def check_sensors(sensors: Any) -> Sensors | None:
    """Return `sensors`; raises EngineError unless they are `Sensors` or None."""
    if sensors is not None and not isinstance(sensors, Sensors):
        raise EngineError(f"sensors must be armature.Sensors(...) or None, not {sensors!r:.60}")
    return sensors


def _figures(name: str, value: Any, low: float, high: float) -> float | tuple[float, ...]:
    """Return one number, or a tuple of one per joint, each 0 or from `low` to `high`."""
    if np.ndim(value) == 0:
        return _figure(name, value, low, high, "", zero=True)
    return tuple(_figure(name, each, low, high, " each", zero=True) for each in value)


def _figure(name: str, value: Any, low: float, high: float, unit: str, zero: bool = False) -> float:
    number = float("nan")
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        number = float(value)
    elif value is None and zero:
        number = 0.0
    if not (low <= number <= high or (zero and number == 0.0)):
        raise EngineError(
            f"sensors: {name} must be {'0, or ' if zero and low else ''}{low:g} to {high:g}{unit}, not {value!r:.40}"
        )
    return number


def _any(value: Any) -> bool:
    return value is not None and bool(np.any(value))


def _range(value: Any) -> str:
    low, high = np.min(value), np.max(value)
    return f"{low:g}" if low == high else f"{low:g} … {high:g}"
