"""The switches of OpenGL as they were last set: to set one to what it is costs no call of the driver.

Whatever draws goes through here, within one frame; what others did to the context between two frames is forgotten first.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, NamedTuple

from OpenGL.raw.GL.VERSION.GL_1_0 import glGetIntegerv

from armature.app.scene.gl.gl_calls import GL

_known: dict[object, Any] = {}


class Target(NamedTuple):
    """A framebuffer that is drawn into, its viewport, and how many samples a pixel of it has, 0 without antialiasing."""

    framebuffer: int
    viewport: tuple[int, int, int, int]
    samples: int


def bound_target() -> Target:
    """What is bound now; to find out takes as long as many a drawing."""
    viewport, bound, samples = (ctypes.c_int * 4)(), (ctypes.c_int * 1)(), (ctypes.c_int * 1)()
    glGetIntegerv(GL.GL_VIEWPORT, viewport)
    glGetIntegerv(GL.GL_DRAW_FRAMEBUFFER_BINDING, bound)
    glGetIntegerv(GL.GL_SAMPLES, samples)
    left, bottom, width, height = viewport
    return Target(bound[0], (left, bottom, width, height), samples[0])


def begin(target: Target) -> None:
    """A frame is drawn into `target`, which is bound; the context may be another one, or something else has drawn with it."""
    _known.clear()
    _known["target"] = target


def target() -> Target:
    """What this frame is drawn into."""
    drawn_into: Target = _known["target"]
    return drawn_into


def known() -> dict[object, Any]:
    """The switches as this frame has set them so far."""
    return _known.copy()


def is_known_as(switches: dict[object, Any]) -> bool:
    """Whether they are as they were then."""
    return _known == switches


def become(switches: dict[object, Any]) -> None:
    """Calls that are repeated set them so."""
    _known.update(switches)


def forget() -> None:
    """The frame is drawn: others may draw with this context now."""
    _known.clear()


def _set(what: object, value: object, call: Callable, *args) -> None:
    if _known.get(what) != value:
        call(*args)
        _known[what] = value
        _known["way"] = None


Switch = tuple[object, object, Callable, tuple]
"""What is set, its value, and the call that sets it with its arguments."""


def set_way(way: tuple[Switch, ...]) -> None:
    """Set these switches, a way of drawing that ends as soon as one of any is set otherwise."""
    if _known.get("way") is way:
        return
    for what, value, call, args in way:
        if _known.get(what) != value:
            call(*args)
            _known[what] = value
    _known["way"] = way


def way_of_drawing(
    depth_test: bool, writes_depth: bool, blends: tuple[int, ...] | None = None, culled: int | None = None
) -> tuple[Switch, ...]:
    """Depths compared by less or equal and written or not; the four factors of blending by sums; the side left out."""
    blending: tuple[Switch, ...] = (
        ("blend equation", GL.GL_FUNC_ADD, GL.glBlendEquation, (GL.GL_FUNC_ADD,)),
        ("blend factors", blends, GL.glBlendFuncSeparate, blends or ()),
    )
    return (
        _switched(GL.GL_DEPTH_TEST, depth_test),
        ("depth mask", writes_depth, GL.glDepthMask, (writes_depth,)),
        ("depth func", GL.GL_LEQUAL, GL.glDepthFunc, (GL.GL_LEQUAL,)),
        _switched(GL.GL_BLEND, blends is not None),
        *(blending if blends is not None else ()),
        *((("cull face", culled, GL.glCullFace, (culled,)),) if culled is not None else ()),
        _switched(GL.GL_CULL_FACE, culled is not None),
    )


def _switched(switch: int, on: bool) -> Switch:
    return switch, on, GL.glEnable if on else GL.glDisable, (switch,)


def use_program(program: int) -> None:
    """The shaders that draw from now on."""
    if _known.get("program") != program:
        GL.glUseProgram(program)
        _known["program"] = program


def bind_array(array: int) -> None:
    """The vertex array that is drawn or set up from now on; 0 for none."""
    if _known.get("array") != array:
        GL.glBindVertexArray(array)
        _known["array"] = array


def bind_numbers(unit: int, texture: int) -> None:
    """The texture of numbers that shaders read from that unit."""
    if _known.get("numbers") != texture:
        use_unit(unit)
        GL.glBindTexture(GL.GL_TEXTURE_BUFFER, texture)
        _known["numbers"] = texture


def use_unit(unit: int) -> None:
    """The unit whose texture is bound from now on."""
    if _known.get("unit") != unit:
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        _known["unit"] = unit


def enable(switch: int, on: bool = True) -> None:
    """Turn a switch on, or off."""
    if _known.get(switch) != on:
        (GL.glEnable if on else GL.glDisable)(switch)
        _known[switch] = on
        _known["way"] = None


def disable(switch: int) -> None:
    """Turn a switch off."""
    enable(switch, False)


def depth_mask(on: bool) -> None:
    """Whether depths are written."""
    _set("depth mask", on, GL.glDepthMask, on)


def depth_func(order: int) -> None:
    """How depths are compared."""
    _set("depth func", order, GL.glDepthFunc, order)


def blend(equation: int, *factors: int) -> None:
    """How colours are laid over each other: the equation, and four factors unless it needs none."""
    _set("blend equation", equation, GL.glBlendEquation, equation)
    if factors:
        _set("blend factors", factors, GL.glBlendFuncSeparate, *factors)


def cull_face(side: int) -> None:
    """Which side of a shape is left out, where `GL_CULL_FACE` is on."""
    _set("cull face", side, GL.glCullFace, side)
