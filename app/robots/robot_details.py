"""`RobotDetails`: what an arm is, where its numbers come from, and what to know before trusting them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QVBoxLayout, QWidget

from armature.app.state.units import significant
from armature.app.widgets.section import Section
from armature.engine import Robot


class RobotDetails(QWidget):
    """Title, description, figures, sources and remarks, all to select and copy."""

    def __init__(self):
        super().__init__()
        self.title, self.description = _text("title"), _text()
        self.title.setObjectName("robot_title")
        self.description.setObjectName("robot_description")
        self._values: dict[str, QLabel] = {}
        self._figures = QFormLayout()
        self._figures.setContentsMargins(0, 4, 0, 4)
        self._figures.setVerticalSpacing(3)
        self._figures.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        self._sources, self._remarks = Section("Sources"), Section("Remarks")
        self.sources, self.remarks = self._sources.add(_text()), self._remarks.add(_text())
        self.sources.setObjectName("robot_sources")
        self.remarks.setObjectName("robot_remarks")
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.title)
        column.addWidget(self.description)
        column.addLayout(self._figures)
        column.addWidget(self._sources)
        column.addWidget(self._remarks)
        column.addStretch(1)

    def add(self, part: QWidget) -> None:
        """One more part, in front of sources and remarks."""
        self._column.insertWidget(self._column.indexOf(self._sources), part)

    def show_robot(self, robot: Robot) -> None:
        """Tell of this robot."""
        self._tell(robot.title, robot.description or "No description.")
        self._show_figures(_figures(robot))
        self._list(self._sources, self.sources, robot.sources)
        self._list(self._remarks, self.remarks, robot.remarks)

    def show_refusal(self, title: str, why: str) -> None:
        """Tell why a file cannot be opened."""
        self._tell(title, why)
        self._show_figures({})
        self._list(self._sources, self.sources, ())
        self._list(self._remarks, self.remarks, ())

    def _tell(self, title: str, description: str) -> None:
        self.title.setText(title)
        self.description.setText(description)

    def _show_figures(self, figures: dict[str, tuple[str, str]]) -> None:
        """By their names, each with its tip; rows that are there already take the new values."""
        if list(figures) != list(self._values):
            self._values = {}
            while self._figures.rowCount():
                self._figures.removeRow(0)
            for name in figures:
                label, self._values[name] = QLabel(name), _text()
                label.setProperty("role", "muted")
                label.setAlignment(Qt.AlignmentFlag.AlignTop)
                self._figures.addRow(label, self._values[name])
        for name, (value, tip) in figures.items():
            self._values[name].setText(value)
            self._values[name].setToolTip(tip)

    def _list(self, section: Section, label: QLabel, lines: tuple[str, ...]) -> None:
        section.setVisible(bool(lines))
        label.setText("\n\n".join(lines))


def _figures(robot: Robot) -> dict[str, tuple[str, str]]:
    """What is told of a robot in a word or two, and the tip of each."""
    slides = int(robot.prismatic.sum())
    kinds = [f"{count} {kind}" for count, kind in ((robot.n - slides, "revolute"), (slides, "prismatic")) if count]
    weighs = f"{significant(sum(body.mass for body in robot.bodies), 3)} kg moving mass"
    figures = {
        "Name": (robot.name, ""),
        "Joints": (f"{robot.n}: {', '.join(kinds)}", ""),
        **({"Gripper": (", ".join(robot.groups["gripper"]), "")} if "gripper" in robot.groups else {}),
        "Reach": (f"up to {significant(robot.reach, 3)} m from joint 1", ""),
        "Mass": (weighs if robot.has_dynamics else "not specified; the arm cannot be simulated", ""),
        "Task": (robot.task_text, ""),
        "Floor": ("none" if robot.floor is None else f"at z = {significant(robot.floor)} m", ""),
    }
    return figures if robot.source is None else {**figures, "File": (robot.source.name, str(robot.source))}


def _text(role: str = "") -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if role:
        label.setProperty("role", role)
    return label
