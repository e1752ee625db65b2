"""`TitledPlot`: a plot with its title above it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from armature.app.plots.plot_view import PlotView
from armature.app.widgets.controls import fill
from armature.app.widgets.section import note


class TitledPlot(QWidget):
    """`view` is the plot, whose values are shown where the mouse is."""

    def __init__(self, view: PlotView, title: str = "") -> None:
        super().__init__()
        self.view = view
        view.hovered.connect(view.read_at)
        self._usual, self._title = title, note()
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._title.setWordWrap(False)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        fill(self, self._title, view, spacing=1, stretches=(0, 1))

    def show_title(self, text: str = "") -> None:
        """Show a title; without one the plot keeps its usual title for screen readers and files."""
        self._title.setText(text)
        self.view.set_title(text or self._usual)


def time_plot(name: str, title: str) -> TitledPlot:
    """Return a plot over time with a legend."""
    view = PlotView(name, title)
    view.legend, view.under = True, "t  [s]"
    return TitledPlot(view, title)


def link_plots(one: PlotView, other: PlotView) -> None:
    """Move two plots along x together, and read both at the same time."""
    for plot, second in ((one, other), (other, one)):
        plot.x_moved.connect(second.set_x)
        plot.hovered.connect(second.read_at)
