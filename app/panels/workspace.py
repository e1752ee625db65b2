"""The workspace dock: what to sample, how far it is, and what the colours mean."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QLinearGradient, QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from app.colormap import lookup
from app.units import significant
from app.widgets.plain_field import make_plain
from app.widgets.section import note, page


class ColourLegend(QWidget):
    """A bar from the smallest to the largest value."""

    def __init__(self):
        super().__init__()
        self._low, self._high, self._title, self._tokens = 0.0, 1.0, "", None
        self.setObjectName("workspace_legend")
        self.setAccessibleName("Colour legend")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_range(self, title: str, low: float, high: float):
        """What the colours mean, from `low` to `high`."""
        self._title, self._low, self._high = title, low, high
        self.setAccessibleDescription(f"{title} from {significant(low)} to {significant(high)}")
        self.update()

    def set_theme(self, tokens):
        """Colour of the text."""
        self._tokens = tokens
        self.update()

    def sizeHint(self) -> QSize:
        """Two lines of text and the bar."""
        return QSize(200, 2 * self.fontMetrics().height() + 26)

    minimumSizeHint = sizeHint

    def paintEvent(self, event):
        if self._tokens is None:
            return
        painter, height = QPainter(self), self.fontMetrics().height()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self._tokens.text))
        painter.drawText(QRectF(0, 0, self.width(), height), Qt.AlignmentFlag.AlignLeft, self._title)
        bar = QRectF(0, height + 6, self.width(), 12)
        gradient = QLinearGradient(QPointF(bar.left(), 0), QPointF(bar.right(), 0))
        stops = [k / 16 for k in range(17)]
        for stop, rgba in zip(stops, lookup(np.array(stops))):
            gradient.setColorAt(stop, QColor.fromRgbF(*map(float, rgba[:3])))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        painter.drawRoundedRect(bar, 4, 4)
        painter.setPen(QColor(self._tokens.muted))
        ends = QRectF(0, bar.bottom() + 4, self.width(), height)
        painter.drawText(ends, Qt.AlignmentFlag.AlignLeft, significant(self._low, 3))
        painter.drawText(ends, Qt.AlignmentFlag.AlignRight, significant(self._high, 3))
        painter.end()


class WorkspacePanel(QWidget):
    """Tells `compute_asked(samples, quantity, seed)`, `cancel_asked()` and `clear_asked()`."""

    compute_asked = Signal(int, str, int)
    cancel_asked = Signal()
    clear_asked = Signal()

    def __init__(self, quantities: dict[str, str]):
        super().__init__()
        self._quantities = quantities
        content = page(self, "Workspace")
        content.addWidget(note("Every point is where the tool gets to from one random pose within the joint limits."))
        content.addWidget(self._form())
        content.addWidget(self._buttons())
        self.progress = QProgressBar()
        self.progress.setObjectName("workspace_progress")
        self.progress.setAccessibleName("Progress of the workspace")
        self.progress.setTextVisible(False)
        self.progress.hide()
        content.addWidget(self.progress)
        self._legend = ColourLegend()
        self._legend.hide()
        content.addWidget(self._legend)
        self.result = note()
        self.result.setObjectName("workspace_result")
        content.addWidget(self.result)
        content.addStretch(1)

    def _form(self) -> QWidget:
        widget = QWidget()
        form = QFormLayout(widget)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.samples = self._spin("workspace_samples", "Samples", 1_000, 2_000_000, 100_000)
        self.samples.setSingleStep(10_000)
        self.samples.setGroupSeparatorShown(True)
        self.seed = self._spin("workspace_seed", "Seed", 0, 2**31 - 1, 0)
        self.seed.setToolTip("The same seed gives the same points")
        self.quantity = QComboBox()
        self.quantity.setObjectName("workspace_quantity")
        self.quantity.setAccessibleName("Coloured by")
        for name, title in self._quantities.items():
            self.quantity.addItem(title, name)
        for title, field in (("Samples", self.samples), ("Coloured by", self.quantity), ("Seed", self.seed)):
            form.addRow(title, field)
        return widget

    def _spin(self, name: str, title: str, low: int, high: int, value: int) -> QSpinBox:
        field = QSpinBox()
        field.setObjectName(name)
        field.setAccessibleName(title)
        field.setRange(low, high)
        field.setValue(value)
        make_plain(field)
        return field

    def _buttons(self) -> QWidget:
        widget = QWidget()
        line = QHBoxLayout(widget)
        line.setContentsMargins(0, 0, 0, 0)
        self.compute = self._button("Compute", "workspace_compute", self._ask)
        self.compute.setProperty("role", "primary")
        self.cancel = self._button("Cancel", "workspace_cancel", self.cancel_asked.emit)
        self.clear = self._button("Clear", "workspace_clear", self.clear_asked.emit)
        self.cancel.setEnabled(False)
        self.clear.setEnabled(False)
        for button in (self.compute, self.cancel, self.clear):
            line.addWidget(button)
        line.addStretch(1)
        return widget

    def _button(self, title: str, name: str, slot) -> QPushButton:
        button = QPushButton(title)
        button.setObjectName(name)
        button.setAccessibleName(f"{title} workspace")
        button.clicked.connect(slot)
        return button

    def _ask(self):
        self.compute_asked.emit(self.samples.value(), self.quantity.currentData(), self.seed.value())

    def show_busy(self, busy: bool):
        """Whether a computation is under way."""
        self.cancel.setEnabled(busy)
        self.progress.setVisible(busy)
        if busy:
            self.progress.setRange(0, 0)
            self.result.setText("Sampling…")

    def show_progress(self, done: int, total: int):
        """How far it is."""
        self.progress.setRange(0, max(total, 1))
        self.progress.setValue(done)
        self.result.setText(f"{done:,} of {total:,} poses".replace(",", "\N{THIN SPACE}"))

    def show_result(self, workspace):
        """Legend and a line about what is drawn."""
        title = self._quantities.get(workspace.quantity, workspace.quantity)
        values = workspace.values
        if len(values):
            self._legend.show_range(title, float(values.min()), float(values.max()))
        self._legend.setVisible(len(values) > 0)
        self.clear.setEnabled(len(values) > 0)
        early = "" if workspace.complete else " Cancelled early: these are the points so far."
        self.result.setText(f"{len(values):,} points.".replace(",", "\N{THIN SPACE}") + early)

    def show_nothing(self, text: str = ""):
        """No cloud is drawn; `text` may say why."""
        self._legend.hide()
        self.clear.setEnabled(False)
        self.result.setText(text)

    def set_theme(self, tokens):
        """Colours of the legend."""
        self._legend.set_theme(tokens)
