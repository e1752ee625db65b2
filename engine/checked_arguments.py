"""Name a wrong argument of a public function in one line, where Python's own error would speak of the engine's inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from os import PathLike
from typing import Any, TypeVar

import numpy as np

from armature.engine.errors import EngineError, one_line

F = TypeVar("F", bound=Callable[..., Any])
_PLAIN: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "None": ("None", lambda value: value is None),
    "str": ("a string", lambda value: isinstance(value, str)),
    "float": ("a number", lambda value: hasattr(value, "__float__")),
    "int": ("an integer", lambda value: hasattr(value, "__index__")),
    "Path": ("a path", lambda value: isinstance(value, PathLike)),
    "Mapping": ("a mapping such as a dict", lambda value: isinstance(value, Mapping)),
    "Sequence": ("a list", lambda value: isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str)),
    "Callable": ("a function", callable),
    "Cell": ('a Cell, such as load_cell("table")', lambda value: hasattr(value, "objects")),
    "Obstacles": ('a Cell, such as load_cell("table")', lambda value: hasattr(value, "collides")),
}


def checked_arguments(function: F, classes: Callable[[str], type | None]) -> F:
    """Return `function`, whose failures become one EngineError where an argument has another type than its annotation.

    `classes` returns the class of a name in an annotation, None for a name that it does not know. A call that succeeds is not
    examined, so that whatever behaves like a robot or a trajectory is one.
    """

    @wraps(function)
    def call(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except EngineError:
            raise
        except Exception:
            if fault := _fault(function, classes, args, kwargs):
                raise EngineError(fault) from None
            raise

    call.__module__ = "armature.engine"  # where a pickle finds it
    return call  # type: ignore[return-value]


def _fault(function: Callable, classes: Callable[[str], type | None], args: tuple, kwargs: dict) -> str:
    """Name the first argument that has another type than its annotation; "" if there is none."""
    parameters = signature(function).parameters
    try:
        given = signature(function).bind(*args, **kwargs).arguments
    except TypeError:  # too many, too few or unknown arguments, which Python names itself
        return ""
    for name, value in given.items():
        if name not in function.__annotations__ or parameters[name].kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            continue
        parts = [part.strip().partition("[")[0] for part in _alternatives(str(function.__annotations__[name]))]
        kinds = [_PLAIN.get(part) or _of_class(part, classes(part)) for part in parts]
        if any(kind is None or kind[1](value) for kind in kinds):
            continue
        valid = " or ".join(kind[0] for kind in kinds if kind is not None)
        hint = f"; load_robot({value!r}) returns one" if parts[0] == "Robot" and isinstance(value, str) else ""
        return f"{function.__name__}: {name} must be {valid}, got {one_line(repr(value), 80)}{hint}"
    return ""


def _of_class(name: str, kind: type | None) -> tuple[str, Callable[[Any], bool]] | None:
    return None if kind is None else (f"a {name}", lambda value: isinstance(value, kind))


def _alternatives(annotation: str) -> list[str]:
    """Split "A | B[C | D]" at the bars outside of brackets."""
    parts, depth = [""], 0
    for letter in annotation:
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
