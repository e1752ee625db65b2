"""`PillStack`: sentences about the whole picture, one below the other at its top."""

from __future__ import annotations

from collections.abc import Sequence

from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.labels.label import Label
from armature.app.scene.labels.label_atlas import LabelAtlas
from armature.app.scene.labels.label_group import LabelGroup
from armature.app.scene.labels.label_layout import Box
from armature.app.scene.labels.label_pills import MARGIN, stacked
from armature.app.scene.labels.label_table import same_objects


class PillStack:
    """The `pills` that are drawn as `labels` and take these `boxes` of the picture, in device pixels. They stand still while the
    same are told."""

    def __init__(self):
        self.pills: list[Label] = []
        self.labels: Sequence[Label] = []
        self.boxes: list[Box] = []
        self._wanted: list[Label] = []
        self._placed_for: tuple[FrameState, LabelAtlas, int] | None = None

    def place(self, wanted: list[Label], atlas: LabelAtlas, frame: FrameState) -> None:
        """Show these pills, in several lines where the picture is too narrow for one."""
        known = self._placed_for
        fits = known is not None and known[0] is frame and known[1] is atlas
        if not fits or not same_objects(wanted, self._wanted):
            room = frame.size[0] - 2 * MARGIN * frame.scale
            self._wanted, fits = wanted, False
            self.pills = [atlas.wrapped(pill, room) for pill in wanted]
        if fits and known is not None and known[2] == atlas.generation:
            atlas.keep(self.pills)
        else:
            self._put(atlas, frame)
            self._placed_for = frame, atlas, atlas.generation

    def _put(self, atlas: LabelAtlas, frame: FrameState) -> None:
        sizes = [atlas.size_of_whole(pill) for pill in self.pills]
        corners = stacked(sizes, frame)
        self.boxes = [(left, top, *size) for (left, top, _), size in zip(corners.tolist(), sizes, strict=True)]
        self.labels = LabelGroup(self.pills, corners) if self.pills else []
