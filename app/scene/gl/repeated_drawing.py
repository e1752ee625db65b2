"""`RepeatedDrawing`: what depends on nothing that changed is drawn by the calls that drew it last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from armature.app.scene.gl import gl_calls, gl_state


class RepeatedDrawing:
    """Draws what depends on a cause and on the switches of OpenGL, and repeats its calls while neither changes.

    They are those of the second drawing in a row that was alike: the first also sets the uniforms that were others before, and
    leaves out those that it changes itself but found as it needs them.
    """

    def __init__(self) -> None:
        self._cause: tuple | None = None
        self._before: dict[object, Any] = {}
        self._after: dict[object, Any] = {}
        self._calls: list[gl_calls.Call] | None = None

    def draw(self, cause: tuple, act: Callable[..., None], *args) -> None:
        """Have `act` draw, or repeat what it did; `cause` is all that it depends on besides the switches."""
        alike = cause == self._cause and gl_state.is_known_as(self._before)
        if alike and self._calls is not None:
            gl_calls.repeat(self._calls)
            gl_state.become(self._after)
            return
        self._cause, self._calls, before = None, None, gl_state.known()
        calls = gl_calls.noted(act, *args)
        self._cause, self._before = cause, before
        if alike and calls is not None:
            self._calls, self._after = calls, gl_state.known()
