"""`ScriptItem`: arrows and texts that a script wants shown."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.frame_item import readable
from armature.app.scene.overlays.sketch.sketch import Sketch
from armature.app.scene.overlays.sketch.sketch_item import SketchItem

BESIDE = 0.04  # reaches between the tip of an arrow and its name


class ScriptItem(SketchItem):
    """Its texts change with every frame, so they are put together from characters; `notes` stand at the top of the view."""

    def __init__(self):
        super().__init__()
        self.notes: tuple[str, ...] = ()
        self._pills_for: tuple | None = None
        self._pills: list[Label] = []

    def set_script(self, sketch: Sketch | None, notes: tuple[str, ...]) -> None:
        """Show this; None for nothing."""
        self.notes = notes
        self.set_sketch(sketch)

    def pills(self, frame: FrameState) -> list[Label]:
        """The notes."""
        if self.sketch is None:
            return []
        made_for = self.notes, frame.theme
        if made_for != self._pills_for:
            self._pills_for = made_for
            self._pills = [Label(text, frame.theme.text, np.zeros(3), pill=True) for text in self.notes]
        return self._pills

    def labels(self, frame: FrameState) -> list[Label]:
        """Names at the tips and captions."""
        if self.sketch is None:
            return []
        dark, out = frame.theme is palette.DARK, list[Label]()
        for arrow in self.sketch.arrows:
            along = arrow.tip - arrow.start
            length = float(np.linalg.norm(along))
            if arrow.name and length > 0.0:
                tip = arrow.tip + BESIDE * self._reach * along / length
                out.append(Label(arrow.name, readable(arrow.colour, dark), tip, rank=-1, plain=True))
        for text, colour, point in self.sketch.captions:
            out.append(Label(text, readable(colour, dark), point, (0.0, -18.0), rank=-1, plain=True))
        return out
