"""`--rounds`: repeat a trajectory, and report the tracking error of each round."""

from __future__ import annotations

import numpy as np

from armature.app.commands.command_arguments import Parser, UsageError, unit, whole_number
from armature.engine import Trajectory
from armature.engine.model.robot import Robot
from armature.engine.simulation.stepper import StepBatch

MOST = 1000
_EARLY = 1e-9  # s of rounding


def add_rounds(parser: Parser) -> None:
    """The option."""
    help_ = "repeat the --trajectory N times, for learning controllers; it must end where it begins"
    parser.add_argument("--rounds", metavar="N", type=whole_number("a whole number of repetitions", 1, MOST), help=help_)


def repeated(trajectory: Trajectory | None, rounds: int | None) -> Trajectory | None:
    """The trajectory as it is followed. Raises UsageError, TrajectoryError for one that does not end as it begins."""
    if rounds is None:
        return trajectory
    if trajectory is None:
        raise UsageError("--rounds needs a --trajectory to repeat")
    return trajectory.looped()


class Rounds:
    """How far off each round of `seconds` was at most, and which joint."""

    def __init__(self, robot: Robot, seconds: float):
        self._robot, self._seconds = robot, seconds
        self._worst: list[tuple[float, int]] = []

    def add(self, batch: StepBatch) -> None:
        """Takes note of a batch."""
        if batch.desired is None or not len(batch.states):
            return
        n = self._robot.n
        error = np.abs(batch.states[:, 1 : n + 1] - batch.desired[:, :n])
        number = np.maximum(np.ceil((batch.states[:, 0] - _EARLY) / self._seconds).astype(int) - 1, 0)  # its end is its own
        for k in np.unique(number):
            joints = error[number == k].max(axis=0)
            self._worst += [(0.0, 0)] * (k + 1 - len(self._worst))
            self._worst[k] = max(self._worst[k], (float(joints.max()), int(joints.argmax())))

    def told(self) -> str:
        """Largest tracking error of each round, rad or m, as text."""
        return "max. error " + ", ".join(f"{error:.3g} {unit(self._robot, joint)}" for error, joint in self._worst)
