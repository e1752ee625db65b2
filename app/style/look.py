"""`Look`: the colours in force, and word of others."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from armature.app.style import theme
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.style.running_application import running


class Look(QObject):
    """`changed(tokens)` says that colours or text sizes are others, once the window's own parts have taken them over."""

    changed = Signal(object)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.tokens: Tokens = LIGHT

    def take(self, name: str, text_scale: int) -> None:
        """The theme of this name from now on: font and palette."""
        self.tokens = theme.prepare(running(), name, text_scale)
