"""The line at the bottom: how near a singularity, and how real the time is."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QLabel, QLayout, QStatusBar, QWidget

from armature.app.state.number_marks import said
from armature.app.state.units import measured, number, significant
from armature.app.widgets.restyle import set_style_property
from armature.engine.thresholds import Level

TITLES = {
    "time": "Simulation time, or time in the open recording",
    "real_time_factor": "Ratio of simulated time to real time",
    "sigma_min": "Smallest singular value of the scaled task Jacobian",
    "condition": "Condition number of the scaled task Jacobian",
}


EDGE = 8  # pixels between the last number and the edge of the window


class StatusLine(QStatusBar):
    """Holds the labels `readout_<name>`."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.explanation = QLabel()
        self.explanation.setObjectName("readout_explanation")
        self.addWidget(self.explanation, 1)
        self._explained, self._elsewhere = "", False
        self._level: Level | None = None
        self._note = QLabel()
        self._note.setObjectName("status_note")
        self._note.setContentsMargins(0, 0, 2 * EDGE, 0)
        self._note.hide()
        self.addPermanentWidget(self._note)
        self._labels = {}
        for name, title in TITLES.items():
            label = QLabel()
            label.setObjectName(f"readout_{name}")
            label.setAccessibleName(title)
            label.setToolTip(title)
            self.addPermanentWidget(label)
            self._labels[name] = label
        edge = QWidget()
        edge.setFixedWidth(EDGE)
        self.addPermanentWidget(edge)
        self.show_time(0.0, 0.0, False)

    def show_readout(self, readout):
        """Numbers of the pose, coloured by how near a singularity it is."""
        report = readout.report
        self._labels["sigma_min"].setText(f"σ min {measured(report.sigma_min)}")
        self._labels["condition"].setText(f"condition {measured(report.condition)}")
        if readout.level != self._level:
            self._level = readout.level
            for label in (self._labels["sigma_min"], self._labels["condition"], self.explanation):
                set_style_property(label, "level", str(readout.level))
        explained = said(readout.verdict) if readout.level else ""
        if explained != self._explained:
            self._explained = explained
            self._fit()
        if self.explanation.toolTip() != (tip := said(report.explanation)):
            self.explanation.setToolTip(tip)  # tells everybody, whether it is another one or not

    def hide_explanation(self, hidden: bool):
        """Hide the words about the singularity while a dock shows the same warning."""
        self._elsewhere = hidden
        self._fit()

    def show_time(self, t: float, factor: float, running: bool):
        """Simulated time and the achieved real-time factor."""
        self._labels["time"].setText(f"t {number(t, 2)} s")
        self._labels["real_time_factor"].setText(f"{number(factor, 2)} × real time" if running else "paused")

    def show_replay(self, t: float, speed: float, playing: bool):
        """Time and speed of the recording that is open."""
        self._labels["time"].setText(f"t {number(t, 2)} s")
        self._labels["real_time_factor"].setText(f"replay {significant(speed)} ×" if playing else "replay paused")

    def showMessage(self, text: str, timeout: int | None = 0) -> None:
        """For `timeout` ms; what has no room before the numbers is an ellipsis."""
        first = self._note if self._note.isVisible() else self._labels["time"]
        super().showMessage(self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, first.x() - 2 * EDGE), timeout)

    def show_note(self, text: str, explanation: str = ""):
        """What goes on in the background, and in full where the mouse rests on it; nothing for no text."""
        self._note.setText(text)
        self._note.setToolTip(explanation)
        self._note.setAccessibleDescription(explanation)
        self._note.setVisible(bool(text))

    def refit(self):
        """Take over the present font; room for the widest text, so that nothing jumps."""
        widest = {"time": "t 9999.99 s", "real_time_factor": "0.00 × real time", "sigma_min": "σ min 8.888e-88"}
        widest["condition"] = "condition 8.888e+88"
        for name, label in self._labels.items():
            label.setMinimumWidth(_width(label, widest[name]) + 12)
            label.setIndent(label.indent())  # else it remembers the room it needed in another font
        self._fit()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The numbers of the pose are seen whole: how fast the time runs makes room for them, then the words do."""
        explained = "" if self._elsewhere else self._explained
        words = _width(self.explanation, explained) + EDGE if explained else 0
        gap = cast("QLayout", self.layout()).spacing()
        needed = {name: label.minimumWidth() + gap for name, label in self._labels.items()}
        room = self.window().width() - 3 * EDGE - sum(needed.values())  # its own width is never less than what it holds
        self._labels["real_time_factor"].setVisible(words <= room)
        fits = words <= room + needed["real_time_factor"]
        self.explanation.setText(explained if fits else "")


def _width(label: QLabel, text: str) -> int:
    """Of a text in a label, as a warning is written."""
    bold = QFont(label.font())
    bold.setBold(True)
    return QFontMetrics(bold).horizontalAdvance(text)
