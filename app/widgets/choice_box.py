"""`ChoiceBox`: a list of choices that the wheel scrolls past, and whose text shows where it is cut."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter

MOST = 20  # choices without scrolling
ROUNDED = 2  # px


class ChoiceBox(QComboBox):
    """The wheel chooses only where a person has gone to the list before; else it scrolls the panel."""

    def __init__(self):
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMaxVisibleItems(MOST)
        as_needed = Qt.ScrollBarPolicy.ScrollBarAsNeeded  # a box without a sheet yet has a menu's arrows
        self.view().setVerticalScrollBarPolicy(as_needed)

    def sizeHint(self) -> QSize:
        """Size by Qt, plus the width that Qt loses by rounding text widths, px."""
        return super().sizeHint() + QSize(ROUNDED, 0)

    def minimumSizeHint(self) -> QSize:
        """Minimum size by Qt, plus the same width, px."""
        return super().minimumSizeHint() + QSize(ROUNDED, 0)

    def showPopup(self):
        """As wide as the longest entry, as far as the screen is."""
        view, room = self.view(), self.screen().availableSize().width()
        bar = view.verticalScrollBar().sizeHint().width() + 2 * view.frameWidth()
        view.setMinimumWidth(min(view.sizeHintForColumn(0) + bar, room))
        super().showPopup()

    def wheelEvent(self, event):
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, _event):
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        text = option.currentText if self.currentIndex() >= 0 else self.placeholderText()
        option.currentText = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
