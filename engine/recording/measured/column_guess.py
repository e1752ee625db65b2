"""First guess of the column mapping of a log, with a reason for every choice."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.recording.measured.clock_columns import clock_of, clocks, growing_first
from armature.engine.recording.measured.column_words import COUNTERS, TARGET, ColumnMeaning, column_meaning, joint_of, named_joint
from armature.engine.recording.measured.log_mapping import (
    ANGLES,
    CURRENTS,
    LEFT_OUT,
    LENGTHS,
    NEWTON_METRES,
    NORMALISED,
    TIMES,
    TORQUES,
    LogMapping,
)
from armature.engine.recording.measured.log_table import STAMPS, LogTable
from armature.engine.recording.measured.log_times import typical_step

_LIKELY = (2e-4, 0.5)  # s between two rows, of a log of an arm
_TOO_LARGE = 3.0 * np.pi  # rad: beyond one and a half turns an angle is likely in degrees
_FULL, _FULL_BY = 100.0, 1e-4  # a normalised position at an end of its range, and the share it may be off
_LOOKED_AT = 20_000  # rows
_PIECES = 200  # pieces for the comparison of speeds with slopes
_NOISE = 20.0  # times what a joint at rest trembles from row to row: more than that is a motion
BY_PLACE = "no column name indicates a position"
_USUAL_PERIOD = 0.01  # s, if nothing in the log defines it
_UNITS = {
    "q": {"", NORMALISED, *ANGLES, *LENGTHS},
    "qd": {"", *ANGLES, *LENGTHS},
    "tau": {"", "N", *NEWTON_METRES},
    "current": {"", *CURRENTS},
}
"""Units that columns of a kind may have; those with another unit are nothing of the kind, whatever their names."""
_GROUPS = {"q": ("q",), "qd": ("qd",), "tau": ("tau",)}


def time_unit(table: LogTable, name: str, counts: bool) -> tuple[str, float, str]:
    """Unit of a time column, seconds per sample if it counts samples, and the reason."""
    unit = table.unit(name)
    if unit in TIMES:
        return unit, 0.0, f"{name} is in {unit}" if unit != STAMPS else f"{name} holds dates or times of day"
    t = table.column(name)
    t = t[np.isfinite(t)][:_LOOKED_AT]
    steps = np.diff(t)
    step = typical_step(steps) or typical_step(-steps) or 1.0  # rows that all go back in time are put in order later
    largest = float(np.abs(t).max(initial=0.0))
    for unit, most in (("ns", 1e17), ("us", 1e14), ("ms", 1e11), ("s", 1e8)):  # since 1970, and no longer ago than some years
        if 8 * most < largest < 50 * most and _LIKELY[0] <= step * TIMES[unit] <= 10 * _LIKELY[1]:
            return unit, 0.0, f"{name} counts from 1970"
    if counts and step == 1.0:
        return "samples", 0.01, f"{name} counts the rows; a period of 0.01 s is assumed"
    for unit in ("s", "ms", "us", "ns"):
        if _LIKELY[0] <= step * TIMES[unit] <= _LIKELY[1]:
            return unit, 0.0, f"the period is then {step * TIMES[unit]:.4g} s"
    return "s", 0.0, "the time unit is unknown; s is assumed"


def angle_unit(table: LogTable, robot: Robot, columns: Sequence[str]) -> tuple[str, str]:
    """Unit of the angles, and the reason."""
    angles, used = _of_joints(columns, robot, slides=False), [name for name in columns if name]
    if unit := _file_unit(table, angles, ANGLES) or _file_unit(table, used, (NORMALISED,)):
        return unit, f"unit in the file: {unit}"
    most = _largest(table, angles)
    if most > _TOO_LARGE and _may_be_normalised(table, used):
        return "", "values between −100 and 100 may be degrees, or normalised to each joint's calibrated range"
    if most > _TOO_LARGE:
        return "deg", f"the largest angle is {most:.4g}; in rad this is more than one and a half turns"
    return "rad", f"the largest angle is {most:.3g}; if in degrees, the arm would hardly move" if angles else ""


def _of_joints(columns: Sequence[str], robot: Robot, slides: bool) -> list[str]:
    """Columns of the prismatic joints, or of the others."""
    return [name for name, is_slide in zip(columns, robot.prismatic, strict=True) if name and is_slide == slides]


def _file_unit(table: LogTable, columns: Sequence[str], valid: Container[str]) -> str:
    """First of the valid units that the file gives for one of the columns; "" for none."""
    return next((table.unit(name) for name in columns if table.unit(name) in valid), "")


def _may_be_normalised(table: LogTable, names: Sequence[str]) -> bool:
    """Whether positions may be per cent of a range: none beyond 100, and some just there, or all named as such logs do."""
    values = np.concatenate([np.abs(table.column(name)) for name in names])
    values = values[np.isfinite(values)]
    if any(table.unit(name) for name in names) or values.max(initial=0.0) > _FULL * (1 + _FULL_BY):
        return False
    at_end = int(np.count_nonzero(values >= _FULL * (1 - _FULL_BY)))
    return at_end >= 2 or all(name.endswith(".pos") for name in names)


def length_unit(table: LogTable, robot: Robot, columns: Sequence[str]) -> tuple[str, str]:
    """Unit of the positions of prismatic joints, and the reason."""
    lengths = _of_joints(columns, robot, slides=True)
    if unit := _file_unit(table, lengths, LENGTHS):
        return unit, f"unit in the file: {unit}"
    most = _largest(table, lengths)
    return ("mm", f"the largest displacement is {most:.4g}") if most > 10.0 else ("m", "")


def speed_unit(table: LogTable, robot: Robot, mapping: LogMapping) -> tuple[str, str]:
    """Unit of angles in the speeds: from the file, otherwise the one in which they are the slopes of the positions."""
    speeds = _of_joints(mapping.qd, robot, slides=False)
    if unit := _file_unit(table, speeds, ANGLES):
        return unit, f"unit in the file: {unit}/s"
    joints = zip(_slope_ratios(table, mapping), robot.prismatic, strict=True)
    ratios = [ratio for ratio, slides in joints if ratio is not None and ratio > 0 and not slides]
    if not ratios:
        return mapping.angle_unit if mapping.angle_unit in ANGLES else "rad", "same unit as the angles" if speeds else ""
    measured = float(np.median(ratios)) * ANGLES.get(mapping.angle_unit, ANGLES["deg"])  # rad per unit of speed
    unit = min(ANGLES, key=lambda one: abs(np.log(ANGLES[one] / measured)))
    return unit, f"the derivative of the positions is {measured / ANGLES[unit]:.3g} times these speeds if they are in {unit}/s"


def speed_ratios(table: LogTable, robot: Robot, mapping: LogMapping) -> list[float | None]:
    """Per joint the positions' slopes over the speeds, in their units; None where that is undetermined."""
    turn = ANGLES.get(mapping.angle_unit, ANGLES["deg"]) / ANGLES[mapping.speed_unit]
    if mapping.angle_unit == NORMALISED or not mapping.time or mapping.time_unit == "samples":  # no unit for slopes
        return [None] * robot.n
    found = zip(_slope_ratios(table, mapping), robot.prismatic, strict=True)
    return [ratio if ratio is None or slides else ratio * turn for ratio, slides in found]


def torque_unit(table: LogTable, columns: Sequence[str], current: bool) -> tuple[str, str]:
    """Unit of torques, or of currents, and the reason."""
    used = [name for name in columns if name]
    if unit := _file_unit(table, used, TORQUES):
        return unit, f"unit in the file: {unit}"
    if not current:
        return "N·m", ""
    most = _largest(table, used)
    return ("mA" if most > 200.0 else "A"), f"the names indicate currents; the largest is {most:.4g}"


def _largest(table: LogTable, columns: Sequence[str]) -> float:
    """Largest absolute value of columns, without the largest thousandth of each; 0 for none."""
    columns_of_values = (np.abs(values[np.isfinite(values)]) for values in map(table.column, columns))
    return max((float(np.quantile(values, 0.999)) for values in columns_of_values if len(values)), default=0.0)


def _slope_ratios(table: LogTable, mapping: LogMapping) -> list[float | None]:
    """Per joint the positions' slopes over the speeds, as the numbers of the file have it."""
    second = TIMES[mapping.time_unit] or mapping.period
    t = table.column(mapping.time)[:_LOOKED_AT] * second if mapping.time else np.arange(len(table))[:_LOOKED_AT] * mapping.period
    return [
        _ratio(t, table.column(q)[:_LOOKED_AT], table.column(qd)[:_LOOKED_AT]) if q and qd else None
        for q, qd in zip(mapping.q, mapping.qd, strict=True)
    ]


def _ratio(t: np.ndarray, q: np.ndarray, qd: np.ndarray) -> float | None:
    """Ratio of the changes of q to the integral of qd while the joint moves, 0 if qd is zero; None if the joint does not move."""
    good = np.isfinite(t) & np.isfinite(q) & np.isfinite(qd)
    t, q, qd = t[good], q[good], qd[good]
    if len(t) < 10 or (np.diff(t) <= 0).any() or np.ptp(q) <= _NOISE * np.median(np.abs(np.diff(q, 2))):
        return None
    step = max(2, len(t) // _PIECES)  # so long that the steps of an encoder do not count
    gone = np.concatenate([[0.0], np.cumsum(0.5 * (qd[1:] + qd[:-1]) * np.diff(t))])
    way, integrated = np.diff(q[::step]), np.diff(gone[::step])
    fast = np.abs(integrated) > 0.3 * np.abs(integrated).max(initial=0.0)
    if fast.sum() < 5:
        return None if integrated.any() else 0.0
    return float(np.median(way[fast] / integrated[fast]))


def guess_mapping(table: LogTable, robot: Robot, time: str | None = None) -> LogMapping:
    """Return what the columns of `table` seem to be of `robot`; `time` names the column of time, "" for none, if it is known."""
    words = [_said(name, unit) for name, unit in zip(table.names, table.units, strict=True)]
    why: dict[str, str] = {}
    known = clocks(table, words) if time is None else [table.index(time)] if time else []
    left = [k for k in range(len(table.names)) if k not in known]
    columns = {group: _group(table, robot, words, left, kinds, why) for group, kinds in _GROUPS.items()}
    if time is None and not known:
        others = _plain(table, words, left)
        grown = growing_first(table, words, robot.n if not any(columns["q"]) else 0, others)
        known = [table.index(grown)] if grown and grown not in columns["q"] else []
        left = [k for k in left if k not in known]
    if not any(columns["q"]):
        columns["q"] = _by_place(table, robot, words, left, why)
    if not any(columns["tau"]):  # units may identify torques, too
        rest = [k for k in left if table.units[k] in NEWTON_METRES and not words[k].kind and table.names[k] not in columns["q"]]
        torques = [replace(meaning, kind="tau") if k in rest else meaning for k, meaning in enumerate(words)]
        columns["tau"] = _group(table, robot, torques, rest, ("tau",), why)
    if not any(columns["tau"]):
        columns["tau"] = _group(table, robot, words, left, ("current",), why)
        current = any(columns["tau"])
    else:
        current = False
    guess = time is None
    if time is None:
        time = clock_of(table, words, known, [table.index(name) for name in columns["q"] if name])
    unit, period = "samples", _USUAL_PERIOD
    if time and guess:
        why["time"] = f"{time} holds dates or times of day" if table.unit(time) == STAMPS else f"{time} increases from row to row"
    if time:
        unit, period, why["time_unit"] = time_unit(table, time, bool(set(words[table.index(time)].words) & COUNTERS))
    elif guess:
        why["time"] = f"no time column found; a period of {_USUAL_PERIOD:g} s is assumed"
    q, qd, tau = columns["q"], columns["qd"], columns["tau"]
    mapping = LogMapping(time=time, time_unit=unit, period=period, q=q, qd=qd, tau=tau, why=why)
    return _without_false_speeds(table, robot, _with_units(table, robot, mapping, current))


def _said(name: str, unit: str) -> ColumnMeaning:
    """Return quantity and joint of a column by name and unit; of columns with equal meaning the lowest rank is used."""
    meaning = column_meaning(name)
    if unit in CURRENTS:
        return replace(meaning, kind="current")
    if unit in _UNITS.get(meaning.kind or "q", (unit,)):
        return meaning
    if unit in NEWTON_METRES:
        return replace(meaning, kind="")
    return replace(meaning, kind="", rank=meaning.rank + 2 * TARGET)


def with_time(table: LogTable, mapping: LogMapping, name: str) -> LogMapping:
    """Return the mapping with another time column, in the unit of the file or the likeliest one; "" for no time column."""
    if not name:
        return replace(mapping, time="", time_unit="samples")
    unit, period, why = time_unit(table, name, bool(set(column_meaning(name).words) & COUNTERS))
    return replace(mapping, time=name, time_unit=unit, period=period, why={**mapping.why, "time_unit": why})


def with_units(table: LogTable, robot: Robot, mapping: LogMapping) -> LogMapping:
    """Return the mapping with the units of its columns guessed again."""
    return _with_units(table, robot, mapping, mapping.torque_unit in ("A", "mA"))


def _with_units(table: LogTable, robot: Robot, mapping: LogMapping, current: bool) -> LogMapping:
    why = dict(mapping.why)
    angle, why["angle_unit"] = angle_unit(table, robot, mapping.q)
    length, why["length_unit"] = length_unit(table, robot, mapping.q)
    mapping = replace(mapping, angle_unit=angle, length_unit=length)
    speed, why["speed_unit"] = speed_unit(table, robot, mapping)
    torque, why["torque_unit"] = torque_unit(table, mapping.tau, current)
    return replace(mapping, speed_unit=speed, torque_unit=torque, why=why)


def _without_false_speeds(table: LogTable, robot: Robot, mapping: LogMapping) -> LogMapping:
    """Remove speed columns that are not the slopes of the positions in any unit.

    Columns named by a single letter are retained only if the slopes of most joints agree.
    """
    ratios = speed_ratios(table, robot, mapping)
    false = [k for k, ratio in enumerate(ratios) if ratio is not None and not 0.5 < ratio < 2.0]
    letters = [k for k, name in enumerate(mapping.qd) if name and not column_meaning(name).sure]
    known = [k for k, ratio in enumerate(ratios) if ratio is not None]
    if letters and 2 * len(false) >= len(known):
        false = sorted({*false, *letters})
    if not false:
        return mapping
    names = ", ".join(mapping.qd[k] for k in false)
    reason = f"{names}: not used as speeds, because they differ from the derivative of the positions"
    if set(false) <= set(letters) and all(ratios[k] is None for k in false):
        reason = f"{names}: not used as speeds, because their names are single letters"
    kept = replace(mapping, qd=tuple("" if k in false else name for k, name in enumerate(mapping.qd)))
    unit, words = speed_unit(table, robot, kept)
    return replace(kept, speed_unit=unit, why={**mapping.why, "speed_unit": words, LEFT_OUT: reason})


def _group(
    table: LogTable, robot: Robot, words: list[ColumnMeaning], left: list[int], kinds: tuple[str, ...], why: dict[str, str]
) -> tuple[str, ...]:
    """The best column per joint of some kind of quantity."""
    n = robot.n
    mine = [k for k in left if words[k].kind in kinds]
    if not mine:
        return ("",) * n
    figures = [words[k].number for k in mine if words[k].rank < 8]
    numbers = [number for number in figures if number is not None]
    base = 0 if 0 in numbers else 1
    best: dict[int, tuple[int, int]] = {}
    for k in mine:
        joint = _joint(table.names[k], words[k], robot, base)
        if joint is not None and words[k].rank < 8 and (joint not in best or (words[k].rank, k) < best[joint]):
            best[joint] = (words[k].rank, k)
    bare = [k for k in mine if words[k].rank < 8 and _joint(table.names[k], words[k], robot, base) is None]
    if not best and len(bare) >= (1 if "q" in kinds else n):  # in the order of the file, where no name identifies the joint
        best = {joint: (0, k) for joint, k in enumerate(bare[:n])}
        if n > 1:
            why[kinds[0]] = f"the column names do not match the joints of {robot.name}; the columns are used in file order"
    elif 0 < len(best) < n and _is_in_order(table, words, robot, mine):
        best = {joint: (0, k) for joint, k in enumerate(mine)}
        why[kinds[0]] = f"the column names match only some joints of {robot.name}; the {n} columns are used in file order"
    return tuple(table.names[best[joint][1]] if joint in best else "" for joint in range(n))


def _is_in_order(table: LogTable, words: list[ColumnMeaning], robot: Robot, mine: list[int]) -> bool:
    """Whether the columns `mine` are one per joint, not all numbered, and no name contradicts its place."""
    if len(mine) != robot.n or any(words[k].rank >= TARGET for k in mine) or all(words[k].number is not None for k in mine):
        return False
    named = [joint_of(table.names[k], robot.joint_names) for k in mine]
    named = [named_joint(words[k].words, robot.n) if joint is None else joint for k, joint in zip(mine, named, strict=True)]
    return all(joint in (None, place) for place, joint in enumerate(named))


def _joint(name: str, meaning: ColumnMeaning, robot: Robot, base: int) -> int | None:
    """Which joint a column is of."""
    by_name = joint_of(name, robot.joint_names)
    if by_name is not None and base == 1:
        return by_name
    number = named_joint(meaning.words, robot.n)
    if number is not None:
        return number
    if meaning.number is not None and 0 <= meaning.number - base < robot.n:
        return meaning.number - base
    return by_name


def _by_place(table: LogTable, robot: Robot, words: list[ColumnMeaning], left: list[int], why: dict[str, str]) -> tuple[str, ...]:
    """First columns after the time, if no name identifies a quantity."""
    plain = _plain(table, words, left)
    chosen = [table.names[k] for k in plain[: robot.n]]
    if chosen:
        why["q"] = f"{BY_PLACE}; the first {len(chosen)} columns of numbers are assigned to the joints"
    return (*chosen, *[""] * (robot.n - len(chosen)))


def _plain(table: LogTable, words: list[ColumnMeaning], left: list[int]) -> list[int]:
    """Return the columns of numbers whose names identify nothing."""
    return [k for k in left if not words[k].kind and words[k].rank < TARGET and np.isfinite(table.values[:, k]).any()]
