"""A slider that goes where it is clicked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QSlider, QToolTip

from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.joint_slider import KEYS

MARKS = {Qt.Key.Key_BracketLeft: 0, Qt.Key.Key_BracketRight: 1}
NEAR = 3  # pixels next to the mark of a contact, where its text is shown
BAR = 4  # height of this mark, pixels
MARGIN = 8  # pixels between the edge and the middle of the handle at either end


class Timeline(QSlider):
    """Horizontal; a press or a drag puts the handle under the pointer.

    `mark_requested(end)` wants the start (0) or the end (1) of a part where the handle is, `play_requested()` to play or pause.
    `contacts` are start, end and text of each contact, as fractions of the whole; the text is shown under the pointer.
    """

    mark_requested = Signal(int)
    play_requested = Signal()

    def __init__(self, steps: int):
        super().__init__(Qt.Orientation.Horizontal)
        self._marks = (0.0, 1.0)
        self.contacts: Sequence[tuple[float, float, str]] = ()
        self._tokens: Tokens | None = None
        self.setRange(0, steps)
        self.setPageStep(steps // 20)
        self.setSingleStep(max(1, steps // 200))

    def mousePressEvent(self, event):
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._go_to(event.position().x())

    def mouseMoveEvent(self, event):
        if self.isSliderDown():
            self._go_to(event.position().x())

    def mouseReleaseEvent(self, event):
        self.setSliderDown(False)

    def event(self, event):
        """These keys belong to the focused timeline, before any shortcut of the window."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and event.key() in (*KEYS, *MARKS, Qt.Key.Key_Space)
            and not event.modifiers()
        ):
            event.accept()
            return True
        if event.type() == QEvent.Type.ToolTip and (text := self.text_at(event.x())):
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def keyPressEvent(self, event):
        if event.key() in MARKS:
            self.mark_requested.emit(MARKS[event.key()])
        elif event.key() == Qt.Key.Key_Space:
            self.play_requested.emit()
        else:
            super().keyPressEvent(event)

    def set_marks(self, start: float, end: float):
        """The part between the marks, as fractions of the whole."""
        self._marks = (start, end)
        self.update()

    def set_contacts(self, contacts: Sequence[tuple[float, float, str]]):
        """Mark contacts: start and end as fractions of the whole, and a text for each."""
        self.contacts = tuple(contacts)
        self.update()

    def text_at(self, x: float) -> str:
        """Text of the contact at a pixel or next to it, empty without one."""
        spans = ((self._place(start) - NEAR, self._place(end) + NEAR, text) for start, end, text in self.contacts)
        return next((text for left, right, text in spans if left <= x <= right), "")

    def set_theme(self, tokens: Tokens):
        """Colour of the marked part."""
        self._tokens = tokens
        self.update()

    def paintEvent(self, event):
        if self._tokens is not None and self._marks != (0.0, 1.0):
            painter = QPainter(self)
            left, right = map(self._place, self._marks)
            painter.fillRect(QRectF(left, 0, right - left, self.height()), QColor(self._tokens.accent_soft))
            for x in (left, right):
                painter.fillRect(QRectF(x - 1, 0, 2, self.height()), QColor(self._tokens.accent))
            painter.end()
        super().paintEvent(event)
        if self._tokens is not None and self.contacts:
            painter = QPainter(self)
            for start, end, _ in self.contacts:
                left, right = self._place(start), self._place(end)
                painter.fillRect(QRectF(left - 1, 0, max(right - left, 2), BAR), QColor(self._tokens.danger))
            painter.end()

    def _place(self, fraction: float) -> float:
        """Pixel of a fraction of the whole."""
        return MARGIN + fraction * (self.width() - 2 * MARGIN)

    def _go_to(self, x: float):
        part = (x - MARGIN) / max(1, self.width() - 2 * MARGIN)
        self.setSliderPosition(round(min(max(part, 0.0), 1.0) * self.maximum()))
