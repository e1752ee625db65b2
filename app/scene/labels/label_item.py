"""`LabelItem`: all texts of the scene in one draw call."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

import numpy as np
from OpenGL import GL

from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.point_buffer import Attribute, PointBuffer
from armature.app.scene.gl.scene_item import SceneItem, blended
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.labels.label import Label
from armature.app.scene.labels.label_atlas import LabelAtlas
from armature.app.scene.labels.label_places import Box, LabelPlaces
from armature.app.scene.labels.label_run import label_run

RECORD = np.dtype([("box", "f4", 4), ("glyph", "f4", 4), ("depth", "f4")])


class LabelItem(SceneItem):
    """Asks its sources for labels every frame; a label that would cover another one, or a place `reserved` or `kept_clear`
    (device pixels) for something else, steps aside or stays out."""

    def __init__(self):
        super().__init__(depth=100)
        self.sources: list[Callable[[FrameState], list[Label]]] = []
        self.boxes: list[tuple[str, Box]] = []
        self.reserved: list[Box] = []
        self.kept_clear: Callable[[FrameState], list[Box]] = lambda frame: []

    def draw(self, frame: FrameState) -> None:
        labels = [label for source in self.sources for label in source(frame)]
        atlas = self._atlas(frame)
        records = self._laid_out(labels, atlas, frame)
        if not len(records):
            return
        blended(depth_test=True, premultiplied=True)
        program = self.held("program", Program, "label.vert", "label.frag")
        program.use(size=(float(frame.size[0]), float(frame.size[1])))
        program.use_texture("image", 0, atlas.texture)
        atlas.bind()
        buffer = self.held(
            "buffer", PointBuffer, RECORD.itemsize, (Attribute(0, 4, 0), Attribute(1, 4, 16), Attribute(2, 1, 32)), True
        )
        buffer.upload(records, GL.GL_STREAM_DRAW)
        buffer.bind()
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, buffer.count)

    def _atlas(self, frame: FrameState) -> LabelAtlas:
        atlas = self._resources.get("atlas")
        if atlas is not None and (atlas.scale, atlas.halo) != (frame.scale, frame.theme.halo):
            self._resources.pop("atlas").release()
        atlas = self.held("atlas", LabelAtlas, frame.scale, frame.theme.halo)
        atlas.next_frame()
        return atlas

    def _laid_out(self, labels: list[Label], atlas: LabelAtlas, frame: FrameState) -> np.ndarray:
        """Records of the labels that find a place, by rank and then the nearest to the eye first."""
        self.boxes = []
        if not labels:
            return np.zeros(0, RECORD)
        room = LabelPlaces(frame.size, frame.scale, self.reserved + self.kept_clear(frame))
        points = np.array([label.point for label in labels])
        at, clip = frame.camera.project(points), points @ frame.clip[2:, :3].T + frame.clip[2:, 3]
        places, depths = at.tolist(), (clip[:, 0] / clip[:, 1]).tolist()
        runs, stands = [], []
        for k in np.lexsort((at[:, 2], np.array([label.rank for label in labels]))).tolist():
            (x, y, away), label = places[k], labels[k]
            if not (isfinite(x) and away > 0):
                continue
            run = label_run(label, atlas)
            centre = (x + label.shift[0]) * frame.scale, (y + label.shift[1]) * frame.scale
            if label.fixed:
                corner = round(centre[0] - run.width / 2), round(centre[1] - run.height / 2)
            else:
                if label.rank < 0:
                    centre = _inside(centre, (run.width, run.height), frame.size)
                box = room.take(centre, run.width, run.height, steps=not label.hidden_by_solids)
                if box is None:
                    continue
                self.boxes.append((label.text, box))
                corner = box[:2]
            runs.append(run.pieces)
            stands.append((*corner, depths[k] if label.hidden_by_solids else -1.0))
        return _records(runs, stands, atlas)


def _records(runs: list[np.ndarray], stands: list[tuple[float, float, float]], atlas: LabelAtlas) -> np.ndarray:
    """One record per piece of the runs, which stand at those corners and depths."""
    if not runs:
        return np.zeros(0, RECORD)
    pieces, stand = np.concatenate(runs), np.repeat(np.array(stands, "f4"), [len(run) for run in runs], axis=0)
    out = np.empty(len(pieces), RECORD)
    out["box"][:, :2] = np.rint(stand[:, :2] + pieces[:, :2])
    out["box"][:, 2:] = pieces[:, 4:]
    out["glyph"] = pieces[:, 2:] / np.array([atlas.image.width(), atlas.image.height()] * 2, "f4")
    out["depth"] = stand[:, 2]
    return out


def _inside(centre: tuple[float, float], glyph: tuple[int, int], size: tuple[int, int]) -> tuple[float, float]:
    """The nearest centre for which a text of so many pixels lies within the picture."""
    x, y = (max(0.5 * g + 1, min(c, s - (0.5 * g + 1))) for c, g, s in zip(centre, glyph, size, strict=True))
    return x, y
