"""What every joint's motor torque is made of: one stacked bar per joint."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QKeySequence, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

from armature.app.state.units import UNKNOWN, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.copied_text import tabbed
from armature.app.widgets.pop_up import pop_up, table_lines
from armature.engine.rounding import cleared

TERMS = {
    "inertia": "M q̈",
    "coriolis": "C q̇",
    "gravity": "g",
    "friction": "friction",
    "external": "external",
    "payload": "payload",
    "stop": "stop",
}
"""Name of a term and how it is written, in the order of their stacking."""
SWATCHES = (0, 1, 2, 3, 4, 5, 7)  # of the theme's series: no two alike for colour-blind eyes
DECAY = 0.995  # of the peak that sets a bar's scale, per reading: half of it is forgotten after 9 s
LEAST = 0.02  # of the slider's range: what a whole bar stands for at least
UNSEEN = 5e-4  # of what a whole bar stands for


class TorqueBars(QWidget):
    """Terms that push forward stack up to the right of zero, the others to the left; a mark shows the motor, ticks its limit.

    Every bar has a scale of its own, told on hover, which follows the largest torque of late. Ctrl+C copies all numbers.
    """

    def __init__(self):
        super().__init__()
        self.names: tuple[str, ...] = ()
        self.values = np.zeros((0, len(TERMS)))
        self.motor = self.limits = self.scales = np.zeros(0)
        self._units: tuple[str, ...] = ()
        self._least, self._peaks = np.zeros(0), np.zeros(0)
        self._tokens: Tokens | None = None
        self._small = fixed_font(0.88)
        self._legend: list[tuple[QRectF, str, int]] = []
        self.setAccessibleName("Motor torques and their terms")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_joints(self, names: tuple[str, ...], prismatic: np.ndarray, limits: np.ndarray, ranges: np.ndarray):
        """Other joints; `limits` and the sliders' `ranges` `(n,)` in N·m or N."""
        self.names, self.limits = tuple(names), np.array(limits)
        self._units = tuple("N" if slides else "N·m" for slides in prismatic)
        self._least = LEAST * np.array(ranges)
        self._peaks, self.scales = self._least.copy(), self._least.copy()
        self.values, self.motor = np.zeros((len(names), len(TERMS))), np.zeros(len(names))
        self._fit()
        self.update()

    def show_terms(self, terms: Mapping[str, np.ndarray], motor: np.ndarray):
        """New torques: the terms by name and the motors', each `(n,)`."""
        values = np.column_stack([terms[name] for name in TERMS])
        largest = float(np.abs(values).max(initial=0.0))  # terms of one joint come from loads that other joints bear, too
        self.values, self.motor = cleared(values, largest), cleared(motor, largest)
        forward, backward = np.maximum(self.values, 0).sum(axis=1), np.maximum(-self.values, 0).sum(axis=1)
        extent = np.maximum(np.maximum(forward, backward), np.abs(self.motor))
        self._peaks = np.maximum(np.maximum(extent, self._least), DECAY * self._peaks)
        power = 10.0 ** np.floor(np.log10(self._peaks))
        self.scales = power * np.select([self._peaks <= step * power for step in (1, 2, 5)], [1, 2, 5], 10)
        self.setAccessibleDescription(", ".join(f"{name} {self._short(joint)}" for joint, name in enumerate(self.names)))
        if QToolTip.isVisible() and self.underMouse():
            self._tell(self.mapFromGlobal(self.cursor().pos()))
        self.update()

    def show_unknown(self):
        """No torques are known; the scales stay."""
        self.values, self.motor = np.full_like(self.values, np.nan), np.full_like(self.motor, np.nan)
        self.setAccessibleDescription("unknown")
        self.update()

    def _short(self, joint: int) -> str:
        """The motor's torque; 0 for what is far too small to be seen in the bar."""
        value = float(self.motor[joint])
        if isnan(value):
            return UNKNOWN
        return f"{significant(value if abs(value) > UNSEEN * self.scales[joint] else 0.0, 3)} {self._units[joint]}"

    def text(self, joint: int) -> str:
        """All numbers of one joint."""
        unit = self._units[joint]
        written = zip(TERMS.values(), self.values[joint].tolist(), strict=True)
        lines = [f"{title} = {significant(value)} {unit}" for title, value in written]
        limit = f", limit {significant(self.limits[joint])} {unit}" if np.isfinite(self.limits[joint]) else ""
        total = f"sum = {significant(float(self.values[joint].sum()), scale=float(np.abs(self.values).max()))} {unit}"
        motor = f"motor = {significant(float(self.motor[joint]))} {unit}{limit}"
        return "\n".join([self.names[joint], *lines, total, motor, f"full bar: ±{significant(float(self.scales[joint]))} {unit}"])

    def joint_at(self, y: float) -> int:
        """The joint whose row is at that height, -1 for none."""
        row = int((y - self._top()) // self._row())
        return row if y >= self._top() and row < len(self.names) else -1

    def set_theme(self, tokens: Tokens):
        """Colours, and the present size of text."""
        self._tokens, self._small = tokens, fixed_font(0.88)
        self._fit()
        self.update()

    # -- sizes -----------------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """Room for names, a bar and numbers."""
        return QSize(260, self.height())

    minimumSizeHint = sizeHint

    def resizeEvent(self, event):
        self._fit()
        super().resizeEvent(event)

    def _row(self) -> int:
        return self.fontMetrics().height() + 9

    def _top(self) -> float:
        return self._legend[-1][0].bottom() + 5 if self._legend else 0.0

    def _fit(self):
        """Places of the legend's entries, which wrap, and the height of all."""
        metrics, x, y = self.fontMetrics(), 0.0, 0.0
        self._legend = []
        for k, title in enumerate((*TERMS.values(), "motor")):
            needed = 14 + metrics.horizontalAdvance(title) + 10
            if x and x + needed > self.width():
                x, y = 0.0, y + metrics.height() + 3
            self._legend.append((QRectF(x, y, needed, metrics.height() + 2), title, k))
            x += needed
        self.setFixedHeight(round(self._top() + max(1, len(self.names)) * self._row()) + 2)

    # -- painting --------------------------------------------------------------------------------------------------------------

    def paintEvent(self, event):
        if self._tokens is None or not len(self.names):
            return
        tokens, painter = self._tokens, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = [QColor(tokens.series[k]) for k in SWATCHES]
        for box, title, k in self._legend:
            swatch = QRectF(box.left(), box.center().y() - 5, 10, 10)
            if k < len(colours):
                painter.fillRect(swatch, colours[k])
            else:
                self._mark(painter, tokens, swatch.center().x(), swatch.top(), swatch.bottom())
            painter.setPen(QColor(tokens.muted))
            painter.drawText(box.adjusted(14, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, title)
        small = self._small
        left = max(self.fontMetrics().horizontalAdvance(name) for name in self.names) + 8
        painter.setFont(small)
        right = painter.fontMetrics().horizontalAdvance("−0.000888 N·m") + 8
        for joint in range(len(self.names)):
            row = QRectF(0, self._top() + joint * self._row(), self.width(), self._row())
            self._bar(painter, tokens, joint, row.adjusted(left, 3, -right, -3), colours)
            self._words(painter, tokens, joint, row, left, right, small)
        painter.end()

    def _bar(self, painter: QPainter, tokens: Tokens, joint: int, box: QRectF, colours: list[QColor]):
        zero, per = box.center().x(), 0.5 * box.width() / float(self.scales[joint])
        painter.fillRect(box, QColor(tokens.raised))
        ends = [zero, zero]
        bar = box.adjusted(0, 2, 0, -2)
        for colour, value in zip(colours, self.values[joint].tolist(), strict=True):
            side, length = int(value < 0), abs(value) * per
            if length > 0.3:
                start = ends[side] - length if side else ends[side]
                painter.fillRect(QRectF(start, bar.top(), max(length - 0.7, 0.3), bar.height()), colour)
                ends[side] += -length if side else length
        painter.setPen(QPen(QColor(tokens.muted), 1))
        painter.drawLine(QPointF(zero, box.top()), QPointF(zero, box.bottom()))
        limit = float(self.limits[joint]) * per
        if limit <= 0.5 * box.width():
            painter.setPen(QPen(QColor(tokens.danger), 2, Qt.PenStyle.DotLine))
            for x in (zero - limit, zero + limit):
                painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
        if not isnan(self.motor[joint]):
            self._mark(painter, tokens, zero + float(self.motor[joint]) * per, box.top(), box.bottom())

    def _mark(self, painter: QPainter, tokens: Tokens, x: float, top: float, bottom: float):
        """The motor: a line with a wedge at its upper end."""
        painter.setPen(QPen(QColor(tokens.text), 2))
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.text))
        painter.drawPolygon(QPolygonF([QPointF(x - 4, top - 1), QPointF(x + 4, top - 1), QPointF(x, top + 5)]))

    def _words(self, painter: QPainter, tokens: Tokens, joint: int, row: QRectF, left: float, right: float, small):
        painter.setFont(self.font())
        painter.setPen(QColor(tokens.text))
        painter.drawText(QRectF(0, row.top(), left, row.height()), Qt.AlignmentFlag.AlignVCenter, self.names[joint])
        ratio = abs(float(self.motor[joint])) / float(self.limits[joint])
        painter.setFont(small)
        painter.setPen(QColor(tokens.danger if ratio >= 1 else tokens.warn if ratio > 0.9 else tokens.text))
        beside = QRectF(self.width() - right, row.top(), right, row.height())
        align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(beside, align, self._short(joint))

    # -- what a person asks ----------------------------------------------------------------------------------------------------

    def event(self, event) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._tell(event.pos())
            return True
        return super().event(event)

    def _tell(self, at):
        joint = self.joint_at(at.y())
        if joint >= 0:
            QToolTip.showText(self.mapToGlobal(at), self.text(joint), self)
        else:
            QToolTip.hideText()

    def keyPressEvent(self, event):
        if event.matches(QKeySequence.StandardKey.Copy):
            QApplication.clipboard().setText(tabbed(self._table, self.names, (*TERMS, "motor")))
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event):
        """Copy the terms of all joints."""
        pop_up(self, "Torque explained", event.globalPos(), table_lines("tau", self._table, self.names, (*TERMS, "motor")))

    @property
    def _table(self) -> np.ndarray:
        """The terms and the motor's torque of every joint, side by side."""
        return np.column_stack([self.values, self.motor])
