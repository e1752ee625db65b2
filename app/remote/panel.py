"""The dock of a script: its sliders, its buttons and its plots."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from armature.app.plots.curves import Curves
from armature.app.plots.plot_view import PlotView
from armature.app.remote.controls_section import ControlsSection
from armature.app.remote.script_history import ScriptHistory
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import choice, row
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.section import note, page
from armature.engine.errors import one_line
from armature.engine.remote.messages import Update

SPANS = {5.0: "5 s", 10.0: "10 s", 30.0: "30 s", 60.0: "1 min", 600.0: "10 min"}
MOST, HEIGHT = 16, 150  # plots, and pixels of one
IDLE = "Sliders, buttons and plots of a connected script (armature.show) appear here."


class Titled(QWidget):
    """A plot below its title."""

    def __init__(self, plot: PlotView):
        super().__init__()
        title = QLabel(plot.accessibleName())
        title.setProperty("role", "section")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(title)
        layout.addWidget(plot)


class ScriptPanel(QWidget):
    """Fed by the script; all plots are drawn together, and only while they can be seen."""

    def __init__(self):
        super().__init__()
        self._tokens: Tokens | None = None
        self._histories: dict[str, ScriptHistory] = {}
        self.plots: dict[str, PlotView] = {}
        self._stale: list[str] = []
        self._frames = 0  # since they were drawn
        self._titled: list[Titled] = []
        content = page(self, "Script")
        self.state = note(IDLE)
        self.state.setObjectName("script_state")
        self.controls = ControlsSection()
        self.span = choice("script_span", "Length of the time axis", SPANS, now=10.0)
        self.span.currentIndexChanged.connect(self._mark)
        self._span_row = row(note("Last"), self.span, None)
        self._span_row.hide()
        self._content = QVBoxLayout()
        self._content.setSpacing(8)
        for part in (self.state, self.controls, self._span_row):
            content.addWidget(part)
        content.addLayout(self._content)
        content.addStretch(1)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing of a script."""
        return not (self.plots or self.controls.values or self.controls.has_buttons)

    def take(self, update: Update) -> None:
        """Controls and samples that the script has set."""
        for name, slider in update.sliders.items():
            self.controls.put_slider(name, slider)
        for name in update.buttons:
            self.controls.put_button(name)
        for name, samples in update.plots.items():
            if name not in self.plots and len(self.plots) >= MOST:
                continue
            history = self._histories.get(name)
            if history is None or history.names != tuple(samples.names):
                self._histories[name] = history = ScriptHistory(samples.names)
            history.append(samples)
            if name not in self.plots:
                self._add(name)
            if name not in self._stale:
                self._stale.append(name)
        if update.sliders or update.buttons or update.plots:
            self.state.setVisible(self.is_empty)

    def clear(self) -> None:
        """Nothing of a script."""
        self.controls.clear()
        for titled in self._titled:
            self._content.removeWidget(titled)
            titled.hide()
            titled.deleteLater()
        self._titled = []
        self.plots, self._histories, self._stale = {}, {}, []
        self._span_row.hide()
        self.state.show()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of sliders, paper and curves."""
        self._tokens = tokens
        self.controls.set_theme(tokens)
        for plot in self.plots.values():
            plot.set_theme(tokens)
        self._mark()

    def refresh(self) -> None:
        """Redraw all plots that are out of date in one frame, of as many frames as there are plots."""
        self._frames += 1
        if not self._stale or self._frames < len(self.plots) or self._tokens is None or not on_screen(self):
            return
        for name in self._stale:
            self._draw(name, self._tokens.series)
        self._stale, self._frames = [], 0

    def _draw(self, name: str, series: Sequence[str]) -> None:
        history, span = self._histories[name], self.span.currentData()
        t, values = history.t, history.values
        first = max(0, int((t >= t[-1] - span).argmax()) - 1) if len(t) and not self.plots[name].chosen else 0
        colours = tuple(series[k % len(series)] for k in range(len(history.names)))
        names = tuple(one_line(one, 40) for one in history.names)
        self.plots[name].show_curves([Curves(t[first:].copy(), values[first:].copy(), names, colours)], span)

    def _add(self, name: str) -> None:
        plot = PlotView(f"script_{name}", one_line(name, 60))
        plot.legend = len(self._histories[name].names) > 1
        plot.setMinimumHeight(HEIGHT)
        plot.hovered.connect(plot.read_at)
        if self._tokens is not None:
            plot.set_theme(self._tokens)
        self.plots[name] = plot
        self._titled.append(Titled(plot))
        self._content.addWidget(self._titled[-1])
        self._span_row.show()

    def _mark(self, *_) -> None:
        self._stale = list(self.plots)
