"""An own law given as a function of a program, and the text of it that a recording can hold."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from armature.engine.control.own_law.law_source import FORMS, check_form
from armature.engine.control.own_law.own_law import OwnLaw, law_of_function

_OTHER_FORM = ("q_d", "qd_d", "qdd_d")


def has_form(function: Callable[..., Any]) -> bool:
    """Whether it is called as `control(t, q, qd, goal, arm, p)` and not as a `PythonLaw`, which takes what to follow by name."""
    try:
        signature = inspect.signature(function)
        signature.bind(*[None] * (FORMS["control"].count(",") + 1))
    except (TypeError, ValueError):
        return False
    needed = [x for x in signature.parameters.values() if x.default is x.empty and x.kind is x.POSITIONAL_OR_KEYWORD]
    return len(needed) == FORMS["control"].count(",") + 1 and not any(x.name in _OTHER_FORM for x in needed)


def own_law_of(function: Callable[..., Any]) -> OwnLaw:
    """The law that a function is, with its own `p`, `period` and `saturate`. Raises LawError."""
    code = getattr(function, "__code__", None)
    path = None if code is None else code.co_filename
    name = str(getattr(function, "__name__", type(function).__name__))
    check_form(function, "control", path or name)
    return law_of_function(function, text_of(function), name, path)


def text_of(function: Callable[..., Any]) -> str:
    """Its source, as far as it can be had."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return ""
