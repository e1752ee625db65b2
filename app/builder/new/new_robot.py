"""The dialog *New robot*: empty, from a datasheet, or a copy of the open arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from armature import engine
from armature.app.builder.entries import refusal
from armature.app.builder.new.datasheet_page import DatasheetPage
from armature.app.widgets.controls import check, choice, form, named
from armature.app.widgets.radio_list import RadioList
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note
from armature.engine.model.dh_table import MODIFIED, STANDARD

if TYPE_CHECKING:
    from armature.engine import Robot, RobotDraft

EMPTY, DATASHEET, COPY = range(3)
CONVENTIONS = {STANDARD: "Standard DH (Spong)", MODIFIED: "Modified DH (Craig)"}
WORDS = {
    EMPTY: "Starts with one joint. Add joints and enter their DH rows in the Builder panel.",
    COPY: "Copies the open arm with all its parameters. Edit the copy and save it under another name.",
}


class NewRobotDialog(QDialog):
    """Tells `chosen(draft)`; stays open where the arm cannot be made, and says why."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("new_robot_dialog")
        self.setWindowTitle("New robot")
        self._open: RobotDraft | None = None
        self._robot: Robot | None = None
        self.kind = RadioList(
            "new_robot", ("An empty arm", "From a datasheet: fill the table from link lengths", "A copy of the open arm")
        )
        self.name = named(QLineEdit(), "new_robot_name", "Name of the new robot", "Letters, digits, _ and -")
        self.convention = choice("new_robot_convention", "DH convention", CONVENTIONS)
        tip = "Adds a floor at z = 0; you can change it later on the Arm page of the Builder"
        self.floor = check("new_robot_floor", "Add a floor", tip, on=True)
        self.sheet = DatasheetPage()
        self._words, self._why = note(), named(QLabel(), "new_robot_why")
        self._why.setProperty("severity", "error")
        self._why.setWordWrap(True)
        self._pages = QStackedWidget()
        empty = QWidget()
        column = QVBoxLayout(empty)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._words)
        column.addStretch(1)
        self._pages.addWidget(empty)
        self._pages.addWidget(self.sheet)
        kinds = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
        self._create = buttons.button(kinds.Ok)
        self._create.setText("Create")
        self._create.setObjectName("new_robot_create")
        buttons.accepted.connect(self._make)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        fields = form((("Name", self.name), ("Convention", self.convention), (None, self.floor)))
        for part in (self.kind, fields, self._pages, self._why, buttons):
            layout.addWidget(part)
        self.kind.chosen.connect(self._show)
        self.name.textEdited.connect(lambda _: self._check())
        self.sheet.changed.connect(self._check)

    def begin(self, robot: Robot, draft: RobotDraft | None) -> None:
        """Come up, with an empty arm chosen; what can be copied is `robot`, whose file under edit is `draft`."""
        self._robot, self._open = robot, draft
        self.sheet.begin()
        self.convention.setCurrentIndex(0)
        self.floor.setChecked(True)
        self.kind.choose(EMPTY)
        self.name.setText("my_arm")
        self._show(EMPTY)
        self.show()
        self.raise_()
        self.activateWindow()
        self.name.setFocus()
        self.name.selectAll()

    def _show(self, kind: int) -> None:
        self._words.setText(WORDS.get(kind, ""))
        self._pages.setCurrentIndex(int(kind == DATASHEET))
        self.convention.setEnabled(kind == EMPTY)
        self.floor.setEnabled(kind != COPY)  # which has that of the open arm
        if kind == COPY and self._robot is not None and self.name.text() == "my_arm":
            self.name.setText(f"{self._robot.name}_copy")
        self._check()
        self.adjustSize()

    def _check(self) -> None:
        """What cannot be is told while it is typed."""
        why = ""
        try:
            engine.empty_draft(self.name.text().strip())
        except engine.ModelError as error:
            why = refusal(error)
        set_style_property(self.name, "refused", "true" if why else "")
        if not why and self.kind.index == DATASHEET:
            why = self.sheet.fault
        self._why.setText(why)
        self._create.setEnabled(not why)

    def _make(self) -> None:
        try:
            draft = self._draft()
        except engine.ModelError as error:
            self._why.setText(refusal(error))
            return
        self.accept()
        self.chosen.emit(draft)

    def _draft(self) -> engine.RobotDraft:
        """Raises ModelError."""
        name = self.name.text().strip()
        if self.kind.index == COPY and self._robot is not None:
            draft = engine.draft_of(self._robot) if self._open is None else self._open
            return draft.with_value(("name",), name)
        sheet = self.kind.index == DATASHEET
        draft = self.sheet.draft(name) if sheet else engine.empty_draft(name, self.convention.currentData())
        return draft if self.floor.isChecked() else draft.with_value(("floor",), None)
