"""Calls of OpenGL that are collected and then made together."""

from __future__ import annotations

import OpenGL.GL
import pytest

from armature.app.scene.gl import gl_calls
from armature.app.scene.gl.gl_calls import GL, at_once, collectable, collecting


@pytest.fixture
def made():
    """A call that can be collected, and what it was called with."""
    out: list = []
    return collectable(lambda *args: out.append(args)), out


def test_calls_are_made_at_the_end_in_their_order(made):
    call, out = made
    call(1)
    assert out == [(1,)]
    with collecting():
        call(2)
        call(3, 4)
        assert out == [(1,)]
    assert out == [(1,), (2,), (3, 4)]
    call(5)
    assert out[-1] == (5,)


def test_what_must_be_made_at_once_comes_after_what_was_collected(made):
    call, out = made
    with collecting():
        call(1)
        with at_once():
            assert out == [(1,)]
            call(2)
            assert out == [(1,), (2,)]
        call(3)
        assert len(out) == 2
    assert out == [(1,), (2,), (3,)]


def test_a_fault_ends_the_collecting(made):
    call, out = made
    with pytest.raises(RuntimeError), collecting():
        call(1)
        raise RuntimeError
    call(2)
    assert out == [(2,)]  # the frame was given up

    def fails():
        raise ValueError("call")

    with pytest.raises(ValueError, match="call"), collecting():
        collectable(fails)()
        call(3)
    assert out[-1] == (3,)  # the rest of the frame was drawn
    call(4)
    assert out[-1] == (4,) and gl_calls._frame.calls is None


def test_answers_are_never_collected_and_constants_are_those_of_opengl():
    assert GL.GL_TRIANGLES is OpenGL.GL.GL_TRIANGLES
    assert GL.glGetError is OpenGL.GL.glGetError and GL.glGenBuffers is OpenGL.GL.glGenBuffers
    assert GL.glEnable is not OpenGL.GL.glEnable and GL.glEnable is GL.glEnable
