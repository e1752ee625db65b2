"""`LogMotion`: the motion in a log, resampled to even times, with derived speeds and accelerations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from armature.engine.errors import Cancelled, RecordingError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.clock_columns import is_unnamed, may_be_time, other_clocks
from armature.engine.recording.measured.column_words import TARGET, column_meaning
from armature.engine.recording.measured.log_mapping import (
    ANGLES,
    CURRENTS,
    FIT,
    GROUPS,
    LEFT_OUT,
    LENGTHS,
    NORMALISED,
    TORQUES,
    LogMapping,
)
from armature.engine.recording.measured.log_table import LogTable
from armature.engine.recording.measured.log_times import LogTimes, repair_times
from armature.engine.recording.measured.measured_torques import fitted_constants, missing_constants_reason, model_torque
from armature.engine.recording.measured.resampling import (
    METHOD,
    Grid,
    all_empty,
    even_grid,
    gaps,
    low_pass,
    resample,
    slopes,
    usual_cutoff,
)
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


_SI = {**ANGLES, **LENGTHS, **TORQUES}  # per unit
_NEAR = 0.2  # of a turn: as near to one whole turn are the jumps of an angle that went over ±180°
_STEPS = 5


@dataclass(frozen=True, eq=False)
class LogMotion(Frozen):
    """Motion of a log: `t` `(N,)` s; `q`, `qd`, `qdd`, `tau` `(N, n)` in SI units, NaN in gaps; `facts` as plain values for the
    metadata.

    `notes` are lines about the processing and missing data; `warnings` are problems of log, arm or mapping.
    """

    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    notes: tuple[str, ...]
    facts: dict[str, Any]
    began: float
    warnings: tuple[str, ...] = ()


def motion_from_log(
    table: LogTable,
    robot: Robot,
    mapping: LogMapping,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> LogMotion:
    """Return the motion of `robot` in a log. Raises RecordingError."""
    try:
        mapping.check(robot.n)
    except RecordingError as error:
        raise RecordingError(f"{table.path}: {error}{table.first_text_column if not any(mapping.q) else ''}") from None
    try:
        return _Making(table, robot, mapping, progress, cancelled).motion()
    except ValueError as error:
        raise RecordingError(f"{table.path}: {error}") from None


class _Making:
    def __init__(self, table: LogTable, robot: Robot, mapping: LogMapping, progress, cancelled):
        self.table, self.robot, self.mapping = table, robot, mapping
        self._progress, self._cancelled = progress, cancelled
        ordered = (f"{words}: {mapping.why[group]}" for group, words in QUANTITIES.items() if mapping.why.get(group))
        time = f"time: {mapping.why['time']}" if mapping.time and is_unnamed(table) and mapping.why.get("time") else ""
        self.notes: list[str] = [*table.remarks, *filter(None, [time]), *ordered]
        self.warnings = [
            *table.warnings,
            mapping.why.get(LEFT_OUT, ""),
            unused_columns(table, robot, mapping),
            joints_at_home(robot, mapping),
            unknown_units(robot, mapping),
            time_in_doubt(table, robot, mapping),
        ]

    def _stage(self, k: int) -> None:
        if self._cancelled():
            raise Cancelled
        self._progress(k, _STEPS)

    def motion(self) -> LogMotion:
        """Compute the motion in five stages: times, resampling, speeds, accelerations, torques."""
        mapping, robot = self.mapping, self.robot
        raw = {group: self._raw(group) for group in GROUPS}
        has_values = np.any([np.isfinite(values).any(axis=1) for values in raw.values()], axis=0)
        times = repair_times(self.table, mapping, has_values, raw["q"])
        self.notes += times.notes
        self.warnings += times.warnings
        self._stage(1)
        given = {group: values[times.rows] for group, values in raw.items()}
        given["q"] = self._unwrapped(given["q"])
        self.warnings += [
            empty_columns(mapping, given),
            *leaps(robot, times, given["q"]),
            outside_limits(robot, mapping, given["q"]),
        ]
        grid = even_grid(times.t, times.period, mapping.rate, mapping.max_gap)
        cutoff = mapping.cutoff or usual_cutoff(grid.rate)
        if cutoff >= 0.5 * grid.rate:
            raise ValueError(f"the cut-off of {cutoff:g} Hz must be below half the rate, {0.5 * grid.rate:.6g} Hz")
        measured = {group: np.array([bool(name) for name in columns]) for group, columns in mapping.groups.items()}
        used = np.hstack([given[group][:, measured[group]] for group in GROUPS])
        gap_counts = gaps(times.t, used, max(times.period, 1.0 / grid.rate if grid.kept else 0.0), grid.max_gap)
        q, qd, tau = (resample(grid, times.t, given[group], smooth=group == "q") for group in GROUPS)
        if all_empty(q):
            raise RecordingError(f"{self.table.path}: no position column has two consecutive numbers")
        self._stage(2)
        q[:, ~measured["q"]] = robot.configurations["home"][~measured["q"]]
        qd_made = slopes(low_pass(q, grid.rate, cutoff), grid.rate)
        self._stage(3)
        qd = np.where(measured["qd"], qd, qd_made)
        qdd = slopes(np.where(measured["qd"], low_pass(qd, grid.rate, cutoff), qd_made), grid.rate)
        self._stage(4)
        facts = self._facts(times, grid, cutoff, gap_counts)
        tau = self._torques(q, qd, qdd, tau, facts)
        self._stage(5)
        warnings = tuple(filter(None, self.warnings))
        facts["warnings"] = list(warnings)
        return LogMotion(grid.t, q, qd, qdd, tau, (*warnings, *self.notes), facts, times.began, warnings)

    def _raw(self, group: str) -> np.ndarray:
        """Columns `(rows, n)` in SI units, NaN for joints without a column."""
        values = np.full((len(self.table), self.robot.n), np.nan)
        for k, name in enumerate(self.mapping.columns(group)):
            unit = self.mapping.unit(group, bool(self.robot.prismatic[k]))
            if name and group == "q" and self.mapping.angle_unit == NORMALISED:
                values[:, k] = self._of_range(k, name)
            elif name:
                values[:, k] = self.table.column(name) * _SI[unit]
        return values

    def _of_range(self, joint: int, name: str) -> np.ndarray:
        """Return positions from per cent of a joint's range: −100 to 100 from limit to limit, of a gripper 0 to 100."""
        low, high = float(self.robot.q_min[joint]), float(self.robot.q_max[joint])
        if not np.isfinite(high - low):
            raise ValueError(
                f"{name} is normalised, but {self.robot.joint_names[joint]} has no limits to scale by; give another angle unit"
            )
        from_zero = bool({"gripper", "finger", "jaw"} & set(column_meaning(name).words))
        share = self.table.column(name) / 100.0
        return low + (high - low) * (share if from_zero else 0.5 * (share + 1.0))

    def _unwrapped(self, q: np.ndarray) -> np.ndarray:
        """Angles without jumps of one turn."""
        if not self.mapping.unwrap:
            return q
        turns = 0
        for k in np.flatnonzero(~self.robot.prismatic):
            known = np.flatnonzero(np.isfinite(q[:, k]))
            steps = np.diff(q[known, k])
            jumps = np.abs(np.abs(steps) / (2 * np.pi) - 1.0) < _NEAR
            turns += int(jumps.sum())
            q[known[1:], k] -= 2 * np.pi * np.cumsum(np.where(jumps, np.sign(steps), 0.0))
        if turns:
            self.notes.append(f"jumps of one turn were unwrapped at {turns:,} places")
        return q

    def _facts(self, times: LogTimes, grid: Grid, cutoff: float, gap_counts: tuple[int, int]) -> dict[str, Any]:
        """Return the processing as plain values for the metadata, and add it to the notes."""
        mapping, robot, notes = self.mapping, self.robot, self.notes
        names = robot.joint_names
        measured = {group: [names[k] for k, name in enumerate(columns) if name] for group, columns in mapping.groups.items()}
        rows, at_rate = f"{len(grid.t):,}", f"at {grid.rate:.6g} Hz"
        if grid.kept:
            notes.insert(0, f"the {rows} rows are evenly spaced {at_rate} and were not resampled")
        else:
            how = "positions with Akima interpolation, the rest linearly"
            notes.insert(0, f"{len(times.t):,} rows were resampled to {rows} evenly spaced ones {at_rate}: {how}")
        for count, length, result in zip(gap_counts, ("up to", "more than"), ("filled", "empty (NaN)"), strict=True):
            if count:
                plural, verb = ("s", "are") if count > 1 else ("", "is")
                notes.append(f"{count:,} gap{plural} of {length} {grid.max_gap:.3g} s {verb} {result}")
        if mapping.angle_unit == NORMALISED:
            notes.append(f"positions are percentages of each joint's range; −100 and 100 are the limits of {robot.name}")
        made = [name for name in names if name not in measured["qd"]]
        speeds = f"speeds{'' if len(made) == len(names) else ' of ' + ', '.join(made)} and " if made else ""
        notes.append(f"{speeds}accelerations are derivatives of the positions after a zero-phase low-pass at {cutoff:.4g} Hz")
        bridged, left = gap_counts
        return {
            "file": self.table.path.name,
            "columns": {"time": mapping.time, **{group: list(columns) for group, columns in mapping.groups.items()}},
            "units": {quantity: vars(mapping)[f"{quantity}_unit"] for quantity in ("time", "angle", "speed", "length", "torque")},
            "measured": measured,
            "filter": {"cutoff": cutoff, "method": METHOD},
            "sampling": {
                "rate": grid.rate,
                "method": "as in the log" if grid.kept else "Akima (positions), linear (the rest)",
                "rows_in_log": len(self.table),
                "gaps_bridged": bridged,
                "gaps_left": left,
                "max_gap": grid.max_gap,
            },
            "constants": None,
        }

    def _torques(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, tau: np.ndarray, facts: dict[str, Any]) -> np.ndarray:
        """Measured torques; torques of the model for joints without a measurement."""
        mapping, robot, notes, table = self.mapping, self.robot, self.notes, self.table
        model, names = model_torque(robot, q, qd, qdd), np.array(robot.joint_names)
        has, none = np.array([bool(name) for name in mapping.tau]), "no torques were measured"
        if mapping.torque_unit in CURRENTS and has.any():
            fit = mapping.constants == FIT
            constants = fitted_constants(tau, model) if fit else np.array(mapping.constants, float)
            unfitted, has = has & ~np.isfinite(constants), has & np.isfinite(constants)
            tau = tau * constants
            facts["constants"] = [float(value) if known else None for value, known in zip(constants, has, strict=True)]
            facts["measured"]["tau"] = list(names[has])
            if has.any():
                values = ", ".join(f"{value:.4g}" for value in constants[has])
                notes.append(f"torque = current · {values} N·m/A, {'fitted to the model' if fit else 'as given'}")
            if unfitted.any():
                notes.append(missing_constants_reason(robot, unfitted))
                none = "their torque constants are unknown"
        if not has.all():
            columns = zip(table.names, table.units, strict=True)
            units = [unit for name, unit in columns if unit in CURRENTS and name not in mapping.tau]
            if count := units.count(unit := "A" if "A" in units else "mA"):
                notes.append(f"{count} column{'s' * (count > 1)} in {unit} {'are' if count > 1 else 'is'} not used")
            which = " of " + ", ".join(names[~has]) if has.any() else ""
            notes.append(
                f"torques{which} are computed from the model, because {none}"
                if robot.has_dynamics
                else f"torques{which} are 0: {none}, and {robot.name} has no masses"
            )
        return np.where(has, tau, np.where(np.isfinite(q), model, np.nan))
