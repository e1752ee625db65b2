"""`LabelItem`: all texts of the scene in one draw call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.depth_copy import DepthCopy
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.point_buffer import Attribute, PointBuffer
from armature.app.scene.gl.scene_item import SceneItem, blended
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.labels.label import Label
from armature.app.scene.labels.label_atlas import LabelAtlas
from armature.app.scene.labels.label_layout import LED, PLACE, Box, LabelLayout
from armature.app.scene.labels.label_table import LabelTable, same_objects
from armature.app.scene.labels.pill_stack import PillStack

# what a record of 16 numbers has. Box: left, top, width and height in pixels, of a line its ends; glyph: the same in the atlas,
# 0…1; anchor: pixel and depth of what is told of, its negative where the label shines through what hides that, −2 where nothing
# hides it, and how far apart in pixels the three places to the left, at and to the right of it are where this is looked up; line:
# its colour
ATTRIBUTES = (Attribute(0, 4, 0), Attribute(1, 4, 16), Attribute(2, 4, 32), Attribute(3, 4, 48))
STRIDE = 64
SHINES = 0.65  # what a label that shines through keeps of itself where it is hidden
PUT_BY = "atlas of the other theme"


class LabelItem(SceneItem):
    """Asks its sources for labels; one that would cover another one, or a place `reserved` or `kept_clear` (device pixels) for
    something else, steps aside or stays out. Where the scene `is_walled`, none shines through what hides it. Letters are
    `magnification` times as large as usual.

    While the sources give the same lists and the camera stands, nothing is laid out anew.
    """

    def __init__(self):
        super().__init__(depth=100)
        self.sources: list[Callable[[FrameState], Sequence[Label]]] = []
        self.pill_sources: list[Callable[[FrameState], Sequence[Label]]] = []
        self.reserved: list[Box] = []
        self.kept_clear: Callable[[FrameState], list[Box]] = lambda frame: []
        self.is_walled: Callable[[], bool] = lambda: False
        self.magnification = 1.0
        self.layout, self._table = LabelLayout(), None
        self._pills = PillStack()
        self._shown: list[Sequence[Label]] = []  # that were laid out, by source, then the pills
        self._laid_out_for: tuple | None = None

    @property
    def _labels(self) -> list[Label]:
        return [label for labels in self._shown for label in labels]

    @property
    def boxes(self) -> list[tuple[str, Box]]:
        """The texts shown and where they stand, without those that are fixed; the pills first."""
        boxes = self.layout.found[:, :4].astype(int).tolist()
        shown = zip(self._labels, boxes, self.layout.found[:, PLACE].tolist(), strict=True)
        told = [(label, tuple(box)) for label, box, place in shown if place >= 0 and not label.fixed]
        return [(label.text, box) for label, box in sorted(told, key=lambda each: not each[0].pill)]

    @property
    def led(self) -> list[str]:
        """The texts that a line leads to."""
        return [label.text for label, place in zip(self._labels, self.layout.found[:, PLACE].tolist()) if place >= LED]

    def prepare(self, frame: FrameState) -> None:
        found = [source(frame) for source in self.sources]
        pills = [pill for source in self.pill_sources for pill in source(frame)]
        atlas = self._atlas(frame)
        taken = self.reserved + self.kept_clear(frame)
        made_for = ([*found, *pills], frame, atlas, (atlas.generation, taken))
        if not self._is_laid_out(*made_for):
            self._pills.place(pills, atlas, frame)
            self._lay_out(found, atlas, frame, taken)
            self._laid_out_for = made_for
            self.held("buffer", PointBuffer, STRIDE, ATTRIBUTES, True).upload(self.layout.records, GL.GL_STREAM_DRAW)
        atlas.upload()

    def draw(self, frame: FrameState) -> None:
        records, looked = self.layout.records, self.layout.looked
        if not len(records):
            return
        atlas = self._held_atlas(frame)
        depth = self.held("depth", DepthCopy)
        if len(looked):
            depth.take(looked)
        blended(premultiplied=True)
        program = self.held("program", Program, "label.vert", "label.frag")
        left, bottom, *_ = gl_state.target().viewport
        size = (float(frame.size[0]), float(frame.size[1]))
        shines = 0.0 if self.is_walled() else SHINES
        corner, halo = (float(left), float(bottom)), rgb(frame.theme.halo)
        program.use(size=size, corner=corner, scale=frame.scale, shines=shines, halo=halo)
        program.use_texture("depth", 1, depth.texture)
        program.use_texture("image", 0, atlas.texture)
        buffer = self.held("buffer", PointBuffer, STRIDE, ATTRIBUTES, True)
        buffer.bind()
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, buffer.count)

    def release(self) -> None:
        super().release()
        self._laid_out_for = None

    def _is_laid_out(self, found: Sequence[object], frame: FrameState, atlas: LabelAtlas, rest: tuple) -> bool:
        """Whether the records are those of these lists, of this frame and atlas."""
        if self._laid_out_for is None:
            return False
        lists, same_frame, same_atlas, same_rest = self._laid_out_for
        if frame is not same_frame or atlas is not same_atlas or rest != same_rest:
            return False
        return same_objects(found, lists)

    def _atlas(self, frame: FrameState) -> LabelAtlas:
        self._keep_for_later(frame)
        atlas = self._held_atlas(frame)
        atlas.next_frame()
        return atlas

    def _held_atlas(self, frame: FrameState) -> LabelAtlas:
        return self.held("atlas", LabelAtlas, self.magnification * frame.scale, frame.theme.halo)

    def _keep_for_later(self, frame: FrameState) -> None:
        """The atlas in use is put by where the theme is the other one, and given back where the scale is another."""
        held = self._resources
        atlas = held.get("atlas")
        if atlas is None:
            return
        if atlas.scale != self.magnification * frame.scale:
            for name in {"atlas", PUT_BY} & held.keys():
                held.pop(name).release()
        elif atlas.halo != frame.theme.halo:
            held.pop("atlas")
            if PUT_BY in held:
                held["atlas"] = held.pop(PUT_BY)
            held[PUT_BY] = atlas

    def _lay_out(self, found: list[Sequence[Label]], atlas: LabelAtlas, frame: FrameState, taken: list[Box]) -> None:
        table = self._table
        if table is None or table.atlas is not atlas or table.generation != atlas.generation:
            table = self._table = LabelTable(atlas)
        covered = (0.0, 0.0, float(frame.size[0]), frame.covered * frame.scale)
        self._shown = [*found, self._pills.labels]
        sheet = table.sheet(self._shown)
        pieces = table.styles, atlas.wholes, atlas.characters
        self.layout.lay_out(sheet, pieces, atlas.size, frame, [*taken, *self._pills.boxes, covered])
