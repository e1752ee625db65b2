"""The branches dock: every way to take the tool's pose, in a list that one goes to them by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QWidget

from armature.app.widgets.controls import choice, form, named
from armature.app.widgets.section import note, page
from armature.app.widgets.steady import Steady

if TYPE_CHECKING:
    from armature.engine import Robot

HINT = (
    "Click a row or a ghost to move the arm there (one undo step). Arrow keys preview a solution, Enter moves there. "
    "The list follows while you drag the tool."
)
SWATCH = 12  # pixels


class BranchesPanel(QWidget):
    """Tells `chosen(k)`, the branch that is looked at, −1 for none, `go_requested(k)` and `held_chosen(joint)`."""

    chosen = Signal(int)
    go_requested = Signal(int)
    held_chosen = Signal(int)

    def __init__(self):
        super().__init__()
        content = page(self, "Branches")
        self._summary = named(QLabel(), "branches_summary")
        self._summary.setWordWrap(True)
        self._summary.setProperty("role", "title")
        content.addWidget(self._summary)
        self.held = choice(
            "branches_held", "Fixed joint", {}, "With one joint fixed, an arm of seven joints has a finite number of branches"
        )
        self.held.activated.connect(lambda _: self.held_chosen.emit(self.held.currentData()))
        self._held_row = form([("Fixed", self.held)])
        content.addWidget(self._held_row)
        self.list = named(QListWidget(), "branches_list", "IK solutions of the tool pose")
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.currentRowChanged.connect(self.chosen)
        self.list.itemClicked.connect(lambda item: self.go_requested.emit(self.list.row(item)))
        self.list.itemActivated.connect(lambda item: self.go_requested.emit(self.list.row(item)))
        content.addWidget(self.list, 1)
        self._way = named(QLabel(), "branches_way")
        self._way.setWordWrap(True)
        self._way.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        content.addWidget(Steady(4, self._way))
        self._hint = named(note(HINT), "branches_hint")
        content.addWidget(self._hint)

    def set_held(self, robot: Robot, joints: Sequence[int], held: int | None) -> None:
        """Which joints could be held, and which one is."""
        self.held.clear()
        for joint in joints:
            self.held.addItem(robot.joint_names[joint], joint)
        self.held.setCurrentIndex(self.held.findData(held))
        self._held_row.setVisible(bool(joints))

    def show_nothing(self, why: str) -> None:
        """No branches, and why."""
        self._summary.setText(why)
        with QSignalBlocker(self.list):
            self.list.clear()
        self.list.hide()
        self._hint.hide()
        self.show_way("")

    def show_branches(self, summary: str, rows: Sequence[str], tips: Sequence[str], colours: Sequence[str]) -> None:
        """One row for each; the row that is looked at stays."""
        self._summary.setText(summary)
        self.list.setVisible(bool(rows))
        self._hint.setVisible(bool(rows))
        with QSignalBlocker(self.list):
            while self.list.count() > len(rows):
                self.list.takeItem(self.list.count() - 1)
            while self.list.count() < len(rows):
                self.list.addItem(QListWidgetItem())
            for k, (text, tip, colour) in enumerate(zip(rows, tips, colours, strict=True)):
                item = self.list.item(k)
                if item.text() != text:
                    item.setText(text)
                item.setToolTip(tip)
                if item.data(Qt.ItemDataRole.UserRole) != colour:
                    item.setData(Qt.ItemDataRole.UserRole, colour)
                    item.setIcon(_swatch(colour))

    def show_way(self, text: str) -> None:
        """What lies on the way to the branch that is looked at."""
        self._way.setText(text)
        self._way.setVisible(bool(text))

    def set_theme(self, tokens) -> None:
        """Everything follows from the style sheet, the swatches from the colours that are given."""


def _swatch(colour: str) -> QIcon:
    square = QPixmap(SWATCH, SWATCH)
    square.fill(QColor(colour))
    return QIcon(square)
