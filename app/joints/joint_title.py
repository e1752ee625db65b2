"""The name of a joint above its slider, shortened in the middle where there is no room for all of it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QStyle, QStyleOption

LETTERS = "8" * 10  # of these a long name keeps at least the width: a window of 1400 px has Joints and Equations side by side


class JointTitle(QLabel):
    """A label that a long text does not make wide; the tool tip has all of it."""

    def setText(self, text: str) -> None:
        """Another name."""
        super().setText(text)
        self.setToolTip(text)

    def shown_text(self) -> str:
        """What there is room for."""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.contentsRect().width())

    def minimumSizeHint(self) -> QSize:
        """Room for a short name, or for the start and the end of a long one."""
        whole = super().minimumSizeHint()
        return QSize(min(whole.width(), self.fontMetrics().horizontalAdvance(LETTERS)), whole.height())

    def paintEvent(self, event):
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.style().drawItemText(
            painter, self.contentsRect(), align, self.palette(), self.isEnabled(), self.shown_text(), self.foregroundRole()
        )
        painter.end()
