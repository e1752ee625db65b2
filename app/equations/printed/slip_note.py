"""Below a tab: what the lecture texts print wrong about what it shows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from armature.app.equations.printed.slips import Motion, Slip, slips_of
from armature.app.widgets.controls import named
from armature.app.widgets.section import Section
from armature.engine import Robot

TITLE = "Printed wrong in the lecture text"


class SlipNote(QWidget):
    """Hidden where there is nothing to tell."""

    def __init__(self):
        super().__init__()
        self._slips: Sequence[Slip] = ()
        self._shown: Sequence[Slip] = ()
        self._label = named(QLabel(), "equations_slips", TITLE)
        self._label.setWordWrap(True)
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
            self._label.setText("<br><br>".join(_text(slip, now) for slip in self._shown))


def _text(slip: Slip, now: Motion) -> str:
    printed, right = slip.numbers(now)
    return f"{slip.where}<br>printed: {slip.printed}; now <s>{printed}</s><br>right: {slip.right}; now <b>{right}</b>"
