"""Number fields without arrow buttons."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox


def make_plain(field: QAbstractSpinBox):
    """Room beside the text of a field whose buttons the style sheet hides.

    With `NoButtons` a style sheet leaves the text one pixel of width, so the buttons stay, zero wide.
    """
    field.lineEdit().setTextMargins(6, 0, 6, 0)


class PlainField(QDoubleSpinBox):
    """Point and comma both begin the decimals; Qt would take one of them for the thousands' mark, and 0,52 for 52."""

    def __init__(self):
        super().__init__()
        self.setKeyboardTracking(False)
        make_plain(self)
        self.editingFinished.connect(lambda: self.lineEdit().setModified(False))

    def event(self, event) -> bool:
        """Undo and redo are of the text while it is being typed, and of the window once it counts."""
        typing = event.type() != QEvent.Type.ShortcutOverride or self.lineEdit().isModified()
        if not typing and (event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)):
            event.ignore()
            return False
        return super().event(event)

    def validate(self, text: str, position: int):
        """Written with the locale's own mark, as far as it is a number."""
        mark = self.locale().decimalPoint()
        return super().validate(text.replace(",", mark).replace(".", mark), position)
