"""The plots of the crossing dock: speed of the fastest joint and error of the path, each in three ways."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from armature.app.plots.curves import Curves
from armature.app.plots.plot_view import PlotView
from armature.app.singularity.crossing.crossing_runs import METHODS, CrossingRuns
from armature.app.state.units import Units
from armature.app.widgets.section import note

LEAST_ERROR = 1e-5  # m, where the axis of errors begins
LEAST_SPEED = 0.05  # of the calmest method's peak, where the axis of speeds begins
EMPTY = "Run to see the plot"
NARROW = 110  # pixels, the least width of one plot in a small window


class CrossingPlots(QWidget):
    """Both on decimal logarithms; where the arm has speed limits, speeds are shares of them."""

    def __init__(self):
        super().__init__()
        self.speeds = PlotView("crossing_speed", "Fastest joint", log=True)
        self.errors = PlotView("crossing_error", "Path error", log=True)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(2)
        self._titles = note(), note()
        for k, plot in enumerate((self.speeds, self.errors)):
            self._titles[k].setWordWrap(True)
            self._titles[k].setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            self._titles[k].setAlignment(Qt.AlignmentFlag.AlignCenter)
            plot.setMinimumWidth(NARROW)
            grid.addWidget(self._titles[k], 0, k)
            grid.addWidget(plot, 1, k)
        grid.setRowStretch(1, 1)

    def show_cursor(self, t: float | None):
        """A line at time t; None for none."""
        for plot in (self.speeds, self.errors):
            plot.show_cursor(t)

    def show_runs(self, runs: CrossingRuns | None, units: Units, tokens):
        """The curves of the runs in these units and colours; None for none."""
        unit = "× limit" if runs and runs.limited else units.symbol(False) + "/s"
        for label, plot, short, long in (
            (self._titles[0], self.speeds, "Speed", f"Fastest joint  [{unit}]"),
            (self._titles[1], self.errors, "Error", "Path error  [mm]"),
        ):
            label.setText(f"{short}  {long[long.index('[') :]}")
            label.setToolTip(long)
            plot.set_title(long)
            plot.set_theme(tokens)
            if runs is None:
                plot.show_curves([], 1.0, EMPTY)
        if runs is None:
            return
        end = float(runs.t[-1])
        factor = 1.0 if runs.limited else units.factor(False)
        speeds = _curves(runs.t, np.maximum(runs.speed, LEAST_SPEED * runs.peaks.min()) * factor, tokens.series)
        if runs.limited:
            speeds.append(Curves(runs.t[[0, -1]], np.zeros((2, 1)), ("speed limit",), (tokens.danger,), style=2))
        self.speeds.show_curves(speeds, end)
        self.errors.show_curves(_curves(runs.t, 1000 * np.maximum(runs.error, LEAST_ERROR), tokens.series), end)


def _curves(t: np.ndarray, values: np.ndarray, colours: tuple[str, ...]) -> list[Curves]:
    """The logarithms of values `(3, N)`; the last curve is dashed as it is often on top of the second."""
    return [
        Curves(t, np.log10(row)[:, None], (title,), (colours[k],), style=int(k == 2))
        for k, (title, row) in enumerate(zip(METHODS.values(), values, strict=True))
    ]
