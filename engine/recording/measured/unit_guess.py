"""The units of a log's columns: as the file tells them, or as the numbers make likely."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.recording.measured.log_mapping import ANGLES, NORMALISED, TIMES, TORQUES, LogMapping
from armature.engine.recording.measured.log_table import STAMPS, LogTable
from armature.engine.recording.measured.typical_step import typical_step

_LIKELY = (2e-4, 0.5)  # s between two rows, of a log of an arm
_TOO_LARGE = 3.0 * np.pi  # rad: beyond one and a half turns an angle is likely in degrees
_FULL, _FULL_BY = 100.0, 1e-4  # a normalised position at an end of its range, and the share it may be off
_LOOKED_AT = 20_000  # rows
_PIECES = 200  # into which these are cut where speeds are laid beside slopes
_NOISE = 20.0  # times what a joint at rest trembles from row to row: more than that is a motion


def time_unit(table: LogTable, name: str, counts: bool) -> tuple[str, float, str]:
    """Unit of a column of time, seconds per sample where it counts these, and what the guess rests on."""
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
    """Unit of the angles, and what the guess rests on."""
    mine = [name for name, slides in zip(columns, robot.prismatic, strict=True) if name and not slides]
    for name in mine:
        if table.unit(name) in ANGLES:
            return table.unit(name), f"unit in the file: {table.unit(name)}"
    used = [name for name in columns if name]
    if any(table.unit(name) == NORMALISED for name in used):
        return NORMALISED, f"unit in the file: {NORMALISED}"
    most = max((_largest(table.column(name)) for name in mine), default=0.0)
    if most > _TOO_LARGE and _may_be_normalised(table, used):
        return "", "values between −100 and 100 may be degrees, or normalised to each joint's calibrated range"
    if most > _TOO_LARGE:
        return "deg", f"the largest angle is {most:.4g}, more than one and a half turns in rad"
    return "rad", f"the largest angle is {most:.3g}; in degrees the arm would hardly move" if mine else ""


def _may_be_normalised(table: LogTable, names: Sequence[str]) -> bool:
    """Whether positions may be per cent of a range: none beyond 100, and some just there, or all named as such logs do."""
    values = np.concatenate([np.abs(table.column(name)) for name in names])
    values = values[np.isfinite(values)]
    if any(table.unit(name) for name in names) or values.max(initial=0.0) > _FULL * (1 + _FULL_BY):
        return False
    at_end = int(np.count_nonzero(values >= _FULL * (1 - _FULL_BY)))
    return at_end >= 2 or all(name.endswith(".pos") for name in names)


def length_unit(table: LogTable, robot: Robot, columns: Sequence[str]) -> tuple[str, str]:
    """Unit of the positions of joints that slide."""
    mine = [name for name, slides in zip(columns, robot.prismatic, strict=True) if name and slides]
    for name in mine:
        if table.unit(name) in ("m", "mm"):
            return table.unit(name), f"unit in the file: {table.unit(name)}"
    most = max((_largest(table.column(name)) for name in mine), default=0.0)
    return ("mm", f"the largest displacement is {most:.4g}") if most > 10.0 else ("m", "")


def speed_unit(table: LogTable, robot: Robot, mapping: LogMapping) -> tuple[str, str]:
    """Unit of the angles in speeds: as told, else the one in which they are the positions' slopes."""
    pairs = [(q, qd) for q, qd, slides in zip(mapping.q, mapping.qd, robot.prismatic, strict=True) if qd and not slides]
    angle = ANGLES.get(mapping.angle_unit, ANGLES["deg"])
    for _, qd in pairs:
        if table.unit(qd) in ANGLES:
            return table.unit(qd), f"unit in the file: {table.unit(qd)}/s"
    turning = zip(_slope_ratios(table, mapping), robot.prismatic, strict=True)
    ratios = [ratio for ratio, slides in turning if ratio is not None and ratio > 0 and not slides]
    if not ratios:
        return mapping.angle_unit if mapping.angle_unit in ANGLES else "rad", "same as the angles" if pairs else ""
    measured = float(np.median(ratios)) * angle  # rad per unit of speed
    unit = min(ANGLES, key=lambda one: abs(np.log(ANGLES[one] / measured)))
    return unit, f"the derivative of the positions is {measured / ANGLES[unit]:.3g} times these speeds in {unit}/s"


def speed_ratios(table: LogTable, robot: Robot, mapping: LogMapping) -> list[float | None]:
    """Per joint the positions' slopes over the speeds, in their units; None where that is undetermined."""
    turn = ANGLES.get(mapping.angle_unit, ANGLES["deg"]) / ANGLES[mapping.speed_unit]
    if mapping.angle_unit == NORMALISED or not mapping.time or mapping.time_unit == "samples":  # no unit for slopes
        return [None] * robot.n
    found = zip(_slope_ratios(table, mapping), robot.prismatic, strict=True)
    return [ratio if ratio is None or slides else ratio * turn for ratio, slides in found]


def torque_unit(table: LogTable, columns: Sequence[str], current: bool) -> tuple[str, str]:
    """Unit of torques, or of currents."""
    mine = [name for name in columns if name]
    for name in mine:
        if table.unit(name) in TORQUES:
            return table.unit(name), f"unit in the file: {table.unit(name)}"
    if not current:
        return "N·m", ""
    most = max((_largest(table.column(name)) for name in mine), default=0.0)
    return ("mA" if most > 200.0 else "A"), f"the names indicate currents; the largest is {most:.4g}"


def _largest(values: np.ndarray) -> float:
    values = np.abs(values[np.isfinite(values)])
    return float(np.quantile(values, 0.999)) if len(values) else 0.0


def _slope_ratios(table: LogTable, mapping: LogMapping) -> list[float | None]:
    """Per joint the positions' slopes over the speeds, as the numbers of the file have it."""
    second = TIMES[mapping.time_unit] or mapping.period
    t = table.column(mapping.time)[:_LOOKED_AT] * second if mapping.time else np.arange(len(table))[:_LOOKED_AT] * mapping.period
    return [
        _ratio(t, table.column(q)[:_LOOKED_AT], table.column(qd)[:_LOOKED_AT]) if q and qd else None
        for q, qd in zip(mapping.q, mapping.qd, strict=True)
    ]


def _ratio(t: np.ndarray, q: np.ndarray, qd: np.ndarray) -> float | None:
    """Way of q over that of qd where the joint moves, 0 where qd tells no way; None where the joint does not move."""
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
