"""Products put together from pieces that are each typeset once: most formulas of a sheet are made of the same few."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

from armature.app.equations.typesetter import Typesetter

BETWEEN = r" \, "
THIN, WIDER = 3.2, 4.6  # px between the boxes of two pieces, which have some room of their own; behind a sign


@dataclass(frozen=True)
class Composed:
    """Pieces in LaTeX with the place of each on the line of writing, and the box about all, in px of the typesetter."""

    pieces: tuple[tuple[str, float], ...]
    box: QRectF


class Pieces:
    """Keeps what it has put together."""

    def __init__(self, typesetter: Typesetter):
        self._typesetter = typesetter
        self._composed: dict[str, Composed] = {}

    def svg(self, piece: str) -> bytes:
        """The drawing of one piece."""
        return self._typesetter.drawing(piece)[0]

    def composed(self, latex: str) -> Composed:
        """A formula in its pieces."""
        if latex not in self._composed:
            self._composed[latex] = self._compose(split(latex))
        return self._composed[latex]

    def _compose(self, pieces: list[str]) -> Composed:
        boxes = [self._typesetter.drawing(piece)[1] for piece in pieces]
        places, x, right = [], 0.0, 0.0
        for piece, box in zip(pieces, boxes, strict=True):
            places.append((piece, x))
            right = x + box.right()
            x = right + (WIDER if piece in "+-" else THIN)
        top, bottom = min(box.top() for box in boxes), max(box.bottom() for box in boxes)
        left = boxes[0].left()
        return Composed(tuple(places), QRectF(left, top, right - left, bottom - top))


def split(latex: str) -> list[str]:
    """The factors of a product; what belongs together by braces or \\left and \\right stays so."""
    found: list[str] = []
    for part in latex.split(BETWEEN):
        if found and not _whole(found[-1]):
            found[-1] += BETWEEN + part
        else:
            found.append(part)
    return found


def _whole(text: str) -> bool:
    return text.count("{") == text.count("}") and text.count(r"\left") == text.count(r"\right")
