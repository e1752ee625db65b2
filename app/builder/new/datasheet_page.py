"""The page of a data sheet: which kind of arm, its lengths, and a drawing that shows what they mean."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from armature import engine
from armature.app.builder.entries import refusal
from armature.app.builder.entry_line import EntryLine
from armature.app.builder.new.datasheet_drawing import DatasheetDrawing
from armature.app.builder.new.datasheet_length import typed_length
from armature.app.builder.typed_quantity import Kind, Scale
from armature.app.state.units import Units
from armature.app.widgets.controls import choice, row
from armature.engine.model.draft.datasheet_draft import DATASHEETS, datasheet_draft

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
