"""`EquationTab`: one page of the Equations dock."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from armature.app.state.slices import Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.section import page

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot


class EquationTab(QWidget):
    """Made of the workbench, its parts in steps; listed in `tabs.py`. `title` stands on its tab."""

    title: ClassVar[str]

    def __init__(self, bench: Workbench):
        super().__init__()
        self.bench = bench
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)

    def making(self) -> Steps:
        """Make its parts, each where it is to stand: whatever is moved under a style sheet takes as long as it is large."""
        raise NotImplementedError

    def connect_bench(self) -> None:
        """Wire it to the workbench, once all features stand."""

    def set_robot(self, robot: Robot) -> None:
        """Another robot is open."""

    def follow(self) -> None:
        """Show the present state; called by the clock while the tab is seen and the engine is ready."""

    def leave(self) -> None:
        """It is no longer seen: take back what it lights up or draws in the view."""

    def set_theme(self, tokens: Tokens) -> None:
        """Other colours, or another size of text."""

    def shut_down(self) -> None:
        """End its threads."""


def above_formula(column: QVBoxLayout, name: str, formula: QWidget) -> QVBoxLayout:
    """Fill a column with a page that scrolls and, below it, a formula; returns the layout of what scrolls."""
    above = QWidget()
    content = page(above, name)
    column.addWidget(divided(above, formula, 320))
    return content


def divided(above: QWidget, formula: QWidget, height: int) -> QSplitter:
    """What is above a formula, which is about that many px high at first; what lies between is dragged."""
    split = QSplitter(Qt.Orientation.Vertical)
    split.setChildrenCollapsible(False)
    split.addWidget(above)
    split.addWidget(formula)
    split.setSizes([600, height])
    return split
