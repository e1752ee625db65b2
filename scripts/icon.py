"""Draws `assets/icons/armature.svg` as `bundle/icons/armature.png`, for menus, and for PyInstaller, which converts it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ROOT = Path(__file__).resolve().parents[1]
SIZE = 256


def main() -> None:
    """Writes the file."""
    image = QImage(SIZE, SIZE, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(ROOT / "assets/icons/armature.svg")).render(painter)
    painter.end()
    image.save(str(ROOT / "bundle/icons/armature.png"))


if __name__ == "__main__":
    main()
