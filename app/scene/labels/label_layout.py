"""`LabelLayout`: where the labels of one frame stand, so that none covers another, and what is drawn of them. Numbers only."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.labels.label_rows import LabelRows

SHARED = 4.0  # logical pixels: the transparent margins of two texts may lie over each other
CALM = 5.0  # logical pixels: a label goes home only where it has so much room to spare, so that it does not flicker
TAP = 2.0  # logical pixels between the places where it is looked whether a label is hidden, usually
NEARER = 0.006  # of the way to the eye: a point on a surface is not hidden by it
FOUND, RECORD, LOOKED = 9, 16, 3  # numbers
PATIENCE = 6  # frames until a label that found no place looks for one again
PLACE, AHEAD = 4, 8  # in FOUND
LED = 9  # places from here on are so far off that a line leads to them
Box = tuple[float, float, float, float]
"""Left, top, width and height in device pixels."""


class LabelLayout:
    """`found` `(N, FOUND)` has box, place and anchor of each label, in pixels; `records` draw them, and `looked` `(k, LOOKED)`
    are the pixels of what may be hidden, and how far to the side it is looked there."""

    def __init__(self):
        self.found, self.records, self.looked = np.zeros((0, FOUND)), np.zeros((0, RECORD), "f4"), np.zeros((0, LOOKED))
        self._sizes: list[int] = []
        self._places = np.zeros(0, np.int64)  # of the last layout
        self._turn = np.zeros(1, np.int64)
        self._view: tuple[FrameState, tuple[int, int], np.ndarray] | None = None

    def lay_out(
        self, rows: list[LabelRows], pieces: tuple[np.ndarray, ...], atlas: tuple[int, int], frame: FrameState, taken: list[Box]
    ) -> None:
        """Find a place for each label of all sources, by rank and then the nearest to the eye first, off the boxes `taken`.

        They are put together from `pieces`, styles, wholes and characters, of an atlas of that width and height.
        """
        from armature.app.scene.labels.label_places import laid_out  # numba: not before the window is on screen

        points, styles, lengths, codes = (np.concatenate(parts) for parts in zip(*rows, strict=True))
        edges = np.array(taken, float).reshape(-1, 4)
        edges[:, 2:] += edges[:, :2]
        self._turn[0] = (self._turn[0] + 1) % PATIENCE
        found, counts = np.empty((len(points), FOUND)), np.zeros(2)
        records, looked = np.zeros((2 * len(codes) + len(points), RECORD)), np.empty((len(points), LOOKED))
        seen, before = self._seen(frame, atlas), self._before([len(part.points) for part in rows])
        texts = points, styles, np.cumsum(lengths), codes
        laid_out.call(*texts, *pieces, seen, edges, before, self._turn, found, records, looked, counts)
        count, lookups = counts.astype(int).tolist()
        self.found, self.records, self.looked = found, records[:count].astype("f4"), looked[:lookups]
        self._places = np.where(found[:, AHEAD] > 0, found[:, PLACE], 0).astype(np.int64)

    def _before(self, sizes: list[int]) -> np.ndarray:
        """Where each label was in the last layout, by its source and its number there; those that are new are at home."""
        if sizes != self._sizes:
            ends = np.cumsum(self._sizes)
            last = dict(enumerate(np.split(self._places, ends[:-1]) if len(ends) else []))
            none = np.zeros(max(sizes), np.int64)
            parts = [np.concatenate([last.get(k, none)[:size], none])[:size] for k, size in enumerate(sizes)]
            self._sizes, self._places = sizes, np.concatenate(parts)
        return self._places

    def _seen(self, frame: FrameState, atlas: tuple[int, int]) -> np.ndarray:
        """The camera, the picture and the atlas as `laid_out` has them."""
        if self._view is None or self._view[0] is not frame or self._view[1] != atlas:
            camera, scale = frame.camera, frame.scale
            half, far = (0.5 * camera.width, 0.5 * camera.height), NEARER * camera.distance
            seen = *camera.eye, *camera.axes().ravel(), *half, camera.scale, camera.orthographic, *frame.clip[2:].ravel(), far
            picture = scale, *frame.size, SHARED * scale, round(CALM * scale), TAP * scale, *atlas
            self._view = frame, atlas, np.array([*seen, *picture], float)
        return self._view[2]
