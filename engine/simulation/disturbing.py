"""`Disturbing`: the disturbance of a simulated arm that the user wrote, if there is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from armature.engine.control.own_law.host.user_code_host import HostedPush
from armature.engine.control.own_law.kept_memory import described_memory, memory_of
from armature.engine.control.own_law.own_disturbance import DisturbanceRun, OwnDisturbance
from armature.engine.errors import EngineError
from armature.engine.model.robot import Robot


class Disturbing:
    """At work while `on`."""

    def __init__(self) -> None:
        self.disturbance: OwnDisturbance | None = None
        self.fault: EngineError | None = None  # it is not called again before time goes on
        self._run: DisturbanceRun | None = None

    @property
    def on(self) -> bool:
        """Whether there is one."""
        return self._run is not None

    def set(self, disturbance: OwnDisturbance | None, robot: Robot) -> None:
        """Another one, which begins anew, but for a version of the one there is. Raises LawError, EngineError for its link."""
        before = self._run.memory if self._run is not None and disturbance and disturbance.continues(self.disturbance) else None
        run = None if disturbance is None else disturbance.begin(robot)
        if run is not None and before is not None:
            run.memory = before
        self.disturbance, self._run, self.fault = disturbance, run, None

    def restart(self) -> None:
        """From the beginning."""
        self.fault = None
        if self._run is not None:
            self._run.restart()

    def wrench(self, robot: Robot, t: float, q: np.ndarray, qd: np.ndarray, trial: bool) -> np.ndarray:
        """Of the bodies `(n_bodies, 6)`; none in a trial once it failed. Raises LawError."""
        assert self._run is not None
        if self.fault is not None:
            if trial:
                return np.zeros((robot.n, 6))
            raise self.fault
        try:
            return self._run.wrench(robot, t, q, qd, trial)
        except EngineError as error:
            self.fault = error
            raise

    @property
    def seconds(self) -> float:
        """What an answer takes of late where it comes from another process, else 0."""
        return self._run.process.seconds if isinstance(self._run, HostedPush) else 0.0

    def describe(self) -> dict[str, Any] | None:
        """As plain values, None for none."""
        return None if self.disturbance is None else self.disturbance.describe()

    def memory(self) -> dict[str, Any]:
        """What it remembers, for a recording that begins; empty without one."""
        return {} if self._run is None else {"disturbance_memory": described_memory(self._run.memory)}

    def remember(self, told: Mapping[str, Any]) -> None:
        """What `memory` told."""
        if self._run is not None and "disturbance_memory" in told:
            self._run.memory = memory_of(told["disturbance_memory"])
