"""`LabelAtlas`: every text of the scene drawn once, at the screen's own resolution, on one texture."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter, QPen

from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.labels.label import Label
from armature.app.scene.labels.lettering import Run, cover, painted, united, widened

WIDTH = 2048  # of the longest pill in the largest letters on a fine screen
HIGHEST = 640  # logical pixels; texts that change as the arm moves would fill any atlas
TEXT_PIXELS = 13.5
MARGIN = 3.0
BRUSH = 1.6  # logical pixels that a halo goes beyond its letters
PILL = (11.0, 5.0)  # logical pixels between a text and the edge of its ground, across and down
HALO, INK = "h", "i"
Place = tuple[int, int, int, int]


PIECE = 6  # numbers: where it begins in a text, x and y, and its place in the atlas, left, top, width, height
CHARACTER = 1 + 2 * PIECE  # numbers: how far it takes the pen, its halo and its ink as pieces from the pen; a space has none


class Glyphs(dict[int, int]):
    """For `str.translate`: by code point, which of the characters of the atlas it is in one style."""

    def __init__(self, atlas: LabelAtlas, label: Label):
        super().__init__()
        self._atlas, self._label = atlas, label

    def __missing__(self, code: int) -> int:
        self[code] = self._atlas.add_character(self._label._replace(text=chr(code)))
        return self[code]


class LabelAtlas:
    """Texts at `scale` pixels per usual logical one are put in rows; a full atlas grows downwards, up to HIGHEST, and then starts
    anew with the next frame.

    Keyed by what is drawn: an unchanged text costs nothing, and of a changed one only its own rectangle is uploaded.
    `characters` `(k, CHARACTER)` are of every style, in the order in which they were met, `wholes` `(k, PIECE)` texts that were
    drawn at once. Both begin anew with each `generation`.
    """

    def __init__(self, scale: float, halo: str):
        self.scale, self.halo = scale, halo
        self.texture = int(GL.glGenTextures(1))
        self._uploaded: tuple[int, int] | None = None
        self.characters: np.ndarray
        self.wholes: np.ndarray
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

    def whole(self, label: Label) -> int:
        """Which of `wholes` a text is."""
        if label.key not in self._numbers:
            piece = (0.0, 0.0, *self._added(label.key, label, HALO + INK))
            if not self._freed:
                self._freed.append(len(self.wholes))
                self.wholes = np.append(self.wholes, [piece], axis=0)
            self._numbers[label.key] = number = self._freed.pop()
            self.wholes[number] = piece
        if label.pill:
            self.keep([label])
        return self._numbers[label.key]

    def keep(self, pills: list[Label]) -> None:
        """Their places are nobody else's in this frame and the next."""
        for pill in pills:
            self._pills[pill.key] = self._frame

    def size_of_whole(self, label: Label) -> tuple[int, int]:
        """Width and height in device pixels of a text that is drawn at once."""
        number = self.whole(label)  # which may make room for it
        width, height = self.wholes[number, 4:].astype(int).tolist()
        return width, height

    def width_of_pill(self, label: Label) -> int:
        """In pixels, before it is drawn."""
        return self._extent(self._ground(label))[0]

    def wrapped(self, pill: Label, room: float) -> Label:
        """Return a pill with line breaks after colons, and between words where a line is still wider than `room` pixels."""
        room = min(room, float(WIDTH))
        if self.width_of_pill(pill) <= room:
            return pill
        metrics = QFontMetricsF(self._font(pill))
        room = max(0.0, np.floor(room) - self.width_of_pill(pill._replace(text="")))
        lines: list[str] = []
        for clause in pill.text.replace(": ", ":\n").split("\n"):
            line = ""
            for word in clause.split(" "):
                longer = f"{line} {word}" if line else word
                if line and metrics.horizontalAdvance(longer) > room:
                    lines.append(line)
                    longer = word
                line = longer
            lines.append(line)
        return pill._replace(text="\n".join(metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines))

    def glyphs(self, label: Label) -> Glyphs:
        """The characters of the label's style."""
        style = label.key[1:]
        if style not in self._glyphs:
            self._glyphs[style] = Glyphs(self, label)
        return self._glyphs[style]

    def add_character(self, alone: Label) -> int:
        """Draw one character; its number."""
        style = alone.key[1:]
        [run] = self._runs(alone)
        way, box = QFontMetricsF(run.font).horizontalAdvance(alone.text), run.box()
        layers = HALO + INK if box.width() else ""
        pieces = [(*self._corner_of(box), *self._added((alone.text, *style, layer), alone, layer)) for layer in layers]
        numbers = [way, *(number for piece in pieces for number in piece)] if pieces else [way, *[0.0] * (CHARACTER - 1)]
        self.characters = np.append(self.characters, [numbers], axis=0)
        return len(self.characters) - 1

    def _added(self, key: tuple, label: Label, layers: str) -> Place:
        self.places[key] = self._draw_pill(label) if label.pill else self._draw(label, layers)
        self._changed.append(self.places[key])
        return self.places[key]

    def upload(self) -> None:
        """Hand over to the driver what is new."""
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
        self._numbers: dict[tuple, int] = {}  # by key, which of the wholes
        self._freed: list[int] = []  # numbers of pills that are drawn no more
        self._pills: dict[tuple, int] = {}  # by key, the frame in which each was drawn last
        self.characters, self.wholes = np.zeros((0, CHARACTER)), np.zeros((0, PIECE))
        self._glyphs: dict[tuple, Glyphs] = {}  # by style
        self._changed: list[Place] = []
        self._corner = [0, 0, 0]

    def _upload_all(self, width: int, height: int) -> None:
        pixels = np.frombuffer(self.image.constBits(), np.uint8)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.texture)
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
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.texture)
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 4)
        for left, top, width, height in self._changed:
            part = np.ascontiguousarray(pixels[top : top + height, left : left + width])
            box = (left, top, part.shape[1], part.shape[0])
            GL.glTexSubImage2D(GL.GL_TEXTURE_2D, 0, *box, GL.GL_BGRA, GL.GL_UNSIGNED_BYTE, part)

    def _draw(self, label: Label, layers: str) -> Place:
        runs = self._runs(label)
        box = united(runs)
        place = left, top, width, height = self._place(box)
        covered = cover(runs, *self._corner_of(box), width, height)
        ink, halo = QColor(label.colour), QColor(self.halo)
        ink.setAlphaF((0.78 if label.faint else 1.0) if INK in layers else 0.0)
        halo.setAlphaF(0.8 if HALO in layers and not label.bare else 0.0)
        pixels = np.frombuffer(self.image.bits(), np.uint8).reshape(-1, WIDTH, 4)
        pixels[top : top + height, left : left + width] = painted(covered, ink, widened(covered, BRUSH * self.scale), halo)
        return place

    def _draw_pill(self, label: Label) -> Place:
        """A sentence, soon another one, so as the system writes it: its outline takes thirty times as long to fill."""
        font, box = self._font(label), self._ground(label)
        unused = (key for key, frame in self._pills.items() if frame < self._frame - 1)
        old = next((key for key in unused if self.places[key][3] == self._extent(box)[1]), None)  # as many lines
        row = None
        if old is not None:
            self._freed.append(self._numbers.pop(old))
            del self._pills[old]
            row = self.places.pop(old)[:2]
        painter, place = self._begun(box, row)
        metrics = QFontMetricsF(font)
        self._paint_ground(painter, box, label.colour, 0.5 * self._ground(label._replace(text="")).height())
        painter.setFont(font)
        painter.setPen(QColor(label.colour))
        for k, line in enumerate(label.text.split("\n")):
            painter.drawText(QPointF(box.center().x() - 0.5 * metrics.horizontalAdvance(line), k * metrics.lineSpacing()), line)
        painter.end()
        return place

    def _begun(self, box: QRectF, corner: tuple[int, int] | None) -> tuple[QPainter, Place]:
        """A painter for a pill, with its own origin, on an empty place for what covers `box`: at `corner`, or a new one as wide
        as any pill can be.
        """
        place = self._place(box, WIDTH, corner)
        painter = QPainter(self.image)
        if corner is not None:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
            painter.fillRect(*place, Qt.GlobalColor.transparent)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x, y = self._corner_of(box)
        painter.translate(place[0] - x, place[1] - y)
        return painter, place

    def _place(self, box: QRectF, least: int = 0, corner: tuple[int, int] | None = None) -> Place:
        """For what covers `box`, with a margin: at `corner`, or a new one `least` wide."""
        width, height = self._extent(box)
        return *(corner or self._room(min(max(width, least), WIDTH), height)), width, height

    def _extent(self, box: QRectF) -> tuple[int, int]:
        """Width and height of the place of what covers `box`."""
        (x, y), margin = self._corner_of(box), MARGIN * self.scale
        return int(np.ceil(box.right() + margin - x)), int(np.ceil(box.bottom() + margin - y))

    def _corner_of(self, box: QRectF) -> tuple[int, int]:
        """Where the place of what covers `box` begins: at a whole pixel, on which letters are as sharp as the system has them."""
        margin = MARGIN * self.scale
        return int(np.floor(box.left() - margin)), int(np.floor(box.top() - margin))

    def _ground(self, label: Label) -> QRectF:
        """Rectangle that a pill covers, from the start of its widest line: as high for every text of as many lines."""
        metrics, (across, down) = QFontMetricsF(self._font(label)), np.array(PILL) * self.scale
        lines = label.text.split("\n")
        height = metrics.capHeight() + 2 * down + (len(lines) - 1) * metrics.lineSpacing()
        box = QRectF(0.0, -metrics.capHeight() - down, max(map(metrics.horizontalAdvance, lines)), height)
        return box.adjusted(-across, -0.12 * metrics.height(), across, 0.12 * metrics.height())

    def _paint_ground(self, painter: QPainter, box: QRectF, edge: str, radius: float) -> None:
        fill, line = QColor(self.halo), QColor(edge)
        fill.setAlphaF(0.86)
        line.setAlphaF(0.7)
        painter.setPen(QPen(line, 1.2 * self.scale))
        painter.setBrush(fill)
        painter.drawRoundedRect(box, radius, radius)

    def _font(self, label: Label) -> QFont:
        font = QFont(QGuiApplication.font())
        font.setPixelSize(max(6, round(TEXT_PIXELS * label.size * self.scale)))
        font.setWeight(QFont.Weight.Normal if label.faint else QFont.Weight.DemiBold)
        return font

    def _runs(self, label: Label) -> list[Run]:
        base, _, index = label.text.partition("_")
        font = self._font(label)
        runs = [Run(0.0, 0.0, font, base)]
        if index:
            small = QFont(font)
            small.setPixelSize(max(5, round(0.72 * font.pixelSize())))
            x = QFontMetricsF(font).horizontalAdvance(base) + 0.5 * self.scale
            runs.append(Run(x, 0.24 * font.pixelSize(), small, index))
        return runs

    def _room(self, width: int, height: int) -> tuple[int, int]:
        x, y, row = self._corner
        if x + width > WIDTH:
            x, y, row = 0, y + row, 0
        row = max(row, height)
        while y + row > self.image.height():
            self.image = self.image.copy(0, 0, WIDTH, 2 * self.image.height())
        self._corner = [x + width, y, row]
        return x, y
