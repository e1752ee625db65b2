"""The program's own icons: one SVG each, drawn in the colour of the theme."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from armature.engine.files import shipped

FOLDER = shipped("assets", "icons")
FAINT = 0.35  # opacity of what is disabled


@lru_cache
def _source(name: str) -> str:
    return (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=512)
def _drawn(name: str, colour: str, size: int, opacity: float) -> QPixmap:
    """Icon `name` as a square of `size` pixels of the screen in `colour`."""
    renderer = QSvgRenderer(QByteArray(_source(name).replace("currentColor", QColor(colour).name()).encode()))
    image = QPixmap(QSize(size, size))
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setOpacity(opacity)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


class _Icon(QIconEngine):
    """Drawn when it is first seen, at the size that it is seen in."""

    def __init__(self, name: str, colour: str):
        super().__init__()
        self._name, self._colour = name, colour

    def pixmap(self, size: QSize, mode: QIcon.Mode, _state: QIcon.State) -> QPixmap:
        faint = mode == QIcon.Mode.Disabled
        return _drawn(self._name, self._colour, min(size.width(), size.height()), FAINT if faint else 1.0)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatio()
        size = min(rect.width(), rect.height())
        image = self.pixmap(QSize(1, 1) * round(size * ratio), mode, state)
        corner = rect.center() - QPoint(size // 2, size // 2)
        painter.drawPixmap(QRect(corner, QSize(size, size)), image)

    def clone(self) -> QIconEngine:
        return _Icon(self._name, self._colour)


@lru_cache(maxsize=256)
def icon(name: str, colour: str) -> QIcon:
    """Icon `name` in `colour`, fainter where disabled."""
    return QIcon(_Icon(name, colour))


def pixmap(name: str, colour: str, size: int) -> QPixmap:
    """Icon `name` as a square that is `size` wide in the window, as sharp as the screen is."""
    return icon(name, colour).pixmap(size)
