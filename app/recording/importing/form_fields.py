"""How a text file is written, and what recording is made of a log."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.widgets.controls import check, choice, form, number
from armature.engine.recording.measured.log_mapping import LogMapping
from armature.engine.recording.measured.text_form import DECIMALS, SEPARATORS, TextForm


class TextFields(QWidget):
    """`changed()` when the file is to be read in another way."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.separator = choice("import_separator", "Separator", SEPARATORS)
        self.decimal = choice("import_decimal", "Decimal mark", DECIMALS)
        self.first = number("import_first_line", "First line with numbers", (1, 1e6), 1)
        self.separator.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.decimal.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.first.valueChanged.connect(lambda _: self.changed.emit())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        rows = (("Separator", self.separator), ("Decimal mark", self.decimal), ("First data line", self.first))
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
        self.gap = number("import_gap", "Longest gap to interpolate", (0.0, 1e6), 0.0, decimals=3, suffix=" s")
        self.turns = check(
            "import_turns",
            "Unwrap angles",
            "Remove jumps of a full turn where an angle passes ±180°",
            on=True,
        )
        self.rate.setToolTip("Sampling rate of the recording; rows at irregular times are resampled")
        self.cutoff.setToolTip(
            "Low-pass cut-off, applied before positions are differentiated.\n"
            "Second-order Butterworth filter, run forwards and backwards (zero phase)."
        )
        self.gap.setToolTip("Longer gaps are left empty")
        for field in (self.rate, self.cutoff, self.gap):
            field.setSpecialValueText("usual")
            field.valueChanged.connect(lambda _: self.changed.emit())
        self.turns.toggled.connect(lambda _: self.changed.emit())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(form((("Rate", self.rate), ("Filter cut-off", self.cutoff), ("Interpolate gaps up to", self.gap))))
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
