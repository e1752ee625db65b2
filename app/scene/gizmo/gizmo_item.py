"""`GizmoItem`: draws the gizmo over everything else, in one call."""

from __future__ import annotations

from functools import cache

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.gizmo.gizmo_handles import KNOB
from armature.app.scene.gizmo.gizmo_look import GizmoLook
from armature.app.scene.gizmo.gizmo_shape import SLOTS, WAY, gizmo_mesh, placed
from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import BODY, GpuMesh
from armature.app.scene.gl.mesh import Mesh, linear
from armature.app.scene.gl.scene_item import SceneItem, blended, opaque
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.labels.label import Label

_IN_FRONT = 0.004  # share of the depth range that the gizmo keeps for itself, nearest to the eye
_LIT = linear(palette.SELECTED)
_RANK = -2
RIM = 1.4  # logical pixels
_ASIDE, _ABOVE, _LETTER, _BELOW = 22.0, -14.0, 3.9, 24.0
"""Logical pixels: a caption stands beside what is in hand, half a letter times its letters away; words stand below the gizmo."""


class GizmoItem(SceneItem):
    """Looks as `look` says; its parts hide each other, and nothing else hides them."""

    def __init__(self):
        super().__init__(depth=90)
        self.look = GizmoLook()
        self.caption_at: np.ndarray | None = None
        self._bodies = np.zeros(len(SLOTS), BODY)

    def set_pose(self, pose: Pose) -> None:
        """The arm's pose, whose tool the gizmo is at."""
        self.look.X_WT = pose.X_WT

    def drawn_by(self) -> tuple | None:
        return () if not self.look.shown else None

    def draw(self, frame: FrameState) -> None:
        if not self.look.shown:
            return
        mesh, starts = _parts()
        self._place(frame)
        gpu = self.on_card(mesh, self._bodies)
        GL.glDepthRange(0.0, _IN_FRONT)
        self._rim(gpu, starts, frame)
        self.shade_solids(frame, tint=_LIT)
        blended()
        gl_state.depth_mask(True)
        gpu.draw()
        GL.glDepthRange(0.0, 1.0)
        gl_state.depth_mask(False)

    def _rim(self, gpu: GpuMesh, starts: np.ndarray, frame: FrameState) -> None:
        """A thin edge in the colour of the background around what is solid, so that it stands out from arm and frames."""
        active = self.look.active
        first, last = (SLOTS.index(active), SLOTS.index(active) + 1) if active else (0, SLOTS.index(WAY) + 1)
        opaque()
        grow = RIM * frame.scale
        program = self.held("rim", Program, "outline.vert", "flat.frag")
        program.use(clip=frame.clip, grow=(grow * frame.pixel[0], grow * frame.pixel[1]), colour=(*rgb(frame.theme.halo), 1.0))
        gl_state.enable(GL.GL_CULL_FACE)
        gl_state.cull_face(GL.GL_FRONT)
        gpu.draw(int(starts[first]), int(starts[last] - starts[first]))
        gl_state.disable(GL.GL_CULL_FACE)

    def labels(self, frame: FrameState) -> list[Label]:
        """What the gesture amounts to, beside the handle in hand, and below the gizmo why the tool cannot follow."""
        look, dark = self.look, frame.theme is palette.DARK
        out: list[Label] = []
        if not look.shown:
            return out
        if look.caption:
            at = look.centre if self.caption_at is None else self.caption_at
            aside = _ASIDE + _LETTER * len(look.caption)
            out.append(Label(look.caption, frame.theme.text, at, (aside, _ABOVE), rank=_RANK))
        if look.words:
            below = 0.8 * look.pixels(frame.camera) + _BELOW
            out.append(Label(look.words, palette.CAUTION_TEXT[dark], look.centre, (0.0, below), rank=_RANK))
        return out

    def _place(self, frame: FrameState) -> None:
        poses, opacity = placed(self.look, frame.camera)
        self._bodies["pose"] = poses.transpose(0, 2, 1)
        self._bodies["state"][:, 3] = opacity
        lit = self.look.active or self.look.hovered
        self._bodies["state"][:, 0] = [name == lit or (name == WAY and lit == KNOB) or name == f"{lit} back" for name in SLOTS]


@cache
def _parts() -> tuple[Mesh, np.ndarray]:
    """All parts by slot, and where the triangles of each start."""
    return gizmo_mesh().slot_order(len(SLOTS))
