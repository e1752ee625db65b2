"""`BackdropItem`: the gradient behind everything."""

from __future__ import annotations

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.point_buffer import EmptyArray
from armature.app.scene.gl.scene_item import SceneItem
from armature.app.scene.gl.shader_program import Program


class BackdropItem(SceneItem):
    """Fills the picture from the theme's bottom colour to its top colour."""

    def __init__(self):
        super().__init__(depth=-100)

    def drawn_by(self) -> tuple:
        return ()

    def draw(self, frame: FrameState) -> None:
        if frame.transparent:
            return
        gl_state.disable(GL.GL_DEPTH_TEST)
        gl_state.disable(GL.GL_BLEND)
        gl_state.depth_mask(False)
        self.held("program", Program, "screen.vert", "backdrop.frag").use(
            top=rgb(frame.theme.top), bottom=rgb(frame.theme.bottom)
        )
        self.held("array", EmptyArray).bind()
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        gl_state.depth_mask(True)
