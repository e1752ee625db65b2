"""Whether the wheel would scroll the page that a widget is on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QWidget


def in_scrolling_page(widget: QWidget) -> bool:
    """True where an area around it can be scrolled upright by the user."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QAbstractScrollArea):
            shown = around.verticalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            if shown and around.verticalScrollBar().maximum() > around.verticalScrollBar().minimum():
                return True
        around = around.parentWidget()
    return False
