"""`PoseItem`: what is drawn from the arm's pose."""

from __future__ import annotations

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.scene_item import SceneItem


class PoseItem(SceneItem):
    """Told every new pose, it computes what it draws once per frame and only while it is shown."""

    def __init__(self, depth: int):
        super().__init__(depth)
        self._pose: Pose | None = None
        self._is_behind = False

    def set_pose(self, pose: Pose) -> None:
        """Show this pose with the next frame."""
        self._pose, self._is_behind = pose, True

    def prepare(self, frame: FrameState) -> None:
        if self._is_behind and self._pose is not None:
            self.follow(self._pose)
            self._is_behind = False

    def follow(self, pose: Pose) -> None:
        """Compute what `draw` needs for this pose."""
        raise NotImplementedError
