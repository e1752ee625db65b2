"""Panes of a sweep's table of results: columns over a swept value, one curve for each combination of the other values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from armature.app.plots.recorded_signals import Pane
from armature.engine.errors import RecordingError
from armature.engine.simulation.sweeps.sweep import ORIGIN, OUTCOME, RUN, TRACKING
from armature.engine.simulation.sweeps.sweep_table import format_of_table

MOST = 24  # curves in a pane
_FIRST, _NAME = RUN, "name"


class SweepCurves(NamedTuple):
    """Curves over `x` `(N,)`, the sorted values of the swept column `over`."""

    over: str
    x: np.ndarray
    panes: list[Pane]


def is_table(path: Path) -> bool:
    """Whether the file is a table of results by its suffix or its first cells."""
    if path.suffix.lower() == ".parquet":
        return True
    if path.suffix.lower() != ".csv":
        return False
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.readline(64).startswith(f"{_FIRST},{_NAME},")
    except OSError:
        return False  # the reader of the table reports the error


def sweep_curves(path: Path, signals: Sequence[str], over: str = "") -> SweepCurves:
    """The curves of some columns, or of all joints of `q`, `qd` or `peak_tau`, over a swept column.

    Without `signals` the tracking error, else the largest torques; without `over` the first swept column of several numbers. Runs
    that differ in nothing else are averaged, and a failed one leaves a gap. Raises RecordingError, and ValueError that names the
    valid columns.
    """
    table = format_of_table(path)
    names = table.names(path)
    if not {RUN, OUTCOME, ORIGIN} <= set(names):
        raise RecordingError(f"{path}: not a sweep table")
    rows = table.read(path, names)
    if not rows:
        raise RecordingError(f"{path}: the sweep table contains no runs")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    swept = [name for name in names[names.index(_NAME) + 1 : names.index(OUTCOME)] if len(set(columns[name])) > 1]
    numeric = [name for name in swept if np.isfinite(_numbers(columns[name])).all()]
    over = over or next(iter(numeric), "")
    if over not in numeric:
        known = f"valid are {', '.join(numeric)}" if numeric else "no swept column of the table has more than one number"
        raise ValueError(f"{over!r} cannot be the x axis; {known}" if over else f"no column for the x axis: {known}")
    x, place = np.unique(_numbers(columns[over]), return_inverse=True)
    others = [name for name in swept if name != over]
    groups = list(zip(*(columns[name] for name in others), strict=True)) if others else [()] * len(place)
    combinations = {group: ", ".join(f"{name} {_short(v)}" for name, v in zip(others, group, strict=True)) for group in groups}
    chosen = list(signals) or _default(columns)
    panes = []
    for signal in chosen:
        parts = _parts(columns, signal, names[names.index(OUTCOME) + 1 :])
        if len(parts) * len(combinations) > MOST:
            raise ValueError(
                f"{signal}: {len(parts) * len(combinations)} curves are too many for one plot, the maximum is {MOST}"
            )
        curves = {
            " ".join(filter(None, (part if len(parts) > 1 else "", text))) or signal: _averaged(
                np.where([group == one for one in groups], _numbers(columns[name]), np.nan), place, len(x)
            )
            for part, name in parts.items()
            for group, text in combinations.items()
        }
        panes.append(Pane(signal, "", tuple(curves), np.column_stack(list(curves.values()))))
    return SweepCurves(over, x, panes)


def _default(columns: dict[str, tuple[str, ...]]) -> list[str]:
    return [name for name in TRACKING if name in columns and np.isfinite(_numbers(columns[name])).any()] or ["peak_tau"]


def _parts(columns: dict[str, tuple[str, ...]], signal: str, known: Sequence[str]) -> dict[str, str]:
    """The columns of a signal by the name of their joint. Raises ValueError."""
    joints = {name.partition(".")[2]: name for name in known if name.startswith(f"{signal}.")}
    if joints:
        return joints
    if signal in known and np.isfinite(_numbers(columns[signal])).any():
        return {signal: signal}
    drawn = [name for name in known if np.isfinite(_numbers(columns[name])).any()]
    raise ValueError(f"{signal!r} is not a numeric column; valid are {', '.join(drawn)}, and q, qd, peak_tau of all joints")


def _numbers(cells: Sequence[str]) -> np.ndarray:
    """Cells as numbers `(N,)`, NaN for a cell that is not a number."""
    values = np.full(len(cells), np.nan)
    for k, cell in enumerate(cells):
        try:
            values[k] = float(cell)
        except ValueError:
            continue
    return values


def _averaged(values: np.ndarray, place: np.ndarray, count: int) -> np.ndarray:
    """Mean of the finite values at each place `(count,)`, NaN where there are none."""
    good = np.isfinite(values)
    total = np.bincount(place[good], values[good], count)
    runs = np.bincount(place[good], minlength=count)
    return np.where(runs > 0, total / np.maximum(runs, 1), np.nan)


def _short(cell: str) -> str:
    try:
        return f"{float(cell):g}"
    except ValueError:
        return cell[:40]
