"""A page of a low and wide dock, which scrolls both ways where it has little room."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.widgets.section import Page


class WidePage(Page):
    """Asks for little, so that a small window keeps its view."""

    def minimumSizeHint(self) -> QSize:
        """A few words wide, a few lines high."""
        return QSize(20 * self.fontMetrics().height(), 6 * self.fontMetrics().height())


def wide_page(panel: QWidget, name: str) -> QVBoxLayout:
    """Make `panel` such a page; returns the layout of what scrolls."""
    inside = QWidget()
    inside.setProperty("role", "page")
    content = QVBoxLayout(inside)
    content.setContentsMargins(12, 6, 12, 6)
    content.setSpacing(6)
    area = WidePage()
    area.setWidgetResizable(True)
    area.setAccessibleName(name)
    area.setWidget(inside)
    area.viewport().setAutoFillBackground(False)
    outer = QVBoxLayout(panel)
    outer.setContentsMargins(0, 0, 0, 0)
    outer.addWidget(area)
    return content
