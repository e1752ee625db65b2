"""F1: the first steps, and every key, taken from the actions themselves."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.actions import COMMANDS, Actions

FIRST_STEPS = (
    ("Pose the arm", "Drag a link in the view, drag a slider, or type a value. Ctrl+Z takes it back."),
    ("Watch it get stuck", "Stretch the elbow or the wrist: the arm turns amber, then red, and Kinematics says why."),
    ("See how far it reaches", "Workspace › Compute draws every place the tool gets to, coloured by how well it moves there."),
    ("Let it fall", "Space runs the simulation. Simulation has a torque slider for each joint; Backspace starts again."),
    ("Take it home", "Ctrl+R records every step to a file. Open it again to play it back."),
)
MOUSE = (
    ("Left drag", "Orbit"),
    ("Left drag on a link", "Turn or slide its joint"),
    ("Right or middle drag", "Pan"),
    ("Wheel", "Zoom to the pointer"),
    ("Esc", "Back to the view from any field"),
)


class HelpDialog(QDialog):
    """Non-modal: it can stay open while trying things."""

    def __init__(self, actions: Actions, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("help_dialog")
        self.setWindowTitle("Shortcuts and first steps")
        inside = QWidget()
        inside.setProperty("role", "page")
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(20, 16, 20, 12)
        columns.setSpacing(36)
        columns.addLayout(self._steps(), 5)
        columns.addLayout(self._keys(actions), 4)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inside)
        area.viewport().setAutoFillBackground(False)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 12)
        layout.addWidget(area, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(20, 0, 20, 0)
        foot.addWidget(buttons)
        layout.addLayout(foot)
        em = self.fontMetrics().height()
        self.resize(58 * em, 46 * em)

    def _steps(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(_title("First steps"))
        for k, (head, text) in enumerate(FIRST_STEPS, start=1):
            label, body = QLabel(f"{k}  {head}"), QLabel(text)
            label.setProperty("role", "section")
            body.setWordWrap(True)
            body.setProperty("role", "muted")
            body.setContentsMargins(self.fontMetrics().horizontalAdvance("8  "), 0, 0, 8)
            column.addWidget(label)
            column.addWidget(body)
        column.addSpacing(8)
        column.addWidget(_title("Mouse"))
        column.addLayout(_table(MOUSE))
        column.addStretch(1)
        return column

    def _keys(self, actions: Actions) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(_title("Keys"))
        native = QKeySequence.SequenceFormat.NativeText
        rows = [
            (" or ".join(keys.toString(native) for keys in actions[command.name].shortcuts()), command.text.rstrip("…"))
            for command in COMMANDS
            if command.keys
        ]
        column.addLayout(_table(rows))
        column.addStretch(1)
        return column


def _title(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "title")
    return label


def _table(rows) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(18)
    grid.setVerticalSpacing(3)
    grid.setColumnStretch(1, 1)
    for row, (keys, text) in enumerate(rows):
        head = QLabel(keys)
        head.setProperty("role", "section")
        head.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        body = QLabel(text)
        body.setProperty("role", "muted")
        grid.addWidget(head, row, 0)
        grid.addWidget(body, row, 1)
    return grid
