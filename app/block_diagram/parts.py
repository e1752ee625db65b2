"""Blocks and arrows of the diagram: buttons that paint themselves."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton

from armature.app.block_diagram.diagram_signals import ARROWS, Reading
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.style.theme import fixed_font

HEAD = 7  # px, the length of an arrow's head
ROUND = 5.0  # px, of corners
PAD = 8  # px, left and right of a block's words
CELL = "₁ −888.8 "  # the widest usual number
ROWS = 3  # of numbers at an arrow
CENTRED = Qt.AlignmentFlag.AlignCenter


class Part(QAbstractButton):
    """Lights up under the cursor and in focus; `menu_requested(place)` tells where on the screen its menu is wanted."""

    menu_requested = Signal(QPoint)

    def __init__(self, name: str):
        super().__init__()
        self.setObjectName(f"diagram_{name}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.tokens: Tokens = LIGHT
        self.folded = False

    def least(self) -> int:
        """Width in px that it needs."""
        raise NotImplementedError

    def contextMenuEvent(self, event):
        by_key = event.reason() == event.Reason.Keyboard
        self.menu_requested.emit(self.mapToGlobal(self.rect().bottomLeft()) if by_key else event.globalPos())

    def _ground(self, painter: QPainter, fill: str | None, edge: str | None) -> None:
        """The rounded rectangle behind it."""
        if self.underMouse() and self.isEnabled():
            fill = self.tokens.hover
        if self.hasFocus():
            edge = self.tokens.accent
        painter.setPen(QPen(QColor(edge), 2 if self.hasFocus() else 1) if edge else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(fill) if fill else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), ROUND, ROUND)


class Block(Part):
    """A block with its name and, below, what it does now."""

    def __init__(self, name: str, title: str, what: str = ""):
        super().__init__(f"block_{name}")
        self.title, self.state, self.detail, self._usual = title, what, "", what
        self.idle = False
        self.setAccessibleName(title)

    def show_state(self, state: str, idle: bool, detail: str = "") -> None:
        """What it does now, and below that a `detail`; `idle` blocks stand back."""
        if (state, idle, detail) != (self.state, self.idle, self.detail):
            self.state, self.idle, self.detail = state, idle, detail
            self.setAccessibleName(f"{self.title}: {state}{detail and f', {detail}'}")
            self.update()

    def least(self) -> int:
        """Width in px that its title needs."""
        return self.fontMetrics().horizontalAdvance(self.title) * 11 // 10 + 2 * PAD

    def wish(self) -> int:
        """Width in px that its usual words need, too."""
        return max(self.least(), self.fontMetrics().horizontalAdvance(self._usual) + PAD + 4)

    def paintEvent(self, event):
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, self.tokens.raised, self.tokens.border if self.idle else self.tokens.muted)
        inside, line = self.rect().adjusted(PAD // 2, 2, -PAD // 2, -2), self.fontMetrics().height()
        bold = painter.font()
        bold.setBold(True)
        plain, words = painter.font(), "" if self.folded else self.state
        lines = [words, self.detail] if self.detail and words else [words] if words else []
        top = inside.center().y() - (1 + len(lines)) * line // 2
        painter.setFont(bold)
        painter.setPen(QColor(self.tokens.muted if self.idle else self.tokens.text))
        painter.drawText(QRect(inside.left(), top, inside.width(), line), CENTRED, self.title)
        painter.setFont(plain)
        painter.setPen(QColor(self.tokens.muted))
        for k, text in enumerate(lines, 1):
            short = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inside.width())
            painter.drawText(QRect(inside.left(), top + k * line, inside.width(), line), CENTRED, short)


class ArrowPart(Part):
    """An arrow with its symbol above and the numbers of a reading below; beside, where it leads back to the left."""

    def __init__(self, name: str, back: bool = False):
        super().__init__(f"arrow_{name}")
        self.name, self._back = name, back
        self.reading = Reading((), (), ())
        self.joint = 0  # the joint shown where there is no room for all
        self.needed = False  # the value shown is required along the arrow but does not flow
        self.setAccessibleName(ARROWS[name].words)

    def show_reading(self, reading: Reading, joint: int, needed: bool = False) -> None:
        """Other numbers, of what runs along it or is only `needed`."""
        if (reading, joint, needed) != (self.reading, self.joint, self.needed):
            self.reading, self.joint, self.needed = reading, joint, needed
            self.update()

    @property
    def symbol(self) -> str:
        """What stands on it."""
        return (ARROWS[self.name].needed if self.needed else "") or ARROWS[self.name].symbol

    @property
    def known(self) -> bool:
        """Whether anything runs along it."""
        return any(any(sign.isdigit() for sign in number) for number in self.reading.numbers)

    @property
    def one(self) -> str:
        """The number of one joint, with its own."""
        reading, k = self.reading, self.joint % len(self.reading.numbers)
        return f"{reading.tags[k]} {reading.numbers[k]} {reading.units[k]}".strip()

    @property
    def lines(self) -> list[str]:
        """What is written at it: all numbers with their joints', in a few lines to be read downwards, else that of one joint."""
        reading = self.reading
        if not self.known:
            return ["–"]
        above = self.head != self.symbol
        if not self.tells_all:
            number, unit = self.one.rsplit(" ", 1)
            fits = self._back or self._metrics().tightBoundingRect(self.one).width() <= self.width()
            return [number] if above else [self.one] if fits else [number, unit]
        if len(reading.numbers) == 1:
            return [f"{reading.numbers[0]} {reading.units[0]}"]
        mixed = not reading.unit if self._back else not above and len(reading.numbers) <= ROWS
        texts = [f"{number} {unit}" for number, unit in zip(reading.numbers, reading.units)] if mixed else reading.numbers
        wide, tagged = max(map(len, texts)), max(map(len, reading.tags))
        cells = [f"{tag.ljust(tagged)} {number.rjust(wide)}" for tag, number in zip(reading.tags, texts)]
        rows = 1 if self._back else min(ROWS, len(cells))
        return ["  ".join(cells[k::rows]).ljust(-(-len(cells) // rows) * (tagged + wide + 3) - 2) for k in range(rows)]

    @property
    def head(self) -> str:
        """The symbol, with the unit of the numbers below, which then stand without it, where there is room for both."""
        reading = self.reading
        unit = reading.unit if self.tells_all else reading.units[self.joint % len(reading.units)]
        if self._back or not self.known or len(reading.numbers) == 1 or not unit:
            return self.symbol
        label = f"{self.symbol}  [{unit}]"
        return label if self.fontMetrics().horizontalAdvance(label) <= self.width() - 3 * HEAD else self.symbol

    @property
    def tells_all(self) -> bool:
        """Whether there is room for the numbers of all joints."""
        columns = -(-len(self.reading.numbers) // (1 if self._back else ROWS))
        room = (self.width() - 2 * HEAD) // max(self._metrics().horizontalAdvance(CELL), 1)
        return not self.known or columns <= max(room, 1)

    def least(self) -> int:
        """Width in px for one number, or the symbol and a head."""
        arrow = ARROWS[self.name]
        symbol = max(map(self.fontMetrics().horizontalAdvance, (arrow.symbol, arrow.needed))) + 3 * HEAD
        return symbol + HEAD if self.folded else max(symbol, self._metrics().horizontalAdvance(CELL) + 2 * HEAD)

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(fixed_font())

    def paintEvent(self, event):
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.hasFocus():
            self._ground(painter, None, None)
        colour = QColor(self.tokens.text if self.known else self.tokens.muted)
        painter.setPen(colour)
        line, symbol, flows = self.fontMetrics().height(), self.symbol, self.known and not self.needed
        if self._back:
            self._paint_back(painter, symbol, colour)
            return
        if self.folded:
            y = self.height() // 2
            label = self._folded_label(symbol)
            width = self.fontMetrics().horizontalAdvance(label)
            painter.drawText(QRect(HEAD, 0, width + 2, self.height()), CENTRED, label)
            draw_arrow(painter, QPointF(width + 3 * HEAD // 2 + 2, y), QPointF(self.width() - 1, y), colour, flows)
            return
        y = line + 4
        painter.drawText(QRect(0, 1, self.width() - HEAD, line), CENTRED, self.head)
        draw_arrow(painter, QPointF(1, y), QPointF(self.width() - 1, y), colour, flows)
        painter.setFont(fixed_font())
        painter.setPen(colour)
        for k, text in enumerate(self.lines):
            painter.drawText(QRect(0, y + 3 + k * line, self.width(), line), CENTRED, text)

    def _folded_label(self, symbol: str) -> str:
        """The symbol, with the value of one joint where the widest usual value fits, at least without its unit."""
        if not self.known or self.name == "tool":
            return symbol
        unit, advance = self.one.rsplit(" ", 1)[-1], self.fontMetrics().horizontalAdvance
        for usual, value in ((f"{symbol} {CELL}{unit}", self.one), (f"{symbol} {CELL}", self.one.rsplit(" ", 1)[0])):
            if advance(usual) <= self.width() - 4 * HEAD:
                return f"{symbol} {value}"
        return symbol

    def _paint_back(self, painter: QPainter, symbol: str, colour: QColor) -> None:
        """A line to the left with the words upon it."""
        y = self.height() / 2
        draw_line(painter, QPointF(0, y), QPointF(self.width(), y), colour, self.known)
        unit = f" {self.reading.unit}" if self.reading.unit and self.tells_all else ""
        text = f" {symbol} " if not self.known else f" {symbol}    q̇ =  {self.lines[0].rstrip()}{unit} "
        width = min(self.fontMetrics().horizontalAdvance(text) + PAD, self.width())
        box = QRect((self.width() - width) // 2, 0, width, self.height())
        painter.fillRect(box.adjusted(0, 2, 0, -2), QColor(self.tokens.hover if self.underMouse() else self.tokens.window))
        painter.setPen(colour)
        painter.drawText(box, CENTRED, text)


def draw_line(painter: QPainter, start: QPointF, end: QPointF, colour: QColor, full: bool = True) -> None:
    """A line; broken where nothing runs along it."""
    painter.setPen(QPen(colour, 1.4, Qt.PenStyle.SolidLine if full else Qt.PenStyle.DashLine))
    painter.drawLine(start, end)


def draw_arrow(painter: QPainter, start: QPointF, end: QPointF, colour: QColor, full: bool = True) -> None:
    """A line with a head at its end, to the right or upwards."""
    level = start.y() == end.y()
    along = QPointF(HEAD, 0) if level else QPointF(0, -HEAD)
    aside = QPointF(0, HEAD / 2) if level else QPointF(HEAD / 2, 0)
    draw_line(painter, start, end - along, colour, full)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([end, end - along + aside, end - along - aside]))
