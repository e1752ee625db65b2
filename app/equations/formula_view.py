"""A formula typeset over as many lines as it needs, under each symbol its number now."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame

from armature.app.equations.symbols import Symbol
from armature.app.equations.typesetter import Piece
from armature.app.state.units import number, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font

DECIMALS = 3
MARGIN, GAP, LEADING = 10.0, 4.0, 10.0  # px: around all, between symbols, between lines
STEP, LEAST, MOST = 1.15, 0.6, 4.0  # zoom


class FormulaView(QAbstractScrollArea):
    """Scrolls up and down; Ctrl+wheel zooms, which it tells by `zoomed`, so that the pictures are made anew."""

    zoomed = Signal()

    def __init__(self):
        super().__init__()
        self.zoom = 1.0
        self.numbers: list[float | None] = []
        self._symbols: Sequence[Symbol] = ()
        self._pieces: Sequence[Piece] = ()
        self._places: list[QPointF] = []  # of each symbol, on its line of writing
        self._below: list[float] = []  # where its number stands
        self.lit: list[bool] = []  # whose number has just changed
        self._text, self._tall = "", 1
        self._tokens: Tokens | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_formula(self, symbols: Sequence[Symbol], pieces: Sequence[Piece]) -> None:
        """Another formula, or the same in another size or colour."""
        self._symbols, self._pieces, self._text = symbols, pieces, ""
        if len(self.numbers) != len(symbols):
            self.numbers, self.lit = [None] * len(symbols), [False] * len(symbols)
        self._lay_out()

    def show_text(self, text: str) -> None:
        """There is no formula, and why."""
        self._symbols, self._pieces, self.numbers, self.lit, self._text = (), (), [], [], text
        self._lay_out()

    def show_numbers(self, numbers: list[float | None]) -> None:
        """What the symbols are now; those that change light up."""
        lit = [new != old and old is not None for new, old in zip(numbers, self.numbers)]
        if numbers != self.numbers or lit != self.lit:
            self.numbers, self.lit = numbers, lit
            self.viewport().update()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, those of what is typeset as well, and the present size of text."""
        self._tokens = tokens
        self._pieces = [piece.coloured(tokens.text) for piece in self._pieces]
        self._lay_out()

    def _lay_out(self) -> None:
        """Terms on lines as long as there is room."""
        self._places, self._below = [], []
        self.setFont(fixed_font(0.8 * self.zoom))
        wide = float(self.fontMetrics().horizontalAdvance("−0." + "0" * DECIMALS))
        widths = [max(p.width, wide if s.factor or s.value is not None else 0.0) for s, p in zip(self._symbols, self._pieces)]
        y = MARGIN
        for line in self._lines(widths):
            ascent = max(self._pieces[k].ascent for k in line)
            depth = max(self._pieces[k].height - self._pieces[k].ascent for k in line)
            x = MARGIN
            for k in line:
                self._places.append(QPointF(x + (widths[k] - self._pieces[k].width) / 2, y + ascent))
                self._below.append(y + ascent + depth)
                x += widths[k] + GAP * self.zoom
            y += ascent + depth + self.fontMetrics().height() + LEADING * self.zoom
        bar = self.verticalScrollBar()
        self._tall = round(y)
        bar.setRange(0, max(0, self._tall - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self.fontMetrics().height())
        self.viewport().update()

    def _lines(self, widths: Sequence[float]) -> list[list[int]]:
        """The symbols of each line; a term stays together unless it alone is longer."""
        terms: list[list[int]] = []
        for k, symbol in enumerate(self._symbols):
            if symbol.begins or not terms:
                terms.append([])
            terms[-1].append(k)
        lines: list[list[int]] = []
        room, used = self.viewport().width() - 2 * MARGIN, 0.0
        for term in terms:
            length = sum(widths[k] + GAP * self.zoom for k in term)
            if not lines or used + length > room:
                lines.append([])
                used = 0.0
            lines[-1] += term
            used += length
        return lines

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._lay_out()

    def wheelEvent(self, event):
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
            return
        self.zoom = min(MOST, max(LEAST, self.zoom * STEP ** (event.angleDelta().y() / 120)))
        event.accept()
        self.zoomed.emit()

    def picture(self) -> QPixmap:
        """All of it, numbers included, on its ground."""
        ratio, view = self.devicePixelRatioF(), self.viewport()
        picture = QPixmap(round(view.width() * ratio), round(self._tall * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(QColor("#ffffff" if self._tokens is None else self._tokens.surface))
        painter = QPainter(picture)
        self._paint(painter, 0, self._tall)
        painter.end()
        return picture

    def paintEvent(self, event):
        painter = QPainter(self.viewport())
        self._paint(painter, self.verticalScrollBar().value(), self.viewport().height())
        painter.end()

    def _paint(self, painter: QPainter, top: int, height: int) -> None:
        """What lies between these heights."""
        if self._tokens is None:
            return
        if self._text:
            painter.setPen(QColor(self._tokens.muted))
            box = QRectF(self.viewport().rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
            painter.setFont(QApplication.font())
            painter.drawText(box, int(Qt.TextFlag.TextWordWrap), self._text)
        painter.setFont(self.font())
        row = self.fontMetrics().height()
        for symbol, piece, at, below, value, lit in zip(
            self._symbols, self._pieces, self._places, self._below, self.numbers, self.lit
        ):
            if below + row < top or at.y() - piece.ascent > top + height:
                continue
            painter.drawImage(QPointF(round(at.x()), round(at.y() - piece.ascent - top)), piece.image)
            if value is not None:
                painter.setPen(QColor(self._tokens.accent if lit else self._tokens.muted))
                middle = at.x() + piece.width / 2
                box = QRectF(middle - 100, below - top, 200, row)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, _figures(symbol, value))


def _figures(symbol: Symbol, value: float) -> str:
    """A number in fixed point, as it runs with the arm; a letter's in significant digits where fixed point would be too short."""
    small = symbol.value is not None and 0 < abs(value) < 10**-DECIMALS
    return significant(value, 2) if small else number(value, DECIMALS)
