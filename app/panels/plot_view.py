"""One live plot of several curves over time."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy

AXIS = 46  # pixels for the numbers on the left


class PlotView(pg.PlotWidget):
    """A titled plot whose curves share one time axis in seconds."""

    def __init__(self, name: str, title: str):
        super().__init__()
        self.setObjectName(f"plot_{name}")
        self.setAccessibleName(title)
        self._title, self._unit, self._curves, self._muted = title, "", [], ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(100, 80)
        self.setFrameShape(self.Shape.NoFrame)
        self.hideButtons()
        self.setMenuEnabled(False)
        self.setMouseEnabled(x=False, y=False)
        item = self.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.18)
        item.setContentsMargins(2, 2, 8, 2)
        for side in ("left", "bottom"):
            item.getAxis(side).enableAutoSIPrefix(False)
        item.getAxis("left").setWidth(AXIS)
        self._cursor = pg.InfiniteLine(angle=90)
        self._cursor.hide()
        self.addItem(self._cursor, ignoreBounds=True)

    def set_curves(self, colours: list[str]):
        """As many curves as colours."""
        for curve in self._curves:
            self.removeItem(curve)
        self._curves = [self.plot([], [], pen=pg.mkPen(colour, width=1), antialias=True) for colour in colours]

    def set_unit(self, unit: str):
        """The unit in the title."""
        self._unit = unit
        self._retitle()

    def set_theme(self, tokens):
        """Colours of paper, axes and cursor."""
        self._muted = tokens.muted
        self.setBackground(tokens.surface)
        for side in ("left", "bottom"):
            axis = self.getPlotItem().getAxis(side)
            axis.setPen(pg.mkPen(tokens.border))
            axis.setTextPen(pg.mkPen(tokens.muted))
            axis.setTickFont(self.font())
        self._cursor.setPen(pg.mkPen(tokens.accent, width=1, style=Qt.PenStyle.DashLine))
        self._retitle()

    def _retitle(self):
        if self._muted:
            full = f"{self._title}  [{self._unit}]"
            room = self.width() - AXIS - 16
            text = full if self.fontMetrics().horizontalAdvance(full) <= room else self._title
            self.setTitle(text, color=self._muted, size=f"{self.font().pointSizeF():g}pt")
            self.setToolTip(full)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if getattr(self, "_muted", ""):  # the first resize comes from the base class's own constructor
            self._retitle()

    def show_data(self, t: np.ndarray, values: np.ndarray, shown: list[bool], span: float):
        """Curves `values` `(k, curves)` over t `(k,)`; the axis spans `span` seconds up to the newest."""
        for k, curve in enumerate(self._curves):
            on = shown[k] and len(t) > 0
            curve.setVisible(on)
            if on:
                curve.setData(t, values[:, k])
        end = float(t[-1]) if len(t) else 0.0
        self.setXRange(max(0.0, end - span), max(end, span), padding=0)
        self._fit(values[:, shown] if len(t) else values[:0])

    def _fit(self, values: np.ndarray):
        """A vertical range with room above and below that never collapses on a flat curve."""
        low, high = (float(values.min()), float(values.max())) if values.size else (-1.0, 1.0)
        margin = max(0.06 * (high - low), 0.02 * max(abs(low), abs(high)), 1e-3)
        self.setYRange(low - margin, high + margin, padding=0)

    def show_cursor(self, t: float | None):
        """A line at time t; None hides it."""
        self._cursor.setVisible(t is not None)
        if t is not None:
            self._cursor.setPos(t)
