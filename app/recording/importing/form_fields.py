"""How a text file is written, and what recording is made of a log."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.widgets.controls import check, choice, form, number
from armature.engine.recording.measured.log_mapping import LogMapping
from armature.engine.recording.measured.text_form import DECIMALS, SEPARATORS, TextForm

GUESS = "as guessed"


class TextFields(QWidget):
    """`changed()` when the file is to be read in another way."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.separator = choice("import_separator", "Separator", SEPARATORS)
        self.decimal = choice("import_decimal", "Decimal mark", DECIMALS)
        self.first = number("import_first_line", "First line of numbers", (1, 1e6), 1)
        self.separator.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.decimal.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.first.valueChanged.connect(lambda _: self.changed.emit())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        rows = (("Separator", self.separator), ("Decimal mark", self.decimal), ("Numbers begin in line", self.first))
        column.addWidget(form(rows))

    @property
    def chosen(self) -> tuple[str, str, int]:
        """Separator, decimal mark and first line."""
        return str(self.separator.currentData()), str(self.decimal.currentData()), int(self.first.value())

    def show_form(self, now: TextForm) -> None:
        """How the file was read."""
        with QSignalBlocker(self.separator), QSignalBlocker(self.decimal), QSignalBlocker(self.first):
            self.separator.setCurrentIndex(self.separator.findData(now.separator))
            self.decimal.setCurrentIndex(self.decimal.findData(now.decimal))
            self.first.setValue(now.first_line)


class MakingFields(QWidget):
    """Rate, filter and gaps; `changed()` when a person chose otherwise. 0 is the usual."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.rate = number("import_rate", "Samples per second", (0.0, 1e5), 0.0, decimals=3, suffix=" Hz")
        self.cutoff = number("import_cutoff", "Cut-off of the filter", (0.0, 1e5), 0.0, decimals=3, suffix=" Hz")
        self.gap = number("import_gap", "Gaps that are bridged", (0.0, 1e6), 0.0, decimals=3, suffix=" s")
        self.turns = check(
            "import_turns",
            "Continue angles that jump by a turn",
            "An angle that goes over ±180° goes on instead of jumping",
            on=True,
        )
        self.rate.setToolTip("Of the recording; rows that are not even are put on even times")
        self.cutoff.setToolTip(
            "What is faster is not in speeds and accelerations that are made from positions.\n"
            "A Butterworth filter of order 2 runs forwards and backwards, so that nothing is delayed."
        )
        self.gap.setToolTip("Longer gaps stay empty")
        for field in (self.rate, self.cutoff, self.gap):
            field.setSpecialValueText("usual")
            field.valueChanged.connect(lambda _: self.changed.emit())
        self.turns.toggled.connect(lambda _: self.changed.emit())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(form((("Rate", self.rate), ("Filter cut-off", self.cutoff), ("Bridge gaps up to", self.gap))))
        column.addWidget(self.turns)

    def show_mapping(self, mapping: LogMapping) -> None:
        """What is chosen."""
        for field, value in ((self.rate, mapping.rate), (self.cutoff, mapping.cutoff), (self.gap, mapping.max_gap)):
            with QSignalBlocker(field):
                field.setValue(value)
        with QSignalBlocker(self.turns):
            self.turns.setChecked(mapping.unwrap)

    def show_usual(self, rate: float, cutoff: float, gap: float) -> None:
        """What 0 means for this log."""
        for field, value, unit in ((self.rate, rate, "Hz"), (self.cutoff, cutoff, "Hz"), (self.gap, gap, "s")):
            field.setSpecialValueText(f"{value:.4g} {unit}")

    def put_in(self, mapping: LogMapping) -> LogMapping:
        """The mapping with what is chosen here."""
        rate, cutoff, gap = self.rate.value(), self.cutoff.value(), self.gap.value()
        return replace(mapping, rate=rate, cutoff=cutoff, max_gap=gap, unwrap=self.turns.isChecked())
