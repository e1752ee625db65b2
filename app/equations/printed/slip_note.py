"""Below a tab: what the lecture texts print wrong about what it shows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from armature.app.equations.printed.slips import Motion, Slip, slips_of
from armature.app.widgets.controls import named
from armature.app.widgets.section import Section
from armature.engine import Robot

TITLE = "Erratum in the lecture text"


class Told(QLabel):
    """As high as its text needs at its width, whatever else wants room: layouts that ask for it give such labels less."""

    def __init__(self):
        super().__init__()
        self.setWordWrap(True)

    def tell(self, text: str) -> None:
        """Another text, or other numbers in it."""
        if text != self.text():
            self.setText(text)
            self._fit()

    def hasHeightForWidth(self) -> bool:
        """Told by `_fit` instead."""
        return False

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(max(0, self.heightForWidth(self.width())))


class SlipNote(QWidget):
    """Hidden where there is nothing to tell."""

    def __init__(self):
        super().__init__()
        self._slips: Sequence[Slip] = ()
        self._shown: Sequence[Slip] = ()
        self._label = named(Told(), "equations_slips", TITLE)
        section = Section(TITLE)
        section.add(self._label)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 2, 12, 2)
        column.addWidget(section)
        self.hide()

    def set_robot(self, robot: Robot) -> None:
        """Another arm."""
        self._slips = slips_of(robot)

    def show_tab(self, title: str) -> None:
        """What concerns the tab of that title."""
        self._shown = [slip for slip in self._slips if title in slip.tabs]
        self.setVisible(bool(self._shown))

    def follow(self, now: Motion) -> None:
        """Both numbers in this motion."""
        if self._shown:
            self._label.tell("<br>".join(_text(slip, now) for slip in self._shown))


def _text(slip: Slip, now: Motion) -> str:
    printed, right = slip.numbers(now)
    then = f"; {slip.of}now <s>{printed}</s>" if printed else ""
    letters = f" ({slip.letters})" if slip.letters else ""
    return f"{slip.where}{letters}<br>printed: {slip.printed}{then}<br>correct: {slip.right}; {slip.of}now <b>{right}</b>"
