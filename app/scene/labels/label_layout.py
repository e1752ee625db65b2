"""`LabelLayout`: where the labels of one frame stand, so that none covers another. Numbers only."""

from __future__ import annotations

import numpy as np

SHARED = 4.0  # logical pixels: the transparent margins of two texts may lie over each other
CALM = 5.0  # logical pixels: a label goes home only where it has so much room to spare, so that it does not flicker
RINGS = (0.8, 1.6, 2.5, 3.5)  # heights of a text from its home to the places around it
LED = 9  # places from here on are so far off that a line leads to them
_D = 0.5**0.5
_WAYS = ((0, -1), (0, 1), (1, 0), (-1, 0), (_D, -_D), (-_D, -_D), (_D, _D), (-_D, _D))
WAYS = np.array([(0, 0), *_WAYS * len(RINGS)], float)  # from home to the places, in the order in which they are tried
OUT = np.array([0, *np.repeat(RINGS, len(_WAYS))])
Box = tuple[float, float, float, float]
"""Left, top, width and height in device pixels."""


class LabelLayout:
    """A picture of `size` device pixels, `scale` of them per logical one; the boxes `taken` in it are no place for a label."""

    def __init__(self, size: tuple[int, int], scale: float, taken: list[Box]):
        self._size, self._margin, self._calm = np.array(size), 0.5 * SHARED * scale, round(CALM * scale)
        boxes = np.array(taken, float).reshape(-1, 4)
        self._taken = _edges(boxes[:, :2], boxes[:, 2:])

    def stands(
        self, centre: np.ndarray, extent: np.ndarray, before: np.ndarray, stays: list[bool]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Corners `(N, 2)` and places `(N,)`, −1 for those that find none, of texts of `extent` `(N, 2)` pixels around `centre`.

        The first ones choose first. Each stays where it was `before`, unless it may go home; those that `stays` have no choice.
        """
        home, place = np.rint(centre - extent / 2), np.full(len(centre), -1)
        corner, away = home.copy(), np.flatnonzero(before)
        at = before[away]
        again = home[away] + np.rint(_offsets(extent[away])[np.arange(len(away)), at])
        chosen = self._chosen(_edges(home, extent), _edges(again, extent[away]), away)
        back = chosen >= len(home)
        place[chosen[~back]] = 0
        still = chosen[back] - len(home)
        place[away[still]], corner[away[still]] = at[still], again[still]
        standing = _edges(corner, extent)[place >= 0]
        for k in np.flatnonzero(place < 0).tolist():
            if not stays[k]:
                boxes = _edges(home[k] + np.rint(_offsets(extent[k : k + 1])[0]), extent[k])
                free = self._is_free(boxes, boxes) & ~self._meet(boxes, standing).any(axis=1)
                if free.any():
                    place[k] = np.argmax(free)
                    corner[k], standing = boxes[place[k], :2], np.concatenate([standing, boxes[place[k] :][:1]])
        return corner, place

    def _chosen(self, home: np.ndarray, again: np.ndarray, away: np.ndarray) -> np.ndarray:
        """Which of the boxes `home` `(N, 4)`, or else of those where the labels `away` were, may be had, in that order."""
        boxes = np.concatenate([home, again])
        tested = boxes.copy()
        tested[away] += self._calm * np.array([-1, -1, 1, 1])
        free = self._is_free(tested, boxes)
        clear = ~self._meet(tested, boxes).T
        elsewhere = dict(zip(away.tolist(), range(len(home), len(boxes))))
        out = []
        for k in range(len(home)):
            box = k if free[k] else elsewhere.get(k, k)
            if free[box]:
                out.append(box)
                free &= clear[box]
        return np.array(out, int)

    def _meet(self, some: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Which boxes, as edges `(a, 4)`, lie over which others `(b, 4)` by more than their margins, `(a, b)`."""
        inner = others + 2 * self._margin * np.array([1, 1, -1, -1])
        across = (some[:, :1] < inner[:, 2]) & (inner[:, 0] < some[:, 2:3])
        return across & (some[:, 1:2] < inner[:, 3]) & (inner[:, 1] < some[:, 3:])

    def _is_free(self, tested: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        """Whether nothing is `tested` that is taken for good, and the boxes lie in the picture."""
        inside = (boxes[:, :2] >= 0).all(axis=1) & (boxes[:, 2:] <= self._size).all(axis=1)
        return np.asarray(inside & ~self._meet(tested, self._taken).any(axis=1))


def _edges(corner: np.ndarray, extent: np.ndarray) -> np.ndarray:
    """Left, top, right and bottom."""
    return np.concatenate([corner, corner + extent], axis=1)


def _offsets(extent: np.ndarray) -> np.ndarray:
    """From home to every place `(N, places, 2)`: as far off to the side of a wide text as above it."""
    away = extent[:, 1:] * OUT
    wide = np.maximum(0.5 * (extent[:, :1] - extent[:, 1:]), 0.0)
    return np.stack([WAYS[:, 0] * (away + wide), WAYS[:, 1] * away], axis=-1)
