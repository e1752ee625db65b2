"""Singular values as bars, the largest full width."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from armature.app.state.units import measured
from armature.app.style.colour_tokens import Tokens, level_colour
from armature.app.style.theme import fixed_font
from armature.engine.thresholds import CONDITION_STOP, CONDITION_WARN, Level


class SigmaBars(QWidget):
    """One bar per singular value, coloured by how small it is beside the largest."""

    def __init__(self):
        super().__init__()
        self._sigma, self._thresholds, self._tokens = np.zeros(0), (CONDITION_WARN, CONDITION_STOP), None
        self._font, self._rows = fixed_font(0.92), 0
        # what they were made for, the empty bars and their picture
        self._painted: tuple[tuple, list[QRectF], QPixmap] | None = None
        self.setAccessibleName("Singular values")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def expect(self, count: int):
        """Room for as many values, which are not known yet."""
        self._sigma, self._rows = np.zeros(0), count
        self.updateGeometry()
        self.update()

    def show_values(self, sigma: np.ndarray, warn: float, stop: float):
        """New singular values, largest first, and the condition numbers that colour them."""
        resized = len(sigma) != self._rows
        self._sigma, self._rows, self._thresholds = np.asarray(sigma), len(sigma), (warn, stop)
        self.setAccessibleDescription(", ".join(measured(float(s)) for s in sigma))
        if resized:
            self.updateGeometry()
        self.update()

    def set_theme(self, tokens):
        """Colours of the bars."""
        self._tokens, self._font = tokens, fixed_font(0.92)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """High enough for all bars."""
        return QSize(220, max(1, self._rows) * self._row())

    minimumSizeHint = sizeHint

    def _row(self) -> int:
        return self.fontMetrics().height() + 5

    def _level(self, sigma: float) -> Level:
        ratio = self._sigma[0] / sigma if sigma > 0 else np.inf
        return Level(int(ratio >= self._thresholds[0]) + int(ratio >= self._thresholds[1]))

    def paintEvent(self, event):
        if self._tokens is None or not len(self._sigma):
            return
        painter, largest = QPainter(self), max(float(self._sigma[0]), 1e-300)
        bars, ground = self._ground(self._tokens)
        painter.drawPixmap(0, 0, ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        for bar, sigma in zip(bars, self._sigma.tolist()):
            level = self._level(sigma)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._tokens.accent if level is Level.FINE else level_colour(self._tokens, level)))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), max(3.0, bar.width() * sigma / largest), bar.height()), 4, 4)
            painter.setPen(QColor(self._tokens.text))
            number = QRectF(bar.right(), bar.center().y() - self._row() / 2, self.width() - bar.right(), self._row())
            painter.drawText(number, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, measured(sigma))
        painter.end()

    def _ground(self, tokens: Tokens) -> tuple[list[QRectF], QPixmap]:
        """The empty bars, and their picture with their names, painted once: the values change ten times a second."""
        many, row, scale = len(self._sigma), self._row(), self.devicePixelRatioF()
        made_for = self.size(), scale, many, row, self._font, tokens
        if self._painted is None or self._painted[0] != made_for:
            metrics = QFontMetrics(self._font)
            left, right = metrics.horizontalAdvance("σ8") + 8, metrics.horizontalAdvance("8.888e-88") + 8
            bars = [QRectF(left, k * row + row / 2 - 4, self.width() - left - right, 8) for k in range(many)]
            ground = QPixmap(self.size() * scale)
            ground.setDevicePixelRatio(scale)
            ground.fill(Qt.GlobalColor.transparent)
            painter = QPainter(ground)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._font)
            for k, bar in enumerate(bars):
                painter.setPen(QColor(tokens.muted))
                painter.drawText(QRectF(0, k * row, left, row), Qt.AlignmentFlag.AlignVCenter, f"σ{chr(0x2081 + k)}")
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(tokens.raised))
                painter.drawRoundedRect(bar, 4, 4)
            painter.end()
            self._painted = made_for, bars, ground
        return self._painted[1:]
