"""The page of the torques: measured, by the file's model and by the identified one, per joint, and what is left of either."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from armature.app.identification.titled_plot import TitledPlot
from armature.app.plots.curves import Curves
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.widgets.controls import choice, row

if TYPE_CHECKING:
    from armature.engine import Identification, Robot

NAMES = ("measured", "file", "identified")
LEFT = ("measured − file", "measured − identified")
EMPTY = "Run “Identify” to see curves"


class CurvesPage(QWidget):
    """Torques, and beside them residuals where they count: not where a joint turns back, or a torque was left out."""

    def __init__(self) -> None:
        super().__init__()
        self._tokens: Tokens = LIGHT
        self._found: Identification | None = None
        self._slides: np.ndarray = np.zeros(0, bool)
        self.joint = choice("identify_joint", "Joint shown", {})
        self.recording = choice("identify_recording", "Recording shown", {})
        for box in (self.joint, self.recording):
            box.currentIndexChanged.connect(lambda _: self._draw())
        self._titled = TitledPlot("identify_torque", "Torque"), TitledPlot("identify_residual", "Residual")
        self.torque, self.left = (titled.view for titled in self._titled)
        line = QVBoxLayout(self)
        line.setContentsMargins(12, 6, 12, 8)
        line.setSpacing(4)
        line.addWidget(row(QLabel("Joint"), self.joint, QLabel("Recording"), self.recording, None))
        beside = row(*self._titled, spacing=8)
        beside.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        line.addWidget(beside, 1)
        for plot, other in ((self.torque, self.left), (self.left, self.torque)):
            plot.x_moved.connect(other.set_x)
            plot.hovered.connect(other.read_at)
        self.show_found(None, None)

    def show_found(self, found: Identification | None, robot: Robot | None, names: tuple[str, ...] = ()) -> None:
        """The curves of an identification, `names` of its recordings; None for none."""
        self._found = found
        self._slides = np.zeros(0, bool) if robot is None else robot.prismatic
        with QSignalBlocker(self.joint), QSignalBlocker(self.recording):
            joint = self.joint.currentIndex()
            self.joint.clear()
            self.recording.clear()
            if found is not None and robot is not None:
                self.joint.addItems(robot.joint_names)
                self.joint.setCurrentIndex(joint if 0 <= joint < robot.n else 0)
                self.recording.addItems(list(names))
        self._draw()

    def _draw(self) -> None:
        for plot in (self.torque, self.left):
            plot.set_theme(self._tokens)
        found, k, joint = self._found, self.recording.currentIndex(), self.joint.currentIndex()
        if found is None or not 0 <= k < len(found.curves) or joint < 0:
            for titled in self._titled:
                titled.show_title()
                titled.view.show_curves([], 1.0, EMPTY)
            return
        curve, unit = found.curves[k], "N" if self._slides[joint] else "N·m"
        values = np.column_stack([values[:, joint] for values in (curve.measured, curve.model, curve.identified)])
        series = self._tokens.series
        for titled in self._titled:
            titled.show_title(f", {self.joint.currentText()}", unit)
        span = float(curve.t[-1] - curve.t[0])
        colours = self._tokens.muted, series[1], series[0]
        self.torque.show_curves([Curves(curve.t, values, NAMES, colours)], span)
        left = np.where(curve.used[:, [joint]], values[:, :1] - values[:, 1:], np.nan)
        self.left.show_curves([Curves(curve.t, left, LEFT, colours[1:])], span)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the curves."""
        self._tokens = tokens
        self._draw()
