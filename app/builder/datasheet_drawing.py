"""A small drawing of an arm in which every length of its data sheet is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from armature import engine
from armature.app.scene.gl import palette
from armature.app.widgets.controls import named
from armature.engine.model.draft.datasheet_draft import datasheet_draft

SIZE = QSize(320, 260)
MARGIN = 34.0  # px, where names have room
SIDEWAYS = np.array([[1.0, 0.32, 0.0], [0.0, 0.22, 1.0]])  # x to the right, z up, y into the picture
SHORT = 1e-6  # m


class Segment(NamedTuple):
    """A length of the DH table from `start` to `end` `(2,)` in the picture's metres; `name` where the data sheet has one."""

    start: np.ndarray
    end: np.ndarray
    along_z: bool
    name: str


class DatasheetDrawing(QWidget):
    """The arm at home, seen from the side, to scale."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "datasheet_drawing", "Drawing of the arm with its lengths")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._kind = ""
        self.segments: list[Segment] = []
        self._axes = np.zeros((0, 2))

    def sizeHint(self) -> QSize:
        """Beside the fields."""
        return SIZE

    def show_kind(self, kind: str) -> None:
        """Another kind of arm."""
        self._kind = kind

    def show_lengths(self, lengths: Mapping[str, float]) -> None:
        """With these lengths in m; those that are no arm leave the drawing as it is."""
        try:
            robot = datasheet_draft(self._kind, lengths).robot
        except engine.ModelError:
            return
        self.segments, self._axes = _segments(robot, set(lengths))
        self.update()

    def paintEvent(self, event):
        if not self.segments:
            return
        points = np.array([point for segment in self.segments for point in (segment.start, segment.end)])
        low, high = points.min(axis=0), points.max(axis=0)
        room = np.array([self.width() - 2 * MARGIN, self.height() - 2 * MARGIN])
        scale = float((room / np.maximum(high - low, 1e-3)).min())
        shift = np.array([self.width(), self.height()]) / 2 - scale * (low + high) / 2 * [1, -1]

        def place(point: np.ndarray) -> QPointF:
            x, y = shift + scale * point * [1, -1]
            return QPointF(x, y)

        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, place(self.segments[0].start))
        for segment in self.segments:
            painter.setPen(QPen(QColor(palette.AXIS_Z if segment.along_z else palette.AXIS_X), 4, c=Qt.PenCapStyle.RoundCap))
            painter.drawLine(place(segment.start), place(segment.end))
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.WindowText), 1.2))
        painter.setBrush(self.palette().color(QPalette.ColorRole.Window))
        for axis in self._axes:
            painter.drawEllipse(place(axis), 4.5, 4.5)
        font = painter.font()
        font.setBold(True)
        painter.setFont(font)
        for segment in self.segments:
            self._paint_name(painter, place(segment.start), place(segment.end), segment.name)
        painter.end()

    def _paint_ground(self, painter: QPainter, at: QPointF) -> None:
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.PlaceholderText), 1.5))
        painter.drawLine(at + QPointF(-26, 0), at + QPointF(26, 0))
        for k in range(-2, 3):
            painter.drawLine(at + QPointF(11 * k + 4, 0), at + QPointF(11 * k - 4, 8))

    def _paint_name(self, painter: QPainter, start: QPointF, end: QPointF, name: str) -> None:
        """Beside the middle, on the side where there is more room."""
        if not name:
            return
        step = end - start
        length = max(float(np.hypot(step.x(), step.y())), 1e-9)
        aside = QPointF(-step.y() / length, step.x() / length) * 15
        middle = (start + end) / 2 + aside
        box = QRectF(middle.x() - 20, middle.y() - 9, 40, 18)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)


def _segments(robot: engine.Robot, lengths: set[str]) -> tuple[list[Segment], np.ndarray]:
    """The lengths d and a of every row at home, and where the joints' axes are."""
    dh, q = robot.dh, robot.configurations["home"]
    assert dh is not None
    X = engine.link_poses(robot, q)
    found, axes = [], []
    for i, (_, d, a, _) in enumerate(dh.rows(q)):
        start, corner, end = X[i][:3, 3], X[i][:3, 3] + d * X[i][:3, 2], X[i + 1][:3, 3]
        axes.append(SIDEWAYS @ start)
        for first, second, along_z, value, letter in ((start, corner, True, d, "d"), (corner, end, False, a, "a")):
            if abs(value) > SHORT:
                names = (f"{letter}{i + 1}", f"l{i + 1}")
                name = next((one for one in names if one in lengths), "")
                found.append(Segment(SIDEWAYS @ first, SIDEWAYS @ second, along_z, name))
    return found, np.array(axes)
