"""`HoverLabel`: the names of what is under the cursor, beside it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QLabel, QWidget

AWAY = QPoint(16, 18)
FOLLOWS = 48  # logical pixels; a text that follows every step of the cursor cannot be read


class HoverLabel(QLabel):
    """Lies over the view and takes no part in what the mouse does there."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self._view = parent
        self.setObjectName("hover_label")
        self.setAccessibleName("Link under the cursor")
        self.setProperty("role", "hover")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._at = QPoint()

    def tell(self, text: str, at: QPointF) -> None:
        """Show `text` beside the cursor at `at`; nothing when it is empty."""
        if not text:
            self.hide()
            return
        another = self.isHidden() or text != self.text()
        if another:
            self.setText(text)
            self.adjustSize()
        if self.isHidden() or (at.toPoint() - self._at).manhattanLength() > FOLLOWS:
            self._at = at.toPoint()
            self._place()
        self.show()

    def renew(self, text: str) -> None:
        """Another text in the same place."""
        if text != self.text():
            self.setText(text)
            self.adjustSize()

    def _place(self) -> None:
        """Right below the cursor, or on its other side at the edges of the view."""
        room, corner = self._view.size(), self._at + AWAY
        if corner.x() + self.width() > room.width():
            corner.setX(self._at.x() - AWAY.x() - self.width())
        if corner.y() + self.height() > room.height():
            corner.setY(self._at.y() - AWAY.y() - self.height())
        self.move(max(0, corner.x()), max(0, corner.y()))
