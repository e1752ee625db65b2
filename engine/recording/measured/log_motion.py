"""`LogMotion`: the motion that a log tells, at even times, with the speeds and accelerations that it does not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from armature.engine.errors import Cancelled, RecordingError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.clock_columns import is_unnamed
from armature.engine.recording.measured.column_words import words_of
from armature.engine.recording.measured.log_mapping import (
    ANGLES,
    CURRENTS,
    FIT,
    LEFT_OUT,
    LENGTHS,
    NORMALISED,
    TORQUES,
    LogMapping,
)
from armature.engine.recording.measured.log_table import LogTable
from armature.engine.recording.measured.log_times import LogTimes, times_of
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
from armature.engine.recording.measured.measured_torques import fitted_constants, model_torque, untold_constants
from armature.engine.recording.measured.resampling import (
    METHOD,
    all_empty,
    gaps,
    grid_of,
    on_grid,
    slopes,
    smoothed,
    usual_cutoff,
)

_NEAR = 0.2  # of a turn: as near to one whole turn are the jumps of an angle that went over ±180°
_STEPS = 5


@dataclass(frozen=True, eq=False)
class LogMotion(Frozen):
    """`t` `(N,)` s; `q`, `qd`, `qdd`, `tau` `(N, n)` in SI units, NaN in gaps; `facts` as plain values for the metadata.

    `notes` say in one line each what was done and what is missing; `warnings` are those that tell against log, arm or mapping.
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


def motion_of(
    table: LogTable,
    robot: Robot,
    mapping: LogMapping,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> LogMotion:
    """The motion of `robot` that the columns tell. Raises RecordingError."""
    try:
        mapping.check(robot.n)
    except RecordingError as error:
        raise RecordingError(f"{table.path}: {error}{table.words_met if not any(mapping.q) else ''}") from None
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
            *table.doubts,
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
        """All of it."""
        mapping, robot = self.mapping, self.robot
        raw = {group: self._raw(group) for group in ("q", "qd", "tau")}
        wanted = np.any([np.isfinite(values).any(axis=1) for values in raw.values()], axis=0)
        times = times_of(self.table, mapping, wanted, raw["q"])
        self.notes += times.notes
        self.warnings += times.doubts
        self._stage(1)
        given = {group: values[times.rows] for group, values in raw.items()}
        given["q"] = self._unwrapped(given["q"])
        self.warnings += [
            empty_columns(mapping, given),
            *leaps(robot, times, given["q"]),
            outside_limits(robot, mapping, given["q"]),
        ]
        grid = grid_of(times.t, times.period, mapping.rate, mapping.max_gap)
        cutoff = self._cutoff(grid.rate)
        used = np.hstack([given[group][:, [bool(name) for name in mapping.columns(group)]] for group in given])
        bridged, left = gaps(times.t, used, max(times.period, 1.0 / grid.rate if grid.kept else 0.0), grid.max_gap)
        q = on_grid(grid, times.t, given["q"], smooth=True)
        qd = on_grid(grid, times.t, given["qd"], smooth=False)
        tau = on_grid(grid, times.t, given["tau"], smooth=False)
        if all_empty(q):
            raise RecordingError(f"{self.table.path}: no position column has two consecutive numbers")
        self._stage(2)
        missing = [k for k in range(robot.n) if not mapping.q[k]]
        q[:, missing] = robot.configurations["home"][missing]
        qd_made = slopes(smoothed(q, grid.rate, cutoff), grid.rate)
        self._stage(3)
        measured = np.array([bool(name) for name in mapping.qd])
        qd = np.where(measured, qd, qd_made)
        qdd = slopes(np.where(measured, smoothed(qd, grid.rate, cutoff), qd_made), grid.rate)
        self._stage(4)
        facts = self._facts(times, grid, cutoff, bridged, left)
        tau = self._torques(q, qd, qdd, tau, facts)
        self._stage(5)
        warnings = tuple(filter(None, self.warnings))
        facts["warnings"] = list(warnings)
        return LogMotion(grid.t, q, qd, qdd, tau, (*warnings, *self.notes), facts, times.began, warnings)

    def _raw(self, group: str) -> np.ndarray:
        """Columns `(rows, n)` in SI units, NaN for joints that have none."""
        mapping, robot = self.mapping, self.robot
        values = np.full((len(self.table), robot.n), np.nan)
        for k, name in enumerate(mapping.columns(group)):
            if name and group == "q" and mapping.angle_unit == NORMALISED:
                values[:, k] = self._of_range(k, name)
            elif name:
                angle = ANGLES[mapping.angle_unit if group == "q" else mapping.speed_unit]
                unit = (
                    TORQUES[mapping.torque_unit]
                    if group == "tau"
                    else LENGTHS[mapping.length_unit]
                    if robot.prismatic[k]
                    else angle
                )
                values[:, k] = self.table.column(name) * unit
        return values

    def _of_range(self, joint: int, name: str) -> np.ndarray:
        """Return positions from per cent of a joint's range: −100 to 100 from limit to limit, of a gripper 0 to 100."""
        low, high = float(self.robot.q_min[joint]), float(self.robot.q_max[joint])
        if not np.isfinite(high - low):
            raise ValueError(
                f"{name} is normalised, but {self.robot.joint_names[joint]} has no limits to scale by; give another angle unit"
            )
        from_zero = bool({"gripper", "finger", "jaw"} & set(words_of(name).words))
        share = self.table.column(name) / 100.0
        return low + (high - low) * (share if from_zero else 0.5 * (share + 1.0))

    def _unwrapped(self, q: np.ndarray) -> np.ndarray:
        """Angles that go on where they jumped by a turn."""
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

    def _cutoff(self, rate: float) -> float:
        cutoff = self.mapping.cutoff or usual_cutoff(rate)
        if cutoff >= 0.5 * rate:
            raise ValueError(f"the cut-off of {cutoff:g} Hz must be below half the rate, {0.5 * rate:.6g} Hz")
        return cutoff

    def _facts(self, times: LogTimes, grid, cutoff: float, bridged: int, left: int) -> dict[str, Any]:
        """What was done, for the metadata, and the same for people."""
        mapping, robot, notes = self.mapping, self.robot, self.notes
        names = robot.joint_names
        measured = {group: [names[k] for k, name in enumerate(mapping.columns(group)) if name] for group in ("q", "qd", "tau")}
        if grid.kept:
            notes.insert(0, f"the {len(grid.t):,} rows are evenly spaced at {grid.rate:.6g} Hz and were not resampled")
        else:
            how = "positions with Akima interpolation, the rest linearly"
            notes.insert(
                0, f"{len(times.t):,} rows were resampled to {len(grid.t):,} evenly spaced ones at {grid.rate:.6g} Hz: {how}"
            )
        if bridged:
            notes.append(
                f"{bridged:,} gap{'s' * (bridged > 1)} of up to {grid.max_gap:.3g} s {'are' if bridged > 1 else 'is'} filled"
            )
        if left:
            notes.append(
                f"{left:,} gap{'s' * (left > 1)} of more than {grid.max_gap:.3g} s {'are' if left > 1 else 'is'} empty (NaN)"
            )
        made = [name for name in names if name not in measured["qd"]]
        what = (
            "accelerations"
            if not made
            else f"speeds{'' if len(made) == len(names) else ' of ' + ', '.join(made)} and accelerations"
        )
        if mapping.angle_unit == NORMALISED:
            notes.append(f"positions are percentages of each joint's range; −100 and 100 are the limits of {robot.name}")
        notes.append(f"{what} are derivatives of the positions after a zero-phase low-pass at {cutoff:.4g} Hz")
        return {
            "file": self.table.path.name,
            "columns": {"time": mapping.time, **{group: list(mapping.columns(group)) for group in ("q", "qd", "tau")}},
            "units": {
                "time": mapping.time_unit,
                "angle": mapping.angle_unit,
                "speed": mapping.speed_unit,
                "length": mapping.length_unit,
                "torque": mapping.torque_unit,
            },
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
        """Those measured; of joints where none were, those of the model."""
        mapping, robot, notes = self.mapping, self.robot, self.notes
        model = model_torque(robot, q, qd, qdd)
        has, none = np.array([bool(name) for name in mapping.tau]), "no torques were measured"
        if mapping.torque_unit in CURRENTS and has.any():
            fit = mapping.constants == FIT
            constants = fitted_constants(tau, model) if fit else np.array(mapping.constants, float)
            untold, has = has & ~np.isfinite(constants), has & np.isfinite(constants)
            tau = tau * constants
            facts["constants"] = [float(value) if known else None for value, known in zip(constants, has, strict=True)]
            facts["measured"]["tau"] = list(np.array(robot.joint_names)[has])
            if has.any():
                told = ", ".join(f"{value:.4g}" for value in constants[has])
                notes.append(f"torque = current · {told} N·m/A, {'fitted to the model' if fit else 'as given'}")
            if untold.any():
                notes.append(untold_constants(robot, untold))
                none = "their torque constants are unknown"
        if not has.all():
            notes += self._unused_currents()
            which = "" if not has.any() else " of " + ", ".join(np.array(robot.joint_names)[~has])
            notes.append(
                f"torques{which} are computed from the model, because {none}"
                if robot.has_dynamics
                else f"torques{which} are 0: {none}, and {robot.name} has no masses"
            )
        return np.where(has, tau, np.where(np.isfinite(q), model, np.nan))

    def _unused_currents(self) -> list[str]:
        """Which currents nothing is made of."""
        table = self.table
        for unit in CURRENTS:
            count = sum(one == unit and name not in self.mapping.tau for name, one in zip(table.names, table.units, strict=True))
            if count:
                return [f"{count} column{'s' * (count > 1)} in {unit} {'are' if count > 1 else 'is'} not used"]
        return []
