"""The outline of a typeset formula, which is filled without a pen; Qt's own drawing of SVG strokes it on PDF."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from PySide6.QtGui import QPainterPath, Qt

COMMAND = re.compile(r"[MLQCZ]|[-+]?[\d.]+(?:e[-+]?\d+)?")
COUNTS = {"M": 2, "L": 2, "Q": 4, "C": 6, "Z": 0}


def outline(svg: bytes) -> QPainterPath:
    """Of paths with absolute M, L, Q, C, Z, and of rectangles, in px."""
    found = QPainterPath()
    found.setFillRule(Qt.FillRule.WindingFill)
    for element in ET.fromstring(svg):
        if element.tag.endswith("path"):
            _add(found, element.attrib["d"])
        elif element.tag.endswith("rect"):
            found.addRect(*(float(element.attrib[name]) for name in ("x", "y", "width", "height")))
    return found


def _add(path: QPainterPath, text: str) -> None:
    words = iter(COMMAND.findall(text))
    for command in words:
        x = _numbers(words, COUNTS[command])
        match command:
            case "M":
                path.moveTo(*x)
            case "L":
                path.lineTo(*x)
            case "Q":
                path.quadTo(*x)
            case "C":
                path.cubicTo(*x)
            case _:
                path.closeSubpath()


def _numbers(words: Iterator[str], count: int) -> list[float]:
    return [float(next(words)) for _ in range(count)]
