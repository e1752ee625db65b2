"""`GhostItem`: the arm at other poses than its own, seen through."""

from __future__ import annotations

from enum import Enum

import numpy as np
from OpenGL import GL

from armature.app.scene.arm.arm_item import ArmItem
from armature.app.scene.gl import gl_state
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.mesh import linear
from armature.app.scene.gl.scene_item import SceneItem, blended, opaque
from armature.app.scene.gl.shader_program import Program

OPACITY = 0.34


class GhostLook(Enum):
    """What a ghost is, told by its stripes: how many there are per pixel, along x and y of the picture."""

    AHEAD = (0.0, 0.0)  # of a trajectory: none
    SINGULAR = (0.09, 0.09)  # a pose to go to: slanting
    CROSSING = (0.0, 0.14)  # ways through a singularity: lying
    COMPARED = (0.14, 0.0)  # other recordings: upright
    SCRIPT = (0.09, -0.09)  # of a script: slanting the other way
    BRANCH = (0.05, 0.05)  # other ways to take the tool's pose: slanting, wide


class GhostItem(SceneItem):
    """Draws the arm's mesh once per ghost, each in one colour; a ghost hides what of it lies behind it.

    `owner` is who shows them; whoever shows others takes the place.
    """

    def __init__(self, arm: ArmItem):
        super().__init__(depth=40)
        self._arm = arm
        self.bodies = np.zeros((0, 1), BODY)
        self.colours: tuple[str, ...] = ()
        self.owner: object = None

    def clear(self) -> None:
        """Show none, whoever's they are."""
        self.set_ghosts(None, np.zeros((0, 1, 4, 4)), (), GhostLook.AHEAD)

    def set_ghosts(self, owner: object, X_WS: np.ndarray, colours: tuple[str, ...], look: GhostLook) -> None:
        """Poses of all slots, the world first, of every ghost `(k, n + 1, 4, 4)`, and the k colours."""
        self.owner, self.look = owner, look
        self.bodies = np.zeros(X_WS.shape[:2], BODY)
        self.bodies["pose"] = X_WS.swapaxes(-1, -2)
        self.bodies["state"] = 1.0, 1.0, 0.0, OPACITY
        self.bodies["state"][:, 0, 3] = 0.0
        self.colours = tuple(colours)

    def draw(self, frame: FrameState) -> None:
        solids = self._arm.solids
        if not len(self.bodies) or solids is None or self.bodies.shape[1] != len(self._arm.bodies):
            return
        gpu = self._arm.gpu_mesh()
        # what stands still belongs to no ghost: the first slot's triangles are left out
        first = int(solids.starts[1])
        count = int(solids.starts[-1]) - first
        # a ghost where the arm is stays hidden behind it
        gl_state.enable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(1.0, 2.0)
        for bodies, colour in zip(self.bodies, self.colours, strict=True):
            gpu.set_bodies(bodies)
            program = self.held("program", Program, "solid.vert", "solid.frag")
            tint = linear(colour)
            program.use(clip=frame.clip, eye=frame.eye, right=frame.right, tint=tint, glow=tint, opacity=1.0)
            program.use(stripes=self.look.value)
            opaque()
            GL.glColorMask(False, False, False, False)
            gpu.draw(first, count)
            GL.glColorMask(True, True, True, True)
            blended()
            gpu.draw(first, count)
        gl_state.disable(GL.GL_POLYGON_OFFSET_FILL)
        gpu.set_bodies(self._arm.bodies)
