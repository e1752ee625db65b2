"""`OwnCode`: what becomes of an own law that a recording holds as text, which nothing runs unasked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from armature.engine.control.controller import Controller
from armature.engine.control.own_law.law_parameters import still_valid
from armature.engine.control.own_law.own_disturbance import OwnDisturbance, disturbance_from_text, disturbance_of
from armature.engine.control.own_law.own_law import OWN_LAW, OwnLaw, law_from_text
from armature.engine.control.python_law import FUNCTION, PythonLaw, law_of
from armature.engine.errors import RerunError


class OwnCode:
    """Makes laws of what a recording tells of them: with `allow_code` from their text, with `law` always that law instead.

    Raises EngineError for a `law` that is none.
    """

    def __init__(
        self,
        law: Controller | Callable[..., Any] | None = None,
        allow_code: bool = False,
        disturbance: OwnDisturbance | Callable[..., Any] | None = None,
    ):
        self._law, self._allowed, self._disturbance = law_of(law), allow_code, disturbance_of(disturbance)

    def law(self, told: Mapping[str, Any]) -> Controller:
        """The law that a recording tells of, of the kinds in `WRITTEN`. Raises RecordingError, LawError."""
        if isinstance(self._law, OwnLaw) and told["kind"] == OWN_LAW:
            values = still_valid(self._law.parameters, told["values"])
            return replace(self._law, values=values, compiled=told["compiled"], **_settings(told))
        if self._law is not None:
            return replace(self._law, **_settings(told))
        name = str(told["name"])[:60]
        if told["kind"] == FUNCTION:
            raise RerunError(
                "its torques came from a Python function, which is not stored; give it as law, or another controller"
            )
        self._ask_leave("law", told)
        law = law_from_text(str(told["text"]), name, None, told["values"])
        return replace(law, compiled=told["compiled"], **_settings(told))

    def disturbance(self, told: Mapping[str, Any] | None) -> OwnDisturbance | None:
        """The disturbance that a recording tells of, None for none. Raises RecordingError, LawError."""
        if told is None:
            return None
        if self._disturbance is not None:
            return replace(self._disturbance, values=still_valid(self._disturbance.parameters, told["values"]))
        self._ask_leave("disturbance", told)
        return disturbance_from_text(str(told["text"]), str(told["name"])[:60], None, told["values"])

    def _ask_leave(self, kind: str, told: Mapping[str, Any]) -> None:
        name = str(told["name"])[:60]
        if not told["whole"]:
            raise RerunError(f"its {kind} {name} is a function that needs more than its stored text; give it as {kind}")
        if not self._allowed:
            raise RerunError(
                f"its {kind} {name} is stored Python code, which would run with your permissions;"
                f" give the {kind}, or allow_code=True (--allow-code) if you trust it"
            )


def _settings(told: Mapping[str, Any]) -> dict[str, Any]:
    """How often it was called, and whether it got more than the motors give."""
    return {name: told[name] for name in ("period", "saturate")}


class NoCode(OwnCode):
    """Where nothing is simulated again: no law, which needs no consent."""

    def law(self, told: Mapping[str, Any]) -> Controller:
        return PythonLaw(_nothing)

    def disturbance(self, told: Mapping[str, Any] | None) -> OwnDisturbance | None:
        return None


class AnotherLaw(NoCode):
    """Where another law runs instead; a disturbance stays."""

    def __init__(self, code: OwnCode):
        super().__init__()
        self._code = code

    def disturbance(self, told: Mapping[str, Any] | None) -> OwnDisturbance | None:
        return self._code.disturbance(told)


def _nothing(t, q, qd):
    return 0 * q


WRITTEN = (OWN_LAW, FUNCTION)
"""Kinds of law that the user wrote."""
