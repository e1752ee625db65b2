"""The dock of the lab “Dynamics that change”: what there is to see, a click for each law, and the errors side by side."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.lab.tracking_log import TrackingLog
from armature.app.plots.curves import Curves
from armature.app.plots.plot_bands import Band
from armature.app.plots.plot_view import PlotView
from armature.app.state.units import UNKNOWN, number
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.widgets.controls import button, choice, form, named, row
from armature.app.widgets.section import note, page

LAWS = {
    "computed-torque": "Computed torque",
    "slotine-li": "Slotine–Li",
    "recursive-least-squares": "Recursive least squares",
}
CHANGE, END = 9.0, 27.0  # s
MASS = 2.3  # kg
LAST, AFTER = 5, 2  # rounds: the last one, and that after the change
COLUMNS = ("Before", "After", "End", "Payload")
WORDS = """<p>A Puma 560 repeats a closed path. At 9 s, after two rounds, the payload or the joint friction changes, which is not
reported to the controller.</p>
<p><b>Computed torque</b> uses the model of the robot file. After the change the tracking error is the model error divided by
the stiffness of the error dynamics, equal in every round.</p>
<p><b>Slotine–Li</b> adapts the parameters along the gradient that reduces the tracking error. The error falls at once; the
parameters need not converge to their true values.</p>
<p><b>Recursive least squares</b> estimates the parameters from measured torques with a forgetting time of 2 s: the error falls
within two rounds, and the payload mass is estimated with its σ. The parameter <i>forget</i> in Control sets this time: a
shorter time adapts faster but amplifies noise.</p>
<p>Only parameters that the motion excites can be identified: a joint at rest gives no information about its friction. Plain
forgetting would then let the estimate diverge (wind-up); here the current estimate is retained.</p>"""


class LabPanel(QWidget):
    """Tells `start_wanted(laws, change)` with the names of laws to run in turn, and `stop_wanted()`."""

    start_wanted = Signal(tuple, str)
    stop_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        content = page(self, "lab")
        words = named(note(WORDS), "lab_words")
        words.setTextFormat(Qt.TextFormat.RichText)
        content.addWidget(words)
        self._change = choice("lab_change", "Changes during the run", changes())
        content.addWidget(form((("At 9 s", self._change),)))
        self.all = button("lab_all", "Run all three", "Run the lab", "Run the three controllers in turn, 27 s each in real time")
        self.all.clicked.connect(lambda: self._start(*LAWS))
        self.stop = button("lab_stop", "Stop", "Stop the experiment")
        self.stop.setEnabled(False)
        self.stop.clicked.connect(self.stop_wanted)
        content.addWidget(row(self.all, self.stop, None))
        self._state = named(note(), "lab_state")
        content.addWidget(self._state)
        content.addWidget(
            note("Tracking error in mrad, RMS over one round: before and directly after the change, and at the end:")
        )
        content.addWidget(self._table())
        content.addWidget(note("Tracking error |q* − q| of all joints, RMS over one second:"))
        self.plot = PlotView("lab_error", "Tracking error  [mrad]", log=True)
        self.plot.setMinimumHeight(170)
        self.plot.legend = True
        content.addWidget(self.plot)
        content.addStretch(1)
        self._tokens, self._logs = LIGHT, dict[str, TrackingLog]()

    def _table(self) -> QWidget:
        table = QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        for k, title in enumerate(COLUMNS):
            grid.addWidget(note(title), 0, k + 1)
        self.cells: dict[tuple[str, int], QLabel] = {}
        for line, (name, title) in enumerate(LAWS.items(), start=1):
            start = button(f"lab_{name}", title.replace("Recursive least", "Least"), f"Run the experiment with {title}")
            start.clicked.connect(lambda _=False, name=name: self._start(name))
            grid.addWidget(start, line, 0)
            for k in range(len(COLUMNS)):
                self.cells[name, k] = named(QLabel(UNKNOWN), f"lab_{name}_{k}", f"{title}, {COLUMNS[k].lower()}")
                grid.addWidget(self.cells[name, k], line, k + 1)
        return table

    def _start(self, *laws: str) -> None:
        self.start_wanted.emit(laws, self._change.currentData())

    def show_state(self, text: str, runs: bool) -> None:
        """What happens now; whether it can be stopped."""
        self._state.setText(text)
        self.stop.setEnabled(runs)

    def show_logs(self, logs: Mapping[str, TrackingLog]) -> None:
        """Errors and curves, by law."""
        self._logs = dict(logs)
        for name in LAWS:
            log = logs.get(name)
            errors = [np.nan] * 3 if log is None else [log.rms(k) for k in (1, AFTER, LAST)]
            for k, error in enumerate(errors):
                self.cells[name, k].setText(UNKNOWN if np.isnan(error) else f"{number(1e3 * error, 2)}")
            mass = np.nan if log is None else log.mass
            self.cells[name, 3].setText(UNKNOWN if np.isnan(mass) else f"{number(mass, 2)} kg")
        self._draw()

    def _draw(self) -> None:
        curves = []
        for k, (name, title) in enumerate(LAWS.items()):
            if name in self._logs:
                t, off = self._logs[name].curve()
                y = np.log10(np.maximum(1e3 * off, 1e-4))[:, None]
                curves.append(Curves(t, y, (title,), (self._tokens.series[k],)))
        self.plot.bands = (Band("changed arm", CHANGE, END, self._tokens.series[3]),) if curves else ()
        self.plot.show_curves([one for one in curves if len(one.x)], END, "" if curves else "Run a controller to plot its error")

    def set_theme(self, tokens: Tokens) -> None:
        """Other colours."""
        self._tokens = tokens
        self.plot.set_theme(tokens)
        self._draw()


def changes() -> dict[str, str]:
    """Return the changes of the arm on offer, by name."""
    return {"load": f"payload of {number(MASS, 1)} kg", "friction": "joint friction doubled"}
