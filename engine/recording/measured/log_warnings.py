"""Warnings about a log for an arm: unused columns, joints without a column, exceeded limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.recording.measured.clock_columns import may_be_time, other_clocks
from armature.engine.recording.measured.column_words import TARGET, column_meaning
from armature.engine.recording.measured.log_mapping import GROUPS, LEFT_OUT, LogMapping
from armature.engine.recording.measured.log_table import LogTable
from armature.engine.recording.measured.log_times import LogTimes
from armature.engine.recording.measured.text_form import unknown_unit_in

_TIMES = 3.0  # the largest speed: more than that is a leap
_FAST = 20.0  # rad/s or m/s, of a joint whose largest speed is not known
_LEAST = 0.05  # rad or m: less is noise
QUANTITIES = {"q": "positions", "qd": "speeds", "tau": "torques"}
_LISTED = 3  # names; of a longer list only the first and the last are shown
_BEYOND = 1e-3  # rad or m past a limit: less is how a sensor was zeroed


def leaps(robot: Robot, times: LogTimes, q: np.ndarray) -> Iterator[str]:
    """Per joint whose positions `(N, n)` leap, the first leap and how many follow."""
    for k, name in enumerate(robot.joint_names):
        known = np.flatnonzero(np.isfinite(q[:, k]))
        steps = np.diff(q[known, k])
        room = np.maximum(np.diff(times.t[known]), times.period)
        speed = float(robot.qd_max[k]) if np.isfinite(robot.qd_max[k]) else _FAST
        found = np.flatnonzero(np.abs(steps) > np.maximum(_TIMES * speed * room, _LEAST))
        if len(found):
            at = known[found[0] + 1]
            size, unit = abs(steps[found[0]]), "m" if robot.prismatic[k] else "rad"
            more = (
                f", and at {len(found) - 1:,} more rows" if len(found) > 2 else ", and at one more row" if len(found) == 2 else ""
            )
            yield f"{name} jumps by {size:,.4g} {unit} at row {times.rows[at] + 1:,} (t = {times.t[at]:.4g} s){more}"


def unused_columns(table: LogTable, robot: Robot, mapping: LogMapping) -> str:
    """Return which columns look like a clock or something of a joint and are not used; "" for none."""
    used = {mapping.time, *(name for group in GROUPS for name in mapping.columns(group))}
    names, more = table.names, ""
    others = [name for name in other_clocks(table, mapping.time) if name not in used]
    messages = [_listed(others)] if others else []
    for group in GROUPS:
        like = [
            name
            for name in names
            if (meaning := column_meaning(name)).kind == group and meaning.rank < TARGET and meaning.may_be_joint
        ]
        unused = [name for name in like if name not in used]
        if not unused or (group == "qd" and mapping.why.get(LEFT_OUT)):
            continue
        messages.append(_listed(unused))
        joints = {column_meaning(name).number for name in like}
        if None not in joints and len(joints) > robot.n and not more:
            more = f"; the log has {QUANTITIES[group]} of {len(joints)} joints, {robot.name} has {robot.n}"
    return f"not used: {', '.join(messages)}{more}" if messages else ""


def unknown_units(robot: Robot, mapping: LogMapping) -> str:
    """Used columns with an unknown unit in square brackets, and the unit that is assumed; "" for none."""
    columns = [(mapping.time, mapping.time_unit)]
    for group, names in mapping.groups.items():
        columns += [(name, mapping.unit(group, slides)) for name, slides in zip(names, robot.prismatic, strict=True)]
    read = [f"{unit} of {name.rpartition('[')[0].strip()} as {used}" for name, used in columns if (unit := unknown_unit_in(name))]
    return f"unknown units, and the units assumed for them: {_listed(read)}" if read else ""


def time_in_doubt(table: LogTable, robot: Robot, mapping: LogMapping) -> str:
    """Return which column that is used for a joint looks like the time, where none is used for that; "" for none."""
    for joint, name in zip(robot.joint_names, mapping.q, strict=True):
        if not mapping.time and name and may_be_time(table, name):
            return f"{name} increases evenly and may be the time; it is used for {joint}, with a period of {mapping.period:g} s"
    return ""


def joints_at_home(robot: Robot, mapping: LogMapping) -> str:
    """Which joints have no column of positions; "" for none."""
    missing = [name for name, column in zip(robot.joint_names, mapping.q, strict=True) if not column]
    return f"no position column for {', '.join(missing)}; home is assumed" if missing else ""


def empty_columns(mapping: LogMapping, given: Mapping[str, np.ndarray]) -> str:
    """Which columns that are used hold no number in `given`, `(N, n)` by "q", "qd" and "tau"; "" for none."""
    empty = [
        name
        for group in GROUPS
        for k, name in enumerate(mapping.columns(group))
        if name and not np.isfinite(given[group][:, k]).any()
    ]
    messages = f"the values computed from {'it' if len(empty) == 1 else 'them'} are empty (NaN)"
    return f"no numbers in {', '.join(empty)}; {messages}" if empty else ""


def outside_limits(robot: Robot, mapping: LogMapping, q: np.ndarray) -> str:
    """Which joints the positions `(N, n)` take outside their limits, and how far; "" for none."""
    messages = []
    for k, name in enumerate(robot.joint_names):
        known = q[np.isfinite(q[:, k]), k] if mapping.q[k] else q[:0, k]
        low, high = float(robot.q_min[k]), float(robot.q_max[k])
        if not len(known):
            continue
        least, most = float(known.min()), float(known.max())
        below, above = least < low - _BEYOND, most > high + _BEYOND
        if below or above:
            reached = " and ".join(_shown(x, robot, k) for x, out in ((least, below), (most, above)) if out)
            messages.append(f"{name} at {reached} (limits {_shown(low, robot, k)} to {_shown(high, robot, k)})")
    return f"outside joint limits: {', '.join(messages)}" if messages else ""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= _LISTED else f"{names[0]} … {names[-1]}"


def _shown(q: float, robot: Robot, joint: int) -> str:
    text = f"{q:.4g} m" if robot.prismatic[joint] else f"{np.degrees(q):.4g}°"
    return text.replace("-", "−")
