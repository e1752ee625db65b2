"""`ShadowMap`: a soft picture of the arm's shadow on the floor, drawn anew only when the arm has moved."""

from __future__ import annotations

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import GpuMesh
from armature.app.scene.gl.point_buffer import EmptyArray
from armature.app.scene.gl.scene_item import cull
from armature.app.scene.gl.shader_program import Program

SIZE = 128
SPREAD = 0.92  # texels between the taps of the blur
BLURRED = 6.0 / SIZE  # how far the blur carries it, as a part of the picture
FALL = (-0.16, 0.20)  # metres that the shadow moves along x and y per metre of height


class ShadowMap:
    """Two textures of one channel: the arm is flattened into the first, blurred across into the second and back."""

    def __init__(self):
        self.textures = [int(t) for t in GL.glGenTextures(2)]
        self.targets = [int(f) for f in GL.glGenFramebuffers(2)]
        self.array = EmptyArray()
        self.fall = Program("shadow.vert", "shadow.frag")
        self.blur = Program("screen.vert", "blur.frag")
        for texture, target in zip(self.textures, self.targets, strict=True):
            GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
            GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_R8, SIZE, SIZE, 0, GL.GL_RED, GL.GL_UNSIGNED_BYTE, None)
            for name, value in (
                (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR),
                (GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR),
                (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_BORDER),
                (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_BORDER),
            ):
                GL.glTexParameteri(GL.GL_TEXTURE_2D, name, value)
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, target)
            GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, GL.GL_TEXTURE_2D, texture, 0)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, gl_state.target().framebuffer)

    @property
    def texture(self) -> int:
        """The finished shadow: 0 light, 1 dark."""
        return self.textures[0]

    def render(self, arm: GpuMesh, patch: tuple[float, float, float], floor: float, reach: float, closed: bool) -> None:
        """Draw the shadow of `arm` on the square `patch` (centre x, y, half side in m); of closed shapes the undersides do."""
        target, viewport, _ = gl_state.target()
        GL.glViewport(0, 0, SIZE, SIZE)
        gl_state.disable(GL.GL_DEPTH_TEST)
        cull(closed, GL.GL_FRONT)
        gl_state.enable(GL.GL_BLEND)
        gl_state.blend(GL.GL_MAX)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.targets[0])
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        self.fall.use(patch=patch, floor=floor, reach=reach, fall=FALL)
        arm.draw()
        cull(False)
        gl_state.disable(GL.GL_BLEND)
        gl_state.blend(GL.GL_FUNC_ADD)
        self.array.bind()
        for source, way in ((0, (SPREAD / SIZE, 0.0)), (1, (0.0, SPREAD / SIZE))):
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.targets[1 - source])
            self.blur.use(step=way)
            self.blur.use_texture("image", 0, self.textures[source])
            GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, target)
        GL.glViewport(*viewport)

    def release(self) -> None:
        """Give everything back."""
        GL.glDeleteTextures(self.textures)
        GL.glDeleteFramebuffers(2, self.targets)
        for resource in (self.array, self.fall, self.blur):
            resource.release()
