"""`RneaStepItem`: one move of recursive Newton–Euler in the scene, vectors as arrows, turns and moments as rings."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.scene_item import SceneItem
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.newton_euler.arrow_mesh import ArrowMesh
from armature.app.scene.overlays.newton_euler.placed_arrows import arrow_labels, placed
from armature.app.scene.overlays.newton_euler.rnea_walk import Arrow, RneaMoment


class RneaStepItem(SceneItem):
    """Length and radius grow with the root of the share, so that small ones are seen beside large ones."""

    def __init__(self):
        super().__init__(depth=34)
        self.moment: RneaMoment | None = None
        self.bodies = np.zeros(0, BODY)
        self._reach, self._dark = 1.0, False
        self._tips: list[np.ndarray] = []
        self.setVisible(False)

    def set_reach(self, reach: float) -> None:
        """Size everything for a robot of this reach in m, with nothing to show yet."""
        self._reach = reach
        self.set_moment(None)

    def set_moment(self, moment: RneaMoment | None) -> None:
        """Show this; None for nothing."""
        self.moment = moment
        self.setVisible(moment is not None)
        self._place()

    @property
    def shown(self) -> list[Arrow]:
        """The arrows that have a length."""
        return [] if self.moment is None else [arrow for arrow in self.moment.arrows if arrow.share > 0.0]

    def draw(self, frame: FrameState) -> None:
        if self.moment is None:
            return
        dark = frame.theme is palette.DARK
        if dark != self._dark:
            self._dark = dark
            self._place()
        if not len(self.bodies):
            return
        self.held("arrows", ArrowMesh).draw(frame, self.bodies)

    def labels(self, frame: FrameState) -> list[Label]:
        """The symbol at every head and ring, under it how much it is."""
        return arrow_labels(self.shown, self._tips, frame)

    def _place(self) -> None:
        s = 1.0 if self.moment is None else self.moment.s
        self.bodies, self._tips = placed(self.shown, self._reach, self._dark, s)
