"""`import_log`: a recording from the log of a real robot, or of any other program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.errors import Cancelled, RecordingError
from armature.engine.model.load_robot import load_robot
from armature.engine.model.robot import Robot
from armature.engine.recording.derived_columns import Completer
from armature.engine.recording.foreign_table import name_list
from armature.engine.recording.measured.clock_columns import is_unnamed, names_a_time
from armature.engine.recording.measured.column_guess import BY_PLACE, guess_mapping, with_time, with_units
from armature.engine.recording.measured.column_words import column_meaning
from armature.engine.recording.measured.log_mapping import CURRENTS, GROUPS, NORMALISED, TIMES, LogMapping
from armature.engine.recording.measured.log_motion import LogMotion, motion_from_log
from armature.engine.recording.measured.log_table import LogTable
from armature.engine.recording.measured.log_times import typical_step
from armature.engine.recording.measured.read_log import log_file, read_log
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_columns import Layout
from armature.engine.recording.recording_metadata import IMPORTED, metadata_of

_TIME_KEYS = ("t", "time")
_SAME_PERIOD = 0.01  # of a period: most difference to the step of a time column that agrees with it
_BLOCK = 50_000  # rows completed at a time


def import_log(
    path: str | Path,
    robot: Robot | str,
    columns: Mapping[str, Any] | None = None,
    degrees: bool | None = None,
    *,
    normalised: bool = False,
    time_unit: str | None = None,
    period: float | None = None,
    torque_unit: str | None = None,
    torque_constants: Sequence[float] | str | None = None,
    rate: float | None = None,
    cutoff: float | None = None,
    max_gap: float | None = None,
    unwrap: bool = True,
    separator: str = "",
    decimal: str = "",
    first_line: int = 0,
    missing: Sequence[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Recording:
    """Return a recording from the log of a real robot: a text table, arrays of NumPy or MATLAB, or a ROS 2 bag of joint states.

    Columns and units that are not given are guessed from names and values; `metadata["imported"]` lists the column mapping and
    the processing. Velocities without a column, and all accelerations, are derivatives after a zero-phase low-pass. Torques of
    joints without a torque column are computed from the model.

    Args:
        path: `.csv`, `.txt`, `.tsv`, `.dat`, `.log`, `.npz`, `.mat` (up to version 7, not 7.3) or `.mcap`
            (`sensor_msgs/JointState`); or the name of the included log, `"ur5"`.
        robot: the arm, or its name.
        columns: mapping of "t", "q", "qd" and "tau" to column names: for joints a list with one name per joint, "" for a missing
            one. Single joints are also possible, with keys such as "q.joint1". Column k of a two-dimensional array `name` in a
            `.npz` or `.mat` file is "name[k]", from 0; its rows are the times.
        degrees: True if angles are in degrees, False for radians; None: guessed.
        normalised: True if positions are numbers from −100 at the lower to 100 at the upper limit of each joint, for a gripper
            joint from 0 to 100.
        time_unit: "s", "ms", "us", "ns", "min", "h", or "samples" of `period` s.
        period: time from row to row in s, if there is no time column.
        torque_unit: "N·m", "mN·m", "kN·m", "A" or "mA".
        torque_constants: for currents, torque at the joint (after the gear) per motor current `(n,)`, N·m/A; or "fit" (default)
            to fit them to the torques of the model.
        rate: sampling rate of the recording in Hz; None: the rate of the log.
        cutoff: cut-off frequency of the low-pass in Hz; None: 10 Hz, or a fifth of the sampling rate if that is less.
        max_gap: longest gap in s that is interpolated; values in longer gaps are NaN; None: 0.1 s or ten periods, the longer one.
        unwrap: whether jumps of one turn are removed from angles.
        separator, decimal, first_line: of a text file: field separator, decimal mark, and number of the first line with values,
            from 1; "" and 0: detected.
        missing: texts that mean a missing value, such as ["ERR"], in addition to "nan", "n/a" and similar; "*" for every text
            that is not a number.
        progress: called repeatedly with the work done and the total.
        cancelled: called repeatedly; if it returns True, Cancelled is raised.

    Returns:
        A `Recording` with evenly spaced times; `remarks` list the processing and missing data.

    Raises:
        RecordingError: the log cannot be read or interpreted; names file, line and column.
    """
    if isinstance(robot, str):
        robot = load_robot(robot)
    path = log_file(path)
    missing = (missing,) if isinstance(missing, str) else tuple(map(str, missing))
    table = read_log(path, separator, decimal, first_line, missing, lambda done, total: progress(done // 2, total), cancelled)
    mapping = _taken(table, robot, columns)
    if normalised or degrees is not None:
        mapping = _with_angles(table, mapping, degrees, normalised)
    if torque_unit is not None or torque_constants is not None:
        unit = torque_unit or (mapping.torque_unit if mapping.torque_unit in CURRENTS else "A")
        constants = mapping.constants if torque_constants is None else torque_constants
        mapping = replace(
            mapping, torque_unit=unit, constants=constants if isinstance(constants, str) else tuple(map(float, constants))
        )
    if period is not None and time_unit is None:
        mapping, period = _with_period(table, mapping, period, columns or {})
    if time_unit is not None or period is not None:
        unit = time_unit or ("samples" if mapping.time else mapping.time_unit)
        mapping = replace(mapping, time_unit=unit, period=mapping.period if period is None else float(period))
    if period is None and (not mapping.time or mapping.time_unit == "samples"):
        raise RecordingError(f"{table.path}: {_without_period(table, robot, mapping)}")
    mapping = replace(mapping, rate=float(rate or 0.0), cutoff=float(cutoff or 0.0), max_gap=float(max_gap or 0.0), unwrap=unwrap)
    motion = motion_from_log(table, robot, mapping, lambda k, total: progress(total * 50 + 30 * k, total * 100), cancelled)
    return recording_from_motion(table, robot, motion, lambda k, total: progress(80 * total + 20 * k, 100 * total), cancelled)


def _taken(table: LogTable, robot: Robot, columns: Mapping[str, Any] | None) -> LogMapping:
    """Return the guess, with the columns that were given in place of its own."""
    if columns is None:
        mapping = guess_mapping(table, robot)
        if mapping.why.get("q", "").startswith(BY_PLACE) and not is_unnamed(table):
            names = name_list(table.names)
            raise RecordingError(f"{table.path}: no column name indicates a joint position; give the columns. Columns: {names}")
        return mapping
    table.require(_given(columns))
    times = [str(columns[key] or "") for key in _TIME_KEYS if key in columns]
    return with_units(table, robot, _chosen(table, robot, guess_mapping(table, robot, *times[:1]), columns))


def _with_angles(table: LogTable, mapping: LogMapping, degrees: bool | None, normalised: bool) -> LogMapping:
    """Set the given angle unit; with normalised positions, speeds without a unit are not used."""
    if not normalised:
        unit = "deg" if degrees else "rad"
        return replace(mapping, angle_unit=unit, speed_unit=unit)
    if degrees is not None:
        raise RecordingError(f"{table.path}: give only one of degrees, radians and normalised")
    qd = tuple(name if name and table.unit(name) else "" for name in mapping.qd)
    return replace(mapping.with_columns({"q": mapping.q, "qd": qd, "tau": mapping.tau}), angle_unit=NORMALISED)


def _with_period(
    table: LogTable, mapping: LogMapping, period: float, columns: Mapping[str, Any]
) -> tuple[LogMapping, float | None]:
    """Return the mapping for rows that are `period` s apart, and the period, None where a time column agrees with it.

    Raises RecordingError where a time column has another period.
    """
    if not mapping.time or mapping.time_unit == "samples":
        return mapping, period
    t = table.column(mapping.time)
    if not names_a_time(table, mapping.time, column_meaning(mapping.time)) and not any(key in columns for key in _TIME_KEYS):
        if columns:
            return with_time(table, mapping, ""), period
        step = typical_step(np.diff(t[np.isfinite(t)])) * TIMES[mapping.time_unit]
        if abs(step - period) <= _SAME_PERIOD * period:
            return mapping, None
    if table.unit(mapping.time) in TIMES or (t != np.round(t)).any():
        reason = f"{mapping.time} already contains the time in {mapping.time_unit}"
        raise RecordingError(
            f"{table.path}: {reason}; omit the period, or, if the time column counts rows, give its unit as 'samples'"
        )
    return mapping, period


def _without_period(table: LogTable, robot: Robot, mapping: LogMapping) -> str:
    """Return why the period has to be given."""
    if not mapping.time and is_unnamed(table):
        what = (
            f"{len(table.names)} unnamed columns for {robot.n} joint{'s' * (robot.n > 1)}; the time column cannot be determined"
        )
        return f"{what}; if all are joint positions, give the period; otherwise name the columns of time (t) and positions (q)"
    what = f"{mapping.time} is only a row counter" if mapping.time else "no time column found"
    return f"{what}; name the time column, or give the period. Columns: {name_list(table.names)}{table.first_text_column}"


def _given(columns: Mapping[str, Any]) -> list[str]:
    """Return all names of columns that were given."""
    known = [value for key, value in columns.items() if str(key).partition(".")[0] in (*_TIME_KEYS, *GROUPS)]
    lists = [value if isinstance(value, Sequence) and not isinstance(value, str) else [value] for value in known]
    return [str(name) for names in lists for name in names if name not in ("", None)]


def _chosen(table: LogTable, robot: Robot, mapping: LogMapping, columns: Mapping[str, Any]) -> LogMapping:
    """The mapping with the columns that were given; raises RecordingError for those that cannot be."""
    valid = f"valid column keys: 't', {', '.join(map(repr, GROUPS))}, or one joint's such as 'q.{robot.joint_names[0]}'"
    given = _given(columns)
    if mapping.time in given and not names_a_time(table, mapping.time, column_meaning(mapping.time)):
        mapping = with_time(table, mapping, "")
    mapping = mapping.without(given)  # a guess gives way
    for key, value in columns.items():
        group, _, joint = str(key).partition(".")
        if key in _TIME_KEYS:
            mapping = with_time(table, mapping, str(value or ""))
        elif group in GROUPS and joint in robot.joint_names:
            mapping = mapping.with_column(group, robot.joint_names.index(joint), str(value))
        elif group in GROUPS and not joint and isinstance(value, Sequence) and not isinstance(value, str):
            if len(value) != robot.n:
                raise RecordingError(
                    f"{group}: {robot.name} has {robot.n} joints, got {len(value)} columns; use '' for a joint without one"
                )
            for k, name in enumerate(value):
                mapping = mapping.with_column(group, k, str(name or ""))
            mapping = replace(mapping, why={what: words for what, words in mapping.why.items() if what != group})
        else:
            raise RecordingError(f"{str(key)[:40]!r}: {valid}")
    return mapping


def recording_from_motion(
    table: LogTable,
    robot: Robot,
    motion: LogMotion,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Recording:
    """The motion of a log as a recording, with the tool's pose, the distance from a singularity and the energies."""
    layout, completer = Layout(robot.n), Completer(robot)
    rows = np.full((len(motion.t), layout.width), np.nan)
    rows[:, : layout.state_width] = np.hstack([motion.t[:, None], motion.q, motion.qd, motion.qdd, motion.tau])
    known = np.flatnonzero(np.isfinite(motion.q).all(axis=1) & np.isfinite(motion.qd).all(axis=1))
    for first in range(0, len(known), _BLOCK):
        if cancelled():
            raise Cancelled
        part = known[first : first + _BLOCK]
        rows[part] = completer.complete(rows[part, : layout.state_width])
        progress(first, len(known))
    rate = motion.facts["sampling"]["rate"]
    metadata = metadata_of(robot, 1.0 / rate, "")
    metadata[IMPORTED] = {**motion.facts, "notes": list(motion.notes)}
    if motion.began:
        metadata["started"] = datetime.fromtimestamp(motion.began, UTC).isoformat(timespec="milliseconds")
    return Recording.from_table(rows, robot.joint_names, metadata, motion.notes)
