"""`RecordedCode`: user-defined code of a recording, which runs only with permission."""

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


class RecordedCode:
    """Makes controllers and disturbances from their descriptions in a recording.

    With `allow_code` from their stored text; `law`, `disturbance` replace them. Raises EngineError for an invalid `law`.
    """

    def __init__(
        self,
        law: Controller | Callable[..., Any] | None = None,
        allow_code: bool = False,
        disturbance: OwnDisturbance | Callable[..., Any] | None = None,
    ):
        self._law, self._allowed, self._disturbance = law_of(law), allow_code, disturbance_of(disturbance)

    def law(self, described: Mapping[str, Any]) -> Controller:
        """Return the controller of a description of a kind in `WRITTEN`. Raises RecordingError, LawError."""
        if isinstance(self._law, OwnLaw) and described["kind"] == OWN_LAW:
            values = still_valid(self._law.parameters, described["values"])
            return replace(self._law, values=values, compiled=described["compiled"], **_settings(described))
        if self._law is not None:
            return replace(self._law, **_settings(described))
        name = str(described["name"])[:60]
        if described["kind"] == FUNCTION:
            raise RerunError(
                "its torques came from a Python function, which is not stored; pass it as law=…, or pass another controller"
            )
        self._check_permission("law", described)
        law = law_from_text(str(described["text"]), name, None, described["values"])
        return replace(law, compiled=described["compiled"], **_settings(described))

    def disturbance(self, described: Mapping[str, Any] | None) -> OwnDisturbance | None:
        """Return the disturbance of a description, None for None. Raises RecordingError, LawError."""
        if described is None:
            return None
        if self._disturbance is not None:
            return replace(self._disturbance, values=still_valid(self._disturbance.parameters, described["values"]))
        self._check_permission("disturbance", described)
        return disturbance_from_text(str(described["text"]), str(described["name"])[:60], None, described["values"])

    def _check_permission(self, kind: str, described: Mapping[str, Any]) -> None:
        name = str(described["name"])[:60]
        if not described["whole"]:
            raise RerunError(f"its {kind} {name} is a function that uses names outside its stored text; give it as {kind}")
        if not self._allowed:
            raise RerunError(
                f"its {kind} {name} is stored Python code, which would run with your permissions;"
                f" give the {kind}, or allow_code=True (--allow-code) if you trust it"
            )


def _settings(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return control period and torque clamping."""
    return {name: described[name] for name in ("period", "saturate")}


class NoRecordedCode(RecordedCode):
    """Replaces user-defined code by no torque, where nothing is simulated, so that it needs no permission."""

    def law(self, described: Mapping[str, Any]) -> Controller:
        return PythonLaw(_nothing)

    def disturbance(self, described: Mapping[str, Any] | None) -> OwnDisturbance | None:
        return None


class RecordedDisturbances(NoRecordedCode):
    """Replaces user-defined controllers by no torque; disturbances remain."""

    def __init__(self, code: RecordedCode):
        super().__init__()
        self._code = code

    def disturbance(self, described: Mapping[str, Any] | None) -> OwnDisturbance | None:
        return self._code.disturbance(described)


def _nothing(t, q, qd):
    return 0 * q


WRITTEN = (OWN_LAW, FUNCTION)
"""Kinds of user-defined controllers."""
