"""What the axes of a plot show: fitted to its curves, until a person chooses a range."""

from __future__ import annotations

import numpy as np

from armature.app.plots.curves import Curves, decades, fitted

LEAST = 1e-6  # of a range


class PlotRange:
    """`x` and `y`, (start, end), are what the user chose, None for no choice. `log`: values are decimal logarithms."""

    def __init__(self, log: bool):
        self._log = log
        self.x: tuple[float, float] | None = None
        self.y: tuple[float, float] | None = None
        self._fit = (0.0, 1.0, -1.0, 1.0)
        self._whole: tuple[float, float] | None = None  # along x, what there is; None where x is no time

    @property
    def view(self) -> tuple[float, float, float, float]:
        """Start, end, low, high."""
        return (*(self.x or self._fit[:2]), *(self.y or self._fit[2:]))

    @property
    def chosen(self) -> bool:
        """Whether a person chose a range."""
        return self.x is not None or self.y is not None

    @property
    def middle(self) -> tuple[float, float]:
        """Point at the middle of the view, in the units of its axes."""
        start, end, low, high = self.view
        return (start + end) / 2, (low + high) / 2

    def fit(self, curves: list[Curves], span: float, whole: tuple[float, float] | None = None) -> None:
        """Fit the range used without a choice: the last `span` seconds, or all of x if x is not time, and the values there.

        `whole` is the time in s of the first and the newest sample of all plots that share the range, by default of these curves.
        """
        timed = not curves or curves[0].timed
        if timed:
            ends = [(float(c.x[0]), float(c.x[-1])) for c in curves if len(c.x)] if whole is None else [whole]
            first, end = min((a for a, _ in ends), default=0.0), max((b for _, b in ends), default=0.0)
            across = max(0.0, end - span), max(end, span)
            self._whole = min(first, across[0]), across[1]
        else:
            across, self._whole = fitted(np.concatenate([c.x.ravel() for c in curves])), None
        parts = [c.within(*(self.x or across))[1].ravel() for c in curves]
        values = np.concatenate(parts) if parts else np.zeros(0)
        self._fit = (*across, *(decades(values) if self._log else fitted(values)))

    def choose(self, x: tuple[float, float] | None, y: tuple[float, float] | None) -> None:
        """Show this along an axis, as before where it is None or too narrow."""
        if x is not None and x[1] - x[0] > LEAST:
            self.x = x
        if y is not None and y[1] - y[0] > LEAST * max(1.0, abs(y[0])):
            self.y = y

    def zoom(self, at: tuple[float, float], factor: float, upright: bool) -> None:
        """Scale the range of one axis by `factor` about the point `at`: the value axis if `upright`, else the x axis.

        A time range never exceeds the recorded time.
        """
        start, end, low, high = self.view
        if upright:
            self.choose(None, (at[1] - (at[1] - low) * factor, at[1] + (high - at[1]) * factor))
        else:
            x = at[0] - (at[0] - start) * factor, at[0] + (end - at[0]) * factor
            self.choose(self._within(*x) if factor > 1.0 else x, None)

    def shift(self, across: float | None, up: float | None, view: tuple[float, float, float, float]) -> None:
        """Show what lies these parts of its size further than `view`; an axis for which it is None stays as it is."""
        start, end, low, high = view
        x = None if across is None else (start + across * (end - start), end + across * (end - start))
        self.choose(x, None if up is None else (low + up * (high - low), high + up * (high - low)))

    def follow(self) -> None:
        """Forget what a person chose."""
        self.x = self.y = None

    def _within(self, start: float, end: float) -> tuple[float, float]:
        """A range moved and cut so that it shows no time in which there is nothing."""
        if self._whole is None:
            return start, end
        first, last = self._whole
        moved = max(first - start, 0.0) - max(end - last, 0.0)
        return max(start + moved, first), min(end + moved, last)
