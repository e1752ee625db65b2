"""A plot on paper to keep: what a function paints, as a picture or as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QRectF, QSize
from PySide6.QtGui import QImage, QPaintDevice, QPainter
from PySide6.QtSvg import QSvgGenerator

from armature.app.scene.picture_file import save_drawing


def paint_file(path: Path, size: tuple[int, int], title: str, paint: Callable[[QPainter], None]) -> None:
    """Write what `paint(painter)` draws as a picture or, by the suffix, as SVG; EngineError where it cannot be written."""

    def encode(buffer: QBuffer) -> bool:
        if path.suffix.lower() != ".svg":
            image = picture(size, paint)
            return image is not None and image.save(buffer, "PNG")  # type: ignore[call-overload]  # it takes text, and no bytes
        drawing = QSvgGenerator()
        drawing.setOutputDevice(buffer)
        drawing.setSize(QSize(*size))
        drawing.setViewBox(QRectF(0, 0, *size))
        drawing.setTitle(title)
        return _painted(drawing, paint)

    save_drawing(path, encode)


def picture(size: tuple[int, int], paint: Callable[[QPainter], None]) -> QImage | None:
    """What `paint(painter)` draws, fine enough to be printed; None where it cannot be painted."""
    image = QImage(2 * size[0], 2 * size[1], QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(2.0)
    return image if _painted(image, paint) else None


def _painted(device: QPaintDevice, paint: Callable[[QPainter], None]) -> bool:
    painter = QPainter()
    if not painter.begin(device):
        return False
    paint(painter)
    return painter.end()
