"""Torque of one joint in the three runs, and below by how much those of the others differ from that with the known load."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from armature.app.plots.curves import Curves
from armature.app.plots.plot_bands import phase_bands
from armature.app.plots.plot_view import PlotView
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.section import note

if TYPE_CHECKING:
    from armature.engine import LoadComparison

RUNS = {"with": "With known payload", "without": "Without payload", "unknown": "With unknown payload"}
STYLES = (0, 0, 1)  # the unknown load is often on top of the known one
EMPTY = "Press “Compare” to plot the torque", "Press “Compare” to plot the difference"


def run_colours(tokens: Tokens) -> tuple[str, str, str]:
    """Of the three runs."""
    return tokens.series[0], tokens.series[2], tokens.series[1]


class ComparisonPlots(QWidget):
    """Zoomed and moved together along time."""

    def __init__(self):
        super().__init__()
        self.torque, self.difference = PlotView("load_torque", "Torque"), PlotView("load_difference", "Difference")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        self._titles = note(), note()
        for title, plot, other in zip(self._titles, (self.torque, self.difference), (self.difference, self.torque)):
            title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            title.setWordWrap(False)
            title.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(title)
            column.addWidget(plot, 1)
            plot.x_moved.connect(other.set_x)
            plot.hovered.connect(plot.read_at)
            plot.hovered.connect(other.read_at)

    def show_cursor(self, t: float | None) -> None:
        """Where a run is."""
        for plot in (self.torque, self.difference):
            plot.show_cursor(t)

    def show_runs(self, found: LoadComparison | None, joint: int, unit: str, tokens: Tokens) -> None:
        """The curves of a joint; None for none."""
        for plot in (self.torque, self.difference):
            plot.set_theme(tokens)
        if found is None:
            for label, plot, hint in zip(self._titles, (self.torque, self.difference), EMPTY):
                label.clear()
                plot.bands = ()
                plot.show_curves([], 1.0, hint)
            return
        name, colours = found.joint_names[joint], run_colours(tokens)
        bands = phase_bands(found.phases, tokens)
        for label, plot, title in zip(self._titles, (self.torque, self.difference), ("Torque", "Difference from known payload")):
            label.setText(f"{title}, {name}  [{unit}]")
            plot.set_title(f"{title}, {name}  [{unit}]")
        for plot, values, first in ((self.torque, found.tau, 0), (self.difference, found.difference, 1)):
            plot.bands = bands
            curves = [
                Curves(found.t, np.array(values[k, :, joint : joint + 1]), (title,), (colours[k],), STYLES[k])
                for k, title in enumerate(RUNS.values())
            ]
            plot.show_curves(curves[first:], float(found.t[-1]))
