"""Part of the singularity dock: every family of singular poses an arm has within its limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPushButton

from armature.app.state.units import MINUS, Units
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.section import Section, note

if TYPE_CHECKING:
    from armature.engine import Robot, SingularFamily

HINT = "One pose for each cause, close to home. Click to show it, double-click to go there."
SEARCHING = "Searching…"
LINES = 14  # of text, the list's greatest height


class FamiliesSection(Section):
    """Tells `find_requested()`, `cancel_requested()`, `chosen(k)`, −1 for none, and `go_requested(k)`."""

    find_requested = Signal()
    cancel_requested = Signal()
    chosen = Signal(int)
    go_requested = Signal(int)

    _robot: Robot

    def __init__(self, units: Units):
        super().__init__("All singular poses")
        self._units = units
        self._families: tuple[SingularFamily, ...] = ()
        self.list = named(QListWidget(), "families_list", "Families of singular poses")
        self.search = self._button("Find all", "families_find", "Search the whole joint space for all causes of singular poses")
        self.cancel = self._button("Cancel", "families_cancel", "Stop and show the poses found so far")
        self.go = self._button("Go to pose", "families_go", "Move the arm to the selected pose (one undo step)")
        self.search.clicked.connect(lambda _: self.find_requested.emit())
        self.cancel.clicked.connect(lambda _: self.cancel_requested.emit())
        self.go.clicked.connect(lambda _: self.go_requested.emit(self.list.currentRow()))
        self.add(row(self.search, self.cancel, self.go, None))
        self.progress = self.add(ProgressBar("families_progress", "Progress of the search"))
        self.add(self.list)
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.list.itemSelectionChanged.connect(self._on_selection)
        self.list.itemActivated.connect(lambda item: self.go_requested.emit(self.list.row(item)))
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.verticalScrollBar().rangeChanged.connect(self._grow)
        self._remark = self.add(named(note(), "families_remark"))
        self.show_families((), "")
        self.show_busy(False)

    def _button(self, title: str, name: str, tip: str) -> QPushButton:
        return button(name, title, f"{title}: families of singular poses", tip)

    def _on_selection(self) -> None:
        chosen = self.list.currentRow() if self.list.selectedItems() else -1
        self.go.setEnabled(chosen >= 0)
        self.chosen.emit(chosen)

    def set_robot(self, robot: Robot) -> None:
        """Another robot: nothing is known of it."""
        self._robot = robot
        self.show_families((), "")
        self.show_busy(False)

    def show_busy(self, busy: bool) -> None:
        """Whether the search is under way."""
        self.search.setEnabled(not busy)
        self.cancel.setEnabled(busy)
        self.progress.show_busy(busy)
        if busy:
            self.show_remark(SEARCHING)

    def show_progress(self, done: int, total: int) -> None:
        """How far it is."""
        self.progress.show_done(done, total)
        self.show_remark(SEARCHING)

    def show_remark(self, remark: str) -> None:
        """Show a sentence below the list."""
        self._remark.setText(remark)

    def show_families(self, families: tuple[SingularFamily, ...], remark: str = HINT) -> None:
        """List these, with a remark below."""
        self.deselect()
        self._families = families
        with QSignalBlocker(self.list):  # it would select one row after the other while they go
            self.list.clear()
        self.list.setFixedHeight(2 * self.list.fontMetrics().lineSpacing())
        for family in families:
            item = QListWidgetItem(self._text(family))
            item.setToolTip(family.cause.sentence.replace("-", MINUS))
            self.list.addItem(item)
        self.list.setVisible(bool(families))
        self.go.setEnabled(False)
        self._remark.setText(remark)

    def _grow(self, _, hidden: int) -> None:
        """As high as what it lists, within reason; `hidden` are the pixels that do not fit."""
        limit = LINES * self.list.fontMetrics().lineSpacing()
        if hidden and self.list.height() < limit:
            self.list.setFixedHeight(min(self.list.height() + hidden, limit))

    def _text(self, family: SingularFamily) -> str:
        """The cause, and the positions that it holds joints at."""
        robot, units = self._robot, self._units
        values = [units.short(round(float(family.q[k]), 9) + 0.0, bool(robot.prismatic[k])) for k in family.fixed]
        held = [f"{robot.joint_names[k]} {value}" for k, value in zip(family.fixed, values, strict=True)]
        return f"{family.cause.title}: {family.cause.condition}" + (f"\n{', '.join(held)}" if held else "")

    def set_units(self, units: Units) -> None:
        """Angles and lengths in other units."""
        self._units = units
        for k, family in enumerate(self._families):
            self.list.item(k).setText(self._text(family))

    def deselect(self) -> None:
        """None of them is looked at."""
        self.list.clearSelection()
