"""LaTeX as pictures: each piece typeset once, in whatever thread asks for it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SIZE = 20.0  # px of the text that is typeset; pictures are scaled from it


@dataclass(frozen=True)
class Piece:
    """A picture with its size in px and how far its top is above the line of writing."""

    image: QImage
    width: float
    height: float
    ascent: float

    def coloured(self, colour: str) -> Piece:
        """The same in another colour."""
        return replace(self, image=_filled(self.image.copy(), colour))


class Typesetter:
    """Keeps what it has typeset."""

    def __init__(self):
        self._drawings: dict[str, tuple[bytes, QRectF]] = {}
        self._one_at_a_time = threading.Lock()

    def piece(self, latex: str, size: float, colour: str, ratio: float) -> Piece:
        """The picture of a piece, `size` px high text, for a screen with so many dots per px."""
        svg, box = self.drawing(latex)
        scale = size / SIZE
        image = QImage(
            max(1, round(box.width() * scale * ratio)),
            max(1, round(box.height() * scale * ratio)),
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        QSvgRenderer(QByteArray(svg)).render(painter, QRectF(0.0, 0.0, box.width() * scale, box.height() * scale))
        painter.end()
        return Piece(_filled(image, colour), box.width() * scale, box.height() * scale, -box.y() * scale)

    def drawing(self, latex: str) -> tuple[bytes, QRectF]:
        """A piece as SVG, `SIZE` px high text, with its box about the beginning of the line of writing."""
        with self._one_at_a_time:
            if latex not in self._drawings:
                self._drawings[latex] = _typeset(latex)
            return self._drawings[latex]


def _filled(image: QImage, colour: str) -> QImage:
    """What is drawn in it in this colour."""
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(image.rect(), QColor(colour))
    painter.end()
    return image


def _typeset(latex: str) -> tuple[bytes, QRectF]:
    """SVG with plain paths, which Qt can draw, and its box about the origin of the line."""
    import ziamath

    ziamath.config.svg2 = False
    svg = ziamath.Latex(latex, size=SIZE, inline=True).svg()
    return svg.encode(), QRectF(*map(float, ET.fromstring(svg).attrib["viewBox"].split()))
