"""User code as text: executed for the function that it defines, with file and line in every error."""

from __future__ import annotations

import copy
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

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
"""Functions that a file may define, with their arguments."""


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of the file. Raises LawError."""
    place = str(path)
    try:
        return file_bytes(Path(path), MOST_BYTES, "Python file").decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except Unreadable as error:
        raise LawError(f"{place}: {error}", place) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise law_error(place, line, "is not text in UTF-8") from None


def function_in(text: str, kind: str, place: str) -> Callable[..., Any]:
    """Execute a text; return the function that it defines as `kind`, one of `FORMS`. Raises LawError."""
    namespace: dict[str, Any] = {"__name__": "own_law", "__file__": place}
    try:
        code = compile(text, place, "exec", dont_inherit=True)
        CallLimit("top-level code", place).call(exec, code, namespace)
    except LawTimeoutError:
        raise
    except SyntaxError as error:
        raise law_error(
            place, error.lineno if error.filename == place else None, f"{type(error).__name__}: {error.msg}"
        ) from None
    except (Exception, SystemExit) as error:
        raise fault(error, place, "the file cannot be loaded") from error
    function = namespace.get(kind)
    if function is None:
        raise law_error(place, None, f"no function {kind}; write def {FORMS[kind]}")
    check_form(function, kind, place)
    return function


def check_form(function: Any, kind: str, place: str) -> None:
    """Raise LawError unless the function accepts the arguments of its kind."""
    if not callable(function):
        raise law_error(place, None, f"{kind} is not a function; write def {FORMS[kind]}")
    try:
        inspect.signature(function).bind(*[None] * (FORMS[kind].count(",") + 1))
    except TypeError as error:
        raise law_error(place, first_line(function), f"{kind} must be {FORMS[kind]}: {error}") from None
    except ValueError:  # some functions written in C have no signature
        pass


def parameters_in(function: Callable[..., Any], kind: str, text: str, place: str) -> Mapping[str, Parameter]:
    """Return the parameters in the attribute `p` of a function. Raises LawError."""
    try:
        return parameters_of(attribute(function, "p", {}))
    except ValueError as error:
        raise law_error(place, line_of(text, f"{kind}.p="), f"{kind}.p: {error}") from None


def attribute(function: Callable[..., Any], name: str, missing: Any) -> Any:
    """Return the value of `function.name = …` in the file."""
    return vars(function).get(name, missing) if hasattr(function, "__dict__") else missing


def line_of(text: str, setting: str) -> int | None:
    """Return the first line that begins with `setting`, such as `control.p=`, ignoring blanks."""
    wanted = setting.replace(" ", "")
    return next((k for k, line in enumerate(text.splitlines(), 1) if line.replace(" ", "").startswith(wanted)), None)


def first_line(function: Any) -> int | None:
    """Return the line of `def`."""
    code = getattr(function, "__code__", None)
    return None if code is None else code.co_firstlineno


def fault(error: BaseException, place: str, what: str) -> LawError:
    """Return a LawError of one line for an exception of user code, with the innermost line of the file `place`."""
    line, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == place:
            line = step.tb_lineno
        step = step.tb_next
    text = " ".join(str(error).split())
    return law_error(place, line, f"{what}: {type(error).__name__}{f': {text}' if text else ''}")


def law_error(place: str, line: int | None, what: str) -> LawError:
    """Return a LawError that names file and line first."""
    return LawError(f"{place}{f', line {line}' if line else ''}: {what}", place, line)


def numbers(answer: Any, finite: bool = True) -> np.ndarray | None:
    """Return a new array of floats; None for other types, as numpy would read numbers in text."""
    try:
        values = np.array(answer)
        if values.dtype.kind not in "biufO":
            return None
        values = values.astype(float)
    except (TypeError, ValueError, OverflowError):
        return None
    return values if not finite or np.isfinite(values).all() else None


def short_text(answer: Any) -> str:
    """Return a short description of an invalid result."""
    if answer is None:
        return "None"
    values = numbers(answer, finite=False)
    if values is None:
        return f"{' '.join(repr(answer).split()):.60}"
    return (
        f"an array of shape {values.shape}"
        if values.size > 12 or values.ndim > 1
        else f"[{', '.join(f'{x:.6g}' for x in np.atleast_1d(values))}]"
    )


def line_of_answer(function: Callable[..., Any], arguments: tuple, place: str) -> int | None:
    """Call a function again and return the line of the `return` that it reaches, None if it raises."""
    code, lines = getattr(function, "__code__", None), list[int]()

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code is not code:
            return None
        if event == "return":
            lines.append(frame.f_lineno)
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        with np.errstate(all="ignore"):
            function(*copy.deepcopy(arguments))
    except (Exception, SystemExit):
        return None
    finally:
        sys.settrace(before)
    return lines[-1] if lines else None
