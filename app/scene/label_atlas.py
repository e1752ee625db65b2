"""`LabelAtlas`: every text of the scene drawn once, at the screen's own resolution, on one texture."""

from __future__ import annotations

import numpy as np
from OpenGL import GL
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter, QPainterPath, QPen

from app.scene.label import Label

WIDTH = 1024
HIGHEST = 640  # logical pixels; texts that change as the arm moves would fill any atlas
TEXT_PIXELS = 13.5


class LabelAtlas:
    """Texts are put in rows; a full atlas grows downwards, up to HIGHEST, and then starts anew with the next frame.

    Keyed by what is drawn: an unchanged text costs nothing, and of a changed one only its own rectangle is uploaded.
    """

    def __init__(self, scale: float, halo: str):
        self.scale, self.halo = scale, halo
        self.texture = int(GL.glGenTextures(1))
        self._uploaded: tuple[int, int] | None = None
        self._start()

    def next_frame(self) -> None:
        """Places handed out before this call may go to other texts."""
        if self.image.height() > HIGHEST * self.scale:
            self._start()

    def place(self, label: Label) -> tuple[int, int, int, int]:
        """Left, top, width and height of a text in pixels of the atlas."""
        if label.key not in self.places:
            self.places[label.key] = self._draw(label)
            self._changed.append(self.places[label.key])
        return self.places[label.key]

    def bind(self) -> None:
        """Upload what is new; the texture is bound afterwards."""
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.texture)
        size = (self.image.width(), self.image.height())
        if self._uploaded != size:
            self._upload_all(*size)
            self._uploaded = size
        elif self._changed:
            self._upload_changed()
        self._changed.clear()

    def release(self) -> None:
        """Give the texture back."""
        GL.glDeleteTextures([self.texture])

    def _start(self) -> None:
        self.image = QImage(WIDTH, 64, QImage.Format.Format_RGBA8888_Premultiplied)
        self.image.fill(Qt.GlobalColor.transparent)
        self.places: dict[tuple, tuple[int, int, int, int]] = {}
        self._changed: list[tuple[int, int, int, int]] = []
        self._corner = [0, 0, 0]

    def _upload_all(self, width: int, height: int) -> None:
        pixels = np.frombuffer(self.image.constBits(), np.uint8)
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 4)
        GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_RGBA8, width, height, 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, pixels)
        for name, value in (
            (GL.GL_TEXTURE_MIN_FILTER, GL.GL_NEAREST),
            (GL.GL_TEXTURE_MAG_FILTER, GL.GL_NEAREST),
            (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_EDGE),
            (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_EDGE),
        ):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, name, value)

    def _upload_changed(self) -> None:
        pixels = np.frombuffer(self.image.constBits(), np.uint8).reshape(-1, WIDTH, 4)
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 4)
        for left, top, width, height in self._changed:
            part = np.ascontiguousarray(pixels[top : top + height, left : left + width])
            box = (left, top, part.shape[1], part.shape[0])
            GL.glTexSubImage2D(GL.GL_TEXTURE_2D, 0, *box, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, part)

    def _draw(self, label: Label) -> tuple[int, int, int, int]:
        path, margin = self._outline(label), 3.0 * self.scale
        box = path.boundingRect()
        width, height = int(np.ceil(box.width() + 2 * margin)), int(np.ceil(box.height() + 2 * margin))
        left, top = self._room(min(width, WIDTH), height)
        painter = QPainter(self.image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(left + margin - box.left(), top + margin - box.top())
        halo, ink = QColor(self.halo), QColor(label.colour)
        halo.setAlphaF(0.0 if label.faint else 0.8)
        ink.setAlphaF(0.78 if label.faint else 1.0)
        pen = QPen(halo, 3.2 * self.scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
        painter.fillPath(path, ink)
        painter.end()
        return left, top, width, height

    def _outline(self, label: Label) -> QPainterPath:
        base, _, index = label.text.partition("_")
        font = QFont(QGuiApplication.font())
        font.setPixelSize(max(6, round(TEXT_PIXELS * label.size * self.scale)))
        font.setWeight(QFont.Weight.Normal if label.faint else QFont.Weight.DemiBold)
        path = QPainterPath()
        path.addText(0, 0, font, base)
        if index:
            small = QFont(font)
            small.setPixelSize(max(5, round(0.72 * font.pixelSize())))
            path.addText(QFontMetricsF(font).horizontalAdvance(base) + 0.5 * self.scale, 0.24 * font.pixelSize(), small, index)
        return path

    def _room(self, width: int, height: int) -> tuple[int, int]:
        x, y, row = self._corner
        if x + width > WIDTH:
            x, y, row = 0, y + row, 0
        row = max(row, height)
        while y + row > self.image.height():
            self.image = self.image.copy(0, 0, WIDTH, 2 * self.image.height())
        self._corner = [x + width, y, row]
        return x, y
