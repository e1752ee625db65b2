"""`Program`: one shader program read from assets/shaders, with its uniforms by name."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from OpenGL import GL

SHADERS = Path(__file__).resolve().parents[2] / "assets" / "shaders"
MAX_SLOTS = 128
BODIES_BINDING = 0


class ShaderError(Exception):
    """A shader the driver does not take; the message holds the file and the driver's words."""


def source(name: str) -> str:
    """The text of a shader file with its includes put in."""
    text = (SHADERS / name).read_text(encoding="utf-8").replace("MAX_SLOTS", str(MAX_SLOTS))
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
        block = GL.glGetUniformBlockIndex(self.id, "Bodies")
        if block != GL.GL_INVALID_INDEX:
            GL.glUniformBlockBinding(self.id, block, BODIES_BINDING)
        self._places: dict[str, int] = {}

    def use(self, **uniforms) -> None:
        """Make it current and set uniforms: numbers, vectors of 2 to 4, and 4×4 matrices (row-major, as numpy has them)."""
        GL.glUseProgram(self.id)
        for name, value in uniforms.items():
            place = self._places.get(name)
            if place is None:
                place = self._places[name] = GL.glGetUniformLocation(self.id, f"u_{name}")
            if isinstance(value, int | float):
                GL.glUniform1f(place, value)
            elif np.shape(value) == (4, 4):
                GL.glUniformMatrix4fv(place, 1, GL.GL_TRUE, np.ascontiguousarray(value, np.float32))
            else:
                (GL.glUniform2f, GL.glUniform3f, GL.glUniform4f)[len(value) - 2](place, *(float(v) for v in value))

    def use_texture(self, name: str, unit: int, texture: int) -> None:
        """Bind a 2D texture to a sampler of this program, which must be current."""
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
        GL.glUniform1i(GL.glGetUniformLocation(self.id, f"u_{name}"), unit)

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
