"""The plots dock: q, qd, tau and energy over time, live."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.history import History
from app.icons import icon
from app.panels.plot_view import PlotView
from app.units import Units
from app.widgets.on_screen import on_screen
from app.widgets.section import Page
from engine.model.robot import Robot

KINDS = {"q": "Position", "qd": "Velocity", "tau": "Torque", "energy": "Energy"}
ENERGIES = ("kinetic", "potential", "total")
SHORT = 10  # letters that a name may have for two columns
SPANS = (5, 10, 30, 60)


class PlotsPanel(QWidget):
    """Fed with samples, drawn one plot at a time and only while it can be seen."""

    def __init__(self, units: Units):
        super().__init__()
        self._units, self._robot, self._tokens = units, None, None
        self._history, self._stale, self._next = History(0), set(), 0
        self._recording_span, self._cursor = None, None
        self._views = {name: PlotView(name, title) for name, title in KINDS.items()}
        self._chips = []
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(8)
        layout.addWidget(self._side())
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(8)
        for view in self._views.values():
            splitter.addWidget(view)
        layout.addWidget(splitter, 1)

    def _side(self) -> QWidget:
        """The controls and, below them, the legend."""
        widget = QWidget()
        column = QVBoxLayout(widget)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        line = QHBoxLayout()
        line.setSpacing(4)
        for part in (self._span_box(), self._shown_button(), self._clear_button()):
            line.addWidget(part)
        line.addStretch(1)
        column.addLayout(line)
        area = Page()
        area.setWidgetResizable(True)
        area.setAccessibleName("Curves")
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        legend = QWidget()
        legend.setProperty("role", "page")
        self._legend = QGridLayout(legend)
        self._legend.setContentsMargins(0, 0, 0, 0)
        self._legend.setSpacing(0)
        self._legend.setAlignment(Qt.AlignmentFlag.AlignTop)
        area.setWidget(legend)
        legend.installEventFilter(area)
        area.viewport().setAutoFillBackground(False)
        column.addWidget(area, 1)
        widget.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        return widget

    def _span_box(self) -> QComboBox:
        self._span = QComboBox()
        self._span.setObjectName("plot_span")
        self._span.setAccessibleName("Time shown")
        for seconds in SPANS:
            self._span.addItem(f"{seconds} s", seconds)
        self._span.setCurrentIndex(SPANS.index(10))
        self._span.currentIndexChanged.connect(self._mark)
        return self._span

    def _shown_button(self) -> QToolButton:
        button, menu = QToolButton(), QMenu(self)
        for name, title in KINDS.items():
            action = menu.addAction(title)
            action.setObjectName(f"plot_show_{name}")
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(self._views[name].setVisible)
            action.toggled.connect(self._mark)
        button.setText("Plots  ▾")
        button.setObjectName("plot_shown")
        button.setAccessibleName("Which plots are shown")
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def _clear_button(self) -> QToolButton:
        button = QToolButton()
        button.setText("Clear")
        button.setObjectName("plot_clear")
        button.setAccessibleName("Clear the plots")
        button.clicked.connect(self.clear)
        return button

    def _chip(self, text: str, name: str, accessible: str) -> QToolButton:
        chip = QToolButton()
        chip.setText(text)
        chip.setObjectName(name)
        chip.setAccessibleName(accessible)
        chip.setProperty("role", "curve")
        chip.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        chip.setCheckable(True)
        chip.setChecked(True)
        return chip

    def set_robot(self, robot: Robot):
        """Curves for the joints of `robot`, without data."""
        self._robot, self._history = robot, History(robot.n)
        for chip in self._chips:
            self._legend.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = []
        names = (*robot.joint_names, *ENERGIES)
        columns = 2 if max(map(len, names)) <= SHORT else 1
        for i, name in enumerate(names):
            chip = self._chip(name, f"plot_curve_{name}", f"Show the curves of {name}")
            chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            chip.toggled.connect(self._mark)
            self._legend.addWidget(chip, i // columns, i % columns)
            self._chips.append(chip)
        self._forget_recording()
        self._restyle()

    def set_units(self, units: Units):
        """Draw angles in other units."""
        self._units = units
        self._restyle()

    def set_theme(self, tokens):
        """Colours of paper and curves."""
        self._tokens = tokens
        for view in self._views.values():
            view.set_theme(tokens)
        self._restyle()

    def _restyle(self):
        if self._tokens is None or self._robot is None:
            return
        series = self._tokens.series
        joints = [series[i % len(series)] for i in range(self._robot.n)]
        energies = [series[0], series[1], self._tokens.text]
        for chip, colour in zip(self._chips, joints + energies):
            chip.setIcon(icon("swatch", colour))
        for name, view in self._views.items():
            view.set_curves(energies if name == "energy" else joints)
        self._retitle()
        self._mark()

    def _retitle(self):
        slides, units = self._robot.prismatic, self._units
        kinds = [kind for kind in (False, True) if (slides == kind).any()]
        self._views["q"].set_unit(", ".join(units.symbol(kind) for kind in kinds))
        self._views["qd"].set_unit(", ".join(f"{units.symbol(kind)}/s" for kind in kinds))
        self._views["tau"].set_unit(", ".join("N" if kind else "N·m" for kind in kinds))
        self._views["energy"].set_unit("J")

    def append(self, t: float, q, qd, tau, kinetic: float, potential: float):
        """One sample of the simulation."""
        if self._robot is None or len(q) != self._robot.n:
            return
        if self._recording_span is not None:
            self.clear()
        self._history.append(t, q, qd, tau, kinetic, potential)
        self._mark()

    def show_recording(self, recording):
        """A whole recording instead of the live curves, thinned to what a plot can show."""
        rows = np.column_stack([recording.t, recording.q, recording.qd, recording.tau, recording.kinetic, recording.potential])
        self._history.extend(rows[:: max(1, -(-len(rows) // 2000))])
        self._recording_span = max(recording.duration, 1e-3)
        self._span.setEnabled(False)
        self._mark()

    def show_cursor(self, t: float | None):
        """Where the replay is."""
        self._cursor = t
        for view in self._views.values():
            view.show_cursor(t)

    def clear(self):
        """Forget all samples."""
        self._history.clear()
        self._forget_recording()
        self._mark()

    def _forget_recording(self):
        self._recording_span = None
        self._span.setEnabled(True)
        self.show_cursor(None)

    def _mark(self, *_):
        self._stale = set(self._views)

    def refresh(self):
        """Called by the clock: redraws one plot that is out of date, so that no frame pays for all four."""
        if not self._stale or not on_screen(self):
            return
        names = list(self._views)
        for _ in names:
            name = names[self._next % len(names)]
            self._next += 1
            if name in self._stale:
                self._stale.discard(name)
                if self._views[name].isVisible():
                    self._draw(name)
                    return

    def _draw(self, name: str):
        span = self._recording_span or float(self._span.currentData())
        rows, n = self._history.window(span), self._robot.n
        shown = [chip.isChecked() for chip in self._chips]
        if name == "energy":
            values = np.column_stack([rows[:, -2], rows[:, -1], rows[:, -2] + rows[:, -1]])
            self._views[name].show_data(rows[:, 0], values, shown[n:], span)
            return
        start = 1 + {"q": 0, "qd": n, "tau": 2 * n}[name]
        values = rows[:, start : start + n]
        if name != "tau":
            values = values * np.array([self._units.factor(bool(slides)) for slides in self._robot.prismatic])
        self._views[name].show_data(rows[:, 0], values, shown[:n], span)
