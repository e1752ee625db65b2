"""A number field with a unit that takes any finite value and shows where limits are passed."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QSizePolicy

from app.edits import next_gesture
from app.theme import fixed_font
from app.widgets.plain_field import PlainField
from app.widgets.restyle import set_style_property

WIDEST = 1e7
STATES = ("ok", "near", "out")


class ValueField(PlainField):
    """`entered(value, gesture)` tells what a person typed or stepped, in shown units; a program uses `show_value`."""

    entered = Signal(float, int)

    def __init__(self, decimals: int, step: float, suffix: str, widest: float = WIDEST):
        super().__init__()
        self._gesture = next_gesture()
        self._exact, self._shown = None, decimals
        self.setDecimals(9)  # what a person types is kept; `textFromValue` shows fewer
        self.setRange(-widest, widest)
        self.setAccelerated(True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("state", "ok")
        self.set_format(decimals, step, suffix)
        self.valueChanged.connect(self._on_value)

    def textFromValue(self, value: float) -> str:
        """Fixed decimals, no negative zero."""
        text = self.locale().toString(value, "f", self._shown)
        return text if text.strip("-0.,") else text.lstrip("-")

    def set_format(self, decimals: int, step: float, suffix: str):
        """Show this many decimals and this unit; arrows change the value by `step`."""
        self._shown = decimals
        with QSignalBlocker(self):
            self.setSingleStep(step)
            self.setSuffix(suffix)
        self.refit()

    def refit(self):
        """As wide as the widest usual number in the present font."""
        self.setFont(fixed_font())
        self.lineEdit().setFont(fixed_font())  # a style sheet keeps it from taking its parent's
        widest = f"-{'8' * (2 if self._shown < 3 else 0)}8.{'8' * self._shown}{self.suffix()}"
        self.setFixedWidth(self.fontMetrics().horizontalAdvance(widest) + 20)

    def show_value(self, value: float, state: str = "ok"):
        """Follow the document without telling it; a number being typed is left alone."""
        set_style_property(self, "state", state)
        if self.hasFocus() and self.lineEdit().isModified():
            return
        if value != self._exact:
            self._exact = value
            with QSignalBlocker(self):
                self.setValue(value)

    def _on_value(self, value: float):
        self._exact = None
        self.lineEdit().setModified(False)
        self.entered.emit(value, self._gesture)

    def keyPressEvent(self, event):
        if not event.isAutoRepeat():
            self._gesture = next_gesture()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.lineEdit().isModified():
            return  # nothing was typed: the rounded text must not become the value
        if event.key() == Qt.Key.Key_Escape:
            self._exact = None
            self.lineEdit().setModified(False)
            event.ignore()  # the window gives the focus back to the view
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event):
        self._gesture = next_gesture()
        super().mousePressEvent(event)

    def wheelEvent(self, event):
        if not self.hasFocus():
            event.ignore()
            return
        self._gesture = next_gesture()
        super().wheelEvent(event)
