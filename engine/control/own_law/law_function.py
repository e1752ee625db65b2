"""User code that is given as a function of a program, and its text for a recording."""

from __future__ import annotations

import dis
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import CodeType, FunctionType, ModuleType
from typing import Any

from armature.engine.control.own_law.law_source import FORMS, attribute, check_form
from armature.engine.control.own_law.own_law import OwnLaw, law_of_function

_OTHER_FORM = ("q_d", "qd_d", "qdd_d")
_SETTINGS = ("p", "period", "saturate", "link", "duration", "loops")
_PLAIN = (bool, int, float, str, type(None))


def has_form(function: Callable[..., Any]) -> bool:
    """True for `control(t, q, qd, goal, arm, p)`; a `PythonLaw` receives the desired motion by name."""
    count = FORMS["control"].count(",") + 1
    try:
        signature = inspect.signature(function)
        signature.bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    needed = [x for x in signature.parameters.values() if x.default is x.empty and x.kind is x.POSITIONAL_OR_KEYWORD]
    return len(needed) == count and not any(x.name in _OTHER_FORM for x in needed)


def own_law_of(function: Callable[..., Any]) -> OwnLaw:
    """Return the controller of a function, with its attributes `p`, `period` and `saturate`. Raises LawError."""
    code = getattr(function, "__code__", None)
    path = None if code is None else code.co_filename
    name = str(getattr(function, "__name__", type(function).__name__))
    check_form(function, "control", path or name)
    text, whole = text_of(function)
    return replace(law_of_function(function, text, name, path), whole=whole)


def text_of(function: Callable[..., Any], kind: str = "control") -> tuple[str, bool]:
    """Return a text that defines the function as its kind, as far as available, and whether it is complete."""
    parts: list[str] = []
    whole = _write(function, parts, set())
    name = getattr(function, "__name__", "")
    if name != kind and name.isidentifier():
        parts.append(f"{kind} = {name}")
    parts += [f"{kind}.{name} = {attribute(function, name, None)!r}" for name in _SETTINGS if name in vars(function)]
    return "\n\n".join(parts) + "\n", whole


def _write(function: Any, parts: list[str], done: set[str]) -> bool:
    """Append the source of everything that a function uses, then its own; return whether all was available."""
    if not isinstance(function, FunctionType):
        return False
    done.add(function.__name__)
    whole = not function.__closure__ and function.__name__.isidentifier() and not function.__defaults__
    for name in _globals(function.__code__):
        if name in done or name not in function.__globals__:  # a builtin
            continue
        value = function.__globals__[name]
        if isinstance(value, ModuleType):
            parts.append(f"import {value.__name__} as {name}")
        elif type(value) in _PLAIN:
            parts.append(f"{name} = {value!r}")
        elif not (isinstance(value, FunctionType) and value.__name__ == name and _write(value, parts, done)):
            whole = False
        done.add(name)
    try:
        parts.append(textwrap.dedent(inspect.getsource(function)).rstrip())
        compile("\n".join(parts), "law", "exec")
    except (OSError, TypeError, SyntaxError):
        return False
    return whole


def _globals(code: CodeType) -> Iterator[str]:
    """Yield the global names that a function and its inner functions use."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _globals(inner)
