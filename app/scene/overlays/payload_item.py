"""`PayloadItem`: what the tool holds, as a box of its mass."""

from __future__ import annotations

from functools import cache

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.basic_solids import rounded_box
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.mesh import Mesh
from armature.app.scene.gl.scene_item import opaque
from armature.engine import Payload, Robot

LARGEST = 0.35  # of the reach


class PayloadItem(PoseItem):
    """A cube as dense as water around the payload's centre of mass."""

    def __init__(self):
        super().__init__(depth=20)
        self.payload: Payload | None = None
        self._body = np.zeros(1, BODY)
        self._body["state"][:, 3] = 1.0

    def clear(self) -> None:
        self.set_payload(None)

    def set_payload(self, payload: Payload | None) -> None:
        """Show this one, or None."""
        self.payload = payload
        self.follow_again()

    def follow(self, pose: Pose) -> None:
        if self.payload is None:
            return
        X = np.eye(4)
        X[:3, :3] = drawn_side(self.payload.mass, pose.robot) * np.eye(3)
        X[:3, 3] = self.payload.com
        self._body["pose"] = (pose.X_WT @ X).T

    def drawn_by(self) -> tuple | None:
        return () if self.payload is None else None

    def draw(self, frame: FrameState) -> None:
        if self.payload is None:
            return
        gpu = self.on_card(_cube(), self._body)
        self.shade_solids(frame)
        opaque()
        gl_state.enable(GL.GL_CULL_FACE)
        gl_state.cull_face(GL.GL_BACK)
        gpu.draw()
        gl_state.disable(GL.GL_CULL_FACE)


@cache
def _cube() -> Mesh:
    return rounded_box((1.0, 1.0), -0.5, 0.5, corner=0.06, bevel=0.05).painted(palette.PAYLOAD)


def drawn_side(mass: float, robot: Robot) -> float:
    """Edge in m of the cube that is drawn for a payload of so many kg."""
    return min(float(np.cbrt(mass / 1000.0)), LARGEST * robot.reach)
