"""Words and formulas set on lines, in units of the paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPdfWriter, Qt, QTransform

from armature.app.equations.sheet.blocks import Line, Math
from armature.app.equations.sheet.pieces import Pieces
from armature.app.equations.sheet.rich_words import Run, Word, glued, words
from armature.app.equations.typesetter import SIZE, Typesetter

COMMAND = re.compile(r"[MLQCZ]|[-+]?[\d.]+(?:e[-+]?\d+)?")
COUNTS = {"M": 2, "L": 2, "Q": 4, "C": 6, "Z": 0}


def outline(svg: bytes) -> QPainterPath:
    """Of paths with absolute M, L, Q, C, Z, and of rectangles, in px."""
    found = QPainterPath()
    found.setFillRule(Qt.FillRule.WindingFill)
    for element in ET.fromstring(svg):
        if element.tag.endswith("path"):
            _add(found, element.attrib["d"])
        elif element.tag.endswith("rect"):
            found.addRect(*(float(element.attrib[name]) for name in ("x", "y", "width", "height")))
    return found


def _add(path: QPainterPath, text: str) -> None:
    words = iter(COMMAND.findall(text))
    for command in words:
        x = _numbers(words, COUNTS[command])
        match command:
            case "M":
                path.moveTo(*x)
            case "L":
                path.lineTo(*x)
            case "Q":
                path.quadTo(*x)
            case "C":
                path.cubicTo(*x)
            case _:
                path.closeSubpath()


def _numbers(words: Iterator[str], count: int) -> list[float]:
    return [float(next(words)) for _ in range(count)]


INK, QUIET, WRONG = "#1c2330", "#5b6575", "#b3261e"
FORMULA = 1.2  # of the size of the text
SUBSCRIPT, LOWERED = 0.72, 0.18  # of the size of the text


@dataclass(frozen=True)
class Look:
    """Size in pt, colour and weight of a line's words."""

    points: float = 9.0
    colour: str = INK
    bold: bool = False


@dataclass(frozen=True)
class Token:
    """A word or a formula: `width`, how far it reaches above and below the line of writing, and whether a space comes before."""

    content: Word | str
    width: float
    ascent: float
    descent: float
    space: float
    look: Look
    left: float = 0.0  # px of the drawing that a formula begins left of its origin, negative


class Setter:
    """Measures tokens and draws them on a PDF; `unit` is 1 pt."""

    def __init__(self, writer: QPdfWriter, painter: QPainter, typesetter: Typesetter, font: QFont):
        self.writer, self.painter, self._pieces = writer, painter, Pieces(typesetter)
        self.unit, self._font = writer.resolution() / 72.0, font
        self._fonts: dict[tuple[float, bool, bool], tuple[QFont, QFontMetricsF]] = {}
        self._outlines: dict[str, QPainterPath] = {}

    def font(self, points: float, bold: bool = False, italic: bool = False) -> tuple[QFont, QFontMetricsF]:
        """The font of text, with its sizes on paper."""
        key = points, bold, italic
        if key not in self._fonts:
            font = QFont(self._font)
            font.setPointSizeF(points)
            font.setBold(bold)
            font.setItalic(italic)
            self._fonts[key] = font, QFontMetricsF(font, self.writer)
        return self._fonts[key]

    def tokens(self, line: Line, look: Look) -> list[Token]:
        """What stands on the line, in its order."""
        gap = self.font(look.points)[1].horizontalAdvance(" ")
        found: list[Token] = []
        for part in line:
            if isinstance(part, Math):
                found.append(self._formula(part.latex, gap if found else 0.0, look))
                continue
            for k, word in enumerate(words(part)):
                found.append(self._word(word, 0.0 if not found or (not k and glued(part)) else gap, look))
        return found

    def broken(self, tokens: list[Token], room: float) -> list[list[Token]]:
        """As many lines as it takes."""
        lines: list[list[Token]] = []
        used = 0.0
        for token in tokens:
            if not lines or (used + token.space + token.width > room and token.space):
                lines.append([])
                used = 0.0
            used += (token.space if lines[-1] else 0.0) + token.width
            lines[-1].append(token)
        return lines

    def width(self, tokens: list[Token]) -> float:
        """Of all on one line."""
        return sum(token.width + (token.space if k else 0.0) for k, token in enumerate(tokens))

    def heights(self, tokens: list[Token], look: Look) -> tuple[float, float]:
        """How far a line reaches above and below, at least as far as its words."""
        metrics = self.font(look.points)[1]
        up, down = metrics.ascent(), metrics.descent()
        return max([up, *(token.ascent for token in tokens)]), max([down, *(token.descent for token in tokens)])

    def draw(self, tokens: list[Token], x: float, y: float) -> None:
        """On the line of writing at y."""
        for k, token in enumerate(tokens):
            x += token.space if k else 0.0
            if isinstance(token.content, str):
                self._draw_formula(token, x, y)
            else:
                self._draw_word(token, x, y)
            x += token.width

    def _formula(self, latex: str, space: float, look: Look) -> Token:
        box = self._pieces.composed(latex).box
        scale = FORMULA * look.points * self.unit / SIZE
        return Token(latex, box.width() * scale, -box.y() * scale, (box.y() + box.height()) * scale, space, look, box.x())

    def _word(self, word: Word, space: float, look: Look) -> Token:
        width = sum(self._run_font(run, look)[1].horizontalAdvance(run.text) for run in word)
        metrics = self.font(look.points)[1]
        return Token(word, width, metrics.ascent(), metrics.descent(), space, look)

    def _run_font(self, run: Run, look: Look) -> tuple[QFont, QFontMetricsF]:
        points = look.points * (SUBSCRIPT if "sub" in run.tags else 1.0)
        return self.font(points, look.bold or "b" in run.tags, "i" in run.tags)

    def _draw_formula(self, token: Token, x: float, y: float) -> None:
        scale = FORMULA * token.look.points * self.unit / SIZE
        for piece, along in self._pieces.composed(str(token.content)).pieces:
            if piece not in self._outlines:
                self._outlines[piece] = outline(self._pieces.svg(piece))
            place = QTransform(scale, 0.0, 0.0, scale, x + (along - token.left) * scale, y)
            self.painter.fillPath(place.map(self._outlines[piece]), QColor(token.look.colour))

    def _draw_word(self, token: Token, x: float, y: float) -> None:
        for run in token.content:
            assert isinstance(run, Run)
            font, metrics = self._run_font(run, token.look)
            width, low = (
                metrics.horizontalAdvance(run.text),
                LOWERED * token.look.points * self.unit if "sub" in run.tags else 0.0,
            )
            self.painter.setFont(font)
            self.painter.setPen(QColor(WRONG if "s" in run.tags else token.look.colour))
            self.painter.drawText(QPointF(x, y + low), run.text)
            if "s" in run.tags:
                middle = y - 0.3 * metrics.ascent()
                self.painter.fillRect(QRectF(x, middle, width, 0.5 * self.unit), QColor(WRONG))
            x += width
