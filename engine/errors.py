"""The errors that leave the engine: one line each, naming what was wrong, where, and what is valid."""

from __future__ import annotations

_LONGEST = 1000


def one_line(text: str, longest: int = 400) -> str:
    """`text` in printable characters on one line, shortened in the middle if it is long."""
    line = "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text)
    return line if len(line) <= longest else f"{line[: longest // 2]} ... {line[-longest // 2 :]}"


class EngineError(Exception):
    """Base of every error the engine raises on purpose; `str(error)` is one line fit for a user, whatever it quotes."""

    def __str__(self) -> str:
        return one_line(super().__str__(), _LONGEST)


class ModelError(EngineError):
    """A robot description that cannot be used; names the file, the field and the valid values."""


class DimensionError(EngineError):
    """An argument of the wrong shape or with non-finite numbers; names the argument and the shape expected."""


class UnknownFrameError(EngineError):
    """A frame name the robot does not have; lists the names it has."""


class MissingDynamicsError(EngineError):
    """Dynamics requested of a robot whose file carries no masses."""


class KernelsAwaitedError(EngineError):
    """A computation that needs compiled code in a window whose kernels are still being compiled, or were cancelled."""


class SingularMassMatrixError(EngineError):
    """M(q) has no inverse at this pose; `joint` is the 0-based index of the joint that lost its inertia."""

    def __init__(self, message: str, joint: int):
        super().__init__(message)
        self.joint = joint

    def __reduce__(self):
        return type(self), (self.args[0], self.joint)  # to another process; by default only the message would go


class DivergenceError(EngineError):
    """A simulation left the finite numbers; names the joint, the time and what to try."""


class TrajectoryError(EngineError):
    """A trajectory that cannot be made or followed; names the waypoint or the time, and what is valid."""


class LawError(EngineError):
    """An own law, trajectory or disturbance that does not load, or failed; `path` of its file and `line` in it, if known."""

    def __init__(self, message: str, path: str | None = None, line: int | None = None):
        super().__init__(message)
        self.path, self.line = path, line

    def __reduce__(self):
        return type(self), (self.args[0], self.path, self.line)


class LawTimeoutError(LawError):
    """An own law, trajectory or disturbance that did not return in time; `line` is where it was."""


class RecordingError(EngineError):
    """A recording that cannot be written or read; names the file and the reason."""


class ViewError(EngineError):
    """A window that a script drives did not open, was closed, or cannot do what it is told; says why."""
