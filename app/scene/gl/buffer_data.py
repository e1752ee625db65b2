"""Arrays to buffers of the driver: PyOpenGL's own call first finds out what it was given, at several times the cost."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np
from OpenGL.platform import PLATFORM

from armature.app.scene.gl.gl_calls import at_once, collectable

COPIED = 1 << 16  # bytes: less is copied faster than its address is looked up


def fill_buffer(kind: int, array: np.ndarray, usage: int) -> None:
    """A fresh store for the buffer that is bound as `kind`: writing into one that a draw call still reads would wait for it."""
    whole = np.ascontiguousarray(array)
    size = whole.nbytes
    if size < COPIED:
        _buffer_data()(kind, size, whole.tobytes(), usage)
    else:
        with at_once():
            _buffer_data()(kind, size, whole.ctypes.data, usage)


@cache
def _buffer_data() -> Callable[..., None]:
    """The driver's glBufferData; looked up in a current context."""
    address = PLATFORM.getExtensionProcedure(b"glBufferData")
    if not address:
        raise RuntimeError("the OpenGL driver lacks glBufferData; update the graphics driver")
    signature = None, ctypes.c_uint, ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_uint
    return collectable(PLATFORM.functionTypeFor(PLATFORM.GL)(*signature)(address))
