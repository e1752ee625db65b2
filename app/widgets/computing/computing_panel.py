"""`ComputingPanel`: a panel whose content is computed in the background when a person wants it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import button
from armature.app.widgets.section import page


class ComputingPanel(QWidget):
    """Tells `compute_requested()` and `cancel_requested()`.

    `compute` is the name of its button *Compare*, which `title` and `tip` explain; `name` begins those of the other controls, and
    `stop` says what *Cancel* does.
    """

    compute_requested = Signal()
    cancel_requested = Signal()

    def __init__(self, name: str, compute: str, title: str, tip: str, stop: str):
        super().__init__()
        self.compute = button(compute, "Compare", title, tip)
        self.compute.setProperty("role", "primary")
        self.compute.clicked.connect(self.compute_requested)
        self.cancel = button(f"{name}_cancel", "Cancel", "Cancel the comparison", stop)
        self.cancel.clicked.connect(self.cancel_requested)
        self.cancel.setEnabled(False)
        self.progress = ProgressBar(f"{name}_progress", "Progress of the comparison")

    def lay_out(self, name: str, parts: Iterable[QWidget]) -> QHBoxLayout:
        """These parts below each other at the left, where they scroll; returns the row for what is beside them."""
        side = QWidget()
        content = page(side, name)
        for part in parts:
            content.addWidget(part)
        content.addStretch(1)
        side.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 12, 8)
        line.setSpacing(8)
        line.addWidget(side)
        return line

    def show_busy(self, busy: bool) -> None:
        """Whether it computes."""
        self.cancel.setEnabled(busy)
        self.progress.show_busy(busy)

    def show_progress(self, done: int, total: int) -> None:
        """How much is done."""
        self.progress.show_done(done, total)
