"""`ItemOrder`: what the items of a scene do in a frame, one after the other."""

from __future__ import annotations

from collections.abc import Callable

from armature.app.scene.gl.scene_item import SceneItem

Acts = list[tuple[SceneItem, Callable[..., None]]]
"""Items, each with what it does."""


class ItemOrder:
    """Those that are shown and not broken, by their depth: sorted anew only after one of any scene has changed that."""

    def __init__(self) -> None:
        self._made_for: tuple[int, int] | None = None
        self.preparing: Acts = []
        self.drawing_aside: Acts = []
        self.drawing: Acts = []

    def match(self, items: list[SceneItem]) -> ItemOrder:
        """The order as it is now."""
        made_for = SceneItem.changes, len(items)
        if made_for != self._made_for:
            shown = sorted([item for item in items if item.visible() and not item.broken], key=SceneItem.depthValue)
            self.preparing = [(item, item.prepare) for item in shown if type(item).prepare is not SceneItem.prepare]
            self.drawing_aside = [(item, item.draw_aside) for item in shown if item.draws_aside]
            self.drawing = [(item, item.draw_or_repeat) for item in shown]
            self._made_for = made_for
        return self
