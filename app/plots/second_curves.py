"""`SecondCurves`: samples of a second arm for the plots, and differences from the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from armature.app.plots.plot_history import History, ToolMotion
from armature.app.plots.plot_signals import RecordingSource

if TYPE_CHECKING:
    from armature.engine.model.robot import Robot
    from armature.engine.simulation.snapshot import Snapshot

Sampled = Callable[["Snapshot"], "tuple[Snapshot, float] | None"]
"""Returns state and smallest singular value of the second arm for a snapshot of the first, None without a state."""


class SecondCurves:
    """History of the second `robot`; `names` of both arms; `recorded`: its motion during a replay, None without."""

    def __init__(self, robot: Robot, names: tuple[str, str], sample: Sampled, tool_motion: ToolMotion):
        self.robot, self.names, self._sample = robot, names, sample
        self.history = History(robot.n, tool_motion=tool_motion)
        self.frozen: History | None = None
        self.recorded: RecordingSource | None = None

    def source(self, replays: int) -> History | RecordingSource | None:
        """Return the samples that are drawn, live or with a number of replays; None without."""
        if replays:
            return self.recorded if replays == 1 else None
        return self.history if self.frozen is None else self.frozen

    def append(self, snapshot: Snapshot) -> None:
        """Add the state of the second arm for a snapshot of the first."""
        if (state := self._sample(snapshot)) is not None:
            self.history.append(*state)

    def hold(self, on: bool) -> None:
        """Draw the present samples only, or again all."""
        self.frozen = self.history.frozen() if on else None


class Difference:
    """Source of curves: the second arm minus the first, at the common times."""

    def __init__(self, first: History | RecordingSource, second: History | RecordingSource):
        self._first, self._second = first, second
        self.t, self._one, self._other = np.intersect1d(first.t, second.t, return_indices=True)

    def get(self, name: str) -> np.ndarray | None:
        """Return the difference of a signal `(k, columns)`; None if an arm lacks it, or the arms have other joints."""
        one, other = self._first.get(name), self._second.get(name)
        if one is None or other is None or one.shape[1] != other.shape[1]:
            return None
        return other[self._other] - one[self._one]
