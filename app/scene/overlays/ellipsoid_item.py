"""`EllipsoidItem`: see-through ellipsoids with their principal sections, all in one draw call."""

from __future__ import annotations

from functools import cache

import numpy as np

from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import gl_state
from armature.app.scene.gl.basic_solids import sphere
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import BODY, GpuMesh
from armature.app.scene.gl.mesh import Mesh
from armature.app.scene.gl.scene_item import blended
from armature.app.scene.gl.shader_program import Program


class EllipsoidItem(PoseItem):
    """A flat ellipsoid keeps a thickness that can be seen. With `through` the arm does not hide them."""

    def __init__(self, depth: int, colour: str, through: bool = False):
        super().__init__(depth)
        self.setVisible(False)
        self.colour, self.through = colour, through
        self.bodies = np.zeros(0, BODY)

    def set_count(self, count: int) -> None:
        """So many, whose poses `follow` puts into `bodies`: columns as long as the half axes, at least a little."""
        self.bodies = np.zeros(count, BODY)
        self.bodies["pose"][:, 3, 3] = 1.0

    def prepare(self, frame: FrameState) -> None:
        super().prepare(frame)
        self.on_card(_ball(), self.bodies)

    def drawn_by(self) -> tuple:
        return (len(self.bodies),)

    def draw(self, frame: FrameState) -> None:
        if not len(self.bodies):
            return
        gpu = self.held("mesh", GpuMesh)
        program = self.held("program", Program, "ellipsoid.vert", "ellipsoid.frag")
        program.use(clip=frame.clip, eye=frame.eye, colour=rgb(self.colour), line=frame.scale)
        blended(depth_test=not self.through)
        gl_state.enable(GL.GL_CULL_FACE)
        for side in (GL.GL_BACK,) if self.through else (GL.GL_FRONT, GL.GL_BACK):
            gl_state.cull_face(side)
            gpu.draw(instances=len(self.bodies))
        gl_state.disable(GL.GL_CULL_FACE)


@cache
def _ball() -> Mesh:
    return sphere(1.0, segments=40, bands=20)
