"""`GhostCaption`: what the see-through arms in the view are, and the way to be rid of them."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton

from armature.app.scene.scene_view import SceneView
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon


class GhostCaption(QFrame):
    """There while the view shows such arms."""

    def __init__(self, scene: SceneView):
        super().__init__()
        self.setObjectName("ghost_caption")
        self.setProperty("role", "caption")
        self.text = QLabel()
        self.text.setObjectName("ghost_caption_text")
        self._close = QToolButton()
        self._close.setObjectName("ghost_dismiss")
        self._close.setAccessibleName("Remove the ghost")
        self._close.setToolTip("Remove the ghost (Esc in the view)")
        self._close.clicked.connect(lambda _: scene.dismiss_ghosts())
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 2, 4, 2)
        line.setSpacing(4)
        line.addWidget(self.text)
        line.addWidget(self._close)
        scene.ghosts_changed.connect(self._show)
        self.hide()

    def _show(self, title: str) -> None:
        if title and title != self.text.text():
            self.text.setText(title)
        self.setVisible(bool(title))

    def set_theme(self, tokens: Tokens) -> None:
        """Colour of the cross."""
        self._close.setIcon(icon("close", tokens.muted))
