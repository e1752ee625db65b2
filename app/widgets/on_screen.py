"""Whether a widget can be seen."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget


def on_screen(widget: QWidget) -> bool:
    """True unless hidden, minimised, or in a dock behind another tab: Qt calls that visible and puts it outside its window."""
    window = widget.window()
    if not widget.isVisible() or window.isMinimized():
        return False
    return window.rect().intersects(QRect(widget.mapTo(window, QPoint()), widget.size()))
