"""`Steady`: texts that come, go and change their length without moving what stands below them."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget

WIDTHS = 16  # that the greatest height is remembered for


Part = TypeVar("Part", bound=QWidget)


def keeps_room(part: Part) -> Part:
    """The part, whose room stays empty while it is hidden."""
    policy = part.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    part.setSizePolicy(policy)
    return part


class Steady(QWidget):
    """Parts below each other in a height that only grows: `lines` of text from the beginning, more once they were needed.

    Another size of text, or `settle()`, starts anew.
    """

    def __init__(self, lines: int, *parts: QWidget):
        super().__init__()
        self._held = _HeldLayout(self, lines)
        for part in parts:
            self._held.addWidget(part)
        self._held.addStretch(1)

    def settle(self) -> None:
        """What stands here is about something else now: as high as in the beginning."""
        self._held.forget()

    def changeEvent(self, event):
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._held.forget()
        super().changeEvent(event)


class _HeldLayout(QVBoxLayout):
    def __init__(self, parent: QWidget, lines: int):
        super().__init__(parent)
        self._holder, self._lines, self._most = parent, lines, dict[int, int]()
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
        needed = max(super().heightForWidth(width), super().minimumSize().height())
        self._most[width] = max(self._most.get(width, 0), self._reserved(), needed)
        return self._most[width]

    def minimumHeightForWidth(self, width: int) -> int:
        return self.heightForWidth(width)

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(0, self._reserved()))

    def minimumSize(self) -> QSize:
        return super().minimumSize().expandedTo(QSize(0, self._reserved()))

    def _reserved(self) -> int:
        return self._lines * (self._holder.fontMetrics().lineSpacing() + 1) + self.spacing()
