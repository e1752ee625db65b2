"""Robots by picture, and what the open one is."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from armature.app.feature import Feature
from armature.app.robots.robot_cards import RobotCards
from armature.app.robots.robot_catalogue import Entry, Place, places, read
from armature.app.robots.robot_details import RobotDetails
from armature.app.robots.thumbnails import Thumbnails
from armature.app.state.jobs import Job, JobRunner
from armature.app.widgets.actions import Command, block
from armature.app.widgets.controls import search_field
from armature.app.widgets.dock import LEFT, Dock
from armature.app.widgets.section import page

if TYPE_CHECKING:
    from armature.app.style.colour_tokens import Tokens
    from armature.app.workbench import Workbench
    from armature.engine import Robot

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


class ThemedSection(Protocol):
    """A widget with colours of its own."""

    def set_theme(self, tokens: Tokens) -> None:
        """Other colours, or another size of text."""


class RobotPanel(QWidget):
    """The open robot's details, with the sections that other features add."""

    def __init__(self):
        super().__init__()
        self.details = RobotDetails()
        self._sections: list[ThemedSection] = []
        page(self, "Robot").addWidget(self.details)

    def add_section(self, section: ThemedSection) -> None:
        """One more section, in front of sources and remarks."""
        self._sections.append(section)
        self.details.add(cast("QWidget", section))

    def show_part(self, part: QWidget) -> None:
        """Scroll so that it begins at the top."""
        area = self.findChild(QScrollArea)
        inside = None if area is None else area.widget()
        if area is not None and inside is not None:
            area.verticalScrollBar().setValue(part.mapTo(inside, QPoint()).y())

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the sections."""
        for section in self._sections:
            section.set_theme(tokens)


class RobotsFeature(Feature):
    """Files are read and pictures drawn in the background, one after the other, those in view first."""

    commands = block(
        "File",
        1.0,
        Command("robots", "Robots…", "robot", ("Ctrl+Shift+O",), "Choose a robot from pictures"),
    )

    def __init__(self, bench: Workbench):
        self._bench = bench
        self.panel = RobotPanel()
        self.dock: Dock = Dock("robot", "Robot", self.panel, LEFT, {"explore": 3})
        self.reader, self.drawer = JobRunner("robots", bench.parent), JobRunner("thumbnails", bench.parent)
        self.thumbnails = Thumbnails()
        self.chooser: RobotChooser | None = None
        self._read: list[tuple[Entry, QImage | None]] = []
        self._shown = 0
        self._missing: deque[Place] = deque()

    def wire(self) -> None:
        """Wire the command and the background."""
        self._bench.actions.on("robots", self.choose)
        self.reader.progressed.connect(lambda done, _: self._show(done))
        self.reader.finished.connect(self._on_all_read)
        self.drawer.finished.connect(self._on_drawn)

    def set_robot(self, robot: Robot) -> None:
        """Tell of it in the dock."""
        self.panel.details.show_robot(robot)

    def shut_down(self) -> None:
        """End reading and drawing."""
        self._missing.clear()
        self.reader.stop()
        self.drawer.stop()

    def choose(self) -> None:
        """Open the dialog; every file is read anew."""
        if self.chooser is None:
            self.chooser = RobotChooser(self._bench.parent)
            self.chooser.robot_chosen.connect(self._bench.files.open_robot)
            self.chooser.file_wanted.connect(self._bench.files.ask_open)
            self.chooser.cards.wanted.connect(self._want, Qt.ConnectionType.QueuedConnection)  # painted just now
            self.chooser.finished.connect(lambda _: self._missing.clear())
        self.chooser.begin()
        now, source = self._bench.preferences.now, self._bench.document.robot.source
        own = (*now.recent_files, *([str(source)] if source is not None else []))
        self._read, self._shown = [], 0
        read_so_far = self._read
        self.reader.start(lambda job: self._look(places(own), read_so_far, job))

    def _look(self, all_places: list[Place], out: list[tuple[Entry, QImage | None]], job: Job) -> int:
        for place in all_places:
            if job.cancelled():
                break
            data = self.thumbnails.find(place.file)
            out.append((read(place), None if data is None else QImage.fromData(data)))
            job.progress(len(out), len(all_places) + 1)
        return len(out)

    def _show(self, done: int) -> None:
        chooser = self.chooser
        if chooser is None:
            return
        for entry, picture in self._read[self._shown : done]:
            if picture is not None or entry.robot is None:
                chooser.cards.set_picture(entry.place, picture)
            chooser.add(entry, self._bench.document.robot.source)
        self._shown = done
        chooser.cards.narrow(chooser.filter.text())

    def _on_all_read(self, done: int) -> None:
        self._show(done)
        if self.chooser is not None:  # cards that came later have moved it
            self.chooser.cards.scrollTo(self.chooser.cards.currentIndex())

    def _want(self, place: Place) -> None:
        self._missing.append(place)
        if not self.drawer.busy:
            self._draw_next()

    def _draw_next(self) -> None:
        if self._missing:
            place = self._missing.pop()  # what came into view last
            self.drawer.start(lambda job: (place, self.thumbnails.draw(place.file, job.cancelled)))

    def _on_drawn(self, drawn: tuple[Place, bytes | None]) -> None:
        place, data = drawn
        if self.chooser is not None and data is not None:
            self.chooser.cards.set_picture(place, QImage.fromData(data))
        self._draw_next()
