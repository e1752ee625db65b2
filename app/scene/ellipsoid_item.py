"""`EllipsoidItem`: how fast the tool can go in each direction."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from app.scene import palette
from app.scene.frame_state import FrameState, rgb
from app.scene.gpu_mesh import BODY, GpuMesh
from app.scene.program import Program
from app.scene.scene_item import SceneItem, blended
from app.scene.shapes import sphere

METRES_PER_SPEED = 0.25


class EllipsoidItem(SceneItem):
    """The image of the unit ball of joint speeds under the linear Jacobian: half axes 0.25 s · sigma_i along u_i, J_v = U S Vᵀ.

    The scale is fixed, so ellipsoids of different poses compare; a flat one keeps a thickness that can be seen.
    """

    def __init__(self):
        super().__init__(depth=30)
        self.bodies = np.zeros(1, BODY)
        self.bodies["state"][:, 3] = 1.0
        self.half_axes = np.zeros(3)

    def set_jacobian(self, J_v: np.ndarray, centre: np.ndarray, reach: float) -> None:
        """Linear Jacobian `(3, n)` in world axes, at the tool's origin `(3,)`."""
        squares, U = (part[..., ::-1] for part in np.linalg.eigh(J_v @ J_v.T))  # J Jᵀ = U Σ² Uᵀ, the longest axis first
        self.half_axes = METRES_PER_SPEED * np.sqrt(np.maximum(squares, 0.0))
        pose = np.eye(4)
        pose[:3, :3] = U * np.maximum(self.half_axes, 0.004 * reach)
        pose[:3, 3] = centre
        if np.linalg.det(pose[:3, :3]) < 0:
            pose[:3, 2] *= -1
        self.bodies["pose"][0] = pose.T

    def draw(self, frame: FrameState) -> None:
        gpu = self._resources.get("mesh")
        if gpu is None:
            gpu = self.held("mesh", GpuMesh)
            gpu.upload(sphere(1.0, segments=48, bands=24).painted(palette.ELLIPSOID))
        gpu.set_bodies(self.bodies)
        program = self.held("program", Program, "solid.vert", "ellipsoid.frag")
        program.use(clip=frame.clip, eye=frame.eye, colour=rgb(palette.ELLIPSOID))
        blended()
        GL.glEnable(GL.GL_CULL_FACE)
        for side in (GL.GL_FRONT, GL.GL_BACK):
            GL.glCullFace(side)
            gpu.draw()
        GL.glDisable(GL.GL_CULL_FACE)
