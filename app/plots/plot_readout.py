"""What the mouse reads off a plot, in a small window above it: over the plot it would hide the curves."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter
from PySide6.QtWidgets import QWidget

from armature.app.plots.plot_paper import GAP, SWATCH, Entry, paint_entry
from armature.app.style.colour_tokens import LIGHT, Tokens


class PlotReadout(QWidget):
    """A line that says where, and one for each curve."""

    def __init__(self, plot: QWidget):
        super().__init__(plot, Qt.WindowType.ToolTip | Qt.WindowType.WindowTransparentForInput)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self._plot, self._tokens, self._head = plot, LIGHT, ""
        self._entries: list[Entry] = []

    def tell(self, tokens: Tokens, head: str, entries: list[Entry], x: int):
        """Show this with its middle at x, a pixel of the screen, above the plot, or below it where there is no room above."""
        self._tokens, self._head, self._entries = tokens, head, entries
        metrics = self.fontMetrics()
        widest = max(metrics.horizontalAdvance(head), *(SWATCH + GAP + metrics.horizontalAdvance(text) for *_, text in entries))
        width = max(widest + 2 * GAP, self.width() if self.isVisible() else 0)  # numbers that change do not shake it
        self.resize(width, metrics.height() * (1 + len(entries)) + GAP)
        top = self._plot.mapToGlobal(self._plot.rect().topLeft()).y()
        screen = (QGuiApplication.screenAt(QPoint(x, top)) or self.screen()).availableGeometry()
        left = min(max(x - width // 2, screen.left()), screen.right() - width)
        self.move(left, top - self.height() if top - self.height() >= screen.top() else top + self._plot.height())
        self.show()
        self.update()

    def paintEvent(self, event):
        painter, line = QPainter(self), self.fontMetrics().height()
        painter.setPen(QColor(self._tokens.border))
        painter.setBrush(QColor(self._tokens.surface))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.setPen(QColor(self._tokens.muted))
        painter.drawText(GAP, GAP // 2, self.width(), line, Qt.AlignmentFlag.AlignVCenter, self._head)
        for k, entry in enumerate(self._entries, start=1):
            paint_entry(painter, self._tokens, QPointF(GAP, GAP // 2 + k * line), line, entry)
        painter.end()
