"""`LogMapping`: what is taken for what in a log, and how a recording is made of it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from armature.engine.errors import RecordingError
from armature.engine.model.frozen import Frozen

ANGLES = {"rad": 1.0, "deg": math.pi / 180, "rev": 2 * math.pi, "mrad": 1e-3}
NORMALISED = "%"
"""The unit of positions from −100 to 100 (a gripper's from 0) of each joint's calibrated range."""
LENGTHS = {"m": 1.0, "mm": 1e-3}
TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0, "samples": 0.0, "stamps": 1.0}
"""Seconds per unit; "samples" take their length from `period`, "stamps" are dates and times of day."""
TORQUES = {"N·m": 1.0, "mN·m": 1e-3, "kN·m": 1e3, "A": 1.0, "mA": 1e-3}
CURRENTS = ("A", "mA")
NEWTON_METRES = tuple(unit for unit in TORQUES if unit not in CURRENTS)
FIT = "fit"
LEFT_OUT = "left_out"
"""Of `why`: which columns were left out that their names would have made something of."""
GROUPS = ("q", "qd", "tau")
MOST_RATE = 100_000.0  # Hz


@dataclass(frozen=True)
class LogMapping(Frozen):
    """`q`, `qd` and `tau` name a column per joint, "" for none; units are keys of the tables above.

    `angle_unit` may also be "%", of each joint's range, or "" where only the user can say the unit.
    `time` "" counts rows, `period` s apart. `constants` are N·m/A (N/A) per joint where `torque_unit` is a current, or "fit": the
    ones with which the torques of the model come out best. `rate` Hz is that of the recording, 0 for the log's own; `cutoff` Hz
    that of the filter, 0 for the usual one; gaps of up to `max_gap` s are bridged, 0 for the usual ones; `unwrap` gives
    back the turns that an angle lost when it went over ±180°.
    """

    time: str = ""
    time_unit: str = "s"
    period: float = 0.0
    q: tuple[str, ...] = ()
    qd: tuple[str, ...] = ()
    tau: tuple[str, ...] = ()
    angle_unit: str = "rad"
    speed_unit: str = "rad"
    length_unit: str = "m"
    torque_unit: str = "N·m"
    constants: tuple[float, ...] | str = FIT
    rate: float = 0.0
    cutoff: float = 0.0
    max_gap: float = 0.0
    unwrap: bool = True
    why: Mapping[str, str] = field(default_factory=dict)
    """What a guess rests on, by field, for people."""

    def columns(self, group: str) -> tuple[str, ...]:
        """The columns of "q", "qd" or "tau"."""
        return {"q": self.q, "qd": self.qd, "tau": self.tau}[group]

    def with_column(self, group: str, joint: int, name: str) -> LogMapping:
        """The same with another column for one joint."""
        columns = list(self.columns(group))
        columns[joint] = name
        return self.with_columns({**{key: self.columns(key) for key in GROUPS}, group: tuple(columns)})

    def without(self, names: Sequence[str]) -> LogMapping:
        """The same without these columns of joints."""
        return self.with_columns(
            {group: tuple("" if name in names else name for name in self.columns(group)) for group in GROUPS}
        )

    def with_columns(self, columns: Mapping[str, tuple[str, ...]]) -> LogMapping:
        """The same with these columns by "q", "qd" and "tau"; what a guess rested on is forgotten where it is no longer one."""
        others = {group for group in GROUPS if columns[group] != self.columns(group)}
        gone = others | ({LEFT_OUT} if "qd" in others else set())
        why = {key: words for key, words in self.why.items() if key not in gone}
        return replace(self, q=columns["q"], qd=columns["qd"], tau=columns["tau"], why=why)

    def check(self, n: int) -> None:
        """Raises RecordingError saying which choice cannot be, for an arm of n joints."""
        for group in GROUPS:
            if len(self.columns(group)) != n:
                raise RecordingError(f"{group}: give one column for each of {n} joints, '' for a joint without one")
        if not self.angle_unit:
            raise RecordingError(
                "positions between −100 and 100 may be degrees, or normalised to each joint's calibrated range; "
                "choose the angle unit, degrees or normalised (%)"
            )
        for value, valid, what in (
            (self.time_unit, TIMES, "time unit"),
            (self.angle_unit, (*ANGLES, NORMALISED), "angle unit"),
            (self.speed_unit, ANGLES, "angular speed unit"),
            (self.length_unit, LENGTHS, "length unit"),
            (self.torque_unit, TORQUES, "torque unit"),
        ):
            if value not in valid:
                raise RecordingError(f"unknown {what} {value!r}; valid: {', '.join(valid)}")
        if not any(self.q):
            raise RecordingError("no column is assigned to a joint position; choose at least one")
        self._check_each_once()
        for hertz, what in ((self.rate, "rate"), (self.cutoff, "cut-off")):
            if not 0 <= hertz <= MOST_RATE:
                raise RecordingError(f"the {what} must be from 0 to {MOST_RATE:g} Hz, not {hertz!r}")
        if not 0 <= self.max_gap <= 1e6 or not 0 <= self.period <= 1e6:
            raise RecordingError("the longest gap and the period must be from 0 to 1e6 s")
        if (not self.time or self.time_unit == "samples") and not self.period:
            raise RecordingError("there is no time column: give the period, the seconds from row to row")
        if not isinstance(self.constants, str) and (
            len(self.constants) != n or not all(math.isfinite(value) for value in self.constants)
        ):
            raise RecordingError(f"torque constants must be {n} finite numbers, one per joint, or 'fit'")

    def _check_each_once(self) -> None:
        taken = {self.time: "the time"} if self.time else {}
        for group in GROUPS:
            for joint, name in enumerate(self.columns(group)):
                what = f"{group} of joint {joint + 1}"
                if name in taken:
                    raise RecordingError(f"the column {name!r} is used twice, for {taken[name]} and for {what}")
                if name:
                    taken[name] = what

    def text(self) -> str:
        """As JSON, without what a guess rested on."""
        values = asdict(self)
        del values["why"]
        return json.dumps(values)

    @classmethod
    def from_text(cls, text: str, names: Sequence[str], n: int) -> LogMapping | None:
        """The mapping that `text` told, where it fits columns of these names and an arm of n joints; else None."""
        try:
            data: dict[str, Any] = json.loads(text)
            known = {item.name for item in fields(cls)} - {"why"}
            values: dict[str, Any] = {
                key: tuple(value) if isinstance(value, list) else value for key, value in data.items() if key in known
            }
            mapping = cls(**values)
            mapping.check(n)
            used = [name for group in GROUPS for name in mapping.columns(group)] + [mapping.time]
        except (ValueError, TypeError, AttributeError, RecordingError):
            return None
        return mapping if all(name == "" or name in names for name in used) else None
