"""The page of the guided example: five steps, each a button with what happens, and the errors of the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from armature.app.identification.example import COULOMB, MASSES, VISCOUS
from armature.app.identification.result_words import times
from armature.app.identification.titled_plot import TitledPlot
from armature.app.plots.curves import Curves
from armature.app.state.units import significant
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note, scrolled

if TYPE_CHECKING:
    from armature.app.identification.example import Comparison

STEPS = {
    "disturb": (
        "1  Disturb",
        "Change the simulated arm: masses × {masses}, viscous friction × {viscous}, Coulomb friction × {coulomb}."
        " The controller still uses the model in the file.",
    ),
    "motion": ("2  Excite", "Compute a trajectory that excites all parameters within the limits of the arm."),
    "simulate": (
        "3  Simulate",
        "The changed arm follows this trajectory; its computed-torque controller uses the file's model."
        " Encoders (2¹⁷ counts) and torque"
        " sensors (1 % noise) are recorded.",
    ),
    "identify": (
        "4  Identify",
        "Estimate the parameters from the recording, except its last quarter. See Result, Torques and Parameters.",
    ),
    "compare": (
        "5  Compare",
        "Three runs of the changed arm on a new trajectory: computed torque uses the model of the robot file, the identified "
        "model, or the true model.",
    ),
}
JOINTS = {"mrad": "revolute", "mm": "prismatic"}
NAMES = {"file": "file's model", "identified": "identified", "true": "true"}


class ExamplePage(QWidget):
    """Tells `step_wanted(name)` and `cancel_wanted()`."""

    step_wanted = Signal(str)
    cancel_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._tokens: Tokens = LIGHT
        self._found: Comparison | None = None
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 12, 8)
        line.setSpacing(8)
        self._area = scrolled(self._steps(), "Simulate, disturb, identify, compare")
        line.addWidget(self._area, 3)
        self._step = ""
        bar = self._area.verticalScrollBar()
        bar.rangeChanged.connect(lambda *_: self._bring_up())  # once the words of a step have their height
        self._plots = [TitledPlot(name, "Tracking error") for name in ("identify_errors", "identify_errors_prismatic")]
        self.plot = self._plots[0].view
        right = QVBoxLayout()
        right.setContentsMargins(0, 6, 0, 0)
        right.setSpacing(1)
        right.addWidget(self._working)
        for titled in self._plots:
            right.addWidget(titled, 1)
        line.addLayout(right, 2)
        self.show_possible(())
        self.show_compared(None)

    def _steps(self) -> QWidget:
        self.buttons, self.told = {}, {}
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 6, 6, 8)
        column.setSpacing(6)
        self.cancel = button("example_cancel", "Cancel", "Cancel this step", "Stop the computation")
        self.cancel.clicked.connect(lambda _: self.cancel_wanted.emit())
        self.cancel.setEnabled(False)
        self.progress = ProgressBar("example_progress", "Progress of this step")
        self._working = row(self.progress, self.cancel, stretch=self.progress)
        self._working.hide()
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for k, (name, (title, _)) in enumerate(STEPS.items()):
            words = _words(name)
            press = self.buttons[name] = button(f"example_{name}", title, f"{title}: {words}")
            press.clicked.connect(lambda _=False, name=name: self.step_wanted.emit(name))
            self.told[name] = named(note(words), f"example_{name}_words")
            grid.addWidget(press, k, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self.told[name], k, 1)
        column.addLayout(grid)
        column.addStretch(1)
        return inside

    def show_possible(self, steps: tuple[str, ...], why_not: str = "") -> None:
        """Which steps can be done now; else why not."""
        for name, press in self.buttons.items():
            press.setEnabled(name in steps)
            press.setToolTip(why_not)

    def show_next(self, name: str) -> None:
        """The step that comes next stands out; "" for none."""
        for step, press in self.buttons.items():
            set_style_property(press, "role", "primary" if step == name else "")

    def _bring_up(self) -> None:
        """Scroll to the step that was done last."""
        if self._step:
            self._area.ensureWidgetVisible(self.told[self._step], 0, 0)

    def tell(self, step: str, result: str) -> None:
        """What came of a step, below what it does; "" for nothing yet."""
        words = _words(step)
        self.told[step].setText(f"{words}\n→ {result}" if result else words)
        if result:
            self._step = step
            QTimer.singleShot(0, self, self._bring_up)

    def show_busy(self, busy: bool) -> None:
        """Whether a step computes."""
        self.cancel.setEnabled(busy)
        self._working.setVisible(busy)
        self.progress.show_busy(busy)

    def show_progress(self, done: int, total: int) -> None:
        """How much is done."""
        self.progress.show_done(done, total)

    def show_compared(self, found: Comparison | None) -> None:
        """The errors of the last step; None for none."""
        self._found = found
        self._draw()

    def _draw(self) -> None:
        found, series = self._found, self._tokens.series
        units = ("",) if found is None else found.units
        colours = series[1], series[0], self._tokens.muted
        for k, titled in enumerate(self._plots):
            titled.view.set_theme(self._tokens)
            titled.setVisible(k < len(units))
            if k < len(units):
                titled.show_title(f", {JOINTS[units[k]]} joints" if len(units) > 1 else ", all joints", units[k])
            if found is None:
                titled.view.show_curves([], 1.0, "Run the steps to see curves")
            elif k < len(units):
                values = np.column_stack([found.errors[name][:, k] for name in NAMES])
                titled.view.show_curves([Curves(found.t, values, tuple(NAMES.values()), colours)], float(found.t[-1]))

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the curves."""
        self._tokens = tokens
        self._draw()


def worth(found: Comparison) -> str:
    """What the comparison comes to."""
    rms = {
        name: " and ".join(f"{significant(x, 3)} {unit}" for x, unit in zip(values.tolist(), found.units, strict=True))
        for name, values in found.rms.items()
    }
    factors = " and ".join(times(factor) for factor in found.factors.tolist())
    return (
        f"RMS tracking error: {rms['file']} with the file's model, {rms['identified']} with the identified model"
        f" ({factors} times smaller), {rms['true']} with the true model."
    )


def _words(step: str) -> str:
    """What a step does, with its figures as the system's language writes them."""
    figures = {"masses": MASSES, "viscous": VISCOUS, "coulomb": COULOMB}
    return STEPS[step][1].format(**{name: significant(figure, 2) for name, figure in figures.items()})
