"""Singular values as bars, the largest full width."""

from __future__ import annotations

from math import inf

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from armature.app.kinematics.bars_look import BarsLook
from armature.app.state.units import measured
from armature.app.style.theme import fixed_font
from armature.engine.thresholds import CONDITION_STOP, CONDITION_WARN, Level


class SigmaBars(QWidget):
    """One bar per singular value, coloured by how small it is beside the largest."""

    def __init__(self):
        super().__init__()
        self._sigma: list[float] = []
        self._thresholds, self._tokens = (CONDITION_WARN, CONDITION_STOP), None
        self._font, self._rows = fixed_font(0.92), 0
        self._look: BarsLook | None = None
        self.setAccessibleName("Singular values")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def expect(self, count: int):
        """Room for as many values, which are not known yet."""
        self._sigma, self._rows = [], count
        self.updateGeometry()
        self.update()

    def show_values(self, sigma: np.ndarray, warn: float, stop: float):
        """New singular values, largest first, and the condition numbers that colour them."""
        resized = len(sigma) != self._rows
        self._sigma, self._rows, self._thresholds = sigma.tolist(), len(sigma), (warn, stop)
        self.setAccessibleDescription(", ".join(map(measured, self._sigma)))
        if resized:
            self.updateGeometry()
        self.update()

    def set_theme(self, tokens):
        """Colours of the bars."""
        self._tokens, self._font, self._look = tokens, fixed_font(0.92), None
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """High enough for all bars."""
        return QSize(220, max(1, self._rows) * self._row())

    minimumSizeHint = sizeHint

    def _row(self) -> int:
        return self.fontMetrics().height() + 5

    def _level(self, sigma: float) -> Level:
        ratio = self._sigma[0] / sigma if sigma > 0 else inf
        return Level(int(ratio >= self._thresholds[0]) + int(ratio >= self._thresholds[1]))

    def changeEvent(self, event):
        self._look = None
        super().changeEvent(event)

    def paintEvent(self, event):
        if self._tokens is None or not self._sigma:
            return
        look, largest = self._look, max(self._sigma[0], 1e-300)
        made_for = self.width(), self.devicePixelRatioF(), len(self._sigma)
        if look is None or look.made_for != made_for:
            look = self._look = BarsLook(*made_for, self._row(), self._font, self._tokens)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, look.ground)
        for k, sigma in enumerate(self._sigma):
            look.paint_bar(painter, k, sigma / largest, self._level(sigma))
        painter.setFont(self._font)
        painter.setPen(look.ink)
        for k, sigma in enumerate(self._sigma):
            look.paint_number(painter, k, measured(sigma))
        painter.end()
