"""Number fields without arrow buttons."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractSpinBox


def make_plain(field: QAbstractSpinBox):
    """Room beside the text of a field whose buttons the style sheet hides.

    With `NoButtons` a style sheet leaves the text one pixel of width, so the buttons stay, zero wide.
    """
    field.lineEdit().setTextMargins(6, 0, 6, 0)
