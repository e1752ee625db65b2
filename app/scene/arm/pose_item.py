"""`PoseItem`: what is drawn from the arm's pose."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from armature.app.scene.arm.drawn_pose import Pose, ShownPose
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.scene_item import SceneItem
from armature.app.state.units import Units
from armature.engine.errors import KernelsAwaitedError


class PoseItem(SceneItem):
    """Computes what it draws once per pose that is shown, and only while it is shown itself."""

    def __init__(self, depth: int):
        super().__init__(depth)
        self._shown = ShownPose()
        self._followed: Pose | None = None
        self._figures_of: tuple[Pose, Units] | None = None
        self._figures: list[str] = []

    @property
    def _pose(self) -> Pose | None:
        """The pose that is shown."""
        return self._shown.pose

    @property
    def _told(self) -> Pose | None:
        """The pose whose numbers are told."""
        return self._shown.told

    def figures(self, write: Callable[[Pose], list[str]]) -> list[str]:
        """Numbers of the pose that is told, as `write` has them; the same list until another pose or other units are told."""
        told = self._told
        if told is None:
            return []
        if self._figures_of is None or self._figures_of != (told, self.units):
            self._figures_of, self._figures = (told, self.units), write(told)
        return self._figures

    def write_again(self) -> None:
        """Something else than the pose has changed what `figures` say."""
        self._figures_of = None

    def go_with(self, shown: ShownPose) -> None:
        """Follow the pose that this says."""
        self._shown = shown

    def follow_again(self) -> None:
        """Something else than the pose has changed: compute anew with the next frame."""
        self._followed = None

    def prepare(self, frame: FrameState) -> None:
        pose = self._shown.pose
        if pose is not self._followed and pose is not None:
            with suppress(KernelsAwaitedError):  # then with a later frame
                self.follow(pose)
                self._followed = pose

    def follow(self, pose: Pose) -> None:
        """Compute what `draw` needs for this pose."""
        raise NotImplementedError
