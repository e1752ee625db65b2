"""`ComputingPanel`: a panel whose content is computed in the background on request."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from armature.app.state.evented import Binder, on
from armature.app.state.jobs import JobStatus
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import Act, button, primary
from armature.app.widgets.section import page


class ComputingPanel(QWidget):
    """Button *Compare*, which calls `compute`, *Cancel*, and progress, named after `name`; `titles` are the title and tooltip of
    *Compare*, and the tooltip of *Cancel*."""

    def __init__(self, name: str, titles: tuple[str, str, str], compute: Act, cancel: Act, compute_name: str = ""):
        super().__init__()
        title, tip, stop = titles
        self.compute = primary(button(compute_name or f"{name}_compute", "Compare", title, tip, act=compute))
        self.cancel = button(f"{name}_cancel", "Cancel", "Cancel the comparison", stop, act=cancel)
        self.cancel.setEnabled(False)
        self.progress = ProgressBar(f"{name}_progress", "Progress of the comparison")

    def lay_out(self, name: str, parts: tuple[QWidget, ...], *plots: QWidget) -> None:
        """Arrange `parts` below each other at the left, where they scroll, and `plots` at the right."""
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
        for plot in plots:
            line.addWidget(plot, 1)

    def follow(self, status: JobStatus, views: Binder) -> None:
        """Show whether it computes, and how much is done."""
        self.progress.follow(status, views)
        views.bind(lambda: self.cancel.setEnabled(status.is_busy), on(status, "is_busy"))
