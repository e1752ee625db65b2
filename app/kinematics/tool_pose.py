"""Where the tool is: position, roll-pitch-yaw and quaternion."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.state.units import Units, number
from armature.app.style.theme import fixed_font
from armature.app.widgets.section import Section
from armature.engine.rotations import quaternion, roll_pitch_yaw


class ToolPoseSection(Section):
    """Ten numbers in three rows."""

    ROWS = (("Position", ("x", "y", "z")), ("Roll, pitch, yaw", ("r", "p", "y")), ("Quaternion", ("w", "x", "y", "z")))

    def __init__(self, units: Units):
        super().__init__("Tool in the world")
        self._units = units
        self._pose: np.ndarray | None = None
        self._labels: list[QLabel] = []
        grid_widget = QWidget()
        grid = QGridLayout(grid_widget)
        grid.setContentsMargins(2, 0, 2, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        self._unit_labels = []
        for row, (title, names) in enumerate(self.ROWS):
            head = QLabel(title)
            head.setProperty("role", "muted")
            value = QLabel()
            value.setObjectName(f"tool_{title.split(',')[0].lower()}")
            value.setAccessibleName(f"{title} ({', '.join(names)})")
            value.setToolTip(f"{title}: {', '.join(names)}")
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            unit = QLabel()
            unit.setProperty("role", "muted")
            grid.addWidget(head, row, 0)
            grid.addWidget(value, row, 1)
            grid.addWidget(unit, row, 2)
            self._labels.append(value)
            self._unit_labels.append(unit)
        self.add(grid_widget)
        self.set_units(units)

    def show_pose(self, X: np.ndarray):
        """Show the pose X_WT `(4, 4)`."""
        self._pose = X
        lengths, turn = self._units.factor(True), self._units.factor(False)
        rows = (
            (X[:3, 3] * lengths, self._units.decimals(True)),
            (roll_pitch_yaw(X[:3, :3]) * turn, self._units.decimals(False)),
            (quaternion(X[:3, :3]), 3),
        )
        for label, (values, decimals) in zip(self._labels, rows):
            label.setText(" ".join(number(float(v), decimals).rjust(7) for v in values))

    def set_units(self, units: Units):
        """Show the pose in other units."""
        self._units = units
        for label, text in zip(self._unit_labels, (units.symbol(True), units.symbol(False), "")):
            label.setText(text)
        if self._pose is not None:
            self.show_pose(self._pose)

    def refit(self):
        """Take over the present font."""
        for label in self._labels:
            label.setFont(fixed_font(0.92))
