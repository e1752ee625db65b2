"""`RneaStepItem`: one move of recursive Newton–Euler in the scene, vectors as arrows, turns and moments as rings."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.scene_item import SceneItem
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.newton_euler.arrow_mesh import ArrowMesh
from armature.app.scene.overlays.newton_euler.placed_arrows import PlacedArrows, placed
from armature.app.scene.overlays.newton_euler.rnea_walk import RneaMoment
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton


class RneaStepItem(SceneItem):
    """Length and radius grow with the root of the share, so that small ones are seen beside large ones."""

    def __init__(self):
        super().__init__(depth=34)
        self.moment: RneaMoment | None = None
        self.placed, self._reach = PlacedArrows(), 1.0
        self.setVisible(False)

    def clear(self) -> None:
        self.set_moment(None)

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        self._reach = robot.reach

    def set_moment(self, moment: RneaMoment | None) -> None:
        """Show this; None for nothing."""
        self.moment = moment
        self.setVisible(moment is not None)
        if moment is None:
            self.placed.place((), self._reach)
        else:
            self.placed.place(moment.arrows, self._reach, moment.s)

    @property
    def ends(self) -> np.ndarray:
        """Where the arrows and rings end once they are whole, `(N, 3)` in W."""
        arrows = () if self.moment is None else self.moment.arrows
        return np.array(placed([arrow for arrow in arrows if arrow.share > 0.0], self._reach, dark=False)[1]).reshape(-1, 3)

    def draw(self, frame: FrameState) -> None:
        self.placed.draw(frame, lambda: self.held("arrows", ArrowMesh))

    def labels(self, frame: FrameState) -> list[Label]:
        """The symbol at every head and ring, under it how much it is."""
        return self.placed.labels(frame)
