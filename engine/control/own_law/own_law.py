"""`OwnLaw`: a control law that the user wrote as a file or a function, as a value; `load_law` reads the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.control.controller import Controller
from armature.engine.control.own_law.law_parameters import Parameter, values_of
from armature.engine.control.own_law.law_run import LawRun, Run
from armature.engine.control.own_law.law_source import attribute, function_in, law_error, line_of, parameters_in, read_text
from armature.engine.errors import EngineError
from armature.engine.model.robot import Robot

OWN_LAW = "own-law"
"""Kind of such a controller in a recording."""
MANY = 100_000
"""Number of calls from which compiling saves time."""


@dataclass(frozen=True, eq=False, kw_only=True)
class OwnLaw(Controller):
    """User-defined controller: tau = control(t, q, qd, goal, arm, p), called at every step, or once per `period` s and held.

    t in s; q and qd `(n,)` in rad or m (per s); `goal`: the desired motion; `arm`: the model of the robot; `p`: the parameter
    values. `load_law` describes them in full. `text` is the Python source that defines `control`; `path` is its file, None
    without one. `parameters` has the range and start value of each parameter by name, `values` the values in use. The source is
    executed once when it is loaded, and again for every run, so that runs do not share data. tau `(n,)` in N·m or N. `name`:
    file name without suffix, or name of the function. `function`: the Python function if there is no file; `whole`: False if the
    function also uses values from outside `text`, so that the text alone cannot run it again. `compiled`: True compiles it if
    possible, False runs it as Python, None compiles it for long runs only. `saturate`: as in `Controller`.
    `dataclasses.replace(law, values=...)` returns the controller with other parameter values.
    """

    text: str
    name: str
    path: str | None = None
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    function: Callable[..., Any] | None = None
    """The function, if the controller was created from one; `text` is then its source as far as available."""
    whole: bool = True
    """True if the source text alone defines the controller."""
    compiled: bool | None = None
    """Compile with numba, which needs some seconds: True if possible, False never, None for long runs only, see `settled`."""

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "values", values_of(self.parameters, self.values))

    @property
    def place(self) -> str:
        """The path, or without a file the name, which error messages show."""
        return self.path or self.name

    def begin(self, robot: Robot) -> Run:
        """Start a run of the controller, with an empty `p.memory`, as `simulate` does.

        `robot` is the controller's model of the arm. The result has `torque(t, q, qd, reference)`, which returns tau `(n,)` in
        N·m or N; `reference` `(4 n,)` is q_d, qd_d, qdd_d and the measured torque, one after the other. Raises LawError if the
        source cannot be executed.
        """
        run = LawRun(robot, self.text, self.place, self.values, self.saturate, self.function)
        if self.compiled and self.whole:
            run.compile()
        return run

    def settled(self, calls: int) -> OwnLaw:
        """Return the controller for a run in which its torque is computed `calls` times.

        From 100,000 calls on, a controller with `compiled=None` is returned with `compiled=True`, any other one unchanged.
        """
        return replace(self, compiled=calls >= MANY) if self.compiled is None else self

    def continues(self, other: Any) -> bool:
        """True if this is another version of the controller `other` (same name); it then takes over `p.memory`."""
        return isinstance(other, OwnLaw) and other.name == self.name

    def is_only_reset(self, other: Any) -> bool:
        """True if this differs from `other` only in parameter values or control period, so that the run can continue."""
        return self.continues(other) and (self.text, self.function, self.compiled) == (
            other.text,
            other.function,
            other.compiled,
        )

    def pack(self, robot: Robot) -> np.ndarray:
        """Return an empty array, because the torque is computed in Python."""
        return np.zeros((0, 0))

    def describe(self) -> dict[str, Any]:
        """Return source text, parameters and values as plain values, for the metadata of a recording."""
        return {
            "kind": OWN_LAW,
            "name": self.name,
            "text": self.text,
            "whole": self.whole,
            "parameters": {name: list(parameter) for name, parameter in self.parameters.items()},
            "values": dict(self.values),
            "period": self.period,
            "saturate": bool(self.saturate),
        }


def load_law(path: str | os.PathLike[str], values: Mapping[str, float] | None = None, compiled: bool | None = None) -> OwnLaw:
    """Load a user-defined controller from a Python file.

    The file is executed once, and again for every simulation. It must define `control(t, q, qd, goal, arm, p)`, which returns
    tau `(n,)` in N·m or N, and may set `control.p = {"kp": (low, high, start)}`, `control.period` in s and `control.saturate`.
    t is the time in s, q and qd the positions and velocities `(n,)`; `goal` has the desired motion q, qd, qdd, `arm` the model of
    the robot with functions such as `arm.gravity(q)`, and `p` the parameter values by name, such as `p.kp`.

    Args:
        path: the Python file.
        values: parameter values by name; start values by default.
        compiled: compile with numba if possible; None compiles for long runs only.

    Returns:
        An `OwnLaw`, a controller for `simulate`.

    Raises:
        LawError: one line with file and line number, also in `.path` and `.line`.
    """
    law = law_from_text(read_text(path), Path(path).stem, os.fspath(path), values)
    return replace(law, compiled=compiled)


def law_from_text(text: str, name: str, path: str | None = None, values: Mapping[str, float] | None = None) -> OwnLaw:
    """Execute the text of such a file; return its controller. Raises LawError."""
    place = path or name
    return law_of_function(function_in(text, "control", place), text, name, path, values, live=False)


def law_of_function(
    function: Callable[..., Any],
    text: str,
    name: str,
    path: str | None = None,
    values: Mapping[str, float] | None = None,
    live: bool = True,
) -> OwnLaw:
    """Return the controller of a function with the attributes of the function, which is called itself if `live`."""
    place = path or name
    parameters = parameters_in(function, "control", text, place)
    settings = {name: attribute(function, name, missing) for name, missing in (("period", None), ("saturate", True))}
    try:
        return OwnLaw(
            text=text,
            name=name,
            path=path,
            parameters=parameters,
            values={} if values is None else values,
            function=function if live else None,
            **settings,
        )
    except EngineError as error:
        where = next((line for name in settings if (line := line_of(text, f"control.{name}="))), None)
        raise law_error(place, None if values else where, str(error)) from None
