"""`Program`: one shader program read from assets/shaders, with its uniforms by name."""

from __future__ import annotations

import re

import numpy as np

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.gl_calls import GL
from armature.engine.files import shipped

SHADERS = shipped("assets", "shaders")
BODIES_UNIT = 7  # of textures; the others' are counted from 0


class ShaderError(Exception):
    """A shader the driver does not take; the message holds the file and the driver's words."""


def source(name: str) -> str:
    """The text of a shader file with its includes put in."""
    text = (SHADERS / name).read_text(encoding="utf-8")
    return re.sub(r'^#include "(\S+)"$', lambda match: source(match[1]), text, flags=re.MULTILINE)


class Program:
    """A linked vertex and fragment shader; needs a current context for every call."""

    def __init__(self, vertex: str, fragment: str):
        self.name = f"{vertex} + {fragment}"
        shaders = [_compiled(GL.GL_VERTEX_SHADER, vertex), _compiled(GL.GL_FRAGMENT_SHADER, fragment)]
        self.id = GL.glCreateProgram()
        for shader in shaders:
            GL.glAttachShader(self.id, shader)
        GL.glLinkProgram(self.id)
        for shader in shaders:
            GL.glDeleteShader(shader)
        if not GL.glGetProgramiv(self.id, GL.GL_LINK_STATUS):
            raise ShaderError(f"{self.name}: {_text(GL.glGetProgramInfoLog(self.id))}")
        self._places: dict[str, int] = {}
        self._values: dict[str, object] = {}
        if self._place("bodies") >= 0:
            gl_state.use_program(self.id)
            GL.glUniform1i(self._place("bodies"), BODIES_UNIT)

    def use(self, **uniforms) -> None:
        """Make it current and set uniforms: numbers, vectors of 2 to 4, and 4×4 matrices (row-major, as numpy has them).

        A program keeps its uniforms, so only what is another value than last time costs a call. Arrays that cannot be written to,
        as those of a frame, are told apart by what they are, not by what they hold.
        """
        gl_state.use_program(self.id)
        values = self._values
        for name, value in uniforms.items():
            last = values.get(name)
            if last is value:
                continue
            is_array = isinstance(value, np.ndarray)
            known = value.tobytes() if is_array and value.flags.writeable else value
            if type(last) is type(known) and not (is_array and known is value) and last == known:
                continue
            self._set(name, value)
            values[name] = known

    def _set(self, name: str, value) -> None:
        place = self._place(name)
        if isinstance(value, float) or np.ndim(value) == 0:
            GL.glUniform1f(place, value)
        elif np.ndim(value) == 2:
            GL.glUniformMatrix4fv(place, 1, GL.GL_TRUE, np.ascontiguousarray(value, np.float32))
        else:
            (GL.glUniform2f, GL.glUniform3f, GL.glUniform4f)[len(value) - 2](place, *map(float, value))

    def _place(self, name: str) -> int:
        if name not in self._places:
            self._places[name] = GL.glGetUniformLocation(self.id, f"u_{name}")
        return self._places[name]

    def use_texture(self, name: str, unit: int, texture: int, kind: int = GL.GL_TEXTURE_2D) -> None:
        """Bind a texture of this kind to a sampler of this program, which must be current."""
        gl_state.use_unit(unit)
        GL.glBindTexture(kind, texture)
        if self._values.get(name) != unit:
            GL.glUniform1i(self._place(name), unit)
            self._values[name] = unit

    def release(self) -> None:
        """Give the program back to the driver."""
        GL.glDeleteProgram(self.id)


def _compiled(kind: int, name: str) -> int:
    shader = GL.glCreateShader(kind)
    GL.glShaderSource(shader, source(name))
    GL.glCompileShader(shader)
    if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
        raise ShaderError(f"{name}: {_text(GL.glGetShaderInfoLog(shader))}")
    return shader


def _text(log: bytes | str) -> str:
    return " ".join((log if isinstance(log, str) else log.decode("utf-8", "replace")).split())
