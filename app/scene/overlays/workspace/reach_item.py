"""`ReachItem`: a shaded surface that stands in the world: the cubes of the workspace, or its boundary."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.mesh import Mesh, linear
from armature.app.scene.gl.scene_item import SceneItem, blended, opaque

WORLD = np.zeros(1, BODY)
WORLD["pose"], WORLD["state"] = np.eye(4), (0.0, 0.0, 0.0, 1.0)


class ReachItem(SceneItem):
    """See-through surfaces show what lies in them: their far side is drawn before the near one."""

    def __init__(self):
        super().__init__(depth=38)
        self.mesh: Mesh | None = None
        self.opacity = 1.0

    def clear(self) -> None:
        self.set_mesh(None)

    def set_mesh(self, mesh: Mesh | None, opacity: float = 1.0) -> None:
        """Show this mesh in W, or nothing."""
        self.mesh, self.opacity = mesh, opacity

    @property
    def is_wall(self) -> bool:
        """Whether it is shown and nothing can be seen through it."""
        return self.mesh is not None and self.opacity == 1.0 and self.visible()

    def drawn_by(self) -> tuple | None:
        return () if self.mesh is None else None

    def draw(self, frame: FrameState) -> None:
        if self.mesh is None or not len(self.mesh.faces):
            return
        gpu = self.on_card(self.mesh, WORLD)
        self.shade_solids(frame, glow := linear(palette.GLOW), glow, self.opacity)
        if self.opacity == 1.0:
            opaque()
            gpu.draw()
            return
        blended()
        gl_state.enable(GL.GL_CULL_FACE)
        for side in (GL.GL_FRONT, GL.GL_BACK):
            gl_state.cull_face(side)
            gpu.draw()
        gl_state.disable(GL.GL_CULL_FACE)
