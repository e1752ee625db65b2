"""When the style sheet looks at a widget: where a property changes that it asks for, or before the widget is shown."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def set_style_property(widget: QWidget, name: str, value: str):
    """Set a property and have the style sheet look again, only when it is another."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    restyle(widget)


def restyle(widget: QWidget):
    """Have the style sheet look again."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def polish(widget: QWidget):
    """Have the style sheet look at a widget with all that is in it before it is shown."""
    for part in (widget, *widget.findChildren(QWidget)):
        part.ensurePolished()
