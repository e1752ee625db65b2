"""`ItemOrder`: what the items of a scene do in a frame, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.repeated_drawing import RepeatedDrawing
from armature.app.scene.gl.scene_item import SceneItem

Acts = list[tuple[SceneItem, Callable[..., None]]]
"""Items, each with what it does."""


class ItemGroup:
    """Items that are drawn one after the other, and repeated together while all of them look as they did."""

    def __init__(self, items: list[SceneItem]):
        self._drawing = RepeatedDrawing()
        self._causes = [item.drawn_by for item in items]
        self._acts: Acts = [(item, item.draw_or_repeat) for item in items]

    def draw(self, frame: FrameState, each: Callable[..., None], one_by_one: bool = False) -> None:
        """Have `each` of them drawn, or repeat their calls of the last frame, unless they are wanted `one_by_one`."""
        causes = [drawn_by() for drawn_by in self._causes]
        if one_by_one or None in causes:
            self._drawing = RepeatedDrawing()  # what it knows of the uniforms may not be so afterwards
            each(self._acts, frame)
        else:
            self._drawing.draw((frame, causes), each, self._acts, frame)


class ItemOrder:
    """Those that are shown and not broken, by their depth: sorted anew only after one of any scene has changed that."""

    def __init__(self) -> None:
        self._made_for: tuple[int, int] | None = None
        self.preparing: Acts = []
        self.drawing_aside: Acts = []
        self.groups: list[ItemGroup] = []

    def match(self, items: list[SceneItem]) -> ItemOrder:
        """The order as it is now."""
        made_for = SceneItem.changes, len(items)
        if made_for != self._made_for:
            shown = sorted([item for item in items if item.visible() and not item.broken], key=SceneItem.depthValue)
            self.preparing = [(item, item.prepare) for item in shown if type(item).prepare is not SceneItem.prepare]
            self.drawing_aside = [(item, item.draw_aside) for item in shown if item.draws_aside]
            self.groups = [ItemGroup(list(group)) for _, group in groupby(shown, _may_repeat)]
            self._made_for = made_for
        return self


def _may_repeat(item: SceneItem) -> bool:
    return type(item).drawn_by is not SceneItem.drawn_by
