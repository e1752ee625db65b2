"""Arrays to buffers of the driver: PyOpenGL's own call first finds out what it was given, at several times the cost."""

from __future__ import annotations

import ctypes

import numpy as np
from OpenGL.raw.GL.VERSION.GL_1_5 import glBufferData


def fill_buffer(kind: int, array: np.ndarray, usage: int) -> None:
    """A fresh store for the buffer that is bound as `kind`: writing into one that a draw call still reads would wait for it."""
    whole = np.ascontiguousarray(array)
    glBufferData(kind, whole.nbytes, ctypes.c_void_p(whole.ctypes.data), usage)
