"""The page of a data sheet: which kind of arm, its lengths, and a drawing that shows what they mean."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from armature import engine
from armature.app.builder.datasheet_drawing import DatasheetDrawing
from armature.app.builder.entries import refusal
from armature.app.builder.entry_line import EntryLine
from armature.app.builder.typed_quantity import Kind, Scale
from armature.app.state.units import Units
from armature.app.widgets.controls import choice, row
from armature.engine.model.draft.datasheet import DATASHEETS
from armature.engine.model.draft.datasheet_draft import datasheet_draft


class DatasheetPage(QWidget):
    """Its lines are made anew for each kind; numbers are of the user's unit of length."""

    def __init__(self) -> None:
        super().__init__()
        self._units = Units()
        self.kind = choice("datasheet_kind", "Kind of arm", {name: sheet.title for name, sheet in DATASHEETS.items()})
        self.kind.activated.connect(lambda _: self._begin())
        self.drawing = DatasheetDrawing()
        self.lines: dict[str, EntryLine] = {}
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
        column.addWidget(row(self.kind, None))
        column.addLayout(body)
        self._begin()

    def set_units(self, units: Units) -> None:
        """Lengths in another unit, as they usually are."""
        self._units = units
        self._begin()

    def draft(self, name: str) -> engine.RobotDraft:
        """The arm with these lengths. Raises ModelError."""
        scale, lengths = Scale(Kind.LENGTH, self._units), {}
        for length, line in self.lines.items():
            try:
                lengths[length] = scale.typed(line.text())
            except engine.ModelError as error:
                line.show_refusal(refusal(error))
                raise engine.ModelError(f"{length}: {error}") from None
            line.show_refusal("")
        return datasheet_draft(self.kind.currentData(), lengths, name)

    def _begin(self) -> None:
        """The lines of the chosen kind."""
        while self._form.rowCount():
            self._form.removeRow(0)
        self.lines = {}
        kind, scale = self.kind.currentData(), Scale(Kind.LENGTH, self._units)
        for length in DATASHEETS[kind].lengths:
            line = EntryLine(f"datasheet_{length.name}", f"{length.name}, {length.means}")
            line.setMaximumWidth(90)
            text = scale.text(length.default)
            line.show_value(text, text)
            line.typing.connect(lambda _: self._draw())
            what, _, where = length.means.partition(": ")
            title = QLabel(f"<b>{length.name}</b>  {what}")
            title.setToolTip(length.means)
            title.setBuddy(line)
            self.lines[length.name] = line
            self._form.addRow(title, row(line, QLabel(scale.symbol), None))
            line.setToolTip(where or length.means)
        self.drawing.show_kind(kind)
        self._draw()

    def _draw(self) -> None:
        """The arm with the lengths that are typed, where they are numbers."""
        scale, lengths = Scale(Kind.LENGTH, self._units), {}
        for name, line in self.lines.items():
            try:
                lengths[name] = scale.typed(line.text())
                line.show_refusal("")
            except engine.ModelError as error:
                line.show_refusal(refusal(error))
        self.drawing.show_lengths(lengths)
