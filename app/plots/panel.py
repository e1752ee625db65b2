"""The plots dock: any signal of the run, or of recordings, in as many panes as wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from armature.app.plots.curves import Curves
from armature.app.plots.plot_bands import phase_bands
from armature.app.plots.plot_history import History, ToolMotion
from armature.app.plots.plot_pane import PlotPane
from armature.app.plots.plot_row import PlotRow
from armature.app.plots.plot_side import PlotSide
from armature.app.plots.plot_signals import Drawn, RecordingSource, missing
from armature.app.plots.second_curves import Difference, SecondCurves
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.on_screen import on_screen
from armature.engine.model.robot import Robot

if TYPE_CHECKING:
    from armature.engine.simulation.runs.load_comparison import Phase
    from armature.engine.simulation.snapshot import Snapshot

EMPTY = "Run to see the plot"


class PlotsPanel(QWidget):
    """Fed with samples; all plots are drawn together, up to the same time, and only while they can be seen.

    `panes_changed(names)` tells which plots there are now, `export_requested(view, suffix)` that one is to be saved.
    """

    panes_changed = Signal(tuple)
    export_requested = Signal(object, str)

    def __init__(self, units: Units, names: tuple[str, ...]):
        super().__init__()
        self._units, self._history, self._frames = units, History(0), 0
        self._robot: Robot | None = None
        self._tokens: Tokens | None = None
        self._frozen: History | None = None
        self._recorded: list[RecordingSource] = []
        self._second: SecondCurves | None = None
        self._phases: tuple[Phase, ...] = ()
        self._round = 0.0  # s after which they come again, 0 for never
        self._stale = False
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(8)
        self._row = PlotRow(names)
        self._row.changed.connect(self._on_panes)
        self._row.moved.connect(self._on_range)
        self._row.export_requested.connect(self.export_requested)
        self._side = PlotSide()
        self._side.span.currentIndexChanged.connect(self._mark)
        self._side.hold.toggled.connect(self._on_hold)
        self._side.follow.clicked.connect(self._row.follow)
        self._side.more.clicked.connect(self._row.add)
        self._side.clear.clicked.connect(self.clear)
        self._side.legend.changed.connect(self._mark)
        layout.addWidget(self._side)
        layout.addWidget(self._row, 1)
        self._limit()

    @property
    def panes(self) -> list[PlotPane]:
        """The plots there are."""
        return self._row.panes

    def set_plots(self, names: Sequence[str]):
        """Show these plots and no others."""
        self._row.set_plots(names)

    def show_plot(self, name: str):
        """Bring the plot "signal" or "signal:mode" into view, added where it is missing; of too many the last makes room."""
        self._offer_logged()
        self._row.show_plot(name)

    def _on_panes(self):
        self._limit()
        self._restyle()
        self.panes_changed.emit(tuple(pane.name for pane in self.panes))

    def _on_range(self):
        self._limit()
        self._mark()

    def _limit(self):
        self._side.follow.setEnabled(self._row.chosen)
        self._side.more.setEnabled(not self._row.full)

    # What is shown

    def set_robot(self, robot: Robot, tool_motion: ToolMotion | None = None, same_arm: bool = False):
        """Curves for the joints of `robot`, whose tool goes by `tool_motion`, without data and phases; in the
        `same_arm` with other figures a law logs the same."""
        if self._robot is not None and not same_arm:
            self._row.forget_logged()
        self._robot, self._phases = robot, ()
        self._history = History(robot.n, tool_motion=tool_motion)
        self._side.legend.set_joints(robot.joint_names)
        self._fresh()
        self.show_recordings([])

    def set_units(self, units: Units):
        """Draw angles in other units."""
        self._units = units
        self._row.follow()
        self._restyle()

    def set_theme(self, tokens: Tokens):
        """Colours of paper and curves."""
        self._tokens = tokens
        self._row.set_theme(tokens)
        self._restyle()

    def _restyle(self):
        if self._tokens is None or self._robot is None:
            return
        self._side.legend.set_colours(self._tokens.series)
        bands = () if self._recorded else phase_bands(self._phases, self._round)
        self._row.label(self._robot, self._units, bands)
        self._mark()

    def append(self, snapshot: Snapshot, sigma_min: float):
        """One sample of the simulation, as `History` takes it."""
        if self._robot is None or len(snapshot.q) != self._robot.n:
            return
        if self._recorded:
            self.clear()
        self._history.append(snapshot, sigma_min)
        if self._second is not None:
            self._second.append(snapshot)
        if self._frozen is None:
            self._mark()

    def set_second(self, second: SecondCurves | None):
        """Draw the curves of a second arm, too, from now on; None: no longer."""
        self._second = second
        if second is not None:
            second.hold(self._frozen is not None)
        self._name_runs()
        self._mark()

    def _name_runs(self):
        names = [source.label for source in self._recorded]
        if self._second is not None and self._second_source is not None:
            names = [*self._second.names]
        self._side.legend.set_runs(names)

    @property
    def _second_source(self) -> History | RecordingSource | None:
        return None if self._second is None else self._second.source(len(self._recorded))

    def show_second_replay(self, source: RecordingSource | None):
        """Draw the second arm during the replay; None: not."""
        if self._second is not None:
            self._second.recorded = source
        self._name_runs()
        self._mark()

    def _offer_logged(self):
        if not self._recorded and len(self._history) and self._history.logged != self._row.logged:
            self._row.offer_logged(self._history.logged)

    @property
    def shows_recordings(self) -> bool:
        """Whether the curves are those of recordings, not of the run."""
        return bool(self._recorded)

    def show_recordings(self, sources: list[RecordingSource]):
        """Recordings over each other instead of the live curves; empty goes back to those."""
        if bool(sources) != bool(self._recorded):
            self._fresh()
        self._recorded = sources
        self._side.show_live(not sources)
        self._name_runs()
        if sources:
            self._row.offer_logged(tuple(dict.fromkeys(signal for source in sources for signal in source.logged)))
        self._restyle()

    def show_cursor(self, t: float | None):
        """Where the replay is."""
        self._row.show_cursor(t)

    def show_contact(self, t: float | None):
        """Mark the time of a contact, s; None: no mark."""
        self._row.show_contact(t)

    def set_phases(self, phases: Sequence[Phase], every: float = 0.0):
        """Shade and name these stretches of the run, and again `every` so many s where it goes round."""
        self._phases, self._round = tuple(phases), every
        self._restyle()

    def clear(self):
        """Forget all samples."""
        self._history.clear()
        if self._second is not None:
            self._second.history.clear()
        self._phases = ()
        self.show_recordings([])
        self.show_contact(None)
        self._fresh()

    def _fresh(self):
        """No chosen range, nothing held, no cursor."""
        self._side.hold.setChecked(False)
        self._row.follow()
        self.show_cursor(None)
        self._mark()

    def _on_hold(self, on: bool):
        self._frozen = self._history.frozen() if on else None
        if self._second is not None:
            self._second.hold(on)
        self._mark()

    def _mark(self, *_):
        self._stale = True

    def refresh(self):
        """Redraw all plots in one frame, so that they end at the same time; of as many frames as there are plots, one pays."""
        robot, tokens, self._frames = self._robot, self._tokens, self._frames + 1
        if not self._stale or self._frames < len(self.panes) or robot is None or tokens is None or not on_screen(self):
            return
        self._stale, self._frames = False, 0
        self._offer_logged()
        drawn = Drawn(robot, self._units, tokens.series, self._side.legend.shown)
        for pane in self.panes:
            self._draw(pane, drawn)

    def _draw(self, pane: PlotPane, drawn: Drawn):
        live = self._history if self._frozen is None else self._frozen
        second, name = self._second_source, "" if self._second is None else self._second.names[0]
        runs: list[tuple[History | RecordingSource, str]] = [
            (run, run.label if len(self._recorded) > 1 else "" if second is None else name) for run in self._recorded
        ] or [(live, name)]
        times = [(float(run.t[0]), float(run.t[-1])) for run, _ in runs if len(run.t)]
        if not times:
            pane.view.show_curves([], self._side.seconds, EMPTY)
            return
        whole = min(first for first, _ in times), max(last for _, last in times)
        span = max(whole[1] - whole[0], 1e-3) if self._recorded else self._side.seconds
        first = -np.inf if self._recorded else whole[1] - span
        start = first if self._row.times is None or pane.signal == "phase" else min(first, self._row.times[0])
        if pane.mode == "second":
            between = None if second is None else Difference(runs[0][0], second)
            curves = [] if between is None or not len(between.t) else drawn.curves(between, pane.signal, "actual", start, 0, "")
        else:
            curves = [
                one for k, (run, label) in enumerate(runs) for one in drawn.curves(run, pane.signal, pane.mode, start, k, label)
            ]
            curves += [] if pane.mode != "actual" else self._of_second(pane, start)
        note = "" if curves else missing(pane.signal, pane.mode, bool(self._recorded))
        pane.view.show_curves(curves, span, note, whole)

    def _of_second(self, pane: PlotPane, start: float) -> list[Curves]:
        """Return the dashed curves of the second arm, in the colours of the joints in the same place of the first."""
        second, source, tokens = self._second, self._second_source, self._tokens
        if second is None or source is None or tokens is None or not len(source.t):
            return []
        shown = self._side.legend.shown
        joints = [shown[k] if k < len(shown) else True for k in range(second.robot.n)]
        drawn = Drawn(second.robot, self._units, tokens.series, joints)
        return drawn.curves(source, pane.signal, "actual", start, 1, second.names[1])
