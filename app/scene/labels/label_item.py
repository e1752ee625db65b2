"""`LabelItem`: all texts of the scene, drawn by QPainter once each and laid over the frame in one draw call."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence, Sized
from itertools import chain
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QTimer

from armature.app.scene.camera.camera import Camera
from armature.app.scene.gl import gl_state
from armature.app.scene.gl.depth_copy import DepthCopy
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.point_buffer import Attribute, PixelBuffer, PointBuffer
from armature.app.scene.gl.scene_item import SceneItem, blended
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.labels.label import Box, Label, LabelGroup
from armature.app.scene.labels.label_picture import label_picture, wrapped
from armature.app.scene.labels.label_places import LED, NOWHERE, find_places, moved

Source = Callable[[FrameState], Sequence[Label]]
SHIFT, HIDDEN, SHINES, FIXED, STAYS, RANK, COLOUR, STYLE = slice(0, 2), 2, 3, 4, 5, 6, slice(7, 10), 10  # numbers of a style
NONE = np.zeros((1, 0, 4), np.uint8)  # picture of an empty text
# of a record, 12 numbers: the box of a text, or the ends of a line; pixel and depth of the anchor, its negative where the text
# shines through what hides that, NEVER where nothing does, and how far apart in pixels it is looked up; colour and opacity of a
# line, or the first pixel of a picture and zeros
ATTRIBUTES = (Attribute(0, 4, 0), Attribute(1, 4, 16), Attribute(2, 4, 32))
RECORD, STRIDE = 12, 48  # numbers, bytes
NEVER = -2.0
OPACITY = 0.85  # of a line
INSET = 3.0  # logical pixels that a line goes into the margin of its text
TAP = 2.0  # logical pixels between the places where it is looked whether a label is hidden, usually
NEARER = 0.006  # of the way to the eye: a point on a surface is not hidden by it
SHINES_BY = 0.65  # what a label that shines through keeps of itself where it is hidden
EDGE, BETWEEN = 10.0, 2.0  # logical pixels above the first pill, and between pills
PERIOD = 0.1  # s between two searches for places while the same labels move


class Drawn(NamedTuple):
    """Pictures, `points` `(N, 3)` and `styles` `(N, 10)` of the labels of one source, for as long as `cause` is the same."""

    cause: tuple
    pictures: list[np.ndarray]
    points: np.ndarray
    styles: np.ndarray


class LabelItem(SceneItem):
    """Gets labels from its `sources`; one that would cover another one, or a place `reserved` or `kept_clear` (device pixels) for
    something else, steps aside or stays out. Where the scene `is_walled`, none shines through what hides it. Letters are
    `magnification` times as large as usual.

    Labels that move keep their places around their points for `period` s. While nothing changes, nothing is laid out.
    """

    def __init__(self):
        super().__init__(depth=100)
        self.sources: list[Source] = []
        self.pill_sources: list[Source] = []
        self.reserved: list[Box] = []
        self.kept_clear: Callable[[FrameState], list[Box]] = lambda frame: []
        self.is_walled: Callable[[], bool] = lambda: False
        self.magnification, self.period = 1.0, PERIOD
        self.records = np.zeros((0, RECORD), np.float32)
        self._looked = np.zeros(4)  # edges of the pixels where it is looked what is hidden
        self._drawn: dict[int, Drawn] = {}  # by source
        self._uploaded: list[np.ndarray] = []
        self._cause: tuple = ([], None)  # all that the records depend on
        self._setting: tuple = ()  # all that has to stay for labels to keep their places
        self._camera: Camera | None = None
        self._place: dict[tuple[int, int], int] = {}  # by source and number
        self._places, self._edges = np.zeros(0, int), np.zeros((0, 4))
        self._shown: tuple[list[Sequence[Label]], list[Label], list[Box]] = [], [], []
        self._placed_at, self._is_stale = 0.0, False
        self._later: QTimer | None = None

    @property
    def boxes(self) -> list[tuple[str, Box]]:
        """The texts shown and where they are, without those that are fixed; the pills first."""
        found, pills, corners = self._shown
        out: list[tuple[str, Box]] = [(pill.text, box) for pill, box in zip(pills, corners, strict=True)]
        for label, place, edges in zip(chain(*found), self._places, self._edges.astype(int).tolist(), strict=True):
            if place != NOWHERE and not label.fixed:
                left, top, right, bottom = edges
                out.append((label.text, (left, top, right - left, bottom - top)))
        return out

    @property
    def led(self) -> list[str]:
        """The texts that a line leads to."""
        return [label.text for label, place in zip(chain(*self._shown[0]), self._places, strict=True) if place >= LED]

    def prepare(self, frame: FrameState) -> None:
        found = [source(frame) for source in self.sources]
        pills = [pill for source in self.pill_sources for pill in source(frame)]
        taken = [*self.reserved, *self.kept_clear(frame)]
        cause = [*found, *pills], (frame, self.magnification, taken)
        is_due = self._is_stale and time.monotonic() - self._placed_at >= self.period
        if self._cause[1] == cause[1] and _same(self._cause[0], cause[0]) and not is_due:
            return
        self._cause = cause
        scale = self.magnification * frame.scale
        pills = [wrapped(pill, frame.size[0] - 2 * EDGE * frame.scale, scale) for pill in pills]
        drawn = [self._draw(k, labels, scale, frame.theme.halo) for k, labels in enumerate([*found, pills])]
        pictures = [picture for each in drawn for picture in each.pictures]
        if not _same(pictures, self._uploaded):
            self.held("pixels", PixelBuffer).upload(np.concatenate([NONE[0], *(each.reshape(-1, 4) for each in pictures)]))
            self._uploaded = pictures
        self._lay_out(found, pills, drawn, taken, frame)
        self.held("buffer", PointBuffer, STRIDE, ATTRIBUTES, True).upload(self.records, GL.GL_STREAM_DRAW)

    def draw(self, frame: FrameState) -> None:
        if not len(self.records):
            return
        depth = self.held("depth", DepthCopy)
        depth.take(self._looked)
        blended(premultiplied=True)
        program = self.held("program", Program, "label.vert", "label.frag")
        left, bottom, *_ = gl_state.target().viewport
        size, corner = (float(frame.size[0]), float(frame.size[1])), (float(left), float(bottom))
        shines = 0.0 if self.is_walled() else SHINES_BY
        program.use(size=size, corner=corner, scale=frame.scale, shines=shines, halo=rgb(frame.theme.halo))
        program.use_texture("depth", 1, depth.texture)
        program.use_texture("image", 0, self.held("pixels", PixelBuffer).texture, GL.GL_TEXTURE_BUFFER)
        buffer = self.held("buffer", PointBuffer, STRIDE, ATTRIBUTES, True)
        buffer.bind()
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, buffer.count)

    def release(self) -> None:
        super().release()
        self._cause, self._uploaded = ([], None), []

    def _draw(self, source: int, labels: Sequence[Label], scale: float, halo: str) -> Drawn:
        """The pictures of one source; anew only where the list or its texts are other objects than in the last frame."""
        group = labels if type(labels) is LabelGroup else None  # isinstance takes ten times as long for a Sequence
        cause = (labels, (), scale, halo) if group is None else (group.labels, group.texts, scale, halo)
        drawn = self._drawn.get(source)
        if drawn is None or not _same(drawn.cause[:2], cause[:2]) or drawn.cause[2:] != cause[2:]:
            each = list(labels)
            pictures = [label_picture(label, scale, halo) if label.text else NONE for label in each]
            points = np.array([label.point for label in each], float).reshape(-1, 3)
            styles = np.array([_style(label) for label in each], float).reshape(-1, STYLE)
            drawn = self._drawn[source] = Drawn(cause, pictures, points, styles)
        return drawn if group is None else drawn._replace(points=group.points)

    def _lay_out(
        self, found: list[Sequence[Label]], pills: list[Label], drawn: list[Drawn], taken: list[Box], frame: FrameState
    ) -> None:
        """Compute where texts and pills are, and the records that draw them: lines first, then texts, then pills."""
        sizes = np.array([picture.shape[1::-1] for picture in self._uploaded], float).reshape(-1, 2)
        starts, scale = np.cumsum([0, *np.prod(sizes, axis=1)]), frame.scale
        many = len(sizes) - len(pills)
        corners = _stacked(sizes[many:], frame)
        points, styles = (np.concatenate([part[k] for part in drawn[:-1]] or [drawn[-1][k][:0]]) for k in (2, 3))
        at, ahead, depth = _anchors(points, styles, frame)
        edges = moved(_homes(at, sizes[:many], styles, frame))
        shown = (ahead > 1e-9) & (sizes[:many, 0] > 0.0)
        order = np.lexsort((ahead, styles[:, RANK]))
        order = order[shown[order]]
        covered = 0.0, 0.0, float(frame.size[0]), frame.covered * scale
        clear = np.array([*taken, *corners, covered])
        clear[:, 2:] += clear[:, :2]
        setting = frame.size, self.magnification, [*map(len, found)], shown.tobytes(), clear.tobytes()
        if setting == self._setting and frame.camera is self._camera and time.monotonic() - self._placed_at < self.period:
            if not self._is_stale:
                self._draw_later()
            self._is_stale = True
        else:
            self._setting, self._camera = setting, frame.camera
            self._find_places(edges, order, styles, clear, frame)
        self._edges = edges[np.arange(many), np.maximum(self._places, 0)]
        self._shown = found, pills, corners
        placed = order[self._places[order] != NOWHERE]
        around = np.where(
            styles[:, STAYS] > 0.0, sizes[:many, 0] / 3.0, TAP * scale
        )  # a text that stays is looked at in all its width
        anchors = np.column_stack([at, depth, around])
        self._looked = _looked_at(anchors[placed[depth[placed] != NEVER]], scale)
        led = placed[self._places[placed] >= LED]
        lines = _lines(anchors[led], self._edges[led], styles[led, COLOUR], scale)
        texts = np.zeros((len(placed) + len(pills), RECORD))
        texts[:, 4:8] = 0.0, 0.0, NEVER, 0.0
        which = np.concatenate([placed, np.arange(many, len(sizes))])
        texts[:, :2] = np.concatenate([self._edges[placed, :2], np.array(corners).reshape(-1, 4)[:, :2]])
        texts[:, 2:4], texts[:, 8] = sizes[which], starts[which]
        texts[: len(placed), 4:8] = anchors[placed]
        self.records = np.concatenate([lines, texts]).astype(np.float32)

    def _draw_later(self) -> None:
        """Draw once more when the places are due."""
        if self._later is None:
            self._later = QTimer(self.view(), singleShot=True, interval=round(1.2e3 * PERIOD))
            self._later.timeout.connect(self.update)
        self._later.start()

    def _find_places(
        self, edges: np.ndarray, order: np.ndarray, styles: np.ndarray, clear: np.ndarray, frame: FrameState
    ) -> None:
        keys = [(source, k) for source, many in enumerate(self._setting[2]) for k in range(many)]
        before = np.array([self._place.get(key, 0) for key in keys], int)
        fixed = styles[:, FIXED] > 0.0
        stays = styles[:, STAYS] > 0.0
        self._places = find_places(edges, before, order[~fixed[order]], stays, frame.size, clear, frame.scale)
        self._places[order[fixed[order]]] = 0
        self._place = {keys[k]: int(self._places[k]) for k in order}
        self._placed_at, self._is_stale = time.monotonic(), False


def _same(some: Sequence[Sized], others: Sequence[Sized]) -> bool:
    """Whether these are the same objects, or both empty, one by one."""
    return len(some) == len(others) and all(a is b or not (len(a) or len(b)) for a, b in zip(some, others, strict=True))


def _style(label: Label) -> tuple[float, ...]:
    switches = label.hidden_by_solids, label.shines_through, label.fixed, label.stays
    return *label.shift, *switches, label.rank, *rgb(label.colour)


def _stacked(sizes: np.ndarray, frame: FrameState) -> list[Box]:
    """Boxes of pills of these widths and heights, one below the other at the top of the picture."""
    boxes, top = list[Box](), (frame.covered + EDGE) * frame.scale
    for width, height in sizes.astype(int).tolist():
        boxes.append((max(0, round(0.5 * (frame.size[0] - width))), round(top), width, height))
        top += height + BETWEEN * frame.scale
    return boxes


def _anchors(points: np.ndarray, styles: np.ndarray, frame: FrameState) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pixels `(N, 2)` of points in W, how far ahead of the eye they are in m, and depth of those that may be hidden `(N,)`."""
    *at, ahead = frame.camera.project(points).T
    deep, wide = frame.clip[2:, :3] @ (points + NEARER * frame.camera.distance * frame.camera.axes()[2]).T + frame.clip[2:, 3:]
    depth = np.maximum(0.5 + 0.5 * deep / np.where(wide > 0.0, wide, 1.0), 0.0)
    depth = np.where(styles[:, HIDDEN] > 0.0, np.where(styles[:, SHINES] > 0.0, -depth, depth), NEVER)
    return frame.scale * np.nan_to_num(np.transpose(at)), ahead, depth


def _homes(at: np.ndarray, sizes: np.ndarray, styles: np.ndarray, frame: FrameState) -> np.ndarray:
    """Edges of texts where nothing is in their way `(N, 4)`; those of a rank below 0 stay within the picture."""
    middle, half = at + frame.scale * styles[:, SHIFT], 0.5 * sizes
    inside = np.maximum(np.minimum(middle, frame.size - half), half)
    corner = np.rint(np.where(styles[:, RANK, None] < 0.0, inside, middle) - half)
    return np.hstack([corner, corner + sizes])


def _looked_at(anchors: np.ndarray, scale: float) -> np.ndarray:
    """Edges of the pixels where it is looked whether something hides these anchors."""
    if not len(anchors):
        return np.zeros(4)
    spread = 1.5 * np.column_stack([anchors[:, 3], np.full(len(anchors), TAP * scale)])
    return np.concatenate([(anchors[:, :2] - spread).min(axis=0), (anchors[:, :2] + spread).max(axis=0)])


def _lines(anchors: np.ndarray, edges: np.ndarray, colours: np.ndarray, scale: float) -> np.ndarray:
    """Records of the lines from anchors to the nearest points of their texts, where there is something between."""
    ends = np.minimum(np.maximum(anchors[:, :2], edges[:, :2] + INSET * scale), edges[:, 2:] - INSET * scale)
    lines = np.hstack([anchors[:, :2], ends, anchors, colours, np.full((len(ends), 1), OPACITY)])
    return lines[np.abs(ends - anchors[:, :2]).max(axis=1) > 1.0]
