"""`GpuMesh`: a Mesh on the graphics card, and the poses it is drawn with."""

from __future__ import annotations

import ctypes

import numpy as np
from OpenGL.raw.GL.VERSION import GL_3_1

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.buffer_data import fill_buffer
from armature.app.scene.gl.gl_calls import GL, collectable
from armature.app.scene.gl.mesh import VERTEX, Mesh
from armature.app.scene.gl.shader_program import BODIES_UNIT

_draw_elements = collectable(GL_3_1.glDrawElementsInstanced)  # PyOpenGL's own looks into what it is given

BODY = np.dtype([("pose", "f4", (4, 4)), ("state", "f4", 4)])


def place_bodies(slots: np.ndarray, carriers: np.ndarray, X_SB: np.ndarray, bodies: np.ndarray) -> None:
    """Set the poses X_WS X_SB of the first k `bodies` of BODY, which hang on slots `carriers` `(k,)`; X_WS `(s, 4, 4)`."""
    bodies["pose"][: len(carriers)] = (slots[carriers] @ X_SB).swapaxes(1, 2)  # as GLSL has it


class GpuMesh:
    """One vertex array, its two buffers, the buffer of poses and the texture that reads it; new meshes reuse all five.

    Poses are read through a texture because a uniform buffer of 16 kB, all that OpenGL promises, ends at 204 bodies.
    """

    def __init__(self):
        self.array = int(GL.glGenVertexArrays(1))
        self.vertices, self.indices, self.bodies = (int(b) for b in GL.glGenBuffers(3))
        self.count = 0
        self._mesh: Mesh | None = None
        self._poses = b""
        self.texture = int(GL.glGenTextures(1))
        GL.glBindBuffer(GL.GL_TEXTURE_BUFFER, self.bodies)
        gl_state.bind_numbers(BODIES_UNIT, self.texture)
        GL.glTexBuffer(GL.GL_TEXTURE_BUFFER, GL.GL_RGBA32F, self.bodies)
        gl_state.bind_array(self.array)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.vertices)
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, self.indices)
        offset = {name: ctypes.c_void_p(field[1]) for name, field in (VERTEX.fields or {}).items()}
        GL.glVertexAttribPointer(0, 3, GL.GL_FLOAT, GL.GL_FALSE, VERTEX.itemsize, offset["position"])
        GL.glVertexAttribPointer(1, 3, GL.GL_FLOAT, GL.GL_FALSE, VERTEX.itemsize, offset["normal"])
        GL.glVertexAttribPointer(2, 4, GL.GL_UNSIGNED_BYTE, GL.GL_TRUE, VERTEX.itemsize, offset["colour"])
        GL.glVertexAttribIPointer(3, 2, GL.GL_UNSIGNED_SHORT, VERTEX.itemsize, offset["slot"])
        for place in range(4):
            GL.glEnableVertexAttribArray(place)
        gl_state.bind_array(0)

    def upload(self, mesh: Mesh) -> None:
        """Take this mesh from now on, unless it is the one that is there."""
        if mesh is self._mesh:
            return
        self._mesh = mesh
        gl_state.bind_array(self.array)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.vertices)
        fill_buffer(GL.GL_ARRAY_BUFFER, mesh.vertices, GL.GL_STATIC_DRAW)
        faces = np.ascontiguousarray(mesh.faces, np.uint32)
        fill_buffer(GL.GL_ELEMENT_ARRAY_BUFFER, faces, GL.GL_STATIC_DRAW)
        self.count = faces.size
        gl_state.bind_array(0)

    def set_bodies(self, bodies: np.ndarray) -> None:
        """Poses and states `(slots,)` of BODY, poses transposed as GLSL has them; uploaded if they are others."""
        if (poses := bodies.tobytes()) == self._poses:
            return
        self._poses = poses
        GL.glBindBuffer(GL.GL_TEXTURE_BUFFER, self.bodies)
        fill_buffer(GL.GL_TEXTURE_BUFFER, bodies, GL.GL_STREAM_DRAW)

    def draw(self, first: int = 0, count: int | None = None, instances: int = 1) -> None:
        """Draw triangles `first` to `first + count`, all by default, so many times, with the program in use."""
        number = self.count if count is None else 3 * count
        if number:
            gl_state.bind_numbers(BODIES_UNIT, self.texture)
            gl_state.bind_array(self.array)
            _draw_elements(GL.GL_TRIANGLES, number, GL.GL_UNSIGNED_INT, ctypes.c_void_p(12 * first), instances)

    def release(self) -> None:
        """Give all five GL objects back."""
        GL.glDeleteVertexArrays(1, [self.array])
        GL.glDeleteTextures([self.texture])
        GL.glDeleteBuffers(3, [self.vertices, self.indices, self.bodies])
