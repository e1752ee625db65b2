"""`LoadLegend`: what the colours of the loads mean, beside the axes in the corner of the view."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.line_batch import LineBatch, lines
from armature.app.scene.gl.scene_item import blended
from armature.app.scene.labels.label import Label
from armature.app.scene.surroundings.corner_item import HALF, MARGIN
from armature.app.state.units import significant
from armature.app.style import colormap

WIDTH, HEIGHT = 170.0, 10.0  # logical pixels, of the bar
UP, ASIDE = 50.0, 20.0  # of it from the bottom of the view and from the axes
TITLE, ENDS = -18.0, 19.0  # of the texts, from its middle
PIECES, TEXTS = 34, 2
Box = tuple[float, float, float, float]


class LoadLegend:
    """A bar of colours in one draw call, a title over it and the ends of the scales below."""

    def __init__(self):
        points = np.zeros((PIECES + 1, 3))
        points[:, 0] = np.linspace(-WIDTH / 2, WIDTH / 2, PIECES + 1)
        colours = colormap.lookup_bytes(np.linspace(0.0, 1.0, PIECES))[:, :3]
        self._bar = lines(points[:-1], points[1:] + [0.5, 0, 0], ["#" + bytes(rgb).hex() for rgb in colours], width=HEIGHT)

        self._uploaded: LineBatch | None = None
        self._seen: tuple[FrameState, FrameState] | None = None
        self._boxes: tuple[FrameState, list[Box]] | None = None
        self._labels_for: tuple[FrameState, float, float] | None = None
        self._labels: list[Label] = []

    def boxes(self, frame: FrameState) -> list[Box]:
        """Left, top, width and height of its place in device pixels."""
        if self._boxes is None or self._boxes[0] is not frame:
            (x, y), wide, top = middle(frame), WIDTH + 2 * HEIGHT, TITLE - 12.0
            scale = frame.scale
            self._boxes = frame, [(scale * (x - wide / 2), scale * (y + top), scale * wide, scale * (ENDS + 12.0 - top))]
        return self._boxes[1]

    def draw(self, held, frame: FrameState) -> None:
        """Draw the bar with GL objects that `held` keeps."""
        bar = held("legend", LineBatch)
        if bar is not self._uploaded:
            bar.upload(self._bar)
            self._uploaded = bar
        if self._seen is None or self._seen[0] is not frame:
            clip = _pixels(frame)
            clip.flags.writeable = False
            self._seen = frame, replace(frame, clip=clip)
        blended(depth_test=False)
        bar.draw(self._seen[1])

    def labels(self, frame: FrameState, force: float, moment: float) -> list[Label]:
        """The texts, for scales that end at so many N and N·m."""
        last = self._labels_for
        if last is None or last[0] is not frame or last[1:] != (force, moment):
            self._labels_for, self._labels = (frame, force, moment), self._made_labels(frame, force, moment)
        return self._labels

    def _made_labels(self, frame: FrameState, force: float, moment: float) -> list[Label]:
        x, y = middle(frame)
        texts = (("Joint reactions", TITLE), (f"0 to {significant(force)} N,  {significant(moment)} N·m", ENDS))
        ink = frame.theme.text
        return [Label(text, ink, _before_eye(frame, x, y + below), size=0.86, fixed=True) for text, below in texts]


def middle(frame: FrameState) -> tuple[float, float]:
    """Pixel x and y of the middle of the bar."""
    left = frame.camera.width - MARGIN - 2 * HALF - ASIDE - WIDTH
    return max(left, HEIGHT) + WIDTH / 2, frame.camera.height - UP


def _pixels(frame: FrameState) -> np.ndarray:
    """Logical pixels from the middle of the bar to clip coordinates, right before the eye, `(4, 4)`."""
    width, height = frame.camera.width, frame.camera.height
    X, (x, y) = np.diag([2.0 / width, -2.0 / height, 1.0, 1.0]), middle(frame)
    X[:3, 3] = 2.0 * x / width - 1.0, 1.0 - 2.0 * y / height, -0.99
    return X


def _before_eye(frame: FrameState, x: float, y: float) -> np.ndarray:
    eye, ray = frame.camera.ray(x, y)
    return eye + ray * frame.camera.distance
