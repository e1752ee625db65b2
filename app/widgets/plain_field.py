"""Number fields without arrow buttons, which take what a person types as a whole or say why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QEvent, QPoint, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QStatusTipEvent, QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QDoubleSpinBox, QSpinBox, QToolTip

from armature.app.state.number_marks import MARKS, written
from armature.app.state.units import grouped, number
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.typed_number import typed_number, typed_whole

RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
RED = 4000  # ms that a field stays red after it was left with what cannot count


N = TypeVar("N", int, float)

if TYPE_CHECKING:

    class _SpinBox(QAbstractSpinBox, Generic[N]):
        """What `QSpinBox` and `QDoubleSpinBox` both have beside their base, which Qt gives no class of its own."""

        def minimum(self, /) -> N: ...
        def maximum(self, /) -> N: ...
        def value(self, /) -> N: ...
        def setValue(self, val: N, /) -> None: ...
        def prefix(self, /) -> str: ...
        def suffix(self, /) -> str: ...
        def textFromValue(self, val: N, /) -> str: ...

else:

    class _SpinBox(Generic[N]):
        pass


class Typing(_SpinBox[N]):
    """For a spin box: every character that is typed stays, and what is no number or out of range is refused in words.

    Qt would drop characters that fit no number, and so make 15 of 1e5, and 5 of 50 where 20 is the most.
    """

    def _number(self, text: str) -> N | None:
        """The number that a text is, None for what is none."""
        raise NotImplementedError

    def _set_up(self):
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # Qt's own would give the focus to a field under the wheel
        self._red = QTimer(self, singleShot=True, interval=RED)
        self._red.timeout.connect(self._forgive)
        # Qt's own would look at every number that a program writes, and refuses none; the type hints leave None out
        self.lineEdit().setValidator(None)  # type: ignore[arg-type]
        # Room beside the text, whose buttons the style sheet hides. With `NoButtons` a style sheet leaves the text one pixel of
        # width, so the buttons stay, zero wide.
        self.lineEdit().setTextMargins(6, 0, 6, 0)
        self.editingFinished.connect(lambda: self.lineEdit().setModified(False))
        self.lineEdit().textEdited.connect(lambda _: self._clear())

    def event(self, event) -> bool:
        """Undo, redo and Space are of the text while it is being typed, and of the window before and once it counts."""
        if event.type() == QEvent.Type.ShortcutOverride and not self.lineEdit().isModified() and _of_window(event):
            event.ignore()
            return False
        return super().event(event)

    def validate(self, text: str, position: int):
        """Whether it may count; what is typed on the way there is let stand."""
        value = self._number(text)
        special = bool(self.specialValueText()) and text == self.specialValueText()
        fits = special or (value is not None and self._fits(value))
        return (QValidator.State.Acceptable if fits else QValidator.State.Intermediate), text, position

    def fixup(self, text: str) -> str:
        """Nothing is guessed."""
        return text

    def _valid(self) -> tuple[N, N]:
        """The least and the largest number that may be typed."""
        return self.minimum(), self.maximum()

    def _fits(self, value: N) -> bool:
        low, high = self._valid()
        return low <= value <= high

    def valueFromText(self, text: str) -> N:
        """The number that was typed."""
        value = self._number(text)
        return self.minimum() if value is None else value

    def _bare(self, text: str) -> str:
        """What was typed without the unit, which may stand there twice: the field's own, and once more typed before it."""
        bare = text.removeprefix(self.prefix()).removesuffix(self.suffix()).strip()
        return bare.removesuffix(self.suffix().strip()).strip()

    def keyPressEvent(self, event):
        """Return and Escape go on to the window, which gives the focus back to the view; what is refused stays to be mended."""
        if event.key() in RETURN and (self._refuse() or not self.lineEdit().isModified()):
            event.setAccepted(self.property("refused") == "true")
            return  # where nothing was typed the rounded text must not become the value
        if event.key() == Qt.Key.Key_Escape:
            self._take_back()
            event.ignore()
            return
        super().keyPressEvent(event)

    def wheelEvent(self, event):
        """The wheel scrolls the panel unless a person has gone to this field before."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def focusOutEvent(self, event):
        words = self._why_not()
        self._clear()
        super().focusOutEvent(event)
        if words:
            QTimer.singleShot(0, self, lambda: self._tell(words))  # the way of the focus to its new place hides every tip
            self._red.start()

    def _forgive(self):
        if not self.lineEdit().isModified():
            self._clear()

    def _clear(self):
        """Nothing is refused any more, nor told of."""
        if self.property("refused") == "true":
            set_style_property(self, "refused", "")
            QApplication.sendEvent(self, QStatusTipEvent(""))

    def _take_back(self):
        """The text of the value that there is, instead of what was typed."""
        with QSignalBlocker(self):
            self.setValue(self.value())
        self.lineEdit().setModified(False)
        self._clear()

    def _refuse(self) -> bool:
        """Say why what was typed cannot count; False where it can."""
        words = self._why_not()
        if words:
            self._tell(words)
        return bool(words)

    def _why_not(self) -> str:
        """Why what was typed cannot count; empty where it can."""
        text = self.text()
        if not self.lineEdit().isModified() or self.validate(text, 0)[0] == QValidator.State.Acceptable:
            return ""
        stays = f"The value is still {self.textFromValue(self.value())}{self.suffix()}."
        if not self._bare(text):
            return f"The field is empty. {stays}"
        what = "is not a number" if self._number(text) is None else f"is out of range; the range is {self._range()}"
        return f"“{self._bare(text)[:30]}” {what}. {stays}"

    def _tell(self, words: str):
        set_style_property(self, "refused", "true")
        QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), words, self)
        QApplication.sendEvent(self, QStatusTipEvent(words))

    def _range(self) -> str:
        least, most = self._valid()
        low = "above 0" if least > 0 and self._usual_text(least) == self._usual_text(0 * least) else self.textFromValue(least)
        return f"{low} to {self.textFromValue(most)}{self.suffix()}"

    def _usual_text(self, value: N) -> str:
        """A value as most are shown."""
        return self.textFromValue(value)


def _of_window(event: QKeyEvent) -> bool:
    keys = QKeySequence.StandardKey
    return event.matches(keys.Undo) or event.matches(keys.Redo) or event.key() == Qt.Key.Key_Space


class PlainField(Typing[float], QDoubleSpinBox):
    """Point and comma both begin the decimals; Qt would take one of them for the thousands' mark, and 0,52 for 52."""

    def __init__(self):
        super().__init__()
        self._set_up()

    def textFromValue(self, value: float) -> str:
        """As numbers are written elsewhere on screen."""
        return number(value, self.decimals())

    def _number(self, text: str) -> float | None:
        return typed_number(self._bare(text))


class WholeField(Typing[int], QSpinBox):
    """For whole numbers."""

    def __init__(self):
        super().__init__()
        self._set_up()

    def _number(self, text: str) -> int | None:
        bare = self._bare(text)
        if MARKS.group not in ".,":  # those may as well begin decimals: 1.5 is not 15
            bare = bare.replace(MARKS.group, "")
        return typed_whole(bare, "," if MARKS.decimal == "." else ".")

    def textFromValue(self, value: int) -> str:
        """With its thousands set apart where that is chosen."""
        return grouped(value) if self.isGroupSeparatorShown() else written(str(value))
