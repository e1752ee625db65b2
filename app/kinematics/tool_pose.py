"""Where the tool is: position, roll-pitch-yaw and quaternion."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.state.units import Units, number
from armature.app.style.theme import fixed_font
from armature.app.widgets.section import Section


def roll_pitch_yaw(R: np.ndarray) -> np.ndarray:
    """(roll, pitch, yaw) in rad of R = Rot_z(yaw) Rot_y(pitch) Rot_x(roll); yaw is 0 where pitch is ±90°."""
    pitch = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    if abs(np.cos(pitch)) < 1e-9:
        return np.array([np.arctan2(-R[1, 2], R[1, 1]), pitch, 0.0])
    return np.array([np.arctan2(R[2, 1], R[2, 2]), pitch, np.arctan2(R[1, 0], R[0, 0])])


def quaternion(R: np.ndarray) -> np.ndarray:
    """Unit quaternion (w, x, y, z) of R with w ≥ 0, from the largest of the four (Shepperd)."""
    K = np.array([np.trace(R), R[0, 0], R[1, 1], R[2, 2]])
    k = int(np.argmax(K))
    if k == 0:
        v = np.array([1 + K[0], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    else:
        i, j, m = k - 1, k % 3, (k + 1) % 3
        v = np.empty(4)
        v[0], v[1 + i] = R[m, j] - R[j, m], 1 + 2 * R[i, i] - K[0]
        v[1 + j], v[1 + m] = R[i, j] + R[j, i], R[i, m] + R[m, i]
    v /= np.linalg.norm(v)
    return -v if v[0] < 0 else v


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
