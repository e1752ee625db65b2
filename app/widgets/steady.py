"""`Steady`: texts that appear, disappear and change their length without moving the widgets below them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from armature.app.style.running_application import running

WIDTHS = 16  # that the greatest height is remembered for
TYPED = QAbstractSpinBox, QLineEdit, QPlainTextEdit

Part = TypeVar("Part", bound=QWidget)


def keeps_room(part: Part) -> Part:
    """The part, whose room stays empty while it is hidden."""
    policy = part.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    part.setSizePolicy(policy)
    return part


class Steady(QWidget):
    """Column of parts whose height only grows: at first `lines` of text, or as many as the longest of `texts` needs.

    It does not grow while the focus is in a field: text that is too long is cut until the focus leaves. Another text size, or
    `settle()`, resets the height.
    """

    def __init__(self, lines: int, *parts: QWidget, texts: Sequence[str] = ()):
        super().__init__()
        self._held = _HeldLayout(self, lines, texts)
        for part in parts:
            self._held.addWidget(part)
        self._held.addStretch(1)

    def settle(self) -> None:
        """Reset the height, for texts on another subject."""
        self._held.forget()

    def changeEvent(self, event):
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._held.forget()
        super().changeEvent(event)


class _HeldLayout(QVBoxLayout):
    def __init__(self, parent: QWidget, lines: int, texts: Sequence[str]):
        super().__init__(parent)
        self._holder, self._lines, self._texts, self._most = parent, lines, texts, dict[int, int]()
        self._waits = False  # to grow, until the focus has left a field
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(4)

    def forget(self) -> None:
        self._most.clear()
        self.invalidate()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._most and len(self._most) >= WIDTHS:
            self._most.clear()
        least = max(self._most.get(width, 0), self._reserved(width))
        needed = self._needed(width)
        if needed > least and self._is_typed_into():
            self._wait()
            return least
        self._most[width] = max(least, needed)
        return self._most[width]

    def minimumHeightForWidth(self, width: int) -> int:
        return self.heightForWidth(width)

    def setGeometry(self, rect: QRect) -> None:
        """Lay the parts out in the height that they need; the holder clips the rest."""
        super().setGeometry(QRect(rect.topLeft(), QSize(rect.width(), max(rect.height(), self._needed(rect.width())))))

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(0, self._reserved()))

    def minimumSize(self) -> QSize:
        least = super().minimumSize()
        if self._waits:
            least.setHeight(min(least.height(), max(self._most.values(), default=0)))
        return least.expandedTo(QSize(0, self._reserved()))

    def _needed(self, width: int) -> int:
        return max(super().heightForWidth(width), super().minimumSize().height())

    def _reserved(self, width: int = 0) -> int:
        metrics = self._holder.fontMetrics()
        lines = self._lines * (metrics.lineSpacing() + 1)
        if width > 0:
            font = self._holder.font()
            font.setWeight(QFont.Weight.DemiBold)  # as warnings and errors are
            bold, room, wrapped = QFontMetrics(font), QRect(0, 0, width, 10_000), Qt.TextFlag.TextWordWrap
            lines = max([lines, *(bold.boundingRect(room, wrapped, text).height() for text in self._texts)])
        return lines + self.spacing()

    def _is_typed_into(self) -> bool:
        field = QApplication.focusWidget()
        return isinstance(field, TYPED) and field.window() is self._holder.window()

    def _wait(self) -> None:
        if not self._waits:
            self._waits = True
            running().focusChanged.connect(self._on_focus)

    def _on_focus(self, *_) -> None:
        if not self._is_typed_into():
            self._waits = False
            running().focusChanged.disconnect(self._on_focus)
            self.invalidate()
            self._holder.updateGeometry()
