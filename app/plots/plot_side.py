"""The side of the plots dock: how much time is shown, hold, follow, add, clear; below, the legend."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from armature.app.plots.plot_legend import PlotLegend
from armature.app.widgets.controls import button, choice, row

SPANS = (5, 10, 30, 60)
USUAL = 10  # s


class PlotSide(QWidget):
    """Controls `span`, `hold`, `follow`, `more`, `clear` and the `legend`."""

    def __init__(self):
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        spans = {seconds: f"{seconds} s" for seconds in SPANS}
        tip = "Displayed time span while the plots follow the run"
        self.span = choice("plot_span", "Time span", spans, tip, now=USUAL)
        self.hold = self._button("Hold", "plot_pause", "Freeze the plots; the run and sampling continue")
        self.hold.setCheckable(True)
        self.follow = self._button("Follow", "plot_follow", "Reset zoom and pan and show the newest samples")
        self.more = self._button("+ Plot", "plot_add", "Add a plot; choose its signal with the button above it")
        self.clear = self._button("Clear", "plot_clear", "Clear the plots and follow the newest samples")
        column.addWidget(row(self.span, self.hold, self.follow, None, spacing=4))
        column.addWidget(row(self.more, self.clear, None, spacing=4))
        self.legend = PlotLegend()
        column.addWidget(self.legend, 1)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def _button(self, text: str, name: str, tip: str) -> QToolButton:
        return button(name, text, tip, tip, QToolButton)

    @property
    def seconds(self) -> float:
        """How much time is shown while the plots follow the run, s."""
        return float(self.span.currentData())

    def show_live(self, live: bool):
        """Whether the run is shown; recordings are shown whole and stand still anyway."""
        self.span.setEnabled(live)
        self.hold.setEnabled(live)
