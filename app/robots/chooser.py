"""`RobotChooser`: the dialog in which a robot is chosen by its picture."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from armature.app.robots.robot_cards import RobotCards
from armature.app.robots.robot_catalogue import Entry
from armature.app.robots.robot_details import RobotDetails
from armature.app.widgets.controls import search_field
from armature.app.widgets.section import page

_DETAILS = 24  # widths of a digit that the details take


class RobotChooser(QDialog):
    """Tells `robot_chosen(name)`, and `file_wanted()` when a person wants to look for a file of their own."""

    robot_chosen = Signal(str)
    file_wanted = Signal()

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("robot_chooser")
        self.setWindowTitle("Robots")
        self.filter = search_field("robot_filter", "Find a robot", "Search by name, manufacturer or type")
        self.cards, self.details = RobotCards(), RobotDetails()
        self.open_button, self.file_button = QPushButton("Open"), QPushButton("Open file…")
        self._lay_out()
        self.filter.textChanged.connect(self.cards.narrow)
        self.filter.returnPressed.connect(self._take)
        self.filter.installEventFilter(self)
        self.cards.chosen.connect(self._show_chosen)
        self.cards.taken.connect(self._take)
        self.open_button.clicked.connect(self._take)
        self.file_button.clicked.connect(self._look_for_file)

    def _lay_out(self) -> None:
        self.open_button.setObjectName("robot_open")
        self.open_button.setProperty("role", "primary")
        self.file_button.setObjectName("robot_open_file")
        for button in (self.open_button, self.file_button):
            button.setAutoDefault(False)
        aside = QWidget()
        page(aside, "Robot details").addWidget(self.details)
        aside.setFixedWidth(max(_DETAILS * self.fontMetrics().horizontalAdvance("0") * 3 // 2, 270))
        middle, below, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        middle.addWidget(self.cards, 1)
        middle.addWidget(aside)
        below.addWidget(self.file_button)
        below.addStretch(1)
        below.addWidget(self.open_button)
        column.addWidget(self.filter)
        column.addLayout(middle, 1)
        column.addLayout(below)
        room = self.screen().availableSize()
        self.resize(min(1070, room.width() - 40), min(700, room.height() - 60))

    def begin(self) -> None:
        """Show it without robots, which come one by one."""
        self.cards.clear()
        self.filter.clear()
        self._show_chosen()
        self.show()
        self.raise_()
        self.activateWindow()
        self.filter.setFocus()

    def add(self, entry: Entry, open_file: Path | None) -> None:
        """One more robot; that of the open file becomes the chosen one."""
        self.cards.add(entry)
        if open_file is not None and entry.place.file.resolve() == open_file.resolve():
            self.cards.choose(entry.place)

    def _show_chosen(self) -> None:
        entry = self.cards.current()
        self.open_button.setEnabled(entry is not None and entry.robot is not None)
        self.details.setVisible(entry is not None)
        if entry is not None and entry.robot is not None:
            self.details.show_robot(entry.robot)
        elif entry is not None:
            self.details.show_refusal(entry.title, entry.refusal)

    def _take(self) -> None:
        entry = self.cards.current()
        if entry is not None and entry.robot is not None:
            self.accept()
            self.robot_chosen.emit(entry.place.name)

    def _look_for_file(self) -> None:
        self.accept()
        self.file_wanted.emit()

    def eventFilter(self, watched, event) -> bool:
        """Keys that go up and down reach the cards while a name is being typed."""
        if watched is self.filter and event.type() == QEvent.Type.KeyPress and self.cards.moves(event.key()):
            self.cards.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)
