"""The crossing dock: what happens when the tool goes straight through a singularity, in three ways side by side."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.crossing_runs import DIRECTIONS, METHODS, MIDDLES, STEPS, Asked, CrossingRuns, rounded
from app.curves import Curves
from app.icons import icon, pixmap
from app.panels.plot_view import PlotView
from app.units import Units
from app.widgets.section import note, page
from app.widgets.timeline import Timeline
from app.widgets.value_field import ValueField

HINT = "What happens if the tool goes straight through a singular pose?"
LEAST_ERROR = 1e-5  # m, where the axis of errors begins
PLOTS = 420  # pixels, the least width of both plots beside everything else
NARROW = 110  # pixels, the least width of one plot in a small window
LEAST_SPEED = 0.05  # of the calmest method's peak, where the axis of speeds begins
COLUMNS = ("Peak speed", "× limit", "Path error")
HEADS = {"Peak speed": "Largest speed of the fastest joint", "× limit": "Times that joint's speed limit", "Path error": "At most"}


class CrossingPanel(QWidget):
    """Tells `compute_asked()`, `cancel_asked()`, `clear_asked()`, `play_asked(on)` and `seek_asked(step)`."""

    compute_asked = Signal()
    cancel_asked = Signal()
    clear_asked = Signal()
    play_asked = Signal(bool)
    seek_asked = Signal(int)
    hidden = Signal()

    def __init__(self, units: Units):
        super().__init__()
        self._units, self._tokens, self._runs = units, None, None
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 12, 0)
        line.setSpacing(8)
        side = QWidget()
        content = page(side, "Path through the singularity")
        self._area = side.findChild(QScrollArea)
        self._side = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._side.setSpacing(12)
        self._controls, self._results = self._path(), self._comparison()
        for part in (self._controls, self._results):
            self._side.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)
        content.addLayout(self._side)
        content.addStretch(1)
        side.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        line.addWidget(side)
        line.addWidget(self._pictures(), 1)
        self.show_runs(None)

    @property
    def asked(self) -> Asked:
        """The path as it is chosen."""
        length = self.length.value() / self._units.factor(True)
        return Asked(self.middle.currentData(), self.direction.currentData(), length, self.duration.value())

    # -- its parts -------------------------------------------------------------------------------------------------------------

    def _path(self) -> QWidget:
        widget = QWidget()
        content = QVBoxLayout(widget)
        content.setContentsMargins(0, 0, 0, 0)
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(4)
        self.middle = self._choice("crossing_middle", "Path through", MIDDLES)
        self.middle.setToolTip("Where the middle of the path is. A little beside a singular pose the joints race most")
        self.direction = self._choice("crossing_direction", "Direction", DIRECTIONS)
        self.direction.setToolTip("The way of the tool in world axes; its orientation stays")
        self.length, self.duration = ValueField(3, 0.01, " m", 100.0), ValueField(1, 0.5, " s", 60.0)
        self.duration.setMinimum(0.1)
        self.duration.setValue(2.0)
        for name, title, field in (("length", "Length", self.length), ("duration", "Duration", self.duration)):
            field.setObjectName(f"crossing_{name}")
            field.setAccessibleName(f"{title} of the path")
            field.setToolTip(f"{title} of the whole path; the pose is in its middle")
        for title, field in (("Through", self.middle), ("Direction", self.direction)):
            form.addRow(title, field)
        form.addRow("Length", self.length)
        form.addRow("Duration", self.duration)
        content.addLayout(form)
        self.buttons = {
            "compute": self._button("compute", "Go through", "Follow the path in three ways, in the background"),
            "cancel": self._button("cancel", "Cancel", "Stop the computation"),
            "clear": self._button("clear", "Clear", "Take curves and see-through arms away"),
        }
        self.buttons["compute"].setProperty("role", "primary")
        self.buttons["compute"].clicked.connect(lambda _: self.compute_asked.emit())
        self.buttons["cancel"].clicked.connect(lambda _: self.cancel_asked.emit())
        self.buttons["clear"].clicked.connect(lambda _: self.clear_asked.emit())
        content.addWidget(_row(*self.buttons.values()))
        self.progress = QProgressBar()
        self.progress.setObjectName("crossing_progress")
        self.progress.setAccessibleName("Progress of the crossing")
        self.progress.setTextVisible(False)
        self.progress.hide()
        content.addWidget(self.progress)
        return widget

    def _choice(self, name: str, accessible: str, choices: dict[str, str]) -> QComboBox:
        box = QComboBox()
        box.setObjectName(name)
        box.setAccessibleName(accessible)
        for key, title in choices.items():
            box.addItem(title, key)
        return box

    def _button(self, name: str, title: str, tip: str) -> QPushButton:
        button = QPushButton(title)
        button.setObjectName(f"crossing_{name}")
        button.setAccessibleName(f"{title}: crossing")
        button.setToolTip(tip)
        return button

    def _pictures(self) -> QWidget:
        """Both plots and, below them, the time."""
        widget = QWidget()
        column = QVBoxLayout(widget)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(4)
        self.speeds = PlotView("crossing_speed", "Fastest joint", log=True)
        self.errors = PlotView("crossing_error", "Path error", log=True)
        plots = QGridLayout()
        plots.setSpacing(2)
        self._titles = note(), note()
        for k, plot in enumerate((self.speeds, self.errors)):
            self._titles[k].setWordWrap(True)
            self._titles[k].setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            self._titles[k].setAlignment(Qt.AlignmentFlag.AlignCenter)
            plot.setMinimumWidth(NARROW)
            plots.addWidget(self._titles[k], 0, k)
            plots.addWidget(plot, 1, k)
        plots.setRowStretch(1, 1)
        column.addLayout(plots, 1)
        self.play = QToolButton()
        self.play.setObjectName("crossing_play")
        self.play.setAccessibleName("Play the crossing")
        self.play.setToolTip("Play the three see-through arms, over and over")
        self.play.setCheckable(True)
        self.play.clicked.connect(self.play_asked)
        self.timeline = Timeline(STEPS)
        self.timeline.setObjectName("crossing_timeline")
        self.timeline.setAccessibleName("Time of the crossing")
        self.timeline.setToolTip("Drag to see the three arms at any time")
        self.timeline.valueChanged.connect(self.seek_asked)
        self._time = QLabel()
        self._time.setObjectName("crossing_time")
        column.addWidget(_row(self.play, self.timeline, self._time, stretch=self.timeline))
        return widget

    def _comparison(self) -> QWidget:
        """The legend, which is the table's first column, and the sentence."""
        widget = QWidget()
        inside = QVBoxLayout(widget)
        inside.setContentsMargins(0, 0, 0, 0)
        self._table = QWidget()
        grid = QGridLayout(self._table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(2)
        self._cells: dict[tuple[str, int], QLabel] = {}
        self._swatches: dict[str, QLabel] = {}
        self._heads: dict[str, QLabel] = {}
        for column, title in enumerate(COLUMNS):
            head = self._heads[title] = note(title)
            head.setWordWrap(False)
            head.setToolTip(HEADS[title])
            grid.addWidget(head, 0, column + 2, Qt.AlignmentFlag.AlignRight)
        for row, (key, title) in enumerate(METHODS.items(), 1):
            self._swatches[key] = QLabel()
            grid.addWidget(self._swatches[key], row, 0)
            grid.addWidget(QLabel(title), row, 1)
            for column in range(len(COLUMNS)):
                cell = QLabel()
                cell.setObjectName(f"crossing_{key}_{column}")
                cell.setAccessibleName(f"{title}: {COLUMNS[column]}")
                self._cells[key, column] = cell
                grid.addWidget(cell, row, column + 2, Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(1, 1)
        inside.addWidget(self._table)
        self._sentence = QLabel(HINT)
        self._sentence.setObjectName("crossing_sentence")
        self._sentence.setWordWrap(True)
        self._sentence.setMinimumWidth(250)
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside.addWidget(self._sentence)
        return widget

    def _arrange(self):
        """The comparison beside the controls, or below them where that leaves no room for the plots."""
        needed = [part.minimumSizeHint().width() for part in (self._controls, self._results)]
        wide = self.width() >= sum(needed) + PLOTS
        Direction = QBoxLayout.Direction
        self._side.setDirection(Direction.LeftToRight if wide else Direction.TopToBottom)
        if self._runs is not None and not wide:
            QTimer.singleShot(0, self, lambda: self._area.ensureWidgetVisible(self._results))

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._arrange()

    # -- what is shown ---------------------------------------------------------------------------------------------------------

    def set_robot(self, robot):
        """Another robot: nothing is computed for it, and the usual length of a path is another."""
        self.length.setMinimum(1e-4 * self._units.factor(True))
        self.length.setValue(round(robot.characteristic_length / 4, 3) * self._units.factor(True))
        self.show_runs(None)

    def show_possible(self, why_not: str):
        """Whether a path can be computed now; else why not."""
        self.buttons["compute"].setEnabled(not why_not)
        self.buttons["compute"].setToolTip(why_not or "Follow the path in three ways, in the background")
        if self._runs is None:
            self._sentence.setText(why_not or HINT)

    def show_busy(self, busy: bool):
        """Whether it computes."""
        self.buttons["cancel"].setEnabled(busy)
        self.progress.setVisible(busy)
        self.progress.setRange(0, 0)

    def show_progress(self, done: int, total: int):
        """How many runs are done."""
        self.progress.setRange(0, total)
        self.progress.setValue(done)

    def show_runs(self, runs: CrossingRuns | None, why: str = HINT):
        """The three runs, or why there are none."""
        self._runs = runs
        self._table.setVisible(runs is not None)
        for part in (self.play, self.timeline, self.buttons["clear"]):
            part.setEnabled(runs is not None)
        self._sentence.setText(why)
        self.show_playing(False)
        self.show_step(0)
        self._draw()
        self._arrange()

    def show_playing(self, on: bool):
        """Whether the ghosts move by themselves."""
        self.play.setChecked(on)
        if self._tokens is not None:
            self.play.setIcon(icon("pause" if on else "run", self._tokens.text))

    def show_step(self, step: int):
        """The time of the ghosts."""
        blocked = self.timeline.blockSignals(True)
        self.timeline.setValue(step)
        self.timeline.blockSignals(blocked)
        t = None if self._runs is None else float(self._runs.t[step])
        self._time.setText("" if t is None else f"{t:.2f} s")
        for plot in (self.speeds, self.errors):
            plot.show_cursor(t)

    def _draw(self):
        if self._tokens is None:
            return
        colours, runs, units = self._tokens.series[: len(METHODS)], self._runs, self._units
        for plot in (self.speeds, self.errors):
            plot.set_theme(self._tokens)
        for key, colour in zip(METHODS, colours, strict=True):
            self._swatches[key].setPixmap(pixmap("swatch", colour, 14))
        unit = "× limit" if runs and runs.limited else units.symbol(False) + "/s"
        for title, plot, text in zip(self._titles, (self.speeds, self.errors), (f"Fastest joint  [{unit}]", "Path error  [mm]")):
            title.setText(text.replace("Fastest joint", "Speed").replace("Path error", "Error"))
            title.setToolTip(text)
            plot.set_title(text)
        if runs is None:
            for plot in (self.speeds, self.errors):
                plot.show_curves([], 1.0)
            return
        factor = 1.0 if runs.limited else units.factor(False)
        speeds = np.maximum(runs.speed, LEAST_SPEED * runs.peaks.min()) * factor
        limit = [self._limit(runs)] if runs.limited else []
        self.speeds.show_curves([*self._curves(runs.t, speeds), *limit], float(runs.t[-1]))
        self.errors.show_curves(self._curves(runs.t, 1000 * np.maximum(runs.error, LEAST_ERROR)), float(runs.t[-1]))
        for k, key in enumerate(METHODS):
            texts = runs.peak_words(k, units), rounded(runs.peaks[k]), runs.error_words(k, units)
            for column, text in enumerate(texts):
                self._cells[key, column].setText(text)
            self._cells[key, 1].setVisible(runs.limited)
        self._heads["× limit"].setVisible(runs.limited)
        self._sentence.setText(runs.sentence(units))

    def _curves(self, t: np.ndarray, values: np.ndarray) -> list[Curves]:
        """The logarithms of values `(3, N)`; the last curve is dashed as it is often on top of the second."""
        colours = self._tokens.series
        return [
            Curves(t, np.log10(row)[:, None], (title,), (colours[k],), style=int(k == 2))
            for k, (title, row) in enumerate(zip(METHODS.values(), values, strict=True))
        ]

    def _limit(self, runs: CrossingRuns) -> Curves:
        return Curves(runs.t[[0, -1]], np.zeros((2, 1)), ("speed limit",), (self._tokens.danger,), style=2)

    def set_units(self, units: Units):
        """Angles and lengths in other units."""
        metres = self.length.value() / self._units.factor(True)
        self._units = units
        self.length.set_format(max(0, units.decimals(True) - 1), 0.01 * units.factor(True), units.suffix(True))
        self.length.setValue(metres * units.factor(True))
        self._draw()

    def set_theme(self, tokens):
        """Colours of curves and legend."""
        self._tokens = tokens
        for field in (self.length, self.duration):
            field.refit()
        self.show_playing(self.play.isChecked())
        self._draw()

    def hideEvent(self, event):
        self.hidden.emit()
        super().hideEvent(event)


def _row(*parts: QWidget, stretch: QWidget | None = None) -> QWidget:
    widget = QWidget()
    line = QHBoxLayout(widget)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(6)
    for part in parts:
        line.addWidget(part, int(part is stretch))
    return widget
