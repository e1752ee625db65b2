"""`LabelAtlas`: every text of the scene drawn once, at the screen's own resolution, on one texture."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from OpenGL import GL
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter, QPainterPath, QPen

from armature.app.scene.labels.label import Label

WIDTH = 1024
HIGHEST = 640  # logical pixels; texts that change as the arm moves would fill any atlas
TEXT_PIXELS = 13.5
MARGIN = 3.0
PILL = (11.0, 5.0)  # logical pixels between a text and the edge of its ground, across and down
HALO, INK = "h", "i"
Place = tuple[int, int, int, int]


# of a character: how far it takes the pen, and its halo and its ink as pieces of a run, from the pen; a space has none
CHARACTER = np.dtype([("way", "f4"), ("pieces", "f4", (2, 6))])


class LabelRun(NamedTuple):
    """Size of a label in device pixels, and its pieces `(k, 6)`: where each begins in the label, and its place in the atlas."""

    width: int
    height: int
    pieces: np.ndarray


class LabelAtlas:
    """Texts are put in rows; a full atlas grows downwards, up to HIGHEST, and then starts anew with the next frame.

    Keyed by what is drawn: an unchanged text costs nothing, and of a changed one only its own rectangle is uploaded. `runs`
    is for those who put labels together from the places; it is emptied with them.
    """

    def __init__(self, scale: float, halo: str):
        self.scale, self.halo = scale, halo
        self.texture = int(GL.glGenTextures(1))
        self._uploaded: tuple[int, int] | None = None
        self.characters: np.ndarray  # of every style, in the order in which they were met
        self._frame = 0
        self.generation = 0  # counts how often it was begun anew
        self._start()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return self.image.width(), self.image.height()

    def next_frame(self) -> None:
        """Places handed out before this call may go to other texts."""
        self._frame += 1
        if self.image.height() > HIGHEST * self.scale:
            self._start()

    def place(self, label: Label) -> Place:
        """Left, top, width and height of a text in pixels of the atlas."""
        return self.places[label.key] if label.key in self.places else self._added(label.key, label, HALO + INK)

    def keep(self, pill: Label) -> None:
        """A pill is drawn in this frame: its place is nobody else's in this one and the next."""
        self._pills[pill.key] = self._frame

    def glyphs(self, label: Label) -> list[int]:
        """Where in `characters` those of a label stand, in its style."""
        known = self._glyphs[label.key[1:]]
        return [known[character] if character in known else self._new_glyph(label, character) for character in label.text]

    def _new_glyph(self, label: Label, character: str) -> int:
        style = label.key[1:]
        alone, margin = label._replace(text=character), MARGIN * self.scale
        box, way = self._outline(alone).boundingRect(), QFontMetricsF(self._font(label)).horizontalAdvance(character)
        left, top = box.left() - margin, box.top() - margin
        layers = HALO + INK if box.width() else ""
        pieces = [(left, top, *self._added((character, *style, layer), alone, layer)) for layer in layers]
        self.characters = np.append(self.characters, np.array([(way, pieces or 0)], CHARACTER))
        self._glyphs[style][character] = len(self.characters) - 1
        return len(self.characters) - 1

    def _added(self, key: tuple, label: Label, layers: str) -> Place:
        self.places[key] = self._draw(label, layers)
        self._changed.append(self.places[key])
        return self.places[key]

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
        self.generation += 1
        self.image = QImage(WIDTH, 64, QImage.Format.Format_ARGB32_Premultiplied)  # in which QPainter is fastest
        self.image.fill(Qt.GlobalColor.transparent)
        self.places: dict[tuple, Place] = {}
        self.runs: dict[tuple, LabelRun] = {}
        self._pills: dict[tuple, int] = {}  # by key, the frame in which each was drawn last
        self.characters = np.zeros(0, CHARACTER)
        self._glyphs: defaultdict[tuple, dict[str, int]] = defaultdict(dict)  # by style, then by character
        self._changed: list[Place] = []
        self._corner = [0, 0, 0]

    def _upload_all(self, width: int, height: int) -> None:
        pixels = np.frombuffer(self.image.constBits(), np.uint8)
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 4)
        GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_RGBA8, width, height, 0, GL.GL_BGRA, GL.GL_UNSIGNED_BYTE, pixels)
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
            GL.glTexSubImage2D(GL.GL_TEXTURE_2D, 0, *box, GL.GL_BGRA, GL.GL_UNSIGNED_BYTE, part)

    def _draw(self, label: Label, layers: str) -> Place:
        if label.pill:
            return self._draw_pill(label)
        path = self._outline(label)
        painter, place = self._begun(path.boundingRect())
        if HALO in layers and not label.faint:
            halo = QColor(self.halo)
            halo.setAlphaF(0.8)
            pen = QPen(halo, 3.2 * self.scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
            painter.strokePath(path, pen)
        if INK in layers:
            ink = QColor(label.colour)
            ink.setAlphaF(0.78 if label.faint else 1.0)
            painter.fillPath(path, ink)
        painter.end()
        return place

    def _draw_pill(self, label: Label) -> Place:
        """A sentence, soon another one, so as the system writes it: its outline takes thirty times as long to fill."""
        font = self._font(label)
        box = self._ground(label, QFontMetricsF(font).horizontalAdvance(label.text))
        old = next((key for key, frame in self._pills.items() if frame < self._frame - 1), None)
        row = None
        if old is not None:
            self.runs.pop(old, None)
            del self._pills[old]
            row = self.places.pop(old)[:2]
        painter, place = self._begun(box, WIDTH, row)
        self._paint_ground(painter, box, label.colour)
        painter.setFont(font)
        painter.setPen(QColor(label.colour))
        painter.drawText(0, 0, label.text)
        painter.end()
        return place

    def _begun(self, box: QRectF, least: int = 0, corner: tuple[int, int] | None = None) -> tuple[QPainter, Place]:
        """A painter, with its own origin, on an empty place for what covers `box`: at `corner`, or a new one `least` wide."""
        margin = MARGIN * self.scale
        width, height = int(np.ceil(box.width() + 2 * margin)), int(np.ceil(box.height() + 2 * margin))
        left, top = corner or self._room(min(max(width, least), WIDTH), height)
        painter = QPainter(self.image)
        if corner is not None:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
            painter.fillRect(left, top, width, height, Qt.GlobalColor.transparent)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(left + margin - box.left(), top + margin - box.top())
        return painter, (left, top, width, height)

    def _ground(self, label: Label, width: float) -> QRectF:
        """What a pill with a text of that width covers, from where the text begins: as high for every text."""
        metrics, (across, down) = QFontMetricsF(self._font(label)), np.array(PILL) * self.scale
        box = QRectF(0.0, -metrics.capHeight() - down, width, metrics.capHeight() + 2 * down)
        return box.adjusted(-across, -0.12 * metrics.height(), across, 0.12 * metrics.height())

    def _paint_ground(self, painter: QPainter, box: QRectF, edge: str) -> None:
        fill, line = QColor(self.halo), QColor(edge)
        fill.setAlphaF(0.86)
        line.setAlphaF(0.7)
        painter.setPen(QPen(line, 1.2 * self.scale))
        painter.setBrush(fill)
        painter.drawRoundedRect(box, 0.5 * box.height(), 0.5 * box.height())

    def _font(self, label: Label) -> QFont:
        font = QFont(QGuiApplication.font())
        font.setPixelSize(max(6, round(TEXT_PIXELS * label.size * self.scale)))
        font.setWeight(QFont.Weight.Normal if label.faint else QFont.Weight.DemiBold)
        return font

    def _outline(self, label: Label) -> QPainterPath:
        base, _, index = label.text.partition("_")
        font, path = self._font(label), QPainterPath()
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
