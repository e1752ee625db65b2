"""The joints beside the plots: which colour is whose, and which are shown; below, the runs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from armature.app.style.icons import icon
from armature.app.widgets.controls import named
from armature.app.widgets.section import Page

SHORT = 10  # letters that a name may have for two columns
LINES = ("───", "─ ─ ─", "· · · ·", "─ · ─")


class PlotLegend(Page):
    """`changed()` tells that other joints are shown."""

    changed = Signal()

    def __init__(self):
        super().__init__()
        self.setWidgetResizable(True)
        self.setAccessibleName("Curves")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QWidget()
        page.setProperty("role", "page")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        self._grid = QGridLayout()
        self._grid.setSpacing(0)
        column.addLayout(self._grid)
        self._runs = QLabel()
        self._runs.setObjectName("plot_runs")
        self._runs.setWordWrap(True)
        self._runs.setProperty("role", "muted")
        self._runs.hide()
        column.addWidget(self._runs)
        column.addStretch(1)
        self.setWidget(page)
        page.installEventFilter(self)
        self.viewport().setAutoFillBackground(False)
        self._chips: list[QToolButton] = []
        self._columns = 0

    def set_joints(self, names: tuple[str, ...]):
        """One chip per joint, all shown; those that are there take the new names."""
        for chip in self._chips[len(names) :]:
            self._grid.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        del self._chips[len(names) :]
        columns = 2 if max(map(len, names)) <= SHORT else 1
        placed = len(self._chips) if columns == self._columns else 0
        self._chips += [self._chip() for _ in names[len(self._chips) :]]
        self._columns = columns
        for i in range(placed, len(names)):
            self._grid.addWidget(self._chips[i], i // columns, i % columns)
        for chip, name in zip(self._chips, names):
            if chip.text() != name:
                chip.setText(name)
                named(chip, f"plot_curve_{name}", f"Show the curves of {name}", f"Show or hide {name} in all plots")
            chip.setChecked(True)

    def _chip(self) -> QToolButton:
        chip = QToolButton()
        chip.setProperty("role", "curve")
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        chip.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        chip.setCheckable(True)
        chip.setChecked(True)
        chip.toggled.connect(lambda _: self.changed.emit())
        return chip

    @property
    def shown(self) -> list[bool]:
        """Which joints are shown."""
        return [chip.isChecked() for chip in self._chips]

    def set_colours(self, series: tuple[str, ...]):
        """The colour of every joint's curves."""
        for i, chip in enumerate(self._chips):
            chip.setIcon(icon("swatch", series[i % len(series)]))

    def set_runs(self, names: list[str]):
        """The runs drawn over each other, where there are several: their kinds of line."""
        self._runs.setText("\n".join(f"{LINES[i % len(LINES)]}  {name}" for i, name in enumerate(names)))
        self._runs.setVisible(len(names) > 1)
