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
COLUMNS = ("Before", "After", "End", "Load")
WORDS = """<p>A Puma 560 goes round and round. After two rounds, at 9 s, it becomes another arm, and nobody tells the
controller.</p>
<p><b>Computed torque</b> goes by the file. From the change on it is off by what the model lacks, divided by the stiffness of
its error dynamics, in every round alike.</p>
<p><b>Slotine–Li</b> learns from the tracking error: whatever parameters would make the error smaller are moved that way. The
error falls at once; the parameters need not be the true ones.</p>
<p><b>Recursive least squares</b> learns from the measured torques, at the rate at which it forgets (2 s): the error falls within
two rounds, and the load's mass comes out with its σ. Try <i>forget</i> in Control: shorter follows faster and shakes more.</p>
<p>A law can only learn what the motion shows: a joint at rest tells nothing about its friction. What is forgotten then would
let the estimate run away; here the present estimate is kept instead.</p>"""


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
        self._change = choice("lab_change", "What becomes of the arm", changes())
        content.addWidget(form((("At 9 s", self._change),)))
        self.all = button("lab_all", "Run all three", "Run the lab", "The three laws in turn, 27 s each at normal speed")
        self.all.clicked.connect(lambda: self._start(*LAWS))
        self.stop = button("lab_stop", "Stop", "Stop the lab")
        self.stop.setEnabled(False)
        self.stop.clicked.connect(self.stop_wanted)
        content.addWidget(row(self.all, self.stop, None))
        self._state = named(note(), "lab_state")
        content.addWidget(self._state)
        content.addWidget(note("Tracking error in mrad, RMS over a round: before the change, right after it, and at the end:"))
        content.addWidget(self._table())
        content.addWidget(note("Tracking error |q* − q| of all joints, mean square over a second:"))
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
            start = button(f"lab_{name}", title.replace("Recursive least", "Least"), f"Run the lab under {title}")
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
        self.plot.bands = (Band("another arm", CHANGE, END, self._tokens.series[3]),) if curves else ()
        self.plot.show_curves([one for one in curves if len(one.x)], END, "" if curves else "Run a law to see its error")

    def set_theme(self, tokens: Tokens) -> None:
        """Other colours."""
        self._tokens = tokens
        self.plot.set_theme(tokens)
        self._draw()


def changes() -> dict[str, str]:
    """What may become of the arm."""
    return {"load": f"a load of {number(MASS, 1)} kg comes into its hand", "friction": "its joints rub twice as much"}
