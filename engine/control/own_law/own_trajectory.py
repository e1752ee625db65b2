"""`own_trajectory`: a trajectory that the user wrote as a function of time, in a file or a program."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from armature.engine.control.own_law.call_limit import CallLimit
from armature.engine.control.own_law.law_function import text_of
from armature.engine.control.own_law.law_parameters import LawParameters, Parameter, still_valid, values_of
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
from armature.engine.errors import LawError, LawTimeoutError
from armature.engine.trajectory.hermite import joined
from armature.engine.trajectory.trajectory import Trajectory

_KIND = "trajectory"
_COARSE, _FINE = 0.05, 1e-3  # s: first and shortest segments
_CLOSE, _JUMP = 1e-9, 1e-4  # rad, m: tolerance of a segment, and least jump
_STEP = 1e-3  # s of a difference
_HALVINGS = 20


def own_trajectory(
    source: str | os.PathLike[str] | Callable[..., Any], n: int, values: Mapping[str, float] | None = None
) -> Trajectory:
    """Return a trajectory of n joints from a user-defined function `trajectory(t, p)` that returns q, or q, qd, or q, qd, qdd.

    t in s; q in rad or m, qd in rad/s or m/s, qdd in rad/s² or m/s², each `(n,)`; `p` has the parameter values by name, such as
    `p.radius`. The function is evaluated now: quintic segments interpolate q, qd, qdd at their ends and are halved, down to 1 ms,
    until the error between the ends is below 1e-9. Missing derivatives are fourth-order differences over five calls 1 ms apart.

    Args:
        source: a Python file that defines `trajectory`, or the function; it must set `trajectory.duration` in s, and may set
            `trajectory.p = {"radius": (low, high, start)}` and `trajectory.loops = True`.
        n: the number of joints.
        values: parameter values by name; start values by default.

    Returns:
        A `Trajectory`. Its `origin` has source text, values and parameters; a recording stores the segments, not the code.

    Raises:
        LawError: one line with file and line number, also for a jump; TrajectoryError for a loop that does not close.
    """
    written = _written(source)
    return _planned(written, n, {} if values is None else values)


def trajectory_of_version(path: str | os.PathLike[str], n: int, values: Mapping[str, float]) -> Trajectory:
    """Return the trajectory of a file with the `values` of an earlier version that are still valid."""
    written = _written(path)
    return _planned(written, n, still_valid(written.parameters, values))


class _Written(NamedTuple):
    """A function with its text, file, name and parameters."""

    function: Callable[..., Any]
    text: str
    place: str
    name: str
    parameters: Mapping[str, Parameter]


def _written(source: str | os.PathLike[str] | Callable[..., Any]) -> _Written:
    if callable(source):
        place = str(getattr(getattr(source, "__code__", None), "co_filename", "trajectory"))
        check_form(source, _KIND, place)
        function, (text, _), name = source, text_of(source, _KIND), str(getattr(source, "__name__", _KIND))
    else:
        text, place, name = read_text(source), os.fspath(source), Path(source).stem
        function = function_in(text, _KIND, place)
    return _Written(function, text, place, name, parameters_in(function, _KIND, text, place))


def _planned(written: _Written, n: int, values: Mapping[str, float]) -> Trajectory:
    function, text, place, name, parameters = written
    settings = values_of(parameters, values)
    duration = attribute(function, "duration", None)
    if not (isinstance(duration, (int, float)) and 4 * _STEP < duration <= 1e5):
        raise law_error(place, line_of(text, "trajectory.duration="), "set trajectory.duration to its duration in s")
    timed = _Function(function, LawParameters(settings, {}), n, place, float(duration))
    ranges = {name: list(parameter) for name, parameter in parameters.items()}
    made = replace(_pieces(timed), origin={"name": name, "text": text, "values": dict(settings), "parameters": ranges})
    return made.looped() if attribute(function, "loops", False) else made


class _Function:
    """The function and its derivatives, from 0 to its duration."""

    def __init__(self, function: Callable[..., Any], p: LawParameters, n: int, place: str, duration: float):
        self._function, self._p, self._n, self._place, self.duration = function, p, n, place, duration
        self._known: dict[float, np.ndarray] = {}

    def at(self, t: float) -> np.ndarray:
        """q, qd, qdd `(3, n)`."""
        if t not in self._known:
            given = self._given(t)
            rows = [given[0]]
            for order in (1, 2):
                rows.append(given[order] if order < len(given) else self._difference(t, order, len(given)))
            self._known[t] = np.array(rows)
        return self._known[t]

    def _given(self, t: float) -> list[np.ndarray]:
        try:
            with np.errstate(all="ignore"):
                answer = CallLimit(_KIND, self._place, self._function).call(self._function, t, self._p)
        except LawTimeoutError:
            raise
        except (Exception, SystemExit) as error:
            raise fault(error, self._place, f"trajectory failed at t = {t:g} s") from error
        parts = list(answer) if isinstance(answer, tuple) and np.ndim(answer[0]) == 1 else [answer]
        rows = [numbers(part) for part in parts]
        if not 1 <= len(rows) <= 3 or any(row is None or row.shape != (self._n,) for row in rows):
            raise self.error(t, f"returned {short_text(answer)}; it must return q, or q, qd and qdd, of {self._n} joints")
        return [row for row in rows if row is not None]

    def _difference(self, t: float, order: int, count: int) -> np.ndarray:
        """Differentiate the highest order given, through five points within the duration."""
        middle = min(max(t, 2 * _STEP), self.duration - 2 * _STEP)
        times = middle + _STEP * np.arange(-2, 3)
        u = (times - t) / _STEP
        weights = np.linalg.solve(np.vander(u, increasing=True).T, np.eye(5)[order - count + 1] * (order - count + 1))
        values = np.array([self._given(min(max(float(x), 0.0), self.duration))[count - 1] for x in times])
        return weights @ values / _STEP ** (order - count + 1)

    def jump(self, first: float, last: float) -> LawError:
        """Return the error for a jump between two times: its time, joint and size, by bisection."""
        began, first, last = first, max(first - 2 * _STEP, 0.0), min(last + 2 * _STEP, self.duration)  # as far as differences see
        low, high = self._given(first)[0], self._given(last)[0]
        fastest = int(np.abs(high - low).argmax())
        for _ in range(_HALVINGS):
            middle = (first + last) / 2
            q = self._given(middle)[0]
            if np.abs(q - low).max() > np.abs(high - q).max():
                last, high = middle, q
            else:
                first, low = middle, q
        joint, step = int(np.abs(high - low).argmax()), float(np.abs(high - low).max())
        if step < _JUMP:
            return self.error(began, f"changes too fast for segments of {_FINE:g} s at joint {fastest + 1}")
        return self.error(last, f"jumps by {step:.3g} at joint {joint + 1}; make it continuous")

    def error(self, t: float, what: str) -> LawError:
        """Return an error at a time."""
        return law_error(
            self._place, line_of_answer(self._function, (t, self._p), self._place), f"at t = {t:g} s trajectory {what}"
        )


def _pieces(function: _Function) -> Trajectory:
    """Interpolate the function by segments short enough."""
    count = max(2, int(np.ceil(function.duration / _COARSE)))
    times = list(np.linspace(0.0, function.duration, count + 1))
    breaks = [times.pop(0)]
    while times:
        first, last = breaks[-1], times[0]
        h = last - first
        ends = function.at(float(first)), function.at(float(last))
        piece = joined(ends[0][None], ends[1][None], np.array([h]))
        missed = max(np.abs(piece.sample(h * x)[0] - function.at(float(first + h * x))[0]).max() for x in (0.25, 0.5, 0.75))
        if missed > _CLOSE and h > 2 * _FINE:
            times.insert(0, first + h / 2)
        elif missed > _JUMP:
            raise function.jump(float(first), float(last))
        else:
            breaks.append(times.pop(0))
    states = np.array([function.at(float(t)) for t in breaks])
    return joined(states[:-1], states[1:], np.diff(breaks))
