"""The crossing dock: what happens when the tool goes straight through a singularity, in three ways side by side."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from armature.app.singularity.crossing.crossing_path import CrossingPath
from armature.app.singularity.crossing.crossing_plots import CrossingPlots
from armature.app.singularity.crossing.crossing_runs import METHODS, STEPS, CrossingRequest, CrossingRuns
from armature.app.singularity.crossing.crossing_table import CrossingTable
from armature.app.state.units import Units, number
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon
from armature.app.widgets.controls import named, row
from armature.app.widgets.playing.timeline import Timeline
from armature.app.widgets.section import page

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
