"""`DemonstrationModel`: a motion of the arm by hand, the trajectory made from it, and the errors of its repetition."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from armature.app.state.evented import Model, function_of
from armature.app.state.joint_errors import largest, rms
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import sentence
from armature.app.state.units import Units, number
from armature.app.trajectory.trajectory_model import StatusText

if TYPE_CHECKING:
    from armature.engine import Demonstration, Robot


NOTHING = StatusText("")


class RepeatErrors(NamedTuple):
    """Tracking errors of a repetition until `t` in s, under a controller: mean squares and maximum `(n,)`, rad or m."""

    controller: str
    t: float
    samples: int
    mean_squares: np.ndarray
    largest: np.ndarray


@dataclass(eq=False)
class DemonstrationModel(Model):
    """While it is recording, each pose is a sample."""

    robot: Robot
    is_recording: bool = False
    found: Demonstration | None = None
    note: StatusText = NOTHING
    errors: RepeatErrors | None = None
    _samples: list[tuple[float, np.ndarray]] = field(default_factory=list)

    @function_of("is_recording", "found", "note")
    def status(self) -> StatusText:
        """Describe the recording or its trajectory."""
        if self.is_recording:
            return StatusText("Recording: drag the arm.")
        if self.found is None:
            return self.note
        text = f"Trajectory of {number(self.found.trajectory.duration, 2)} s."
        if self.found.why is not None:
            text += f" {number(self.found.slower, 2)} times slower than demonstrated: {self.found.why.text}."
        return StatusText(text)

    def error_text(self, units: Units) -> str:
        """Name the controller and the tracking errors of the repetition."""
        errors = self.errors
        if errors is None:
            return ""
        mean, most = rms(errors.mean_squares, self.robot, units), largest(errors.largest, self.robot, units)
        return f"{errors.controller}: tracking error {mean} RMS; max. {most}."

    def clear(self, robot: Robot, is_recording: bool = False) -> None:
        """Forget the motion, because another one begins or another robot is open."""
        self.robot, self._samples, self.found, self.errors = robot, [], None, None
        self.note, self.is_recording = NOTHING, is_recording

    def add(self, t: float, q: np.ndarray) -> None:
        """Add the pose `(n,)` at time t in s, if it is recording."""
        if self.is_recording:
            self._samples.append((t, np.array(q)))

    def end(self) -> tuple[np.ndarray, np.ndarray]:
        """Stop recording; returns times `(N,)` in s from the first sample, and poses `(N, n)`."""
        self.is_recording, self.note = False, StatusText("Computing…")
        t, q = zip(*self._samples, strict=True)
        return np.array(t) - t[0], np.array(q)

    def take(self, found: Demonstration) -> None:
        """Store the trajectory."""
        self.found = found

    def fail(self, text: str) -> None:
        """Report why no trajectory can be made."""
        self.note = StatusText(sentence(text), Severity.WARNING)

    def add_error(self, controller: str, t: float, off: np.ndarray) -> None:
        """Account for the tracking error `(n,)`, rad or m, at time t in s of the repetition."""
        old = self.errors or RepeatErrors(controller, -1.0, 0, np.zeros(len(off)), np.zeros(len(off)))
        if t > old.t:
            squares = (old.samples * old.mean_squares + off**2) / (old.samples + 1)
            self.errors = RepeatErrors(controller, t, old.samples + 1, squares, np.maximum(old.largest, off))
