"""`OwnLaw`: a control law that the user wrote as a file or a function, as a value; `load_law` reads the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.control.controllers import Controller
from armature.engine.control.own_law.law_parameters import Parameter, values_of
from armature.engine.control.own_law.law_run import LawRun, Run
from armature.engine.control.own_law.law_source import attribute, function_in, line_of, parameters_in, read_text, refused
from armature.engine.errors import EngineError
from armature.engine.model.robot import Robot

OWN_LAW = "own-law"
"""What a recording calls such a law."""
MANY = 100_000
"""Calls from which on a law is worth compiling."""


@dataclass(frozen=True, eq=False, kw_only=True)
class OwnLaw(Controller):
    """tau = control(t, q, qd, goal, arm, p), called at the start of every step, or once per `period` and held in between.

    The value holds the `text` that defines `control`, and what is set of it: `values` by name, within `parameters`. The text runs
    when it is loaded, for its parameters, and again for every run that `begin`s, so that a run finds nothing of another one.
    `dataclasses.replace(law, values=...)` is the same law with other values.
    """

    text: str
    name: str
    path: str | None = None
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    function: Callable[..., Any] | None = None
    """The function itself where it was given as one; `text` is then what could be had of it."""
    whole: bool = True
    """Whether the text alone is the law."""
    compiled: bool | None = None
    """Whether numba compiles it, which takes seconds: True where it can, False not; None where that pays, see `settled`."""

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "values", values_of(self.parameters, self.values))

    @property
    def place(self) -> str:
        """What errors call it."""
        return self.path or self.name

    def begin(self, robot: Robot) -> Run:
        """The law at work for an arm as the controller knows it, with an empty memory. Raises LawError."""
        run = LawRun(robot, self.text, self.place, self.values, self.saturate, self.function)
        if self.compiled and self.whole:
            run.compile()
        return run

    def settled(self, calls: int) -> OwnLaw:
        """The same for a run of so many calls: compiled, where nothing was said of it, if it is a long one."""
        return replace(self, compiled=calls >= MANY) if self.compiled is None else self

    def continues(self, other: Any) -> bool:
        """Whether this is a later version of `other`, whose memory it takes over."""
        return isinstance(other, OwnLaw) and other.name == self.name

    def is_only_reset(self, other: Any) -> bool:
        """Whether this is `other` with other values or another period, which needs no new run."""
        return self.continues(other) and (self.text, self.function, self.compiled) == (
            other.text,
            other.function,
            other.compiled,
        )

    def pack(self, robot: Robot) -> np.ndarray:
        """Nothing: the kernel is given the torque."""
        return np.zeros((0, 0))

    def describe(self) -> dict[str, Any]:
        """Text, parameters and values as plain values, for the metadata of a recording."""
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
    """A control law from a Python file.

    The file is run once, and again for every simulation. It defines `control(t, q, qd, goal, arm, p)`, which gives tau `(n,)`
    in N·m or N, and may set `control.p = {"kp": (low, high, start)}`, `control.period` s and `control.saturate`.

    Args:
        path: the file.
        values: of its parameters, by name; their starts where not given.
        compiled: whether numba compiles it, if it can; only for long runs when None.

    Raises:
        LawError: one line with file and line; `.path` and `.line` say them again.
    """
    law = law_from_text(read_text(path), Path(path).stem, os.fspath(path), values)
    return replace(law, compiled=compiled)


def law_from_text(text: str, name: str, path: str | None = None, values: Mapping[str, float] | None = None) -> OwnLaw:
    """A control law from the text of such a file, which is run; `path` is where it came from. Raises LawError."""
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
    """A control law from a function that has the form, with what it says of itself; it is called itself where `live`."""
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
        raise refused(place, None if values else where, str(error)) from None
