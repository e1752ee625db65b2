"""What an own law gave, as numbers, and the line of the law that gave it."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np


def numbers(answer: Any, finite: bool = True) -> np.ndarray | None:
    """`answer` as a new array of floats, None for what is none: numpy would read numbers out of text."""
    try:
        values = np.array(answer)
        if values.dtype.kind not in "biufO":
            return None
        values = values.astype(float)
    except (TypeError, ValueError, OverflowError):
        return None
    return values if not finite or np.isfinite(values).all() else None


def shown(answer: Any) -> str:
    """What came instead of what should, in a few words."""
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
    """The line of the `return` that a function leaves by, found by calling it once more; None where that goes another way."""
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
