"""`ArmItem`: the whole arm in one draw call; only poses and states change from frame to frame."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL, at_once
from armature.app.scene.gl.gpu_mesh import BODY, GpuMesh
from armature.app.scene.gl.mesh import linear
from armature.app.scene.gl.scene_item import SceneItem, blended, opaque
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.gl.solids import Solids
from armature.engine.thresholds import Level

OUTLINE = 2.6
SOLID, CLEAR = 10, 28  # places in the order of drawing: one seen through comes after what is in it and behind it
OPACITY, EDGES, VEIL = 0.36, 0.55, 0.34


class ArmItem(SceneItem):
    """Slot 0 is the world, slot i + 1 body i."""

    def __init__(self):
        super().__init__(depth=SOLID)
        self.wireframe = self.faded = self._translucent = False
        self.solids: Solids | None = None
        self.bodies = np.zeros(1, BODY)
        self.slot_of: tuple[int, ...] = ()
        self.pose_version = 0
        self.warning = Level.FINE
        self.colliding = frozenset[int]()
        self._warned: tuple[int, ...] = ()
        self.hovered = self.selected = self.lit = -1
        self.hovered_too: tuple[int, ...] = ()  # further joints
        self.hidden: frozenset[int] = frozenset()
        self._bodies_are_new = False

    @property
    def translucent(self) -> bool:
        """Whether the inside and the background shine through the arm."""
        return self._translucent

    @translucent.setter
    def translucent(self, on: bool) -> None:
        self._translucent = on
        self.setDepthValue(CLEAR if self.see_through else SOLID)

    def set_faded(self, on: bool) -> None:
        """See through the arm for as long as something inside it is explained, whatever the user chose."""
        self.faded = on
        self.setDepthValue(CLEAR if self.see_through else SOLID)

    @property
    def see_through(self) -> bool:
        """Whether the arm is drawn translucent, for one reason or the other."""
        return self._translucent or self.faded

    def make_room(self, slots: int, bodies_of_joints: tuple[int, ...]) -> None:
        """Make room for so many slots, all at the origin until `set_poses`."""
        self.slot_of = tuple(body + 1 for body in bodies_of_joints)
        self.bodies = np.zeros(slots, BODY)
        self.bodies["pose"] = np.eye(4)
        self.bodies["state"][:, 3] = 1.0
        self.hovered = self.selected = self.lit = -1
        self.hovered_too = ()
        self.hidden = self.colliding = frozenset()
        self.set_warning(Level.FINE, ())

    def set_solids(self, solids: Solids) -> None:
        """Draw these from now on; poses and colours of states stay."""
        self.solids = solids
        self.pose_version += 1

    def set_poses(self, X_WB: np.ndarray) -> None:
        """Poses of the bodies, `(n, 4, 4)`."""
        self.bodies["pose"][1:] = X_WB.transpose(0, 2, 1)
        if self.hidden:
            self.bodies["pose"][list(self.hidden), :3, :3] = 0.0  # to a point, which neither is drawn nor throws a shadow
        self.pose_version += 1
        self._bodies_are_new = True

    def hide(self, slots: frozenset[int]) -> None:
        """Draw all but these slots from the next `set_poses` on."""
        self.hidden = slots

    def set_warning(self, level: Level, joints: tuple[int, ...]) -> None:
        """Tint the arm: not at all where all is fine, amber, or red, and the joints responsible more strongly."""
        self.warning, self._warned = level, joints
        self._tint()

    def set_colliding(self, slots: frozenset[int]) -> None:
        """Tint only the links on these slots, in the colour of contacts; the empty set: tint the arm by its warning again."""
        if slots != self.colliding:
            self.colliding = slots
            self._tint()

    def _tint(self) -> None:
        self.bodies["state"][:, :2] = 0.0
        if self.colliding:
            self.bodies["state"][list(self.colliding), :2] = 0.8, 0.95
        elif self.warning:
            self.bodies["state"][1:, :2] = 0.34, 0.42
            self.bodies["state"][[self.slot_of[j] for j in self._warned], :2] = 0.62, 0.97
        self._bodies_are_new = True

    def set_hovered(self, joint: int, *more: int) -> None:
        """Light up the links that these joints carry; -1 for none, as are those of the next robot, whose rows come before it."""
        self.hovered = joint if joint < len(self.slot_of) else -1
        self.hovered_too = tuple(other for other in more if other < len(self.slot_of))
        self._glow()

    def set_lit(self, body: int) -> None:
        """Light up a body's link for as long as it is explained; -1 for none."""
        if body != self.lit:
            self.lit = body
            self._glow()

    def _glow(self) -> None:
        self.bodies["state"][:, 2] = 0.0
        for slot in (*(self.slot_of[joint] for joint in (self.hovered, *self.hovered_too) if joint >= 0), self.lit + 1):
            self.bodies["state"][slot, 2] = float(slot > 0)
        self._bodies_are_new = True

    def gpu_mesh(self) -> GpuMesh:
        """The mesh on the card with the newest poses."""
        gpu = self.held("mesh", GpuMesh)
        if self.solids is not None:
            gpu.upload(self.solids.mesh)
        if self._bodies_are_new:
            with at_once():  # contacts may change the colours after `prepare`: an upload must not be repeated with the drawing
                gpu.set_bodies(self.bodies)
            self._bodies_are_new = False
        return gpu

    @property
    def _tint_colour(self) -> str:
        return palette.CONTACT if self.colliding else palette.WARNING[self.warning]

    def prepare(self, frame: FrameState) -> None:
        if self.solids is not None:
            self.gpu_mesh()

    def drawn_by(self) -> tuple:
        return (
            self.solids,
            self.warning,
            self.colliding,
            self.see_through,
            self.wireframe,
            self.selected,
            self.hovered,
            self.hovered_too,
            self.lit,
        )

    def draw(self, frame: FrameState) -> None:
        if self.solids is None:
            return
        gpu = self.gpu_mesh()
        tint = linear(self._tint_colour)
        glow = linear(palette.GLOW)
        program = self.shade_solids(frame, tint, glow)
        if self.see_through:
            self._draw_translucent(gpu, program)
        if self.wireframe:
            self._draw_edges(gpu, program)
        elif not self.see_through:
            opaque(closed=self.solids.closed)
            gpu.draw(*self.solids.solid)
            self._draw_veil(gpu, program, self.solids)
        joints = [self.slot_of[joint] if joint >= 0 else 0 for joint in (self.selected, self.hovered, *self.hovered_too)]
        colours = palette.GLOW, palette.SELECTED, *[palette.GLOW] * (1 + len(self.hovered_too))
        for slot, colour in zip((self.lit + 1, *joints), colours, strict=True):
            if slot > 0:
                self._outline(gpu, frame, self.solids.starts[slot : slot + 2], colour)

    def _draw_veil(self, gpu: GpuMesh, program: Program, solids: Solids) -> None:
        if solids.veil[1]:
            blended()
            program.use(opacity=VEIL)
            gpu.draw(*solids.veil)

    def _draw_translucent(self, gpu: GpuMesh, program: Program) -> None:
        """First only the depth, so that of all surfaces over a pixel the nearest alone is blended."""
        opaque()
        GL.glColorMask(GL.GL_FALSE, GL.GL_FALSE, GL.GL_FALSE, GL.GL_FALSE)
        gpu.draw()
        GL.glColorMask(GL.GL_TRUE, GL.GL_TRUE, GL.GL_TRUE, GL.GL_TRUE)
        blended()
        program.use(opacity=OPACITY)
        gpu.draw()

    def _draw_edges(self, gpu: GpuMesh, program: Program) -> None:
        """The edges of the triangles that face the eye, and between them what is behind."""
        program.use(opacity=EDGES)
        blended()
        gl_state.enable(GL.GL_CULL_FACE)
        gl_state.cull_face(GL.GL_BACK)
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_LINE)
        gpu.draw()
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)
        gl_state.disable(GL.GL_CULL_FACE)

    def _outline(self, gpu: GpuMesh, frame: FrameState, ends: np.ndarray, colour: str) -> None:
        """Draw the triangles of a link again, grown by some pixels and inside out: what is not covered is its outline."""
        program = self.held("outline", Program, "outline.vert", "flat.frag")
        grow = OUTLINE * frame.scale
        program.use(clip=frame.clip, grow=(grow * frame.pixel[0], grow * frame.pixel[1]), colour=(*rgb(colour), 1.0))
        gl_state.enable(GL.GL_CULL_FACE)
        gl_state.cull_face(GL.GL_FRONT)
        first, last = ends
        gpu.draw(int(first), int(last - first))
        gl_state.disable(GL.GL_CULL_FACE)

    def release(self) -> None:
        super().release()
        self._bodies_are_new = True
