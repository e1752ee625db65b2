"""The columns of a recording: their names, their order, and where each quantity lies in a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from armature.engine.recording.foreign_table import name_list, seems

JOINT_GROUPS = ("q", "qd", "qdd", "tau")
TOOL_COLUMNS = ("tool.x", "tool.y", "tool.z", "tool.qw", "tool.qx", "tool.qy", "tool.qz")
SCALAR_COLUMNS = ("sigma_min", "kinetic", "potential")
MEASURED_GROUPS = ("measured.q", "measured.qd", "measured.tau")
"""Groups of sensor readings, for runs with sensors."""
DERIVED = len(TOOL_COLUMNS) + len(SCALAR_COLUMNS)
READ = (
    "Armature reads t, then q, qd, qdd and tau of every joint, named q.<joint> and so on, then "
    f"{TOOL_COLUMNS[0]} … {TOOL_COLUMNS[-1]}, {', '.join(SCALAR_COLUMNS)};"
    " use `armature import` for logs of other programs"
)
"""Columns that a recording needs, as the end of an error message."""


class Encoder:
    """Turns one recording into the bytes of a file, in order: `header`, any number of `rows` and `flush`, `end`."""

    def __init__(self, columns: Sequence[str], metadata: Mapping[str, Any]):
        self.columns, self.metadata = tuple(columns), dict(metadata)

    def header(self) -> bytes:
        """Return the beginning of the file."""
        raise NotImplementedError

    def rows(self, table: np.ndarray) -> bytes:
        """Rows `(k, columns)`, as far as the format does not hold them back until `flush`."""
        raise NotImplementedError

    def flush(self) -> bytes:
        """Return rows that were held back, at most until a killed process may lose them."""
        return b""

    def end(self, metadata: Mapping[str, Any]) -> bytes:
        """Return the end of the file, with the final `metadata`."""
        return b""


def column_names(joint_names: Sequence[str], measured: bool = False) -> tuple[str, ...]:
    """`t`, then q of all joints, qd of all joints, qdd, tau, then the tool's pose, sigma_min and the energies.

    With `measured` the sensor readings of q, qd and tau follow.
    """
    per_joint = [f"{group}.{joint}" for group in JOINT_GROUPS for joint in joint_names]
    return ("t", *per_joint, *TOOL_COLUMNS, *SCALAR_COLUMNS, *(measured_names(joint_names) if measured else ()))


def measured_names(joint_names: Sequence[str]) -> tuple[str, ...]:
    """Names of the columns of the sensor readings."""
    return tuple(f"{group}.{joint}" for group in MEASURED_GROUPS for joint in joint_names)


def has_measured(columns: Sequence[str]) -> bool:
    """True if these columns, as for `joints_of`, end with sensor readings."""
    return columns[-1].startswith(MEASURED_GROUPS[-1])


def joints_of(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the joint names of `columns`; raises ValueError with the first column that does not fit a recording."""
    n = sum(1 for name in columns if name.startswith("q."))
    joints = tuple(name[2:] for name in columns[1 : n + 1])
    expected = column_names(joints, any(name.startswith("measured.") for name in columns))
    if n == 0:
        raise ValueError(f"no column 'q.<joint>'; {seems(columns)}. {READ}")
    for k, (got, want) in enumerate(zip(columns, expected, strict=False)):
        if got != want:
            raise ValueError(f"column {k + 1} is {got[:60]!r} instead of {want[:60]!r}{_missing(columns, joints)}")
    if len(columns) != len(expected):
        raise ValueError(f"it has {len(columns)} columns instead of {len(expected)} for {n} joints{_missing(columns, joints)}")
    if len(set(joints)) != n or not all(joints):
        raise ValueError("two joints have the same name, or one has none")
    return joints


def _missing(columns: Sequence[str], joints: Sequence[str]) -> str:
    """Which columns of a recording of these joints are not there; empty where all are."""
    have = set(columns)
    lacks = [] if "t" in have else ["t"]
    for group in JOINT_GROUPS:
        gone = [joint for joint in joints if f"{group}.{joint}" not in have]
        lacks += [f"{group} of every joint"] if len(gone) == len(joints) else [f"{group}.{joint}" for joint in gone]
    tool = [name for name in TOOL_COLUMNS if name not in have]
    lacks += [f"{tool[0]} … {tool[-1]}"] if len(tool) == len(TOOL_COLUMNS) else tool
    lacks += [name for name in SCALAR_COLUMNS if name not in have]
    sensor_columns = measured_names(joints)
    if have.intersection(sensor_columns):
        lacks += [name for name in sensor_columns if name not in have]
    return f"; missing: {name_list(lacks)}" if lacks else ""


@dataclass(frozen=True)
class Layout:
    """Positions of the quantities of an n-joint recording in a row of `width` numbers; `measured`: with sensor readings."""

    n: int
    measured: bool = False

    @property
    def state_width(self) -> int:
        """Numbers per row that a simulation step gives: t, q, qd, qdd, tau."""
        return 1 + 4 * self.n

    @property
    def width(self) -> int:
        """Numbers per row of a recording: state, derived columns, and sensor readings."""
        return self.state_width + DERIVED + (len(MEASURED_GROUPS) * self.n if self.measured else 0)

    def group(self, name: str) -> slice:
        """Columns of "q", "qd", "qdd" or "tau", or one of `MEASURED_GROUPS`."""
        if name in MEASURED_GROUPS:
            first = self.state_width + DERIVED + MEASURED_GROUPS.index(name) * self.n
        else:
            first = 1 + JOINT_GROUPS.index(name) * self.n
        return slice(first, first + self.n)

    @property
    def tool(self) -> slice:
        """Columns of the tool pose: x y z qw qx qy qz."""
        return slice(self.state_width, self.state_width + len(TOOL_COLUMNS))

    def scalar(self, name: str) -> int:
        """Column of "sigma_min", "kinetic" or "potential"."""
        return self.state_width + len(TOOL_COLUMNS) + SCALAR_COLUMNS.index(name)
