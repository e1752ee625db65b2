"""Menus that open where one right-clicks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from armature.app.widgets.copied_text import as_python, tabbed


@dataclass(frozen=True)
class Line:
    """One thing that can be done; `tip` says more, or why it cannot be done now."""

    name: str
    text: str
    act: Callable[[], object]
    enabled: bool = True
    tip: str = ""


Entry = Line | QAction | None
"""A line of a menu; None is a separator, an action of the window stands there with its key."""


def pop_up(parent: QWidget, title: str, at: QPoint, lines: Sequence[Entry]) -> QMenu:
    """Open a menu at a place of the screen."""
    menu = QMenu(parent)
    menu.setObjectName("context_menu")
    menu.setToolTipsVisible(True)
    if title:
        head = menu.addAction(title)
        head.setObjectName("context_title")
        head.setEnabled(False)
        menu.addSeparator()
    for line in lines:
        if isinstance(line, QAction):
            menu.addAction(line)
        elif line is None:
            menu.addSeparator()
        else:
            action = menu.addAction(line.text)
            action.setObjectName(f"context_{line.name}")
            action.setEnabled(line.enabled)
            action.setToolTip(line.tip)
            action.triggered.connect(lambda _=False, act=line.act: act())
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(at)
    return menu


def copy(text: str) -> None:
    """Put a text on the clipboard."""
    QApplication.clipboard().setText(text)


def table_lines(
    name: str, values: np.ndarray, rows: Sequence[str] = (), columns: Sequence[str] = (), cell: tuple[str, float] | None = None
) -> list[Line]:
    """Ways to copy a table of numbers, called `name` in Python; `cell` is the one under the cursor, as shown and in full."""
    one = [] if cell is None else [Line("copy_number", f"Copy {cell[0]}", lambda: copy(repr(float(cell[1]))))]
    sheet, numpy = "Copy for a spreadsheet, with full precision", "Copy as a NumPy array, with full precision"
    return [
        *one,
        Line(
            "copy_table",
            "Copy table",
            lambda: copy(tabbed(values, rows, columns)),
            tip=sheet,
        ),
        Line("copy_python", "Copy as NumPy array", lambda: copy(as_python(name, values)), tip=numpy),
    ]
