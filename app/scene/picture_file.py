"""Pictures and drawings as files: complete in memory first, then on the disk complete or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from armature.engine import EngineError
from armature.engine.files import atomic_file


def save_picture(image: QImage, path: Path) -> None:
    """Write a picture as PNG; EngineError where that is not possible."""
    save_drawing(path, lambda buffer: image.save(buffer, "PNG"))  # type: ignore[call-overload]  # it takes text, and no bytes


def png_of(image: QImage) -> bytes:
    """A picture as the bytes of a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # it takes text, and no bytes
    return bytes(buffer.data().data())


def save_drawing(path: Path, draw: Callable[[QBuffer], bool]) -> None:
    """Write what `draw(buffer)` encodes, who says whether that was possible; EngineError where it was not."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not draw(buffer):
        raise EngineError(f"{path}: the picture could not be drawn")
    with atomic_file(path, EngineError) as part:
        part.write_bytes(buffer.data().data())
