"""How near a singularity the pose is, in bars, numbers and a sentence."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QLabel, QWidget

from armature.app.kinematics.sigma_bars import SigmaBars
from armature.app.state.number_marks import said
from armature.app.state.units import measured, significant
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import named, number, row
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section, note
from armature.app.widgets.steady import Steady
from armature.engine import Robot
from armature.engine.kinematics.task import singular_task
from armature.engine.thresholds import Level

ROWS = {
    "sigma_min": "Smallest singular value",
    "condition": "Condition number",
    "manipulability": "Manipulability",
    "determinant": "Determinant",
    "rank": "Rank",
}


class SingularitySection(Section):
    """Tells `thresholds_edited(warn, stop)`, condition numbers."""

    thresholds_edited = Signal(float, float)

    def __init__(self, warn: float, stop: float):
        super().__init__("Singularity")
        self._bars = self.add(named(SigmaBars(), "sigma_bars"))
        self._values: dict[str, QLabel] = {}
        self._reason = ""
        self._level: Level | None = None
        self.add(self._numbers())
        self.reason = named(QLabel(), "singularity_explanation")
        self.reason.setWordWrap(True)
        self.reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.add(Steady(4, self.reason))
        self.add(self._thresholds(warn, stop))
        self._task = named(note(), "singularity_task")
        self.add(Steady(2, self._task))

    def _numbers(self) -> QWidget:
        widget = QWidget()
        grid = QGridLayout(widget)
        grid.setContentsMargins(2, 0, 2, 0)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(0, 1)
        for line, (key, title) in enumerate(ROWS.items()):
            head, value = QLabel(title), named(QLabel("–"), f"value_{key}", title)
            head.setProperty("role", "muted")
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(head, line, 0)
            grid.addWidget(value, line, 1, Qt.AlignmentFlag.AlignRight)
            self._values[key] = value
        return widget

    def _thresholds(self, warn: float, stop: float) -> QWidget:
        self._warn, self._stop = self._threshold("warn", warn), self._threshold("stop", stop)
        parts = []
        for title, field in (("Warn at condition", self._warn), ("stop at", self._stop)):
            label = QLabel(title)
            label.setProperty("role", "muted")
            label.setBuddy(field)
            parts += [label, field]
        return row(*parts, None)

    def _threshold(self, name: str, value: float) -> QDoubleSpinBox:
        title = f"Condition number to {name} at"
        tip = f"{title}: condition number of the scaled task Jacobian"
        field = number(f"threshold_{name}", title, (1.0, 1e6), value, tip=tip)
        field.valueChanged.connect(self._on_threshold)
        return field

    def _on_threshold(self, _):
        warn, stop = self._warn.value(), self._stop.value()
        if stop < warn:
            with QSignalBlocker(self._stop):
                self._stop.setValue(warn)
        self.thresholds_edited.emit(self._warn.value(), self._stop.value())

    def set_task(self, robot: Robot):
        """Room for the numbers of `robot`, and why it has the task that it has, where its file names none."""
        self._bars.expect(min(len(robot.moving_joints(robot.tool_frame)), len(singular_task(robot))))
        reason = robot.task_reason
        self._reason = f", {reason}" if reason else robot.task_text.removeprefix(", ".join(robot.task))

    def show_readout(self, readout):
        """New numbers."""
        report = readout.report
        self._bars.show_values(report.sigma, self._warn.value(), self._stop.value())
        texts = {
            "sigma_min": measured(report.sigma_min),
            "condition": measured(report.condition),
            "manipulability": measured(report.manipulability),
            "determinant": "not square" if readout.determinant is None else measured(readout.determinant),
            "rank": f"{report.rank} of {len(report.sigma)}",
        }
        for key, text in texts.items():
            self._values[key].setText(text)
        if readout.level != self._level:
            self._level = readout.level
            for label in (self._values["sigma_min"], self._values["condition"], self.reason):
                set_style_property(label, "level", str(readout.level))
        self.reason.setText(said(report.reason))
        self._task.setText(_task_words(report, self._reason))

    def set_theme(self, tokens):
        """Colours and fonts."""
        self._bars.set_theme(tokens)
        for label in self._values.values():
            label.setFont(fixed_font(0.92))


def _task_words(report, reason: str) -> str:
    """The task and why, how many joints there are for it, and how its turns are measured where it has both turns and ways."""
    parts = [f"Task {', '.join(report.task)}{reason}.", report.freedom]
    turns = [axis.startswith("r") for axis in report.task]
    if any(turns) and not all(turns):
        parts.append(f"Characteristic length {significant(report.length, 3)} m (scales rotation to translation).")
    return " ".join(filter(None, parts))
