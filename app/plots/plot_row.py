"""The panes of the plots dock, side by side: which there are, and what they share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QSplitter

from armature.app.plots.plot_bands import Band
from armature.app.plots.plot_pane import PlotPane
from armature.app.state.plot_names import LOG, MOST, SIGNALS
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.engine.model.robot import Robot

SHOWN_LOGS = 3  # of what a law logs, shown without a request
LEAST_WIDTH, LEAST_HEIGHT = 170, 120  # pixels of one plot; where there is no room for all of them they scroll


class PlotRow(QScrollArea):
    """Over time all `panes` show one range, `times` where a person chose it, and are read at one time;
    `logged` are the signals that a law logs.

    `changed()` tells that panes came, went or show something else, `moved()` that a person chose a range,
    `export_requested(view, suffix)` that one is to be saved.
    """

    changed = Signal()
    moved = Signal()
    export_requested = Signal(object, str)

    def __init__(self, names: Sequence[str]):
        super().__init__()
        self.setObjectName("plot_row")
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(8)
        self.setWidget(self._splitter)
        self.panes: list[PlotPane] = []
        self.times: tuple[float, float] | None = None
        self._tokens: Tokens | None = None
        self._cursor: float | None = None
        self._contact: float | None = None
        self.logged: tuple[str, ...] = ()
        self._offered: set[str] = set()  # those that were shown once: a person may have removed them
        for name in names:
            self._insert(name)

    @property
    def full(self) -> bool:
        """Whether there can be no more panes."""
        return len(self.panes) >= MOST

    @property
    def chosen(self) -> bool:
        """Whether a person chose a range in any pane."""
        return any(pane.view.chosen for pane in self.panes)

    def _insert(self, name: str):
        pane = PlotPane(name)
        pane.chosen.connect(self.changed)
        pane.remove_requested.connect(partial(self._remove, pane))
        pane.export_requested.connect(partial(self.export_requested.emit, pane.view))
        pane.view.x_moved.connect(partial(self._on_x, pane))
        pane.view.hovered.connect(self._on_hover)
        pane.view.show_cursor(self._cursor)
        pane.view.show_mark(self._contact)
        pane.offer_logged(self.logged)
        self.panes.append(pane)
        self._splitter.addWidget(pane)
        if self._tokens is not None:
            pane.set_theme(self._tokens)
        pane.show()
        self._limit()

    def _limit(self):
        for pane in self.panes:
            pane.remove.setEnabled(len(self.panes) > 1)

    def _remove(self, pane: PlotPane):
        if len(self.panes) > 1:
            self.panes.remove(pane)
            pane.hide()
            pane.setParent(None)
            pane.deleteLater()
            self._limit()
            self.changed.emit()

    def add(self):
        """One more plot, of a signal that is not shown yet."""
        shown = {pane.signal for pane in self.panes}
        self._insert(next((name for name in SIGNALS if name not in shown), "q"))
        self.changed.emit()
        self._bring(self.panes[-1])

    def set_plots(self, names: Sequence[str]):
        """Show these plots and no others."""
        if list(names) == [pane.name for pane in self.panes]:
            return
        before = list(self.panes)
        for name in names:
            self._insert(name)
        for pane in before:
            self._remove(pane)

    def show_plot(self, name: str):
        """Bring the plot "signal" or "signal:mode" into view, added where it is missing; of too many the last makes room."""
        pane = next((pane for pane in self.panes if pane.name == name), None)
        if pane is None:
            if self.full:
                self._remove(self.panes[-1])
            self._insert(name)
            self.changed.emit()
            pane = self.panes[-1]
        self._bring(pane)

    def _bring(self, pane: PlotPane):
        QTimer.singleShot(0, pane, partial(self.ensureWidgetVisible, pane, 0, 0))  # once it has its place

    def offer_logged(self, signals: tuple[str, ...]):
        """What a law logs can be chosen, and the first few of what is new are shown."""
        new, self.logged = [one for one in signals if one not in self.logged], signals
        for pane in self.panes:
            pane.offer_logged(signals)
        shown = {pane.signal for pane in self.panes}
        for signal in new:
            many = sum(pane.signal.startswith(LOG) for pane in self.panes) >= SHOWN_LOGS
            if signal not in shown and signal not in self._offered and not many and not self.full:
                self._insert(signal)
                self.changed.emit()
            self._offered.add(signal)

    def forget_logged(self):
        """What a law logged was of another arm; what one logs of this one is offered anew."""
        self.logged, self._offered = (), set()
        for pane in [pane for pane in self.panes if pane.signal.startswith(LOG)]:
            self._remove(pane)
        for pane in self.panes:
            pane.offer_logged(())

    def set_theme(self, tokens: Tokens):
        """Colours of paper and curves."""
        self._tokens = tokens
        for pane in self.panes:
            pane.set_theme(tokens)

    def label(self, robot: Robot, units: Units, bands: tuple[Band, ...]):
        """Words and units for curves of `robot`, and `bands` shaded behind those over time."""
        for pane in self.panes:
            pane.view.bands = () if pane.signal == "phase" else bands
            pane.retitle(robot, units)
            pane.view.set_x(None if pane.signal == "phase" else self.times)

    def show_cursor(self, t: float | None):
        """Where the replay is."""
        self._cursor = t
        for pane in self.panes:
            pane.view.show_cursor(t)

    def show_contact(self, t: float | None):
        """Mark the time of a contact in all plots over time."""
        self._contact = t
        for pane in self.panes:
            pane.view.show_mark(None if pane.signal == "phase" else t)

    def follow(self):
        """Forget what a person chose."""
        for pane in self.panes:
            pane.view.follow()

    def _on_x(self, from_: PlotPane, x: tuple[float, float] | None):
        if from_.signal != "phase":
            self.times = x
            for pane in self.panes:
                if pane.signal != "phase":
                    pane.view.set_x(x)
        self.moved.emit()

    def _on_hover(self, t: float | None):
        for pane in self.panes:
            pane.view.read_at(t)
