"""Four small plots of a planned trajectory: position, velocity and acceleration of every joint, and the smallest clearance."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.plots.curves import Curves
from armature.app.plots.plot_view import PlotView
from armature.app.state.evented import Binder, on
from armature.app.state.window_state import WindowState
from armature.app.style.colour_tokens import Tokens
from armature.app.trajectory.trajectory_model import TrajectoryModel
from armature.app.widgets.section import note

KINDS = (("q", "Planned position", ""), ("qd", "Planned velocity", "/s"), ("qdd", "Planned acceleration", "/s²"))
CLEARANCE = "Planned clearance"
NOTHING = "Add two waypoints to plot"
HEIGHT = 6.0  # lines of text


class TrajectoryPlots(QWidget):
    """View of the model's preview, in the units of the window."""

    def __init__(self, model: TrajectoryModel, state: WindowState):
        super().__init__()
        self._model, self._state = model, state
        self._tokens: Tokens | None = None
        titles = {**{name: title for name, title, _ in KINDS}, "clearance": CLEARANCE}
        self._views = {name: PlotView(f"planned_{name}", title) for name, title in titles.items()}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._titles = {name: note(title) for name, title in titles.items()}
        for name, view in self._views.items():
            column.addWidget(self._titles[name])
            column.addWidget(view)

    def bind(self, views: Binder) -> None:
        """Bind the view."""
        views.bind(self._draw, on(self._model, "preview"), on(self._state, "units"))
        views.bind(self._draw_clearance, on(self._model, "clearance"), on(self._state, "units"))

    def show_cursor(self, t: float | None):
        """A line at time t."""
        for view in self._views.values():
            view.show_cursor(t)

    def set_theme(self, tokens: Tokens):
        """Colours of paper and curves."""
        self._tokens = tokens
        for view in self._views.values():
            view.set_theme(tokens)
            view.setFixedHeight(round(HEIGHT * self.fontMetrics().height()))
        self._draw()
        self._draw_clearance()

    def _draw(self):
        preview, shown = self._model.preview, self._state.units
        if self._tokens is None:
            return
        series = self._tokens.series
        for name, title, per in KINDS:
            view = self._views[name]
            if preview is None:
                view.show_curves([], 1.0, NOTHING)
                continue
            slides, names = preview.robot.prismatic, preview.robot.joint_names
            units = [shown.symbol(kind) + per for kind in (False, True) if (slides == kind).any()]
            view.set_title(f"{title}  [{', '.join(units)}]")
            self._titles[name].setText(f"{title}  [{', '.join(units)}]")
            motions = {"q": preview.q, "qd": preview.qd, "qdd": preview.qdd}
            factors = np.array([shown.factor(bool(slide)) for slide in slides])
            colours = tuple(series[i % len(series)] for i in range(len(names)))
            view.show_curves([Curves(preview.t, motions[name] * factors, names, colours)], preview.duration)

    def _draw_clearance(self) -> None:
        """Draw the clearance, and a line at the first contact in all plots."""
        check, view, units = self._model.clearance, self._views["clearance"], self._state.units
        if self._tokens is None:
            return
        first = None if check is None else check.first
        for plot in self._views.values():
            plot.show_mark(None if first is None else first.time)
        if check is None or not check.has_pairs:
            view.show_curves([], 1.0, NOTHING if self._model.preview is None else "")
            return
        title = f"{CLEARANCE}  [{units.symbol(prismatic=True)}]"
        view.set_title(title)
        self._titles["clearance"].setText(title)
        values = check.found.clearance[:, None] * units.factor(prismatic=True)
        view.show_curves([Curves(check.found.t, values, ("clearance",), (self._tokens.series[0],))], check.preview.duration)
