"""`LabelPlaces`: which parts of the picture the labels of one frame may still have."""

from __future__ import annotations

from collections import defaultdict

ELSEWHERE = [(0, 0), (0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1)]
SHARED = 4.0  # pixels: the transparent margins of two texts may lie over each other
ROW = 48  # pixels: a box is only compared with those in the rows that it touches
Box = tuple[float, float, float, float]
"""Left, top, width and height in device pixels."""


class LabelPlaces:
    """A picture of `size` device pixels at `scale` pixels per unit, of which some boxes are taken."""

    def __init__(self, size: tuple[int, int], scale: float, taken: list[Box]):
        self._size, self._shared = size, SHARED * scale
        self._rows: defaultdict[int, list[Box]] = defaultdict(list)
        for box in taken:
            self._add(box)

    def take(self, centre: tuple[float, float], width: int, height: int, steps: bool) -> Box | None:
        """The place that a text gets near `centre`, with `steps` also beside it; None where all are taken."""
        x, y = centre[0] - width / 2, centre[1] - height / 2
        for dx, dy in ELSEWHERE if steps else ELSEWHERE[:1]:
            left, top = round(x + 0.75 * dx * width), round(y + 0.75 * dy * height)
            if left < 0 or top < 0 or left + width > self._size[0] or top + height > self._size[1]:
                continue
            if self._is_free(left, top, left + width, top + height):
                box = left, top, width, height
                self._add(box)
                return box
        return None

    def _add(self, box: Box) -> None:
        """Kept as its edges, less the margin that may be shared."""
        left, top, width, height = box
        edges = left, top, left + width - self._shared, top + height - self._shared
        for row in self._touched(top, top + height):
            self._rows[row].append(edges)

    def _is_free(self, left: float, top: float, right: float, bottom: float) -> bool:
        low, high = right - self._shared, bottom - self._shared
        for row in self._touched(top, bottom):
            for a, b, c, d in self._rows.get(row, ()):
                if left < c and a < low and top < d and b < high:
                    return False
        return True

    def _touched(self, top: float, bottom: float) -> range:
        return range(int(max(top, 0) // ROW), int(min(bottom, self._size[1]) // ROW) + 1)
