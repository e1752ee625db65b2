"""The dialog *New robot*: empty, from a datasheet, or a copy of the open arm."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from armature import engine
from armature.app.builder.entries import refusal
from armature.app.builder.entry_line import EntryLine
from armature.app.builder.new.datasheet_drawing import DatasheetDrawing
from armature.app.builder.new.datasheet_length import typed_length
from armature.app.builder.typed_quantity import Kind, Scale
from armature.app.state.units import Units
from armature.app.widgets.controls import check, choice, form, named, row
from armature.app.widgets.radio_list import RadioList
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note
from armature.engine.model.dh_table import MODIFIED, STANDARD
from armature.engine.model.draft.datasheet_draft import DATASHEETS, datasheet_draft

if TYPE_CHECKING:
    from armature.engine import Robot, RobotDraft

UNITS = {"mm": "mm", "m": "m"}  # data sheets are in mm


class DatasheetPage(QWidget):
    """Its lines are made anew for each kind; tells `changed()`, and in `fault` why there is no arm, "" where there is one."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fault = ""
        self.kind = choice("datasheet_kind", "Arm type", {name: sheet.title for name, sheet in DATASHEETS.items()})
        self.kind.activated.connect(lambda _: self._show_usual())
        self.unit = choice("datasheet_unit", "Length unit", UNITS, "You can also type a number with its own unit, e.g. 0.4 m")
        self.unit.activated.connect(lambda _: self._change_unit())
        self._scale = Scale(Kind.LENGTH, Units())
        self.drawing = DatasheetDrawing()
        self.lines: dict[str, EntryLine] = {}
        self._symbols: list[QLabel] = []
        self._form = QFormLayout()
        self._form.setVerticalSpacing(4)
        side = QVBoxLayout()
        side.addLayout(self._form)
        side.addStretch(1)
        body = QHBoxLayout()
        body.setSpacing(16)
        body.addLayout(side, 1)
        body.addWidget(self.drawing, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(row(self.kind, None, QLabel("Lengths in"), self.unit))
        column.addLayout(body)
        self.begin()

    def begin(self) -> None:
        """The first kind with its usual lengths, in mm."""
        self.kind.setCurrentIndex(0)
        self.unit.setCurrentIndex(0)
        self._show_usual()

    def draft(self, name: str) -> engine.RobotDraft:
        """The arm with these lengths. Raises ModelError."""
        lengths = {length: typed_length(line.text(), self._scale) for length, line in self.lines.items()}
        return datasheet_draft(self.kind.currentData(), lengths, name)

    def _show_usual(self) -> None:
        """The lines of the chosen kind."""
        while self._form.rowCount():
            self._form.removeRow(0)
        self.lines, self._symbols = {}, []
        self._scale = Scale(Kind.LENGTH, Units(length=self.unit.currentData()))
        kind = self.kind.currentData()
        for length in DATASHEETS[kind].lengths:
            what, _, where = length.means.partition(": ")
            line = EntryLine(f"datasheet_{length.name}", f"{length.name}, {length.means}", where or length.means)
            line.set_letters(9)
            line.typing.connect(lambda _: self._check())
            line.entered.connect(partial(self._enter, line))
            line.given_up.connect(self._check)
            self._put(line, length.default)
            title = QLabel(f"<b>{length.name}</b>  {what}")
            title.setToolTip(length.means)
            title.setBuddy(line)
            self.lines[length.name] = line
            self._symbols.append(QLabel(self._scale.symbol))
            self._form.addRow(title, row(line, self._symbols[-1], None))
        self.drawing.show_kind(kind)
        self._check()

    def _put(self, line: EntryLine, length: float) -> None:
        text = self._scale.text(length)
        line.show_value(text, text)

    def _enter(self, line: EntryLine, text: str) -> None:
        """What is left stands as it was typed."""
        self._check()
        if line.property("refused") != "true":
            line.show_value(text, text)

    def _change_unit(self) -> None:
        """The same lengths in another unit; what cannot be read stays."""
        old, self._scale = self._scale, Scale(Kind.LENGTH, Units(length=self.unit.currentData()))
        for line in self.lines.values():
            try:
                self._put(line, typed_length(line.text(), old))
            except engine.ModelError:
                continue
        for symbol in self._symbols:
            symbol.setText(self._scale.symbol)
        self._check()

    def _check(self) -> None:
        """The arm with the lengths that are typed; those that cannot be are red, and drawn as they usually are."""
        lengths, faults = {}, []
        for name, line in self.lines.items():
            try:
                lengths[name] = typed_length(line.text(), self._scale)
                line.show_refusal("")
            except engine.ModelError as error:
                line.show_refusal(refusal(error))
                faults.append(f"{name}: {refusal(error)}")
        self.fault = faults[0] if faults else ""
        self.drawing.show_lengths(lengths)
        self.changed.emit()


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
