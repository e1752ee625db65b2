"""`SecondArmItem`: a second arm next to the arm of the scene or translucent over it, with captions."""

from __future__ import annotations

import numpy as np

from armature.app.scene.arm.arm_item import ArmItem
from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.solids import Solids
from armature.app.scene.labels.label import Label
from armature.engine import Robot

SHADE = 0.4  # of the tint in the colours of its links
BELOW = (0.0, 26.0)  # px, of a caption from the origin of the base
GAP = 0.6  # of the reaches, between two arms next to each other


class SecondArmItem(ArmItem):
    """Shown once it has a robot, until `clear`. `shift` `(3,)` is its displacement in W, m; `captions` are of both arms."""

    def __init__(self) -> None:
        super().__init__()
        self.robot: Robot | None = None
        self.shift = np.zeros(3)
        self.captions = ("", "")
        self._first_base = np.zeros(3)
        self.clear()

    def clear(self) -> None:
        """Show no second arm."""
        self.robot, self.solids = None, None
        self.setVisible(False)

    def show_arm(self, robot: Robot, solids: Solids, first: Robot, beside: bool, captions: tuple[str, str]) -> None:
        """Show a robot next to the first one, in the direction of −y of the world, or translucent over it."""
        self.make_room(len(robot.bodies) + 1, robot.joint_bodies)
        self.bodies["state"][:, :2] = SHADE
        self.set_solids(solids)
        self.robot, self.captions, self._first_base = robot, captions, first.base[:3, 3]
        self.translucent = not beside
        self.shift = np.array([0.0, -GAP * (robot.reach + first.reach), 0.0]) if beside else np.zeros(3)
        self.setVisible(True)

    def set_slots(self, X_WS: np.ndarray) -> None:
        """Set the poses of all slots in the frame of the first arm, the world first, `(n + 1, 4, 4)`."""
        shifted = X_WS.copy()
        shifted[:, :3, 3] += self.shift
        self.bodies["pose"][0] = shifted[0].T
        self.set_poses(shifted[1:])

    def points(self) -> np.ndarray:
        """Return points `(N, 3)` in W that outline the arm; none while it is not shown."""
        if self.solids is None:
            return np.zeros((0, 3))
        return self.solids.points(self.bodies["pose"].swapaxes(-1, -2).astype(float))

    def labels(self, frame: FrameState) -> list[Label]:
        """Return the captions of two arms next to each other, below their bases."""
        if self.robot is None or not self.shift.any():
            return []
        places = self._first_base, self.robot.base[:3, 3] + self.shift
        return [Label(text, frame.theme.text, place, BELOW, rank=-1) for text, place in zip(self.captions, places, strict=True)]

    def pills(self, frame: FrameState) -> list[Label]:
        """Return the caption of two arms over each other, at the top of the picture."""
        if self.robot is None or self.shift.any():
            return []
        one, other = self.captions
        return [Label(f"solid: {one} · translucent: {other}", frame.theme.text, np.zeros(3), pill=True)]

    @property
    def _tint_colour(self) -> str:
        return palette.ACCENT_SECOND
