"""`ArrowMesh`: arrows and rings on the graphics card, each three parts with a pose and a colour of their own."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import GpuMesh
from armature.app.scene.gl.mesh import joined
from armature.app.scene.gl.scene_item import opaque
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.overlays.newton_euler.arrow_parts import head, ring, shaft

FRONT = 0.012  # the part of the depths that is nearest to the eye: the arm does not hide it
PARTS = 3  # shaft and head of an arrow, the ring


class ArrowMesh:
    """Draws one arrow and one ring per `PARTS` bodies."""

    def __init__(self):
        self._mesh, self._program = GpuMesh(), Program("coloured.vert", "solid.frag")
        self._mesh.upload(joined([shaft(0), head(1), ring(2)]))
        self._bodies: np.ndarray | None = None

    def set_bodies(self, bodies: np.ndarray) -> None:
        """Take these `bodies` `(k,)` of BODY, which are not changed afterwards."""
        if bodies is not self._bodies:
            self._mesh.set_bodies(bodies)
            self._bodies = bodies

    def draw(self, frame: FrameState, bodies: np.ndarray) -> None:
        """Draw them with these `bodies` `(k,)` of BODY, which are not changed afterwards."""
        self.set_bodies(bodies)
        GL.glDepthRange(0.0, FRONT)
        opaque()
        light = {"tint": (0, 0, 0), "glow": (0, 0, 0), "opacity": 1.0}
        self._program.use(clip=frame.clip, eye=frame.eye, right=frame.right, parts=float(PARTS), **light)
        self._mesh.draw(instances=len(bodies) // PARTS)
        GL.glDepthRange(0.0, 1.0)

    def release(self) -> None:
        """Give both back."""
        self._mesh.release()
        self._program.release()
