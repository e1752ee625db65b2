"""`Parameter`: range and start value of a parameter of user code; `LawParameters`: the argument `p`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from armature.engine.errors import EngineError

TAKEN = ("memory", "log")
"""Names in `p` that are no parameters."""


class Parameter(NamedTuple):
    """Range and start value of a parameter."""

    low: float
    high: float
    start: float


class LawParameters:
    """The argument `p`: parameters by name, `p.memory` for values that last between calls, `p.log` for this call."""

    memory: dict[str, Any]
    log: dict[str, Any]

    def __init__(self, values: Mapping[str, float], memory: dict[str, Any]):
        self.__dict__.update(values, memory=memory, log={})

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"p.{name} cannot be set; use p.memory[{name!r}] for values that last between calls")

    def __getattr__(self, name: str) -> Any:
        names = [known for known in self.__dict__ if known not in TAKEN]
        raise AttributeError(f"p has no {name!r}; its parameters are {', '.join(names) or 'none'}")


def parameters_of(given: Any) -> Mapping[str, Parameter]:
    """Return the parameters in `control.p`. Raises ValueError."""
    if not isinstance(given, Mapping):
        raise ValueError(f'must be a dict such as {{"kp": (0, 400, 100)}}, not {given!r:.60}')
    found = {}
    for name, figures in given.items():
        if not isinstance(name, str) or not name.isidentifier() or name.startswith("_") or name in TAKEN:
            raise ValueError(f"{name!r:.60} cannot be the name of a parameter")
        numbers = [float(x) for x in figures if _is_number(x)] if isinstance(figures, (tuple, list)) else []
        if len(numbers) != 3 or len(figures) != 3:
            raise ValueError(f"{name} must be (low, high, start), three numbers, not {figures!r:.60}")
        low, high, start = numbers
        if not (low < high and low <= start <= high):
            raise ValueError(f"{name} must be (low, high, start) with low < high and start between them, not {figures!r:.60}")
        found[name] = Parameter(low, high, start)
    return MappingProxyType(found)


def values_of(parameters: Mapping[str, Parameter], given: Mapping[str, Any]) -> Mapping[str, float]:
    """Return a value for every parameter, by default its start value. Raises EngineError."""
    for name, value in given.items():
        if name not in parameters:
            raise EngineError(f"unknown parameter {str(name)[:60]!r}; valid: {', '.join(parameters) or 'none'}")
        low, high, _ = parameters[name]
        if not (_is_number(value) and low <= value <= high):
            raise EngineError(f"{name} must be a number from {low:g} to {high:g}, not {value!r:.60}")
    return MappingProxyType({name: float(given.get(name, parameter.start)) for name, parameter in parameters.items()})


def still_valid(parameters: Mapping[str, Parameter], values: Mapping[str, float]) -> dict[str, float]:
    """Return the values of another version that these parameters can have."""
    return {name: values[name] for name, (low, high, _) in parameters.items() if name in values and low <= values[name] <= high}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool) and math.isfinite(value)
