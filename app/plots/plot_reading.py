"""What the mouse reads off a plot: the time it points at, and every curve's value there."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

from armature.app.plots.curves import Curves
from armature.app.plots.plot_paper import Entry, PlotPaper
from armature.app.state.units import significant

NEAR = 40.0  # pixels from a phase portrait within which the mouse points at it


def pointed_at(several: list[Curves], paper: PlotPaper, point: QPointF) -> tuple[float | None, str]:
    """The time a pixel stands for, and where x is no time the name of the curve beside it; None far from all."""
    if not paper.frame.contains(point):
        return None, ""
    if not several or several[0].timed:
        return paper.value_at(point)[0], ""
    best = NEAR
    found: tuple[float | None, str] = (None, "")
    for curves in several:
        if curves.t is None or not len(curves.t):
            continue
        away = np.hypot(paper.x(curves.x) - point.x(), paper.y(curves.y) - point.y())
        away = np.where(np.isfinite(away), away, np.inf)
        row, k = divmod(int(np.argmin(away)), away.shape[1])
        if away[row, k] < best:
            best, found = float(away[row, k]), (float(curves.t[row]), curves.names[k])
    return found


def legend(several: list[Curves]) -> list[Entry]:
    """Colour, style and name of every curve, with its run where there are several."""
    return [
        (colour, curves.style, f"{name}  ({curves.source})" if curves.source else name)
        for curves in several
        for name, colour in zip(curves.names, curves.colours)
    ]


def named_once(several: list[Curves]) -> list[Entry]:
    """Colour and name of the first curve of each name, as a whole line: runs and kinds of line are told beside the plots."""
    first: dict[str, Entry] = {}
    for curves in several:
        for name, colour in zip(curves.names, curves.colours):
            first.setdefault(name, (colour, 0, name))
    return list(first.values())


def readings(several: list[Curves], t: float, log: bool, name: str, view: tuple) -> list[Entry]:
    """Colour, style and text of every curve's value at time t; where x is no time, of both values of the curves of that name.

    What is below the rounding of what the axes show in `view`, start, end, low and high, is 0.
    """
    across, up = (max(abs(view[k]), abs(view[k + 1])) for k in (0, 2))
    result = []
    for curves in several:
        pairs = curves.at(t)
        more = f"  ({curves.source})" if curves.source else ""
        for label, colour, (x, y) in zip(curves.names, curves.colours, () if pairs is None else pairs):
            if np.isfinite(y) and (curves.timed or label == name):
                value = significant(10**y) if log else significant(y, scale=up)
                value = value if curves.timed else f"{significant(x, scale=across)},  {value}"
                result.append((colour, curves.style, f"{label}  {value}{more}"))
    return result


def marks(several: list[Curves], t: float | None) -> list[tuple[str, float, float]]:
    """Colour and place of every curve's sample at time t where x is no time."""
    result = []
    for curves in several:
        pairs = None if curves.timed or t is None else curves.at(t)
        result += [(colour, x, y) for colour, (x, y) in zip(curves.colours, () if pairs is None else pairs) if np.isfinite(x + y)]
    return result
