"""The part of the workspace dock that shows singular surfaces: a switch, how far it is, and what the colours mean."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.icons import pixmap
from app.widgets.section import note

KINDS = {"bounds": "singular, bounds the reach", "inside": "singular, inside the reach", "limit": "a joint on its limit"}


class SurfacesSection(QWidget):
    """`check` switches, `cancel` gives up."""

    def __init__(self, colours: dict[str, str]):
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.check = QCheckBox("Singular surfaces")
        self.check.setObjectName("workspace_surfaces")
        self.check.setToolTip("Where the arm is singular or stands on a joint limit; cut open together with the workspace")
        self.cancel = QPushButton("Cancel")
        self.cancel.setObjectName("workspace_surfaces_cancel")
        self.cancel.setAccessibleName("Cancel singular surfaces")
        self.cancel.hide()
        line = QHBoxLayout()
        line.addWidget(self.check, 1)
        line.addWidget(self.cancel)
        column.addLayout(line)
        self.progress = QProgressBar()
        self.progress.setObjectName("workspace_surfaces_progress")
        self.progress.setAccessibleName("Progress of the singular surfaces")
        self.progress.setTextVisible(False)
        self.progress.hide()
        column.addWidget(self.progress)
        self.legend = QWidget()
        self.legend.setObjectName("workspace_surfaces_legend")
        grid = QGridLayout(self.legend)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        for row, (kind, text) in enumerate(KINDS.items()):
            swatch = QLabel()
            swatch.setPixmap(pixmap("swatch", colours[kind], 14))
            grid.addWidget(swatch, row, 0)
            grid.addWidget(QLabel(text), row, 1)
        grid.setColumnStretch(1, 1)
        column.addWidget(self.legend)
        self.remark = note()
        self.remark.setObjectName("workspace_surfaces_note")
        column.addWidget(self.remark)
        self.show_nothing()

    def show_busy(self, busy: bool):
        """Whether they are computed."""
        self.cancel.setVisible(busy)
        self.progress.setVisible(busy)
        self.progress.setRange(0, 0)

    def show_progress(self, done: int, total: int):
        """How far it is."""
        self.progress.setRange(0, total)
        self.progress.setValue(done)

    def show_found(self, text: str):
        """What is drawn."""
        self.legend.show()
        self.remark.setText(text)
        self.remark.show()

    def show_nothing(self, why: str = ""):
        """No surfaces; `why` may say the reason."""
        self.legend.hide()
        self.remark.setText(why)
        self.remark.setVisible(bool(why))
