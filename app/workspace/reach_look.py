"""The part of the workspace dock that says how it is shown and where it is cut open."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QVBoxLayout, QWidget

from armature.app.widgets.controls import button, check, choice, form, named

AXES = ("whole", "across x", "across y", "across z")


class ReachLook(QWidget):
    """`changed()` tells of another style or cut, `export_requested()` that it is to be saved."""

    changed = Signal()
    export_requested = Signal()

    def __init__(self, styles: dict[str, str]):
        super().__init__()
        self.style_choice = choice("workspace_style", "Shown as", styles)
        tip = "Cut the workspace with a plane across a world axis"
        self._axis = choice("workspace_cut_axis", "Cut", {axis: axis.capitalize() for axis in AXES}, tip)
        self._place = named(QSlider(Qt.Orientation.Horizontal), "workspace_cut_place", "Position of the cut")
        self._place.setRange(0, 200)
        self._place.setValue(100)
        self._place.setEnabled(False)
        self._behind = check("workspace_cut_behind", "Clip far side", "Draw only the part in front of the cutting plane")
        tip = "Export the points as .npz or .csv, or the boundary as .ply or .stl"
        self._export = button("workspace_export", "Export…", "Export workspace", tip)
        self._export.clicked.connect(lambda _: self.export_requested.emit())
        self._axis.currentIndexChanged.connect(lambda index: self._place.setEnabled(index > 0))
        for signal in (
            self.style_choice.currentIndexChanged,
            self._axis.currentIndexChanged,
            self._place.valueChanged,
            self._behind.toggled,
        ):
            signal.connect(lambda _: self.changed.emit())
        fields: list[tuple[str, QWidget]] = [("Shown as", self.style_choice), ("Cut", self._axis)]
        fields += [("", field) for field in (self._place, self._behind, self._export)]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(form(fields))

    @property
    def cut(self) -> tuple[int, float, bool]:
        """Axis 0…2 of the cutting plane, -1 for none, its place as a share of the extent, and whether to clip the far side."""
        return self._axis.currentIndex() - 1, self._place.value() / self._place.maximum(), self._behind.isChecked()

    def allow(self, points: bool, surfaces: bool):
        """A cut needs something to cut, a style and an export need points."""
        self.setEnabled(points or surfaces)
        for field in (self.style_choice, self._export):
            field.setEnabled(points)
