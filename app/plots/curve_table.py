"""`CurveTable`: colours and names of curves with their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import pixmap
from armature.app.widgets.controls import named
from armature.app.widgets.section import note

SIDE = 14  # px of a square of colour


class CurveTable(QWidget):
    """`curves` gives the colour of each curve by its name, `columns` the tooltips by their titles, `names` the object names of
    the numbers, row by row."""

    def __init__(self, curves: Mapping[str, str], columns: Mapping[str, str], names: Sequence[Sequence[str]]):
        super().__init__()
        self._colours, self._swatches = tuple(curves.values()), [QLabel() for _ in curves]
        self._numbers = [
            [named(QLabel("–"), name, f"{curve}: {title}") for name, title in zip(row, columns, strict=True)]
            for row, curve in zip(names, curves, strict=True)
        ]
        grid, right = QGridLayout(self), Qt.AlignmentFlag.AlignRight
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        for k, (title, tip) in enumerate(columns.items(), 2):
            head = note(title)
            head.setWordWrap(False)
            head.setToolTip(tip)
            grid.addWidget(head, 0, k, right)
        for k, curve in enumerate(curves):
            grid.addWidget(self._swatches[k], k + 1, 0)
            grid.addWidget(QLabel(curve), k + 1, 1)
            for column, number in enumerate(self._numbers[k], 2):
                grid.addWidget(number, k + 1, column, right)

    def show_numbers(self, rows: Sequence[Sequence[str]]) -> None:
        """Show the numbers of each curve."""
        for labels, texts in zip(self._numbers, rows, strict=True):
            for label, text in zip(labels, texts, strict=True):
                label.setText(text)

    def set_theme(self, tokens: Tokens) -> None:
        """Draw the squares in the colours of the theme."""
        for swatch, colour in zip(self._swatches, self._colours):
            swatch.setPixmap(pixmap("swatch", tokens.colour(colour), SIDE))
