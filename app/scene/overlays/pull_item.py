"""`PullItem`: the arrow of a hand that pulls on the arm."""

from __future__ import annotations

from functools import cache

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.basic_solids import aligned, cylinder, sphere
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.line_batch import LineBatch, lines
from armature.app.scene.gl.mesh import Mesh, joined
from armature.app.scene.gl.scene_item import blended
from armature.app.scene.labels.label import Label
from armature.app.state.units import significant

BALL, HEAD = 5.0, 15.0  # logical pixels: radius of the ball at the grabbed point, length of the arrow's head
WIDTH = 3.0
_IN_FRONT = 0.006  # share of the depth range: an arrow into the arm is seen through it
_RANK = -1


class PullItem(PoseItem):
    """From the grabbed point, which goes with its body, to where it is wanted; its newtons stand at the head."""

    def __init__(self):
        super().__init__(depth=80)
        self.newtons = 0.0
        self.ends = np.zeros((2, 3))
        self._slot, self._local = -1, np.zeros(3)
        self._bodies = np.zeros(2, BODY)
        self._bodies["state"][:, 3] = 1.0

    def hold(self, slot: int, local: np.ndarray, point: np.ndarray) -> None:
        """Begin at a point of a slot, `local` in its axes and `point` in W."""
        self._slot, self._local, self.newtons = slot, np.array(local), 0.0
        self.ends = np.array([point, point])

    def aim(self, target: np.ndarray) -> None:
        """The hand is at this point `(3,)` in W."""
        self.ends[1] = target

    def drop(self) -> None:
        """No pull."""
        self._slot = -1

    @property
    def text(self) -> str:
        """The force, "" without a pull."""
        return f"{significant(self.newtons, 3)} N" if self._slot >= 0 else ""

    def follow(self, pose: Pose) -> None:
        if 0 <= self._slot < len(pose.slots):
            X = pose.slots[self._slot]
            self.ends[0] = X[:3, :3] @ self._local + X[:3, 3]

    def drawn_by(self) -> tuple | None:
        return () if self._slot < 0 else None

    def draw(self, frame: FrameState) -> None:
        if self._slot < 0:
            return
        shaft = self.held("shaft", LineBatch)
        self._place(frame)
        gpu = self.on_card(_ball_and_head(), self._bodies)
        shaft.upload(lines(self.ends[:1], self._neck(frame)[None], [palette.PULL], width=WIDTH))
        GL.glDepthRange(0.0, _IN_FRONT)
        blended()
        shaft.draw(frame)
        self.shade_solids(frame)
        gl_state.depth_mask(True)
        gpu.draw()
        GL.glDepthRange(0.0, 1.0)
        gl_state.depth_mask(False)

    def labels(self, frame: FrameState) -> list[Label]:
        """How hard the hand pulls, beside the arrow's head."""
        if self._slot < 0:
            return []
        return [Label(self.text, frame.theme.text, self.ends[1], (0.0, -20.0), rank=_RANK, plain=True)]

    def _head(self, frame: FrameState) -> float:
        """Length of the head in m: never longer than the arrow."""
        whole = HEAD * frame.camera.metres_per_pixel(self.ends[1])
        return min(whole, float(np.linalg.norm(self.ends[1] - self.ends[0])))

    def _neck(self, frame: FrameState) -> np.ndarray:
        along = self.ends[1] - self.ends[0]
        length = float(np.linalg.norm(along))
        return self.ends[1] - (0.9 * self._head(frame) / length if length > 1e-9 else 0.0) * along

    def _place(self, frame: FrameState) -> None:
        along = self.ends[1] - self.ends[0]
        stretched = bool(np.linalg.norm(along) > 1e-9)
        head = aligned(along if stretched else np.array([0.0, 0.0, 1.0]), self.ends[1])
        head[:3, :3] *= max(self._head(frame), 1e-9)
        ball = np.eye(4)
        ball[:3, :3] *= BALL * frame.camera.metres_per_pixel(self.ends[0])
        ball[:3, 3] = self.ends[0]
        self._bodies["pose"] = np.stack([ball, head]).transpose(0, 2, 1)


@cache
def _ball_and_head() -> Mesh:
    tip = cylinder(0.36, -1.0, 0.0, top=0.0, segments=24)
    return joined([sphere(1.0, 24, 12).painted(palette.PULL), tip.painted(palette.PULL, slot=1)])
