"""The program's own icons: one SVG each, drawn in the colour of the theme."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from armature.engine.resources import shipped

FOLDER = shipped("assets", "icons")
SIZES = (16, 20, 24, 32, 48)


@lru_cache
def _source(name: str) -> str:
    return (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=256)
def pixmap(name: str, colour: str, size: int, opacity: float = 1.0) -> QPixmap:
    """Icon `name` as a square of `size` pixels in `colour`."""
    renderer = QSvgRenderer(QByteArray(_source(name).replace("currentColor", QColor(colour).name()).encode()))
    image = QPixmap(QSize(size, size))
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setOpacity(opacity)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


@lru_cache(maxsize=256)
def icon(name: str, colour: str) -> QIcon:
    """Icon `name` in `colour`, fainter where disabled."""
    result = QIcon()
    for size in SIZES:
        result.addPixmap(pixmap(name, colour, size), QIcon.Mode.Normal)
        result.addPixmap(pixmap(name, colour, size, 0.35), QIcon.Mode.Disabled)
    return result
