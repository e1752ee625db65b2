"""`OwnDisturbance`: a push on a link that the user wrote as a file or a function; `load_disturbance` reads the file."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.control.own_law.call_limit import CallLimit
from armature.engine.control.own_law.law_function import text_of
from armature.engine.control.own_law.law_parameters import LawParameters, Parameter, values_of
from armature.engine.control.own_law.law_source import (
    attribute,
    check_form,
    fault,
    function_in,
    law_error,
    line_of,
    line_of_answer,
    numbers,
    parameters_in,
    read_text,
    short_text,
)
from armature.engine.dynamics.wrench import on_bodies
from armature.engine.errors import EngineError, LawTimeoutError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot

_KIND = "disturbance"


@dataclass(frozen=True, eq=False, kw_only=True)
class OwnDisturbance(Frozen):
    """User-defined external wrench on a link: wrench = disturbance(t, q, qd, p), called at every step.

    The wrench `(6,)` is force in N, then moment in N·m, in world axes, at the origin of the frame of `link` (None: the last
    link). t in s, q `(n,)` in rad or m, qd `(n,)` in rad/s or m/s. `text` is the Python source, `path` its file, None without
    one; `parameters` has the range and start value of each parameter by name, `values` the values in use. `name`, `function`,
    `whole`: as in `OwnLaw`.
    """

    text: str
    name: str
    path: str | None = None
    link: str | None = None
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    function: Callable[..., Any] | None = None
    whole: bool = True

    def __post_init__(self):
        object.__setattr__(self, "values", values_of(self.parameters, self.values))

    def continues(self, other: OwnDisturbance | None) -> bool:
        """True if this is another version of the disturbance `other` (same name); it then takes over `p.memory`."""
        return other is not None and other.name == self.name

    def begin(self, robot: Robot) -> DisturbanceRun:
        """Start a run of the disturbance on an arm, with an empty `p.memory`, as `simulate` does.

        The result has `wrench(robot, t, q, qd, trial)`, which the simulation calls. Raises LawError if the source cannot be
        executed, and EngineError for an unknown link.
        """
        return DisturbanceRun(self, robot)

    def describe(self) -> dict[str, Any]:
        """Return source text, link, parameters and values as plain values, for the metadata of a recording."""
        return {
            "kind": "own-disturbance",
            "name": self.name,
            "text": self.text,
            "whole": self.whole,
            "link": self.link,
            "parameters": {name: list(parameter) for name, parameter in self.parameters.items()},
            "values": dict(self.values),
        }


class DisturbanceRun:
    """A run of a disturbance on an arm, with its memory."""

    def __init__(self, disturbance: OwnDisturbance, robot: Robot):
        self.disturbance, self._place, self.values = disturbance, disturbance.path or disturbance.name, disturbance.values
        names = robot.link_names
        if disturbance.link is not None and disturbance.link not in names:
            raise EngineError(f"{self._place}: {robot.name} has no link {disturbance.link!r}; it has {', '.join(names)}")
        self._link = len(names) - 1 if disturbance.link is None else names.index(disturbance.link)
        self.restart()

    def restart(self) -> None:
        """Execute the text again, with an empty memory."""
        self._function = self.disturbance.function or function_in(self.disturbance.text, _KIND, self._place)
        self.memory: dict[str, Any] = {}

    def wrench(self, robot: Robot, t: float, q: np.ndarray, qd: np.ndarray, trial: bool) -> np.ndarray:
        """Return wrenches on the bodies `(n_bodies, 6)`, world axes; a `trial` leaves the memory unchanged. Raises LawError."""
        f_ext = np.zeros((1, len(robot.link_names), 6))
        f_ext[0, self._link] = self.link_wrench(t, q, qd, trial)
        return on_bodies(robot, q[None], f_ext, world_axes=True)[0]

    def link_wrench(self, t: float, q: np.ndarray, qd: np.ndarray, trial: bool) -> np.ndarray:
        """Call the function; return its wrench `(6,)`, N and N·m. Raises LawError."""
        p = LawParameters(self.values, copy.deepcopy(self.memory) if trial else self.memory)
        arguments = t, q.copy(), qd.copy(), p
        try:
            with np.errstate(all="ignore"):
                answer = CallLimit(_KIND, self._place, self._function).call(self._function, *arguments)
        except LawTimeoutError:
            raise
        except (Exception, SystemExit) as error:
            raise fault(error, self._place, f"the disturbance failed at t = {t:g} s") from error
        wrench = numbers(answer)
        if wrench is None or wrench.shape != (6,):
            line = line_of_answer(self._function, arguments, self._place)
            raise law_error(
                self._place, line, f"at t = {t:g} s disturbance returned {short_text(answer)}; it must return 6 finite numbers"
            )
        return wrench


def load_disturbance(path: str | os.PathLike[str], values: Mapping[str, float] | None = None) -> OwnDisturbance:
    """Load a user-defined disturbance, an external wrench on a link, from a Python file, which is executed.

    The file must define `disturbance(t, q, qd, p)`, which returns force in N before moment in N·m `(6,)`, in world axes at the
    origin of the link frame. t is the time in s, q and qd the joint positions and velocities `(n,)`, `p` the parameter values by
    name, such as `p.force`. The file may set `disturbance.link = "link3"` and `disturbance.p = {"force": (low, high, start)}`.

    Args:
        path: the Python file.
        values: parameter values by name; start values by default.

    Returns:
        An `OwnDisturbance`, for the argument `disturbance` of `simulate`.

    Raises:
        LawError: one line with file and line number.
    """
    return disturbance_from_text(read_text(path), Path(path).stem, os.fspath(path), values)


def disturbance_from_text(
    text: str, name: str, path: str | None = None, values: Mapping[str, float] | None = None
) -> OwnDisturbance:
    """Execute the text of such a file; return its disturbance. Raises LawError."""
    function = function_in(text, _KIND, path or name)
    return _made(function, text, name, path, values)


def disturbance_of(given: Any) -> OwnDisturbance | None:
    """Return a disturbance for the simulation, None for None; a function becomes one. Raises LawError, EngineError."""
    if given is None or isinstance(given, OwnDisturbance):
        return given
    if not callable(given):
        raise EngineError(f"the disturbance must come from load_disturbance, or be a function, not {given!r:.60}")
    name = str(getattr(given, "__name__", type(given).__name__))
    path = getattr(getattr(given, "__code__", None), "co_filename", None)
    check_form(given, _KIND, path or name)
    text, whole = text_of(given, _KIND)
    return _made(given, text, name, path, None, given, whole)


def _made(
    function: Callable[..., Any],
    text: str,
    name: str,
    path: str | None,
    values: Mapping[str, float] | None,
    live: Callable[..., Any] | None = None,
    whole: bool = True,
) -> OwnDisturbance:
    place, link = path or name, attribute(function, "link", None)
    if not (link is None or isinstance(link, str)):
        raise law_error(
            place, line_of(text, "disturbance.link="), f"disturbance.link must be the name of a link, not {link!r:.60}"
        )
    return OwnDisturbance(
        text=text,
        name=name,
        path=path,
        link=link,
        parameters=parameters_in(function, _KIND, text, place),
        values={} if values is None else values,
        function=live,
        whole=whole,
    )
