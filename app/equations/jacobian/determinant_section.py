"""det J as a product: each factor typeset, its value now, and the way to a pose in which it vanishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from armature.app.state.number_marks import said
from armature.app.state.units import significant
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import button, named
from armature.app.widgets.section import Section, Strip, note

if TYPE_CHECKING:
    from armature.app.equations.jacobian.jacobian_maker import Made
    from armature.app.equations.typesetter import Piece
    from armature.app.style.colour_tokens import Tokens
    from armature.engine.formulas.determinant import Determinant

GO = "Move the arm to a pose where this factor is 0"
BEYOND = "This factor has no zero within the joint limits"


class DeterminantSection(Section):
    """Tells `go_requested(q)`."""

    go_requested = Signal(object)

    def __init__(self):
        super().__init__("Determinant of the task Jacobian, factored")
        self._sentence = self.add(named(note(), "jacobian_det_sentence"))
        self._value = self.add(named(QLabel(), "jacobian_det", "det J"))
        self._value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._rows: list[tuple[Strip, QLabel, QLabel, QPushButton]] = []
        self._grid = QGridLayout(self.add(QWidget()))
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(0, 1)
        self._det: Determinant | None = None
        self._pieces: dict[QLabel, Piece] = {}  # of the factors that are typeset

    def _add_row(self) -> None:
        """A row that is empty; most arms have few factors, some none."""
        k = len(self._rows)
        picture = named(QLabel(), f"jacobian_factor_{k + 1}", f"Factor {k + 1}")
        value = named(QLabel(), f"jacobian_factor_value_{k + 1}", f"Value of factor {k + 1}")
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        value.setFont(fixed_font(0.9))
        go = button(f"jacobian_factor_go_{k + 1}", "Go to zero", f"Go to a zero of factor {k + 1}", GO)
        go.clicked.connect(lambda: self._on_go(k))
        strip = Strip(picture)  # a long factor scrolls
        for column, part in enumerate((strip, value, go)):
            self._grid.addWidget(part, k, column)
        self._rows.append((strip, picture, value, go))

    def _on_go(self, k: int) -> None:
        if self._det is not None and self._det.factors[k].q is not None:
            self.go_requested.emit(self._det.factors[k].q)

    def show_unmade(self) -> None:
        """Another arm, whose factors are on their way."""
        self._det, self._pieces = None, {}
        self._sentence.setText("Deriving…")
        self._value.hide()
        for strip, _, value, go in self._rows:
            for part in (strip, value, go):
                part.hide()

    def show_made(self, made: Made) -> None:
        """The factors, or why there are none."""
        self._det = det = made.det
        shown = [] if det is None or det.sentence.startswith("det J cannot") else made.factors
        self._sentence.setText(said(made.no_det if det is None else f"{det.sentence}."))
        self._value.setVisible(det is not None)
        self._pieces = {}
        while len(self._rows) < len(shown):
            self._add_row()
        for k, (strip, picture, value, go) in enumerate(self._rows):
            there = k < len(shown)
            for part in (strip, value, go):
                part.setVisible(there)
            if det is None or not there:
                continue
            piece, factor = shown[k], det.factors[k]
            if piece is None:
                picture.setText(f"sum of {len(factor.formula.terms())} terms")
            else:
                self._pieces[picture] = piece
                picture.setPixmap(QPixmap.fromImage(piece.image))
            picture.setAccessibleDescription(factor.formula.latex())
            go.setEnabled(factor.q is not None)
            go.setToolTip(GO if factor.q is not None else BEYOND)

    def show_values(self, q: np.ndarray, exact: float | None) -> None:
        """The values at q, and the engine's determinant."""
        det = self._det
        if det is None:
            return
        constant = significant(float(det.number(det.constant)))
        self._value.setText("det J" if exact is None else f"det J = {significant(exact)}; constant factor {constant}")
        for (_, _, value, _), factor in zip(self._rows, det.factors):
            number = float(factor.formula.evaluate(q)) ** factor.power
            value.setText(f"= {significant(number, scale=1.0)}")

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the factors, and the present size of text."""
        for picture, piece in self._pieces.items():
            picture.setPixmap(QPixmap.fromImage(piece.coloured(tokens.text).image))
        for _, _, value, _ in self._rows:
            value.setFont(fixed_font(0.9))
