"""When the style sheet looks at a widget: where a property changes that it asks for, or before the widget is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def set_style_property(widget: QWidget, name: str, value: str):
    """Set a property and have the style sheet look again, only when it is another; the widget keeps its own font."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().polish(widget)


def restyle(widget: QWidget):
    """Have the style sheet look again."""
    own = widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)
    widget.style().unpolish(widget)
    font = widget.font()  # without what the style sheet made of it
    widget.style().polish(widget)
    if own:
        widget.setFont(font)


def polish(widget: QWidget):
    """Have the style sheet look at a widget with all that is in it before it is shown."""
    for part in (widget, *widget.findChildren(QWidget)):
        part.ensurePolished()
