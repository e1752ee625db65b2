"""`LabelItem`: all texts of the scene in one draw call."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from OpenGL import GL

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.depth_copy import DepthCopy
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.point_buffer import Attribute, PointBuffer
from armature.app.scene.gl.scene_item import SceneItem, blended
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.labels.label import Label
from armature.app.scene.labels.label_atlas import LabelAtlas
from armature.app.scene.labels.label_layout import LED, Box, LabelLayout
from armature.app.scene.labels.label_pills import MARGIN, stacked
from armature.app.scene.labels.label_records import NEVER, RECORD, TAP, line_records, text_records
from armature.app.scene.labels.label_run import LabelRun, label_runs

ATTRIBUTES = (Attribute(0, 4, 0), Attribute(1, 4, 16), Attribute(2, 4, 32), Attribute(3, 4, 48))
NEARER = 0.006  # of the way to the eye: a point on a surface is not hidden by it
PATIENCE = 6  # frames until a label that found no place looks for one again
SPREAD = 1.5  # of a tap's distance: as far around an anchor it is looked whether it is hidden


class LabelItem(SceneItem):
    """Asks its sources for labels; one that would cover another one, or a place `reserved` or `kept_clear` (device pixels) for
    something else, steps aside or stays out.

    While the sources give the same lists and the camera stands, nothing is laid out anew. `boxes` are the texts shown and where
    they stand, `led` those that a line leads to.
    """

    def __init__(self):
        super().__init__(depth=100)
        self.sources: list[Callable[[FrameState], list[Label]]] = []
        self.boxes: list[tuple[str, Box]] = []
        self.led: list[str] = []
        self.reserved: list[Box] = []
        self.kept_clear: Callable[[FrameState], list[Box]] = lambda frame: []
        self._records = np.zeros(0, RECORD)
        self._looked_at = np.zeros((0, 3))  # pixels of what may be hidden, and how far to the side it is looked
        self._laid_out_for: tuple | None = None
        self._places: dict[tuple[int, int], int] = {}  # by source and number in it, of those that are not at home
        self._turn = 0

    def draw(self, frame: FrameState) -> None:
        found = [source(frame) for source in self.sources]
        atlas = self._atlas(frame)
        taken = self.reserved + self.kept_clear(frame)
        made_for = (found, frame, atlas, (atlas.generation, taken))
        is_new = not self._is_laid_out(*made_for)
        if is_new:
            self._lay_out(found, atlas, frame, taken)
            self._laid_out_for = made_for
        if not len(self._records):
            return
        depth = self.held("depth", DepthCopy)
        if len(self._looked_at):
            sideways = self._looked_at[:, 2:]
            depth.take(self._looked_at[:, :2], SPREAD * np.hstack([sideways, np.full_like(sideways, TAP * frame.scale)]))
        blended(premultiplied=True)
        program = self.held("program", Program, "label.vert", "label.frag")
        _, (left, bottom, *_) = gl_state.target()
        size = (float(frame.size[0]), float(frame.size[1]))
        program.use(size=size, corner=(float(left), float(bottom)), scale=frame.scale, halo=rgb(frame.theme.halo))
        program.use_texture("depth", 1, depth.texture)
        program.use_texture("image", 0, atlas.texture)
        atlas.bind()
        buffer = self.held("buffer", PointBuffer, RECORD.itemsize, ATTRIBUTES, True)
        if is_new or buffer.count != len(self._records):
            buffer.upload(self._records, GL.GL_STREAM_DRAW)
        buffer.bind()
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, buffer.count)

    def _is_laid_out(self, found: list[list[Label]], frame: FrameState, atlas: LabelAtlas, rest: tuple) -> bool:
        """Whether the records are those of these lists, of this frame and atlas."""
        if self._laid_out_for is None:
            return False
        lists, same_frame, same_atlas, same_rest = self._laid_out_for
        if frame is not same_frame or atlas is not same_atlas or rest != same_rest:
            return False
        return len(found) == len(lists) and all(a is b or not (a or b) for a, b in zip(found, lists, strict=True))

    def _atlas(self, frame: FrameState) -> LabelAtlas:
        atlas = self._resources.get("atlas")
        if atlas is not None and (atlas.scale, atlas.halo) != (frame.scale, frame.theme.halo):
            self._resources.pop("atlas").release()
        atlas = self.held("atlas", LabelAtlas, frame.scale, frame.theme.halo)
        atlas.next_frame()
        return atlas

    def _lay_out(self, found: list[list[Label]], atlas: LabelAtlas, frame: FrameState, taken: list[Box]) -> None:
        """Records of the labels that find a place, by rank and then the nearest to the eye first."""
        self.boxes, self.led, self._looked_at = [], [], np.zeros((0, 3))
        pills = [_fitting(label, atlas, frame) for labels in found for label in labels if label.pill]
        runs = label_runs(pills, atlas)
        corners = stacked([(run.width, run.height) for run in runs], frame)
        self.boxes = [(pill.text, (*at, run.width, run.height)) for pill, run, at in zip(pills, runs, corners.tolist())]
        covered = (0.0, 0.0, float(frame.size[0]), frame.covered * frame.scale)
        room = LabelLayout(frame.size, frame.scale, taken + [covered, *(box for _, box in self.boxes)])
        names = [(s, k) for s, labels in enumerate(found) for k, label in enumerate(labels) if not label.pill]
        labels = [found[s][k] for s, k in names]
        parts = self._placed(labels, names, atlas, frame, room) if labels else []
        if runs:
            parts.append(text_records(runs, corners, np.tile((0.0, 0.0, NEVER, 0.0), (len(runs), 1)), atlas.size))
        self._records = np.concatenate(parts) if parts else np.zeros(0, RECORD)

    def _placed(self, labels: list[Label], names: list, atlas: LabelAtlas, frame: FrameState, room: LabelLayout) -> list:
        """Records of the labels that get a place."""
        anchors, ahead = _anchors(labels, frame)
        order = np.lexsort((ahead, np.array([label.rank for label in labels])))
        order = order[np.isfinite(anchors[order, 0]) & (ahead[order] > 0)]
        labels, names, anchors = [labels[k] for k in order], [names[k] for k in order], anchors[order]
        if not labels:
            return []
        runs = label_runs(labels, atlas)
        extent = np.array([(run.width, run.height) for run in runs], float)
        centre = anchors[:, :2] + frame.scale * np.array([label.shift for label in labels])
        inside = np.array([label.rank < 0 for label in labels])
        centre[inside] = np.maximum(np.minimum(centre[inside], frame.size - extent[inside] / 2), extent[inside] / 2)
        corner, place = np.rint(centre - extent / 2), np.zeros(len(labels), int)
        free = [k for k, label in enumerate(labels) if not label.fixed]
        before = np.array([self._places.get(names[k], 0) for k in free], int)
        self._turn = (self._turn + 1) % PATIENCE
        stays = [
            labels[k].stays or (known < 0 and k % PATIENCE != self._turn) for k, known in zip(free, before.tolist(), strict=True)
        ]
        corner[free], place[free] = room.stands(centre[free], extent[free], np.maximum(before, 0), stays)
        self._places = {names[k]: int(place[k]) for k in np.flatnonzero(place).tolist()}
        shown = np.flatnonzero(place >= 0).tolist()
        boxes = np.concatenate([corner, extent], axis=1)[shown]
        self.boxes += [(labels[k].text, tuple(box)) for k, box in zip(shown, boxes.astype(int).tolist()) if not labels[k].fixed]
        led = np.flatnonzero(place[shown] >= LED).tolist()
        return self._drawn([labels[k] for k in shown], [runs[k] for k in shown], anchors[shown], boxes, led, atlas, frame)

    def _drawn(self, labels: list[Label], runs: list[LabelRun], anchors, boxes, led: list[int], atlas, frame: FrameState) -> list:
        """Records of the lines to those `led`, then of the texts."""
        self.led = [labels[k].text for k in led]
        lies = [label.stays for label in labels]
        anchors[lies, 3] = boxes[lies, 2] / 3  # a text that stays is looked at in all its width
        self._looked_at = anchors[anchors[:, 2] != NEVER][:, [0, 1, 3]]
        texts = text_records(runs, boxes[:, :2], anchors, atlas.size)
        return [line_records([labels[k] for k in led], boxes[led], anchors[led], frame.scale), texts] if led else [texts]


def _anchors(labels: list[Label], frame: FrameState) -> tuple[np.ndarray, np.ndarray]:
    """What `RECORD` calls the anchors of the labels `(N, 4)`, and how far ahead of the eye they are `(N,)` in m."""
    points = np.array([label.point for label in labels])
    at = frame.camera.project(points)
    nearer = points + NEARER * frame.camera.distance * frame.camera.axes()[2]
    clip = nearer @ frame.clip[2:, :3].T + frame.clip[2:, 3]
    depth = np.maximum(0.5 + 0.5 * clip[:, 0] / clip[:, 1], 0.0)
    hides = [(label.hidden_by_solids, label.shines_through) for label in labels]
    hidden, shines = np.array(hides).T
    tested = np.where(hidden, np.where(shines, -depth, depth), NEVER)
    return np.column_stack([frame.scale * at[:, :2], tested, np.full(len(at), TAP * frame.scale)]), at[:, 2]


def _fitting(pill: Label, atlas: LabelAtlas, frame: FrameState) -> Label:
    """The pill, or what comes before its colon where the picture is too narrow for all of it."""
    fits = label_runs([pill], atlas)[0].width <= frame.size[0] - 2 * MARGIN * frame.scale
    return pill if fits else pill._replace(text=pill.text.partition(":")[0])
