"""`Centre`: the view in the middle of the window, with what lies over it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from armature.app.scene.ghost_caption import GhostCaption
from armature.app.scene.scene_view import SceneView
from armature.app.widgets.banner import Banner


class Centre(QWidget):
    """All in one cell: a message lies over the view and does not move it. `ghost_caption` tells of see-through arms."""

    def __init__(self, scene: SceneView, banner: Banner, captions: QVBoxLayout):
        super().__init__()
        scene.setObjectName("scene_view")
        scene.setAccessibleName("3D view of the arm")
        cell = QGridLayout(self)
        cell.setContentsMargins(0, 0, 0, 0)
        cell.addWidget(scene, 0, 0)
        cell.addWidget(banner, 0, 0, Qt.AlignmentFlag.AlignTop)
        banner.covers.connect(scene.set_covered)
        self.ghost_caption = GhostCaption(scene)
        captions.setSpacing(0)
        captions.addWidget(self.ghost_caption, 0, Qt.AlignmentFlag.AlignLeft)
        cell.addLayout(captions, 0, 0, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)
