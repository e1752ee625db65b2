"""`--rounds`: repeat a trajectory, and report the tracking error of each round."""

from __future__ import annotations

import numpy as np

from armature.app.commands.command_arguments import Parser, UsageError, unit, whole_number
from armature.engine import Trajectory
from armature.engine.model.robot import Robot
from armature.engine.simulation.step_batch import StepBatch

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
    """Largest tracking error of the revolute and of the prismatic joints in each round of `seconds`."""

    def __init__(self, robot: Robot, seconds: float):
        self._robot, self._seconds = robot, seconds
        self._worst: list[np.ndarray] = []  # of each joint `(n,)`, rad or m

    def add(self, batch: StepBatch) -> None:
        """Takes note of a batch."""
        if batch.desired is None or not len(batch.states):
            return
        n = self._robot.n
        error = np.abs(batch.states[:, 1 : n + 1] - batch.desired[:, :n])
        number = np.maximum(np.ceil((batch.states[:, 0] - _EARLY) / self._seconds).astype(int) - 1, 0)  # its end is its own
        for k in np.unique(number):
            self._worst += [np.zeros(n) for _ in range(k + 1 - len(self._worst))]
            self._worst[k] = np.maximum(self._worst[k], error[number == k].max(axis=0))

    def told(self) -> str:
        """Largest tracking error of each round, rad or m, as text."""
        types = [np.flatnonzero(self._robot.prismatic == slides) for slides in (False, True)]
        units = [(unit(self._robot, joints[0]), joints) for joints in types if len(joints)]
        rounds = (" and ".join(f"{worst[joints].max():.3g} {name}" for name, joints in units) for worst in self._worst)
        return f"max. error {', '.join(rounds)}"
