"""`TitledPlot`: a plot over time with its title above it and the curves' names beside them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from armature.app.plots.plot_view import PlotView
from armature.app.widgets.section import note


class TitledPlot(QWidget):
    """`view` is the plot, known as `name`; `about` says what it shows where nothing more is known."""

    def __init__(self, name: str, about: str) -> None:
        super().__init__()
        self._about = about
        self.view = PlotView(name, about)
        self.view.legend, self.view.under = True, "t  [s]"
        self.view.hovered.connect(self.view.read_at)
        self._title = note()
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._title.setWordWrap(False)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        column.addWidget(self._title)
        column.addWidget(self.view, 1)

    def show_title(self, of: str = "", unit: str = "") -> None:
        """What is shown `of` which joints, in which unit; nothing above an empty plot."""
        text = f"{self._about}{of}  [{unit}] over time  [s]" if unit else ""
        self._title.setText(text)
        self.view.set_title(text or self._about)
