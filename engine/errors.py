"""Errors of the engine: one line each, with the mistake, its place and the valid values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_LONGEST = 1000


def one_line(text: str, longest: int = 400) -> str:
    """`text` in printable characters on one line, shortened in the middle if it is long."""
    line = "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text)
    return line if len(line) <= longest else f"{line[: longest // 2]} ... {line[-longest // 2 :]}"


class EngineError(Exception):
    """Base class of all errors that the engine raises on purpose; `str(error)` is one line that can be shown to a user."""

    def __str__(self) -> str:
        return one_line(super().__str__(), _LONGEST)


class Cancelled(Exception):
    """Computation that its caller cancelled; not an `EngineError`, because nothing went wrong.

    Functions with an argument `cancelled` raise it after that returned True. A `progress` function may raise it to cancel.
    """


class ModelError(EngineError):
    """Robot description that cannot be used; the message names the file, the field and the valid values."""


class DimensionError(EngineError):
    """Argument with a wrong shape or with non-finite numbers; the message names the argument and the expected shape."""


class UnknownFrameError(EngineError):
    """Frame name that the robot does not have; the message lists the valid names."""


class MissingDynamicsError(EngineError):
    """Dynamics requested for a robot whose file has no masses."""


class KernelsAwaitedError(EngineError):
    """Computation in the window that needs compiled code while kernels are still being compiled, or after that was cancelled."""


class SingularMassMatrixError(EngineError):
    """The mass matrix M(q) is singular at this pose; `joint` is the 0-based index of the joint that moves no inertia."""

    def __init__(self, message: str, joint: int):
        super().__init__(message)
        self.joint = joint

    def __reduce__(self):
        return type(self), (self.args[0], self.joint)  # to another process; by default only the message would go


class DivergenceError(EngineError):
    """Simulation whose state is no longer finite; the message names the joint, the time and a remedy."""


class TrajectoryError(EngineError):
    """Trajectory that cannot be computed or followed; the message names the waypoint or the time, and the valid values."""


class LawError(EngineError):
    """Error of a user-defined controller, trajectory or disturbance: it cannot be loaded, or it failed during a run.

    `path` is its file and `line` the number of the line in it, from 1; None if unknown.
    """

    def __init__(self, message: str, path: str | None = None, line: int | None = None):
        super().__init__(message)
        self.path, self.line = path, line

    def __reduce__(self):
        return type(self), (self.args[0], self.path, self.line)


class LawTimeoutError(LawError):
    """User-defined controller, trajectory or disturbance that did not return in time; `line` is the line it was executing."""


class RecordingError(EngineError):
    """Recording that cannot be written or read; the message names the file and the reason."""


class RerunError(RecordingError):
    """Recording that cannot be simulated again; `reason` is the message without its first words."""

    def __init__(self, reason: str):
        super().__init__(f"the recording cannot be simulated again: {reason}")
        self.reason = reason

    def __reduce__(self):
        return type(self), (self.reason,)


class ViewError(EngineError):
    """The window that a script drives did not open, was closed, or cannot do the command; the message gives the reason."""


def enumeration(names: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"; empty for none."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


LARGEST = 1e9
"""Largest accepted magnitude in files: products of larger lengths, masses and ratios overflow."""


def shown(value: Any) -> str:
    """Return a value of any type as at most 60 printable characters for a message."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number too large"
    text = repr(value) if isinstance(value, (str, int, float)) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
