"""`LogMapping`: the column mapping of a log, and the processing of its import."""

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
"""Key of `why`: columns that are not used although their names suggest a quantity."""
GROUPS = ("q", "qd", "tau")
MOST_RATE = 100_000.0  # Hz


@dataclass(frozen=True)
class LogMapping(Frozen):
    """Column mapping: `q`, `qd` and `tau` name a column per joint, "" for none; units are keys of the tables above.

    `angle_unit` may also be "%", of each joint's range, or "" if only the user can choose the unit. `time` "" counts rows,
    `period` s apart. `constants` are N·m/A (N/A) per joint if `torque_unit` is a current, or "fit": fitted to the torques of the
    model. `rate` Hz of the recording, 0 for the rate of the log; `cutoff` Hz of the filter, 0 for the default; gaps of up to
    `max_gap` s are bridged, 0 for the default; `unwrap` removes jumps of one turn from angles.
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
    """Reason of each guess, by field, for the user."""

    def columns(self, group: str) -> tuple[str, ...]:
        """Columns of "q", "qd" or "tau"."""
        return vars(self)[group]

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Columns by "q", "qd" and "tau"."""
        return {group: self.columns(group) for group in GROUPS}

    def unit(self, group: str, slides: bool) -> str:
        """Unit of "q", "qd" or "tau" for a prismatic joint (`slides`) or another."""
        if slides and group != "tau":
            return self.length_unit
        return {"q": self.angle_unit, "qd": self.speed_unit, "tau": self.torque_unit}[group]

    def with_column(self, group: str, joint: int, name: str) -> LogMapping:
        """Return the mapping with another column for one joint."""
        columns = list(self.columns(group))
        columns[joint] = name
        return self.with_columns({**self.groups, group: tuple(columns)})

    def without(self, names: Sequence[str]) -> LogMapping:
        """Return the mapping without these columns of joints."""
        groups = self.groups.items()
        return self.with_columns({group: tuple("" if name in names else name for name in columns) for group, columns in groups})

    def with_columns(self, columns: Mapping[str, tuple[str, ...]]) -> LogMapping:
        """Return the mapping with these columns by "q", "qd" and "tau"; reasons of changed groups are removed."""
        changed = {group for group in GROUPS if columns[group] != self.columns(group)}
        gone = changed | ({LEFT_OUT} if "qd" in changed else set())
        why = {key: reason for key, reason in self.why.items() if key not in gone}
        return replace(self, q=columns["q"], qd=columns["qd"], tau=columns["tau"], why=why)

    def check(self, n: int) -> None:
        """Raise RecordingError for an invalid choice, for an arm of n joints."""
        for group, columns in self.groups.items():
            if len(columns) != n:
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
        uses = {self.time: "the time"} if self.time else {}
        for group, columns in self.groups.items():
            for joint, name in enumerate(columns, start=1):
                if name in uses:
                    raise RecordingError(f"the column {name!r} is used twice, for {uses[name]} and for {group} of joint {joint}")
                if name:
                    uses[name] = f"{group} of joint {joint}"
        for hertz, what in ((self.rate, "rate"), (self.cutoff, "cut-off")):
            if not 0 <= hertz <= MOST_RATE:
                raise RecordingError(f"the {what} must be from 0 to {MOST_RATE:g} Hz, not {hertz!r}")
        if not 0 <= self.max_gap <= 1e6 or not 0 <= self.period <= 1e6:
            raise RecordingError("the longest gap and the period must be from 0 to 1e6 s")
        if (not self.time or self.time_unit == "samples") and not self.period:
            raise RecordingError("there is no time column: give the period, the seconds from row to row")
        if not isinstance(self.constants, str) and not (len(self.constants) == n and all(map(math.isfinite, self.constants))):
            raise RecordingError(f"torque constants must be {n} finite numbers, one per joint, or 'fit'")

    def text(self) -> str:
        """Return the mapping as JSON, without the reasons."""
        values = asdict(self)
        del values["why"]
        return json.dumps(values)

    @classmethod
    def from_text(cls, text: str, names: Sequence[str], n: int) -> LogMapping | None:
        """Return the mapping stored in `text`; None if it does not fit columns of these names and an arm of n joints."""
        try:
            data: dict[str, Any] = json.loads(text)
            keys = data.keys() & {item.name for item in fields(cls)} - {"why"}
            values: dict[str, Any] = {key: tuple(data[key]) if isinstance(data[key], list) else data[key] for key in keys}
            mapping = cls(**values)
            mapping.check(n)
            used = {name for columns in mapping.groups.values() for name in columns} | {mapping.time}
        except (ValueError, TypeError, AttributeError, RecordingError):
            return None
        return mapping if used <= {"", *names} else None
