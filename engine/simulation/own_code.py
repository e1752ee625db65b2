"""`OwnCode`: what becomes of an own law that a recording holds as text, which nothing runs unasked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from armature.engine.control.controllers import Controller
from armature.engine.control.own_law.own_law import OWN_LAW, OwnLaw, law_from_text
from armature.engine.control.python_law import FUNCTION, PythonLaw, law_of
from armature.engine.errors import RecordingError

AGAIN = "the recording cannot be simulated again"


class OwnCode:
    """Makes laws of what a recording tells of them: with `allow_code` from their text, with `law` always that law instead.

    Raises EngineError for a `law` that is none.
    """

    def __init__(self, law: Controller | Callable[..., Any] | None = None, allow_code: bool = False):
        self._law, self._allowed = law_of(law), allow_code

    def law(self, told: Mapping[str, Any]) -> Controller:
        """The law that a recording tells of, of the kinds in `WRITTEN`. Raises RecordingError, LawError."""
        if isinstance(self._law, OwnLaw) and told["kind"] == OWN_LAW:
            values = {name: value for name, value in told["values"].items() if name in self._law.parameters}
            return replace(self._law, values=values, compiled=told["compiled"], **_settings(told))
        if self._law is not None:
            return replace(self._law, **_settings(told))
        name = str(told["name"])[:60]
        if told["kind"] == FUNCTION:
            raise RecordingError(f"{AGAIN}: its torques came from a function of a program; give it as law, or a controller")
        if not told["whole"]:
            raise RecordingError(f"{AGAIN}: its law {name} is a function that uses more than its text has; give it as law")
        if not self._allowed:
            raise RecordingError(
                f"{AGAIN} unasked: its law {name} is Python code that came with it and may do whatever you may; give the law"
                " itself, or allow_code=True (--allow-code) where you know what it does"
            )
        law = law_from_text(str(told["text"]), name, None, told["values"])
        return replace(law, compiled=told["compiled"], **_settings(told))


def _settings(told: Mapping[str, Any]) -> dict[str, Any]:
    """How often it was asked, and whether it got more than the motors give."""
    return {name: told[name] for name in ("period", "saturate")}


class NoCode(OwnCode):
    """Where nothing is simulated again: no law, which needs no consent."""

    def law(self, told: Mapping[str, Any]) -> Controller:
        return PythonLaw(_nothing)


def _nothing(t, q, qd):
    return 0 * q


WRITTEN = (OWN_LAW, FUNCTION)
"""Kinds of law that somebody wrote."""
