"""`LabelLayout`: where the labels of one frame stand, so that none covers another. Numbers only."""

from __future__ import annotations

import numpy as np

SHARED = 4.0  # logical pixels: the transparent margins of two texts may lie over each other
CALM = 5.0  # logical pixels: a label goes home only where it has so much room to spare, so that it does not flicker
LED = 9  # places from here on are so far off that a line leads to them
Box = tuple[float, float, float, float]
"""Left, top, width and height in device pixels."""


class LabelLayout:
    """A picture of `size` device pixels, `scale` of them per logical one; the boxes `taken` in it are no place for a label."""

    def __init__(self, size: tuple[int, int], scale: float, taken: list[Box]):
        self._picture, self._margin, self._calm = np.array([size], float), SHARED * scale, float(round(CALM * scale))
        self._taken = np.array(taken, float).reshape(-1, 4)
        self._taken[:, 2:] += self._taken[:, :2]

    def stands(
        self, centre: np.ndarray, extent: np.ndarray, before: np.ndarray, stays: list[bool]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Corners `(N, 2)` and places `(N,)`, −1 for those that find none, of texts of `extent` `(N, 2)` pixels around `centre`.

        The first ones choose first. Each stays where it was `before`, unless it may go home; those that `stays` have no choice.
        """
        from armature.app.scene.labels.label_places import placed  # numba: not before the window is on screen

        boxes, found = np.concatenate([np.rint(centre - extent / 2), extent], axis=1), np.empty((len(centre), 3))
        placed.call(boxes, before, np.array(stays, np.int64), self._taken, self._picture, self._margin, self._calm, found)
        return found[:, :2], found[:, 2].astype(int)
