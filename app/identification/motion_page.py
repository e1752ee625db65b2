"""The page of the exciting motion: made in the background, looked at, and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from armature.app.identification.titled_plot import TitledPlot
from armature.app.plots.curves import Curves
from armature.app.state.units import Units, number, significant
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import button, form, named, row
from armature.app.widgets.controls import number as field
from armature.app.widgets.section import note, scrolled

if TYPE_CHECKING:
    from armature.engine import Excitation, Robot, Trajectory

WORDS = (
    "Parameters can only be identified if the motion excites them. An excitation trajectory moves all joints, fast and"
    " slowly, through the range that limits and floor allow."
)
SAMPLES = 600
EMPTY = "Compute a trajectory to see it"


class MotionPage(QWidget):
    """Tells `make_wanted(duration, harmonics)`, `cancel_wanted()`, `run_wanted(record)` and `draft_wanted()`."""

    make_wanted = Signal(float, int)
    cancel_wanted = Signal()
    run_wanted = Signal(bool)
    draft_wanted = Signal()

    def __init__(self, units: Units) -> None:
        super().__init__()
        self._units, self._tokens = units, LIGHT
        self._robot: Robot | None = None
        self.trajectory: Trajectory | None = None
        self._why_not, self._busy = "", False
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 12, 8)
        line.setSpacing(8)
        line.addWidget(scrolled(self._controls(), "Excitation trajectory"), 2)
        self._titled = TitledPlot("identify_motion", "Joint positions")
        self.plot = self._titled.view
        self._titled.setContentsMargins(0, 6, 0, 0)
        line.addWidget(self._titled, 3)
        self.show_motion(None, None, None)

    def _controls(self) -> QWidget:
        self.duration = field(
            "identify_duration",
            "Duration",
            (2, 120),
            10,
            step=1,
            suffix=" s",
            tip="A longer trajectory gives smaller standard deviations",
        )
        self.harmonics = field(
            "identify_harmonics", "Harmonics", (1, 12), 5, tip="Number of harmonics in the Fourier series of each joint"
        )
        self.make = button(
            "identify_make",
            "Compute excitation",
            tip="Compute an excitation trajectory in the background; takes up to half a minute",
        )
        self.make.setProperty("role", "primary")
        self.make.clicked.connect(lambda _: self.make_wanted.emit(self.duration.value(), round(self.harmonics.value())))
        self.cancel = button("identify_make_cancel", "Cancel", "Cancel the optimization", "Stop the computation")
        self.cancel.clicked.connect(lambda _: self.cancel_wanted.emit())
        self.cancel.setEnabled(False)
        self.progress = ProgressBar("identify_make_progress", "Progress of the optimization")
        tip = "Follow the trajectory with the controller and sensors set in Control; Trajectory shows the progress"
        self.run = button("identify_run", "Run", tip=tip)
        tip = "Follow and record the trajectory; the recording is added to “Recordings” as “fit”"
        self.record = button("identify_record", "Run and record", tip=tip)
        for press, record in ((self.run, False), (self.record, True)):
            press.clicked.connect(lambda _, record=record: self.run_wanted.emit(record))
        self.draft = button("identify_draft", "To Trajectory", tip="Open its waypoints in Trajectory to edit, save and run them")
        self.draft.clicked.connect(lambda _: self.draft_wanted.emit())
        self.told = named(note(WORDS), "identify_motion_words")
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 6, 6, 8)
        column.setSpacing(6)
        column.addWidget(row(self.make, self.cancel, self.progress, stretch=self.progress))
        column.addWidget(row(self.run, self.record, self.draft, None))
        column.addWidget(self.told)
        column.addWidget(form((("Duration", self.duration), ("Harmonics", self.harmonics))))
        column.addStretch(1)
        return inside

    def show_possible(self, why_not: str) -> None:
        """Whether a motion can be made; else why not."""
        self._why_not = why_not
        self._allow()
        if self.trajectory is None:
            self.told.setText(why_not or WORDS)

    def show_busy(self, busy: bool) -> None:
        """Whether one is being looked for."""
        self._busy = busy
        self.cancel.setEnabled(busy)
        self.progress.show_busy(busy)
        self._allow()

    def show_progress(self, done: int, total: int) -> None:
        """How much is done."""
        self.progress.show_done(done, total)

    def tell(self, text: str) -> None:
        """What happens, or why nothing does."""
        self.told.setText(text)

    def show_motion(self, robot: Robot | None, trajectory: Trajectory | None, excitation: Excitation | None) -> None:
        """A motion with what it excites; None for none."""
        self._robot, self.trajectory = robot, trajectory
        self.told.setText(self._why_not or WORDS if robot is None or excitation is None else worth(excitation, robot))
        self._allow()
        self._draw()

    def _allow(self) -> None:
        self.make.setEnabled(not self._busy and not self._why_not)
        for press in (self.run, self.record, self.draft):
            press.setEnabled(self.trajectory is not None and not self._busy)

    def _draw(self) -> None:
        self.plot.set_theme(self._tokens)
        self._titled.show_title()
        robot, trajectory = self._robot, self.trajectory
        if robot is None or trajectory is None:
            self.plot.show_curves([], 1.0, EMPTY)
            return
        t = np.linspace(0.0, trajectory.duration, SAMPLES)
        factors = np.array([self._units.factor(bool(slides)) for slides in robot.prismatic])
        series = self._tokens.series
        colours = tuple(series[k % len(series)] for k in range(robot.n))
        symbols = sorted({self._units.symbol(bool(slides)) for slides in robot.prismatic})
        self._titled.show_title(unit=", ".join(symbols))
        self.plot.show_curves([Curves(t, trajectory.sample(t)[0] * factors, robot.joint_names, colours)], trajectory.duration)

    def set_units(self, units: Units) -> None:
        """Angles and lengths in other units."""
        self._units = units
        self._draw()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the curves."""
        self._tokens = tokens
        self._draw()


def worth(excitation: Excitation, robot: Robot) -> str:
    """Condition, coverage and what stays unknown, before anything is run."""
    k = int(np.argmin(excitation.coverage))
    coverage, speed = (100.0 * np.asarray(values, float) for values in (excitation.coverage, excitation.speed))
    lines = (
        f"Condition number of the scaled regressor: {significant(excitation.condition, 3)}; below 100, noise has little effect.",
        f"On average the joints cover {number(coverage.mean(), 0)} % of their range (minimum: {robot.joint_names[k]},"
        f" {number(coverage[k], 0)} %) and reach {number(speed.mean(), 0)} % of their speed limit.",
        *excitation.unidentifiable,
    )
    return "\n".join(lines)
