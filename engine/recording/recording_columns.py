"""The columns of a recording: their names, their order, and where each quantity lies in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from armature.engine.recording.foreign_table import seems, told

JOINT_GROUPS = ("q", "qd", "qdd", "tau")
TOOL_COLUMNS = ("tool.x", "tool.y", "tool.z", "tool.qw", "tool.qx", "tool.qy", "tool.qz")
SCALAR_COLUMNS = ("sigma_min", "kinetic", "potential")
DERIVED = len(TOOL_COLUMNS) + len(SCALAR_COLUMNS)
_READ = (
    "Armature reads t, then q, qd, qdd and tau of every joint, named q.<joint> and so on, then "
    f"{TOOL_COLUMNS[0]} … {TOOL_COLUMNS[-1]}, {', '.join(SCALAR_COLUMNS)}"
)


def column_names(joint_names: Sequence[str]) -> tuple[str, ...]:
    """`t`, then q of all joints, qd of all joints, qdd, tau, then the tool's pose, sigma_min and the energies."""
    per_joint = [f"{group}.{joint}" for group in JOINT_GROUPS for joint in joint_names]
    return ("t", *per_joint, *TOOL_COLUMNS, *SCALAR_COLUMNS)


def joints_of(columns: Sequence[str]) -> tuple[str, ...]:
    """The joints that `columns` belong to; raises ValueError saying which column is not one of a recording."""
    n = sum(1 for name in columns if name.startswith("q."))
    joints = tuple(name[2:] for name in columns[1 : n + 1])
    expected = column_names(joints)
    if n == 0:
        raise ValueError(f"there is no column 'q.<joint>'; {seems(columns)}. {_READ}")
    for k, (got, want) in enumerate(zip(columns, expected, strict=False)):
        if got != want:
            raise ValueError(f"column {k + 1} is {got[:60]!r} where {want[:60]!r} belongs{_missing(columns, joints)}")
    if len(columns) != len(expected):
        raise ValueError(f"it has {len(columns)} columns, {len(expected)} belong to {n} joints{_missing(columns, joints)}")
    if len(set(joints)) != n or not all(joints):
        raise ValueError("its joints do not all have a name of their own")
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
    return f"; missing: {told(lacks)}" if lacks else ""


@dataclass(frozen=True)
class Layout:
    """Where the quantities of an n-joint recording lie in a row of `width` numbers."""

    n: int

    @property
    def state_width(self) -> int:
        """Numbers per row that a simulation step gives: t, q, qd, qdd, tau."""
        return 1 + 4 * self.n

    @property
    def width(self) -> int:
        """Numbers per row of a recording: the state and what is derived from it."""
        return self.state_width + DERIVED

    def group(self, name: str) -> slice:
        """Columns of "q", "qd", "qdd" or "tau"."""
        first = 1 + JOINT_GROUPS.index(name) * self.n
        return slice(first, first + self.n)

    @property
    def tool(self) -> slice:
        """Columns of the tool pose: x y z qw qx qy qz."""
        return slice(self.state_width, self.state_width + len(TOOL_COLUMNS))

    def scalar(self, name: str) -> int:
        """Column of "sigma_min", "kinetic" or "potential"."""
        return self.state_width + len(TOOL_COLUMNS) + SCALAR_COLUMNS.index(name)
