"""One entry's formula, how much is left out, and ways to copy it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from armature.app.equations.formula_view import FormulaView
from armature.app.equations.letter_words import letters_text, without_letters
from armature.app.equations.printed.slip_note import Told
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, named, number, row
from armature.app.widgets.pop_up import Line, pop_up
from armature.app.widgets.section import Section, note
from armature.engine.model.robot import Robot

FORMATS = {"latex": "LaTeX", "python": "Python", "c": "C", "matlab": "MATLAB"}
LETTERS = "Symbols"
MOST = 50.0  # %
PERCENT = 1.0  # with which it begins
SHARE_TIP = "Omit terms below this share of the largest value of their matrix over the joint ranges; 0 omits none"


class FormulaPane(QWidget):
    """Tells `share_chosen(share)`, and `copy_chosen(format, whole)` of the entry or of its whole matrix.

    Nothing is left out of formulas without `significance`.
    """

    share_chosen = Signal(float)
    copy_chosen = Signal(str, bool)

    def __init__(self, name: str, significance: bool = True):
        super().__init__()
        self.head = named(note(), f"{name}_head")
        self.view = named(FormulaView(), f"{name}_formula", "Formula", "Zoom with Ctrl+wheel")
        self.share = number(
            f"{name}_share", "Omit terms below", (0.0, MOST), PERCENT, decimals=2, step=0.5, suffix=" %", tip=SHARE_TIP
        )
        self.share.valueChanged.connect(lambda percent: self.share_chosen.emit(percent / 100))
        self.copy: QPushButton = button(f"{name}_copy", "Copy…", "Copy the formula", "As LaTeX or code")
        self.copy.clicked.connect(self._offer)
        self.left_out = named(note(), f"{name}_left_out")
        self.matrix, self.entry = "", ""
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 4, 12, 8)
        column.setSpacing(6)
        column.addWidget(self.head)
        column.addWidget(self.view, 1)
        column.addWidget(self.left_out)
        self.coefficients = named(note(), f"{name}_coefficients")
        self.legend = Section(LETTERS, open_=False)
        self.letters = self.legend.add(named(Told(), f"{name}_letters", LETTERS))
        for hidden in (self.coefficients, self.legend):
            column.addWidget(hidden)
            hidden.hide()
        about = note("Omit terms below")
        column.addWidget(row(about, self.share, None, self.copy))
        for part in (about, self.share, self.left_out):
            part.setVisible(significance)

    def show_text(self, text: str, keep_letters: bool = False) -> None:
        """No formula, and why; the letters are kept where another one of the same arm comes."""
        self.view.show_text(text)
        self.head.clear()
        if not keep_letters:
            self.legend.hide()
            self.coefficients.hide()
        self.left_out.clear()
        self.copy.setEnabled(False)

    def show_letters(self, values: Mapping[str, float], robot: Robot) -> None:
        """What the letters of the formula are, or why it has numbers instead."""
        text, why_not = letters_text(values), "" if values else without_letters(robot)
        self.letters.tell(text)
        self.legend.header.setToolTip(text)
        self.legend.setVisible(bool(text))
        self.coefficients.setText(why_not)
        self.coefficients.setVisible(bool(why_not))

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the formula."""
        self.view.set_theme(tokens)

    def _offer(self) -> None:
        at = self.copy.mapToGlobal(self.copy.rect().topLeft())
        picture = Line("picture", f"{self.entry} as a picture", lambda: QApplication.clipboard().setPixmap(self.view.picture()))
        pop_up(self, "Copy", at, [*self._lines(self.entry, False), picture, None, *self._lines(self.matrix, True)])

    def _lines(self, title: str, whole: bool) -> list[Line]:
        return [
            Line(
                f"{form}_{'matrix' if whole else 'entry'}",
                f"{title} as {text}",
                partial(self.copy_chosen.emit, form, whole),
            )
            for form, text in FORMATS.items()
        ]
