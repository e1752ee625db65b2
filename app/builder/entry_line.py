"""`EntryLine`: a line for one place of the file; the arm follows every keystroke, and what cannot be is red with the reason."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from armature.app.widgets.controls import named
from armature.app.widgets.restyle import set_style_property

FRAME = 2 * (6 + 1 + 2)  # px, padding, border and what a line keeps free at each side of its text
RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class EntryLine(QLineEdit):
    """Tells `typing(text)` with every keystroke, `entered(text)` once it counts, `given_up()` where it is not to."""

    typing = Signal(str)
    entered = Signal(str)
    given_up = Signal()

    def __init__(self, name: str, title: str, tip: str = ""):
        super().__init__()
        named(self, name, title, tip)
        self._tip, self._stands, self._edits = self.toolTip(), "", ""
        self._letters = 0
        self.setMinimumWidth(60)
        self.textEdited.connect(self.typing)

    def set_letters(self, count: int) -> None:
        """Be as wide as so many letters, in any size of text."""
        self._letters = count
        self.setFixedWidth(self.fontMetrics().horizontalAdvance(count * "0") + FRAME)

    def changeEvent(self, event):
        super().changeEvent(event)
        if self._letters and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.set_letters(self._letters)

    def show_value(self, shown: str, edited: str) -> None:
        """What stands in the file, as it is read and as it is edited; what is being typed is left alone."""
        self._stands, self._edits = shown, edited
        if not (self.hasFocus() and self.isModified()):
            self._rest()

    def show_refusal(self, why: str) -> None:
        """Why what was typed cannot be; nothing where it can."""
        set_style_property(self, "refused", "true" if why else "")
        self.setToolTip(why or self._tip)

    def _rest(self) -> None:
        self.setText(self._edits if self.hasFocus() else self._stands)
        self.setCursorPosition(0)
        self.setModified(False)
        self.show_refusal("")

    def _enter(self) -> None:
        if self.isModified():
            text = self.text()
            self.setModified(False)
            if text == self._edits:
                self.given_up.emit()
            else:
                self.entered.emit(text)

    def event(self, event) -> bool:
        """Undo and redo are of the text while it is being typed, and of the window before and once it counts."""
        if event.type() == QEvent.Type.ShortcutOverride and not self.isModified():
            keys = QKeySequence.StandardKey
            if event.matches(keys.Undo) or event.matches(keys.Redo):
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event):
        if event.key() in RETURN:
            self._enter()
            event.accept()
        elif event.key() == Qt.Key.Key_Escape and (self.isModified() or self.property("refused") == "true"):
            self._rest()
            self.given_up.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event):
        if self.property("refused") != "true":
            self.setText(self._edits)
        super().focusInEvent(event)
        self.selectAll()

    def focusOutEvent(self, event):
        super().focusOutEvent(event)
        self._enter()
        if self.property("refused") != "true":
            self._rest()


class EntryText(QPlainTextEdit):
    """The same for sentences, one per line; they count once the text is left."""

    typing = Signal(str)
    entered = Signal(str)
    given_up = Signal()

    def __init__(self, name: str, title: str, tip: str = ""):
        super().__init__()
        named(self, name, title, tip)
        self.setTabChangesFocus(True)
        self.setMinimumSize(160, 3 * self.fontMetrics().height())
        self.setMaximumHeight(5 * self.fontMetrics().height())
        self._tip, self._stands = self.toolTip(), ""

    def show_value(self, shown: str, edited: str) -> None:
        """What stands in the file; what is being typed is left alone."""
        self._stands = edited
        if not self.hasFocus() and self.toPlainText() != edited:
            self.setPlainText(edited)

    def show_refusal(self, why: str) -> None:
        """Why what was typed cannot be; nothing where it can."""
        set_style_property(self, "refused", "true" if why else "")
        self.setToolTip(why or self._tip)

    def keyPressEvent(self, event):
        if event.key() == Qt.Key.Key_Escape:
            self.setPlainText(self._stands)
            self.show_refusal("")
            self.given_up.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event):
        super().focusOutEvent(event)
        if self.toPlainText() != self._stands:
            self.entered.emit(self.toPlainText())
