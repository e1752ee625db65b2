"""The crossing dock: what happens when the tool goes straight through a singularity, in three ways side by side."""

from __future__ import annotations

from typing import cast

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from armature.app.plots.curves import Curves
from armature.app.plots.plot_view import PlotView
from armature.app.singularity.crossing.crossing_runs import (
    DIRECTIONS,
    METHODS,
    MIDDLES,
    STEPS,
    CrossingRequest,
    CrossingRuns,
    rounded,
)
from armature.app.state.units import Units, number
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon, pixmap
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import button, choice, form, named, row
from armature.app.widgets.playing.timeline import Timeline
from armature.app.widgets.section import note, page
from armature.app.widgets.value_field import ValueField

COLUMNS = ("Peak speed", "× limit", "Path error")
HEADS = {
    "Peak speed": "Largest speed of the fastest joint",
    "× limit": "Largest speed divided by the joint's speed limit",
    "Path error": "Largest error of the path",
}


class CrossingTable(QWidget):
    """The table's first column is the legend of the curves and of the see-through arms."""

    def __init__(self):
        super().__init__()
        inside = QVBoxLayout(self)
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
        for line, (key, title) in enumerate(METHODS.items(), 1):
            self._swatches[key] = QLabel()
            grid.addWidget(self._swatches[key], line, 0)
            grid.addWidget(QLabel(title), line, 1)
            for column in range(len(COLUMNS)):
                cell = self._cells[key, column] = named(QLabel(), f"crossing_{key}_{column}", f"{title}: {COLUMNS[column]}")
                grid.addWidget(cell, line, column + 2, Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(1, 1)
        inside.addWidget(self._table)
        self._sentence = named(QLabel(), "crossing_sentence")
        self._sentence.setWordWrap(True)
        self._sentence.setMinimumWidth(250)
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside.addWidget(self._sentence)

    def say(self, text: str):
        """A sentence instead of the one about the runs."""
        self._sentence.setText(text)

    def show_colours(self, colours: tuple[str, ...]):
        """The colours of the three ways."""
        for swatch, colour in zip(self._swatches.values(), colours, strict=True):
            swatch.setPixmap(pixmap("swatch", colour, 14))

    def show_runs(self, runs: CrossingRuns | None, units: Units):
        """Numbers and sentence in these units; None for no table."""
        self._table.setVisible(runs is not None)
        if runs is None:
            return
        for k, key in enumerate(METHODS):
            texts = runs.peak_words(k, units), rounded(runs.peaks[k]), runs.error_words(k, units)
            for column, text in enumerate(texts):
                self._cells[key, column].setText(text)
            self._cells[key, 1].setVisible(runs.limited)
        self._heads["× limit"].setVisible(runs.limited)
        self.say(runs.sentence(units))


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


TIP = "Compute the motion along the path with three methods, in the background"


class CrossingPath(QWidget):
    """`buttons` are compute, cancel and clear."""

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        content = QVBoxLayout(self)
        content.setContentsMargins(0, 0, 0, 0)
        middle_tip = "Pose in the middle of the path. Joint speeds peak slightly off a singular pose"
        self.middle = choice("crossing_middle", "Path through", MIDDLES, middle_tip)
        direction_tip = "Direction of the path in world axes; the orientation of the tool does not change"
        self.direction = choice("crossing_direction", "Direction", DIRECTIONS, direction_tip)
        self.length, self.duration = ValueField(3, 0.01, " m", 100.0), ValueField(1, 0.5, " s", 60.0)
        self.duration.setMinimum(0.1)
        self.duration.setValue(2.0)
        for title, field in (("Length", self.length), ("Duration", self.duration)):
            tip = f"{title} of the whole path, centred on the selected pose"
            named(field, f"crossing_{title.lower()}", f"{title} of the path", tip)
        fields = {"Through": self.middle, "Direction": self.direction, "Length": self.length, "Duration": self.duration}
        content.addWidget(form(fields.items(), spacing=4))
        self.buttons = {
            name: button(f"crossing_{name}", title, f"{title}: crossing", tip)
            for name, title, tip in (
                ("compute", "Run", TIP),
                ("cancel", "Cancel", "Stop the computation"),
                ("clear", "Clear", "Remove curves and ghost arms"),
            )
        }
        self.buttons["compute"].setProperty("role", "primary")
        content.addWidget(row(*self.buttons.values()))
        self.progress = ProgressBar("crossing_progress", "Progress of the crossing")
        content.addWidget(self.progress)

    @property
    def requested(self) -> CrossingRequest:
        """The path as it is chosen."""
        length = self.length.value() / self._units.factor(True)
        return CrossingRequest(self.middle.currentData(), self.direction.currentData(), length, self.duration.value())

    def set_robot(self, robot):
        """Another robot: the usual length of a path is another."""
        self.length.setMinimum(1e-4 * self._units.factor(True))
        self.length.setValue(round(robot.characteristic_length / 4, 3) * self._units.factor(True))

    def show_possible(self, why_not: str):
        """Whether a path can be computed now; else why not."""
        self.buttons["compute"].setEnabled(not why_not)
        self.buttons["compute"].setToolTip(why_not or TIP)

    def show_busy(self, busy: bool):
        """Whether it computes."""
        self.buttons["cancel"].setEnabled(busy)
        self.progress.show_busy(busy)

    def show_progress(self, done: int, total: int):
        """How many runs are done."""
        self.progress.show_done(done, total)

    def set_units(self, units: Units):
        """Lengths in other units."""
        metres = self.length.value() / self._units.factor(True)
        self._units = units
        self.length.set_format(max(0, units.decimals(True) - 1), 0.01 * units.factor(True), units.suffix(True))
        self.length.setValue(metres * units.factor(True))

    def refit(self):
        """Other text sizes."""
        for field in (self.length, self.duration):
            field.refit()


HINT = "Move the tool straight through a singular pose with three methods and compare joint speeds and path errors."
PLOTS = 340  # pixels, the least width of both plots beside everything else


class CrossingPanel(QWidget):
    """Tells `compute_requested()`, `cancel_requested()`, `clear_requested()`, `play_requested(on)` and `seek_requested(step)`."""

    compute_requested = Signal()
    cancel_requested = Signal()
    clear_requested = Signal()
    play_requested = Signal(bool)
    seek_requested = Signal(int)
    hidden = Signal()

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._tokens: Tokens | None = None
        self._runs: CrossingRuns | None = None
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 12, 0)
        line.setSpacing(8)
        self.path, self.table, self.plots = CrossingPath(units), CrossingTable(), CrossingPlots()
        for name, signal in (
            ("compute", self.compute_requested),
            ("cancel", self.cancel_requested),
            ("clear", self.clear_requested),
        ):
            self.path.buttons[name].clicked.connect(lambda _, signal=signal: signal.emit())
        side = QWidget()
        content = page(side, "Path through the singularity")
        self._area = cast("QScrollArea", side.findChild(QScrollArea))
        self._side = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._side.setSpacing(12)
        for part in (self.path, self.table):
            self._side.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)
        content.addLayout(self._side)
        content.addStretch(1)
        side.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        line.addWidget(side)
        column = QVBoxLayout()
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(4)
        column.addWidget(self.plots, 1)
        column.addWidget(self._player())
        line.addLayout(column, 1)
        self.show_runs(None)

    def _player(self) -> QWidget:
        """The time, to be moved and played."""
        tip = "Play the three ghosts in a loop"
        self.play = named(QToolButton(), "crossing_play", "Play the motion through the singularity", tip)
        self.play.setCheckable(True)
        self.play.clicked.connect(self.play_requested)
        tip = "Drag to show the ghost arms of the three methods at any time"
        self.timeline = named(Timeline(STEPS), "crossing_timeline", "Time of the crossing", tip)
        self.timeline.valueChanged.connect(self.seek_requested)
        self._time = named(QLabel(), "crossing_time")
        return row(self.play, self.timeline, self._time, stretch=self.timeline)

    @property
    def requested(self) -> CrossingRequest:
        """The path as it is chosen."""
        return self.path.requested

    def _arrange(self):
        """The comparison beside the controls, or below them where that leaves no room for the plots."""
        needed = [part.minimumSizeHint().width() for part in (self.path, self.table)]
        wide = self.width() >= sum(needed) + PLOTS
        Direction = QBoxLayout.Direction
        self._side.setDirection(Direction.LeftToRight if wide else Direction.TopToBottom)
        if self._runs is not None and not wide:
            QTimer.singleShot(0, self, lambda: self._area.ensureWidgetVisible(self.table))

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._arrange()

    # -- what is shown ---------------------------------------------------------------------------------------------------------

    def set_robot(self, robot):
        """Another robot: nothing is computed for it."""
        self.path.set_robot(robot)
        self.show_runs(None)

    def show_possible(self, why_not: str):
        """Whether a path can be computed now; else why not."""
        self.path.show_possible(why_not)
        if self._runs is None:
            self.table.say(why_not or HINT)

    def show_runs(self, runs: CrossingRuns | None, why: str = HINT):
        """The three runs, or why there are none."""
        self._runs = runs
        for part in (self.play, self.timeline, self.path.buttons["clear"]):
            part.setEnabled(runs is not None)
        self.table.say(why)
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
        with QSignalBlocker(self.timeline):
            self.timeline.setValue(step)
        t = None if self._runs is None else float(self._runs.t[step])
        self._time.setText("" if t is None else f"{number(t, 2)} s")
        self.plots.show_cursor(t)

    def _draw(self):
        self.table.show_runs(self._runs, self._units)
        if self._tokens is not None:
            self.table.show_colours(self._tokens.series[: len(METHODS)])
            self.plots.show_runs(self._runs, self._units, self._tokens)

    def set_units(self, units: Units):
        """Angles and lengths in other units."""
        self._units = units
        self.path.set_units(units)
        self._draw()

    def set_theme(self, tokens: Tokens):
        """Colours of curves and legend."""
        self._tokens = tokens
        self.path.refit()
        self.show_playing(self.play.isChecked())
        self._draw()

    def hideEvent(self, event):
        self.hidden.emit()
        super().hideEvent(event)
