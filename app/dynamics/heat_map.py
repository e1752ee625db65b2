"""A symmetric matrix as coloured cells: what is large, and of which sign."""

from __future__ import annotations

from math import isnan

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

from armature.app.state.units import UNKNOWN, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.copied_text import tabbed
from armature.app.widgets.pop_up import pop_up, table_lines
from armature.engine.rounding import cleared

LARGEST_CELL = 46  # pixels
SMALL = 0.05  # a matrix with no larger entry is written in powers of ten


class HeatMap(QWidget):
    """Positive entries in one colour, negative ones in another, the deeper the larger: by the root, so that small ones show."""

    def __init__(self, name: str):
        super().__init__()
        self.values = np.zeros((0, 0))
        self.names: tuple[str, ...] = ()
        self._units: tuple[tuple[str, ...], ...] = ()
        self._tokens: Tokens | None = None
        self._small = fixed_font(0.82)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_shape(self, names: tuple[str, ...], units: tuple[tuple[str, ...], ...]):
        """Names of rows and columns, and the unit of every entry."""
        self.names, self._units = tuple(names), units
        self.values = np.zeros((len(names), len(names)))
        self.updateGeometry()
        self.update()

    def show_values(self, values: np.ndarray):
        """New entries `(n, n)`; those that are only rounding are 0."""
        self.values = cleared(values, np.abs(values).max(initial=0.0))
        if QToolTip.isVisible() and self.underMouse():
            self._tell(self.mapFromGlobal(self.cursor().pos()))
        self.update()

    def text(self, i: int, j: int) -> str:
        """One entry with its unit."""
        return f"{self.names[i]}, {self.names[j]}: {significant(float(self.values[i, j]))} {self._units[i][j]}"

    def cell_at(self, at: QPoint) -> tuple[int, int] | None:
        """Row and column at a pixel."""
        n, size = len(self.names), self._cell()
        i, j = int(at.y() // size[1]), int(at.x() // size[0])
        return (i, j) if at.x() >= 0 and at.y() >= 0 and i < n and j < n else None

    def set_theme(self, tokens: Tokens):
        """Colours, and the present size of text."""
        self._tokens, self._small = tokens, fixed_font(0.82)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(260, max(1, len(self.names)) * self._height())

    minimumSizeHint = sizeHint

    def _height(self) -> int:
        return self.fontMetrics().height() + 8

    def _cell(self) -> tuple[float, float]:
        return min(self.width() / max(1, len(self.names)), 2 * LARGEST_CELL), float(self._height())

    def paintEvent(self, event):
        if self._tokens is None or not len(self.names):
            return
        painter, (width, height) = QPainter(self), self._cell()
        painter.setFont(self._small)
        written = painter.fontMetrics().horizontalAdvance("−8.88") <= width - 4
        sizes = np.nan_to_num(np.abs(self.values))  # what is not known has no colour
        largest = max(float(sizes.max()), 1e-300)
        share = np.sqrt(sizes / largest)
        ground, ends = _rgb(self._tokens.surface), (_rgb(self._tokens.series[0]), _rgb(self._tokens.series[1]))
        for i in range(len(self.names)):
            for j in range(len(self.names)):
                value, part = float(self.values[i, j]), float(share[i, j])
                colour = (1 - part) * ground + part * ends[value < 0]
                box = QRectF(j * width, i * height, width - 1, height - 1)
                painter.fillRect(box, QColor(*map(round, colour.tolist())))
                if written and value != 0.0:
                    painter.setPen(Qt.GlobalColor.black if colour @ (0.3, 0.59, 0.11) > 125 else Qt.GlobalColor.white)
                    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, _short(value, largest))
        painter.end()

    def event(self, event) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._tell(event.pos())
            return True
        return super().event(event)

    def _tell(self, at: QPoint):
        cell = self.cell_at(at)
        if cell is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(self.mapToGlobal(at), self.text(*cell), self)

    def keyPressEvent(self, event):
        if event.matches(QKeySequence.StandardKey.Copy):
            QApplication.clipboard().setText(tabbed(self.values))
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event):
        """Copy the number there, or all of them."""
        at = self.cell_at(event.pos())
        cell = None if at is None else (significant(float(self.values[at])), float(self.values[at]))
        lines = table_lines("M", self.values, self.names, self.names, cell)
        pop_up(self, self.accessibleName(), event.globalPos(), lines)


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], float)


def _short(value: float, largest: float) -> str:
    """At most five characters, in a matrix with entries up to `largest`."""
    size = abs(value)
    if isnan(value):
        return UNKNOWN
    if largest < SMALL and size >= 0.01 * largest:
        return significant(value, 1).replace("e−0", "e−")
    if size < 0.005:
        return "≈0"
    return significant(round(value, 2) if size < 10 else round(value, 1) if size < 100 else round(value), 4)
