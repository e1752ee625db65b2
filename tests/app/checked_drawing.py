"""Drawings that are repeated, each beside one made anew."""

from __future__ import annotations

import ctypes

import numpy as np

from armature.app.scene.gl import gl_calls, gl_state
from armature.app.scene.gl.repeated_drawing import RepeatedDrawing

DRAW = RepeatedDrawing.draw
repeated = 0
"""How many were compared so far."""


def check_all(monkeypatch) -> None:
    """From now on, what would be repeated is drawn as well, and an item fails that would be drawn otherwise."""

    def checked(self, cause, act, *args):
        calls = gl_calls._frame.calls
        if calls is None or self._calls is None or cause != self._cause or not gl_state.is_known_as(self._before):
            DRAW(self, cause, act, *args)
            return
        before = gl_state.known()
        made = gl_calls.noted(act, *args)
        assert made is not None, f"{act.__qualname__} makes objects of OpenGL where its calls would be repeated"
        difference = _difference(made, self._calls)
        assert not difference, f"{act.__qualname__} would be drawn otherwise: {difference}"
        assert gl_state.known() == self._after
        del calls[len(calls) - len(made) :]
        gl_state._known.clear()
        gl_state._known.update(before)
        DRAW(self, cause, act, *args)
        globals()["repeated"] += 1

    monkeypatch.setattr(RepeatedDrawing, "draw", checked)


def _plain(calls: list[gl_calls.Call]) -> list[tuple]:
    """What can be compared."""
    return [(function, *map(_value, arguments)) for function, arguments in calls]


def _value(argument):
    if isinstance(argument, ctypes._SimpleCData):
        return argument.value
    return argument.tobytes() if isinstance(argument, np.ndarray) else argument


def _difference(made: list[gl_calls.Call], known: list[gl_calls.Call]) -> str:
    first = next(((new, old) for new, old in zip(_plain(made), _plain(known)) if new != old), None)
    if first is not None:
        return f"{first[0]} for {first[1]}"
    return "" if len(made) == len(known) else f"{len(made)} calls for {len(known)}"
