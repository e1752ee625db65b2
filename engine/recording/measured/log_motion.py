"""`LogMotion`: the motion in a log, resampled to even times, with derived speeds and accelerations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from armature.engine.errors import Cancelled, RecordingError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.clock_columns import is_unnamed
from armature.engine.recording.measured.column_words import column_meaning
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
from armature.engine.recording.measured.log_warnings import (
    QUANTITIES,
    empty_columns,
    joints_at_home,
    leaps,
    outside_limits,
    time_in_doubt,
    unknown_units,
    unused_columns,
)
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
