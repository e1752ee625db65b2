"""The part of the workspace dock that shows singular surfaces: a switch, how far it is, and what the colours mean."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from armature.app.style.icons import pixmap
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import button, check, row
from armature.app.widgets.section import note
from armature.app.widgets.steady import keeps_room

KINDS = {
    "bounds": "singular, bounds the reach",
    "inside": "singular, inside the reach",
    "limit": "joint limit, bounds the reach",
    "limit_inside": "joint limit, inside the reach",
}


class SurfacesSection(QWidget):
    """`check` switches, `cancel` gives up."""

    def __init__(self, colours: dict[str, str]):
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        tip = "Positions where the arm is singular or at a joint limit; cut together with the workspace"
        self.check = check("workspace_surfaces", "Singular surfaces", tip)
        self.cancel = keeps_room(button("workspace_surfaces_cancel", "Cancel", "Cancel computing the singular surfaces"))
        self.cancel.hide()
        column.addWidget(row(self.check, self.cancel, stretch=self.check))
        self.progress = ProgressBar("workspace_surfaces_progress", "Progress of the singular surfaces")
        column.addWidget(self.progress)
        self.legend = QWidget()
        self.legend.setObjectName("workspace_surfaces_legend")
        grid = QGridLayout(self.legend)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        for line, (kind, text) in enumerate(KINDS.items()):
            swatch = QLabel()
            swatch.setPixmap(pixmap("swatch", colours[kind], 14))
            grid.addWidget(swatch, line, 0)
            grid.addWidget(QLabel(text), line, 1)
        grid.setColumnStretch(1, 1)
        column.addWidget(self.legend)
        self.remark = note()
        self.remark.setObjectName("workspace_surfaces_note")
        column.addWidget(self.remark)
        self.show_nothing()

    def show_busy(self, busy: bool):
        """Whether they are computed."""
        self.cancel.setVisible(busy)
        self.progress.show_busy(busy)

    def show_progress(self, done: int, total: int):
        """How far it is."""
        self.progress.show_done(done, total)

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
