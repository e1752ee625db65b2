"""A slider that goes where it is clicked."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QSlider

from app.widgets.joint_slider import KEYS

MARGIN = 8  # pixels between the edge and the middle of the handle at either end


class Timeline(QSlider):
    """Horizontal; a press or a drag puts the handle under the pointer."""

    def __init__(self, steps: int):
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, steps)
        self.setPageStep(steps // 20)
        self.setSingleStep(max(1, steps // 200))

    def mousePressEvent(self, event):
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._go_to(event.position().x())

    def mouseMoveEvent(self, event):
        if self.isSliderDown():
            self._go_to(event.position().x())

    def mouseReleaseEvent(self, event):
        self.setSliderDown(False)

    def event(self, event):
        """Arrow keys belong to the focused timeline, before any shortcut of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and event.key() in KEYS and not event.modifiers():
            event.accept()
            return True
        return super().event(event)

    def _go_to(self, x: float):
        part = (x - MARGIN) / max(1, self.width() - 2 * MARGIN)
        self.setSliderPosition(round(min(max(part, 0.0), 1.0) * self.maximum()))
