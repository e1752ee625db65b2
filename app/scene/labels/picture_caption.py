"""Name and pose at the lower left of a picture."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter

Box = tuple[float, float, float, float]


def unit_of(width: int, height: int) -> float:
    """Pixels of a picture per pixel of one of 1280 × 800."""
    return max(0.55, min(width / 1280.0, height / 800.0))


def caption_box(width: int, height: int) -> Box:
    """Left, top, width and height in pixels that a caption may take."""
    unit = unit_of(width, height)
    return 0, height - 64 * unit, 0.62 * width, 64 * unit


def draw_caption(painter: QPainter, width: int, height: int, title: str, text: str, colour: str) -> None:
    """Write both lines, shortened where the picture is narrow."""
    unit = unit_of(width, height)
    left, room = 22 * unit, width - 150 * unit
    painter.setPen(QColor(colour))
    for font, line, up in ((font_of(19 * unit, bold=True), title, 42), (font_of(13 * unit), text, 20)):
        painter.setFont(font)
        line = QFontMetricsF(font).elidedText(line, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QPointF(left, height - up * unit), line)


def caption(image: QImage, title: str, text: str, colour: str) -> None:
    """Write both lines into a picture that is done."""
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    draw_caption(painter, image.width(), image.height(), title, text, colour)
    painter.end()


def font_of(pixels: float, bold: bool = False) -> QFont:
    """The program's font at a size in pixels."""
    font = QFont(QGuiApplication.font())
    font.setPixelSize(max(7, round(pixels)))
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font
