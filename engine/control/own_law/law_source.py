"""The text of an own law: read, run once for what it defines, and the line in it where something failed."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from armature.engine.control.own_law.call_limit import CallLimit
from armature.engine.control.own_law.law_parameters import Parameter, parameters_of
from armature.engine.errors import LawError, LawTimeoutError
from armature.engine.model.file_bytes import Unreadable, file_bytes

MOST_BYTES = 1 << 20
FORMS = {
    "control": "control(t, q, qd, goal, arm, p)",
    "trajectory": "trajectory(t, p)",
    "disturbance": "disturbance(t, q, qd, p)",
}
"""What a file may define, and how each is called."""


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of the file. Raises LawError."""
    place = str(path)
    try:
        return file_bytes(Path(path), MOST_BYTES, "Python file").decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except Unreadable as error:
        raise LawError(f"{place}: {error}", place) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise refused(place, line, "is not text in UTF-8") from None


def function_in(text: str, kind: str, place: str) -> Callable[..., Any]:
    """What a text defines as `kind`, one of `FORMS`, from a run of it that leaves nothing behind elsewhere. Raises LawError."""
    namespace: dict[str, Any] = {"__name__": "own_law", "__file__": place}
    try:
        code = compile(text, place, "exec", dont_inherit=True)
        with CallLimit("top-level code", place):
            exec(code, namespace)
    except LawTimeoutError:
        raise
    except SyntaxError as error:
        raise refused(place, error.lineno if error.filename == place else None, f"{type(error).__name__}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise fault(error, place, "the file cannot be loaded") from error
    function = namespace.get(kind)
    if function is None:
        raise refused(place, None, f"no function {kind}; write def {FORMS[kind]}")
    check_form(function, kind, place)
    return function


def check_form(function: Any, kind: str, place: str) -> None:
    """Raises LawError for what cannot be called as its kind is."""
    if not callable(function):
        raise refused(place, None, f"{kind} is not a function; write def {FORMS[kind]}")
    try:
        inspect.signature(function).bind(*[None] * (FORMS[kind].count(",") + 1))
    except TypeError as error:
        raise refused(place, first_line(function), f"{kind} must be {FORMS[kind]}: {error}") from None
    except ValueError:  # some functions written in C do not say what they take
        pass


def parameters_in(function: Callable[..., Any], kind: str, text: str, place: str) -> Mapping[str, Parameter]:
    """Its parameters, from its `p`. Raises LawError."""
    try:
        return parameters_of(attribute(function, "p", {}))
    except ValueError as error:
        raise refused(place, line_of(text, f"{kind}.p="), f"{kind}.p: {error}") from None


def attribute(function: Callable[..., Any], name: str, missing: Any) -> Any:
    """What the user wrote as `function.name = …`."""
    return vars(function).get(name, missing) if hasattr(function, "__dict__") else missing


def line_of(text: str, setting: str) -> int | None:
    """The first line that begins with `setting`, such as `control.p=`, blanks apart."""
    wanted = setting.replace(" ", "")
    return next((k for k, line in enumerate(text.splitlines(), 1) if line.replace(" ", "").startswith(wanted)), None)


def first_line(function: Any) -> int | None:
    """Where a function begins."""
    code = getattr(function, "__code__", None)
    return None if code is None else code.co_firstlineno


def fault(error: BaseException, place: str, what: str) -> LawError:
    """What the user's code raised, as one line that names the last of its own lines on the way."""
    line, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == place:
            line = step.tb_lineno
        step = step.tb_next
    text = " ".join(str(error).split())
    return refused(place, line, f"{what}: {type(error).__name__}{f': {text}' if text else ''}")


def refused(place: str, line: int | None, what: str) -> LawError:
    """What is wrong, with file and line in front."""
    return LawError(f"{place}{f', line {line}' if line else ''}: {what}", place, line)
