"""A small drawing of an arm in which every length of its data sheet is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from armature import engine
from armature.app.builder.new.label_places import label_places
from armature.app.scene.gl import palette
from armature.app.widgets.controls import named
from armature.engine.model.draft.datasheet_draft import DATASHEETS, datasheet_draft

SIZE = QSize(320, 260)
MARGIN = 34.0  # px, where names have room
SIDEWAYS = np.array([[1.0, 0.32, 0.0], [0.0, 0.22, 1.0]])  # x to the right, z up, y into the picture
SHORT = 1e-6  # m
GROUND, GRASS = 26, 8  # px, half the width of the ground and the height of what is under it


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
        names = {length.name for length in DATASHEETS[self._kind].lengths}
        self.segments, self._axes = _segments(robot, names)
        self.update()

    def paintEvent(self, event):
        if not self.segments:
            return
        points = np.array([point for segment in self.segments for point in (segment.start, segment.end)])
        low, high = points.min(axis=0), points.max(axis=0)
        room = np.array([self.width() - 2 * MARGIN, self.height() - 2 * MARGIN])
        scale = float((room / np.maximum(high - low, 1e-3)).min())
        shift = np.array([self.width(), self.height()]) / 2 - scale * (low + high) / 2 * [1, -1]

        def place(point: np.ndarray) -> np.ndarray:
            return shift + scale * point * [1, -1]

        lines = [(place(segment.start), place(segment.end)) for segment in self.segments]
        dots = np.array([place(axis) for axis in self._axes])
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, QPointF(*lines[0][0]))
        for segment, (start, end) in zip(self.segments, lines):
            painter.setPen(QPen(QColor(palette.AXIS_Z if segment.along_z else palette.AXIS_X), 4, c=Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(*start), QPointF(*end))
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.WindowText), 1.2))
        painter.setBrush(self.palette().color(QPalette.ColorRole.Window))
        for dot in dots:
            painter.drawEllipse(QPointF(*dot), 4.5, 4.5)
        font = painter.font()
        font.setBold(True)
        painter.setFont(font)
        named = [k for k, segment in enumerate(self.segments) if segment.name]
        ground = [(lines[0][0] + [-GROUND, y], lines[0][0] + [GROUND, y]) for y in (0, GRASS)]
        for k, middle in label_places([*lines, *ground], named, dots, (self.width(), self.height())).items():
            box = QRectF(middle[0] - 20, middle[1] - 9, 40, 18)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.segments[k].name)
        painter.end()

    def _paint_ground(self, painter: QPainter, at: QPointF) -> None:
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.PlaceholderText), 1.5))
        painter.drawLine(at + QPointF(-GROUND, 0), at + QPointF(GROUND, 0))
        for k in range(-2, 3):
            painter.drawLine(at + QPointF(11 * k + 4, 0), at + QPointF(11 * k - 4, GRASS))


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
