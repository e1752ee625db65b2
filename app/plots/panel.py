"""The plots dock: any signal of the run, or of recordings, in as many panes as wanted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QScrollArea, QSplitter, QWidget

from armature.app.plots.plot_bands import phase_bands
from armature.app.plots.plot_history import History, ToolMotion
from armature.app.plots.plot_pane import PlotPane
from armature.app.plots.plot_side import PlotSide
from armature.app.plots.plot_signals import Drawn, RecordingSource, missing
from armature.app.state.plot_names import LOG, MOST, SIGNALS
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.on_screen import on_screen
from armature.engine.model.robot import Robot

if TYPE_CHECKING:
    from armature.engine.simulation.runs.load_comparison import Phase
    from armature.engine.simulation.snapshot import Snapshot

SHOWN_LOGS = 3  # of what a law logs, shown without being asked for
LEAST_WIDTH, LEAST_HEIGHT = 170, 120  # pixels of one plot; where there is no room for all of them they scroll


class PlotsPanel(QWidget):
    """Fed with samples, drawn one plot at a time and only while it can be seen.

    `panes_changed(names)` tells which plots there are now, `export_asked(view, suffix)` that one is to be saved.
    """

    panes_changed = Signal(tuple)
    export_asked = Signal(object, str)

    def __init__(self, units: Units, names: tuple[str, ...]):
        super().__init__()
        self._units, self._history, self._next = units, History(0), 0
        self._robot: Robot | None = None
        self._tokens: Tokens | None = None
        self._frozen: History | None = None
        self._recorded: list[RecordingSource] = []
        self._phases: tuple[Phase, ...] = ()
        self._round = 0.0  # s after which they come again, 0 for never
        self._stale: set[PlotPane] = set()
        self._cursor: float | None = None
        self._x: tuple[float, float] | None = None  # the range of time that a person chose, in all panes alike
        self._logged: tuple[str, ...] = ()  # signals of the law at work
        self._offered: set[str] = set()  # those that were shown once: a person may have removed them
        self.panes: list[PlotPane] = []
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(8)
        self._side = PlotSide()
        self._side.span.currentIndexChanged.connect(self._mark)
        self._side.hold.toggled.connect(self._on_hold)
        self._side.follow.clicked.connect(self._follow)
        self._side.more.clicked.connect(self.add_pane)
        self._side.clear.clicked.connect(self.clear)
        self._side.legend.changed.connect(self._mark)
        layout.addWidget(self._side)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(8)
        self._area = area = QScrollArea()
        area.setObjectName("plot_row")
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        area.setWidget(self._splitter)
        self._hint = QLabel("Run to see curves")
        self._hint.setObjectName("plots_hint")
        self._hint.setProperty("role", "muted")
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        cell = QGridLayout()  # the one line lies over the plots and does not move them
        cell.addWidget(area, 0, 0)
        cell.addWidget(self._hint, 0, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addLayout(cell, 1)
        for name in names:
            self._insert(name)
        self._limit()

    # Panes

    def _insert(self, name: str):
        pane = PlotPane(name)
        pane.chosen.connect(self._on_panes)
        pane.remove_asked.connect(partial(self._remove, pane))
        pane.export_asked.connect(partial(self.export_asked.emit, pane.view))
        pane.view.x_moved.connect(partial(self._on_x, pane))
        pane.view.hovered.connect(self._on_hover)
        pane.view.show_cursor(self._cursor)
        pane.offer_logged(self._logged)
        self.panes.append(pane)
        self._splitter.addWidget(pane)
        if self._tokens is not None:
            pane.set_theme(self._tokens)
        pane.show()

    def add_pane(self):
        """One more plot, of a signal that is not shown yet."""
        shown = {pane.signal for pane in self.panes}
        self._insert(next((name for name in SIGNALS if name not in shown), "q"))
        self._on_panes()
        QTimer.singleShot(0, self, self._show_newest)  # once it has its place

    def _show_newest(self):
        self._area.ensureWidgetVisible(self.panes[-1], 0, 0)

    def show_plot(self, name: str):
        """Bring the plot "signal" or "signal:mode" into view, added where it is missing; of too many the last makes room."""
        pane = next((pane for pane in self.panes if pane.name == name), None)
        if pane is None:
            if len(self.panes) >= MOST:
                self._remove(self.panes[-1])
            self._insert(name)
            self._on_panes()
            pane = self.panes[-1]
        QTimer.singleShot(0, pane, partial(self._area.ensureWidgetVisible, pane, 0, 0))  # once it has its place

    def _remove(self, pane: PlotPane):
        if len(self.panes) > 1:
            self.panes.remove(pane)
            pane.hide()
            pane.setParent(None)
            pane.deleteLater()
            self._on_panes()

    def _on_panes(self):
        self._limit()
        self._restyle()
        self.panes_changed.emit(tuple(pane.name for pane in self.panes))

    def _limit(self):
        self._show_range()
        self._side.more.setEnabled(len(self.panes) < MOST)
        for pane in self.panes:
            pane.remove.setEnabled(len(self.panes) > 1)

    def _on_x(self, from_: PlotPane, x: tuple[float, float] | None):
        if from_.signal != "phase":
            self._x = x
            for pane in self.panes:
                if pane.signal != "phase":
                    pane.view.set_x(x)
        self._show_range()
        self._mark()

    def _follow(self):
        for pane in self.panes:
            pane.view.follow()

    def _show_range(self):
        self._side.follow.setEnabled(any(pane.view.chosen for pane in self.panes))

    def _on_hover(self, t: float | None):
        for pane in self.panes:
            pane.view.read_at(t)

    # What is shown

    def set_robot(self, robot: Robot, tool_motion: ToolMotion | None = None):
        """Curves for the joints of `robot`, whose tool goes by `tool_motion`, without data and phases."""
        self._robot, self._phases = robot, ()
        self._history = History(robot.n, tool_motion=tool_motion)
        self._side.legend.set_joints(robot.joint_names)
        self.show_recordings([])
        self._fresh()
        self._restyle()

    def set_units(self, units: Units):
        """Draw angles in other units."""
        self._units = units
        self._follow()
        self._restyle()

    def set_theme(self, tokens: Tokens):
        """Colours of paper and curves."""
        self._tokens = tokens
        for pane in self.panes:
            pane.set_theme(tokens)
        self._restyle()

    def _restyle(self):
        if self._tokens is None or self._robot is None:
            return
        self._side.legend.set_colours(self._tokens.series)
        bands = () if self._recorded else phase_bands(self._phases, self._tokens, self._round)
        for pane in self.panes:
            pane.view.bands = () if pane.signal == "phase" else bands
            pane.retitle(self._robot, self._units)
            pane.view.set_x(None if pane.signal == "phase" else self._x)
        self._mark()

    def append(self, snapshot: Snapshot, sigma_min: float):
        """One sample of the simulation, as `History` takes it."""
        if self._robot is None or len(snapshot.q) != self._robot.n:
            return
        if self._recorded:
            self.clear()
        self._history.append(snapshot, sigma_min)
        if self._history.logged != self._logged:
            self._offer_logged(self._history.logged)
        if self._frozen is None:
            self._mark()

    def _offer_logged(self, signals: tuple[str, ...]):
        """A law logs something new: it can be chosen, and the first few of it are shown."""
        new, self._logged = [one for one in signals if one not in self._logged], signals
        for pane in self.panes:
            pane.offer_logged(signals)
        shown = {pane.signal for pane in self.panes}
        for signal in new:
            many = sum(pane.signal.startswith(LOG) for pane in self.panes) >= SHOWN_LOGS
            if signal not in shown and signal not in self._offered and not many and len(self.panes) < MOST:
                self._insert(signal)
                self._on_panes()
            self._offered.add(signal)

    def show_recordings(self, sources: list[RecordingSource]):
        """Recordings over each other instead of the live curves; empty goes back to those."""
        if bool(sources) != bool(self._recorded):
            self._fresh()
        self._recorded = sources
        self._side.show_live(not sources)
        self._side.legend.set_runs([source.label for source in sources])
        if sources:
            self._offer_logged(tuple(dict.fromkeys(signal for source in sources for signal in source.logged)))
        self._restyle()

    def show_cursor(self, t: float | None):
        """Where the replay is."""
        self._cursor = t
        for pane in self.panes:
            pane.view.show_cursor(t)

    def set_phases(self, phases: Sequence[Phase], every: float = 0.0):
        """Shade and name these stretches of the run, and again `every` so many s where it goes round."""
        self._phases, self._round = tuple(phases), every
        self._restyle()

    def clear(self):
        """Forget all samples."""
        self._history.clear()
        self._phases = ()
        self.show_recordings([])
        self._fresh()

    def _fresh(self):
        """No chosen range, nothing held, no cursor."""
        self._side.hold.setChecked(False)
        self._follow()
        self.show_cursor(None)
        self._mark()

    def _on_hold(self, on: bool):
        self._frozen = self._history.frozen() if on else None
        self._mark()

    def _mark(self, *_):
        self._stale = set(self.panes)

    def refresh(self):
        """Called by the clock: redraws one plot that is out of date, so that no frame pays for all of them."""
        robot, tokens = self._robot, self._tokens
        if not self._stale or robot is None or tokens is None or not on_screen(self):
            return
        for _ in self.panes:
            self._next = (self._next + 1) % len(self.panes)
            pane = self.panes[self._next]
            if pane in self._stale:
                self._stale.discard(pane)
                self._draw(pane, Drawn(robot, self._units, tokens.series, self._side.legend.shown))
                return

    def _draw(self, pane: PlotPane, drawn: Drawn):
        live = self._history if self._frozen is None else self._frozen
        runs: list[tuple[History | RecordingSource, str]] = [
            (run, run.label if len(self._recorded) > 1 else "") for run in self._recorded
        ] or [(live, "")]
        ends = [float(run.t[-1]) for run, _ in runs if len(run.t)]
        self._hint.setVisible(not ends)
        span = max(ends, default=1.0) - min((float(run.t[0]) for run in self._recorded), default=0.0)
        span = max(span, 1e-3) if self._recorded else self._side.seconds
        first = -np.inf if self._recorded else max(ends, default=0.0) - span
        start = first if self._x is None or pane.signal == "phase" else min(first, self._x[0])
        curves = [
            one for k, (run, label) in enumerate(runs) for one in drawn.curves(run, pane.signal, pane.mode, start, k, label)
        ]
        pane.view.show_curves(curves, span, "" if curves or not ends else missing(pane.signal, pane.mode, bool(self._recorded)))
