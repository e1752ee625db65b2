"""The dock that compares a trajectory's runs with, without and with an unknown load."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSignalBlocker

from armature.app.state.units import Units, significant
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.trajectory.comparison.plots import ComparisonPlots
from armature.app.trajectory.comparison.table import ComparisonTable
from armature.app.trajectory.comparison.words import TIP, TITLE
from armature.app.widgets.computing.computing_panel import ComputingPanel
from armature.app.widgets.controls import choice, form, named, row
from armature.app.widgets.section import note

if TYPE_CHECKING:
    from armature.engine import LoadComparison, Robot


class ComparisonPanel(ComputingPanel):
    """The joint that is shown, a table, and the plots."""

    def __init__(self, units: Units):
        super().__init__("load", "load_compare", TITLE, TIP, "Stop the computation")
        self._units, self._tokens = units, LIGHT
        self._slides: np.ndarray = np.zeros(0, bool)
        self.found: LoadComparison | None = None
        self.joint = choice("load_joint", "Joint shown", {})
        self.joint.currentIndexChanged.connect(lambda _: self._draw())
        self.table, self.plots = ComparisonTable(), ComparisonPlots()
        self.sentence = named(note(), "load_sentence")
        head = form((("Joint", row(self.joint, None, self.compute, self.cancel, spacing=4)),))
        line = self.lay_out("Comparison of payloads", (head, self.progress, self.table, self.sentence))
        line.addWidget(self.plots, 1)

    def set_robot(self, robot: Robot) -> None:
        """Other joints, and nothing compared."""
        self._slides = robot.prismatic
        with QSignalBlocker(self.joint):
            self.joint.clear()
            self.joint.addItems(robot.joint_names)
        self.show_runs(None, "")

    def show_possible(self, why_not: str) -> None:
        """Whether there is something to compare; else why not."""
        self.compute.setEnabled(not why_not)
        self.compute.setToolTip(why_not or TIP)
        if self.found is None:
            self.sentence.setText(why_not or f"{TIP}.")

    def show_runs(self, found: LoadComparison | None, why: str) -> None:
        """The three runs, with the joint in front to which the load matters most; or why there are none."""
        self.found = found
        if found is not None:
            with QSignalBlocker(self.joint):
                self.joint.setCurrentIndex(int(np.argmax(np.abs(found.difference).max(axis=(0, 1)) / self._scale(found))))
        else:
            self.sentence.setText(why)
        self._draw()

    def _scale(self, found: LoadComparison) -> np.ndarray:
        """Return the largest torque of all revolute, or force of all prismatic joints, for each joint `(n,)`, N·m or N."""
        peaks = np.maximum(found.peak_torque[0], 1e-9)
        return np.array([peaks[self._slides == slides].max() for slides in self._slides])

    def _draw(self) -> None:
        joint = max(self.joint.currentIndex(), 0)
        slides = bool(self._slides[joint]) if len(self._slides) else False
        self.table.show_runs(self.found, joint, slides, self._units)
        self.plots.show_runs(self.found, joint, "N" if slides else "N·m", self._tokens)
        if self.found is not None:
            self.sentence.setText(self._words(self.found, joint, slides))

    def _words(self, found: LoadComparison, joint: int, slides: bool) -> str:
        """What the load does to a joint."""
        name, unit = found.joint_names[joint], "N" if slides else "N·m"
        more = float(np.abs(found.difference[1, :, joint]).max())
        off = float(found.peak_error[2, joint])
        changes = f"The payload changes the torque of {name} by up to {significant(more, 3)} {unit}"
        return f"{changes}. If the controller does not know it, the tracking error is up to {self._units.text(off, slides)}."

    def set_units(self, units: Units) -> None:
        """Angles and lengths in other units."""
        self._units = units
        self._draw()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of curves and legend."""
        self._tokens = tokens
        self.table.show_colours(tokens)
        self._draw()
