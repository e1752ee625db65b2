"""`LabelLayout`: where the labels of one frame stand, so that none covers another, and what is drawn of them. Numbers only."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.labels.label_sheet import LabelSheet

SHARED = 4.0  # logical pixels: the transparent margins of two texts may lie over each other
CALM = 5.0  # logical pixels: a label goes home only where it has so much room to spare, so that it does not flicker
TAP = 2.0  # logical pixels between the places where it is looked whether a label is hidden, usually
NEARER = 0.006  # of the way to the eye: a point on a surface is not hidden by it
FOUND, RECORD, LOOKED = 9, 16, 4  # numbers
PATIENCE = 6  # frames until a label that found no place looks for one again
PLACE, AHEAD = 4, 8  # in FOUND
LED = 9  # places from here on are so far off that a line leads to them
Box = tuple[float, float, float, float]
"""Left, top, width and height in device pixels."""


class LabelLayout:
    """`found` `(N, FOUND)` has box, place and anchor of each label, in pixels; `records` draw them, and `looked` `(k, LOOKED)`
    are left, top, right and bottom of the pixels where it is looked what is hidden. All hold until the next layout."""

    def __init__(self):
        self.found, self.records, self.looked = np.zeros((0, FOUND)), np.zeros((0, RECORD), "f4"), np.zeros((0, LOOKED))
        self._sheet: LabelSheet | None = None
        self._room = self.records, self.looked
        self._places, self._counts, self._turn = np.zeros(0, np.int64), np.zeros(2, np.int64), 0  # of the last layout
        self._taken: tuple[list[Box], np.ndarray] | None = None
        self._view: tuple[FrameState, tuple[int, int], np.ndarray] | None = None

    def lay_out(
        self, sheet: LabelSheet, pieces: tuple[np.ndarray, ...], atlas: tuple[int, int], frame: FrameState, taken: list[Box]
    ) -> None:
        """Find a place for each label of a sheet, by rank and then the nearest to the eye first, off the boxes `taken`.

        They are put together from `pieces`, styles, wholes and characters, of an atlas of that width and height.
        """
        from armature.app.scene.labels.label_places import laid_out  # numba: not before the window is on screen

        if sheet is not self._sheet:
            self._take(sheet)
        self._turn = (self._turn + 1) % PATIENCE
        texts, view = (sheet.points, sheet.styles, sheet.codes), self._seen(frame, atlas)
        laid_out.call(texts, pieces, view, self._edges(taken), self._turn, self._places, self.found, *self._room, self._counts)
        count, lookups = self._counts.tolist()
        self.records, self.looked = self._room[0][:count], self._room[1][:lookups]

    def _take(self, sheet: LabelSheet) -> None:
        """Make room for its labels; each stays where it was, by its source and its number there, those that are new at home."""
        old, places = self._sheet, np.zeros(len(sheet.points), np.int64)
        for (first, last), (start, end) in zip(pairwise(old.starts if old is not None else []), pairwise(sheet.starts)):
            before = self._places[first:last][: end - start]
            places[start : start + len(before)] = before
        many = len(places)
        self._sheet, self._places, self.found = sheet, places, np.empty((many, FOUND))
        self._room = np.empty((many * (2 * sheet.width + 1), RECORD), "f4"), np.empty((many, LOOKED))

    def _edges(self, taken: list[Box]) -> np.ndarray:
        """Left, top, right and bottom of boxes `(T, 4)`."""
        if self._taken is None or self._taken[0] != taken:
            edges = np.array(taken, float).reshape(-1, 4)
            edges[:, 2:] += edges[:, :2]
            self._taken = taken, edges
        return self._taken[1]

    def _seen(self, frame: FrameState, atlas: tuple[int, int]) -> np.ndarray:
        """The camera, the picture and the atlas as `laid_out` has them."""
        if self._view is None or self._view[0] is not frame or self._view[1] != atlas:
            camera, scale = frame.camera, frame.scale
            half, far = (0.5 * camera.width, 0.5 * camera.height), NEARER * camera.distance
            seen = *camera.eye, *camera.axes().ravel(), *half, camera.scale, camera.orthographic, *frame.clip[2:].ravel(), far
            picture = scale, *frame.size, SHARED * scale, round(CALM * scale), TAP * scale, *atlas
            self._view = frame, atlas, np.array([*seen, *picture], float)
        return self._view[2]
