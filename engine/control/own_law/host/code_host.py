"""`CodeHost`: own trajectories and own disturbances in processes of their own, as the window runs them."""

from __future__ import annotations

import json
import os
import pickle
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.control.own_law.host import law_service as service
from armature.engine.control.own_law.host.law_process import FIRST, LOADING, PATIENCE, LawProcess, Memory, Source
from armature.engine.control.own_law.host.nursery import FORKS, Nursery
from armature.engine.control.own_law.law_parameters import Parameter
from armature.engine.control.own_law.law_source import read_text
from armature.engine.control.own_law.own_disturbance import DisturbanceRun, OwnDisturbance
from armature.engine.errors import LawError
from armature.engine.model.robot import Robot
from armature.engine.trajectory.trajectory import Trajectory

PLANNING = 20.0  # s that a trajectory may take, which is called a few thousand times


class CodeHost:
    """Runs files that a person chose. Whatever they do, it comes back: with what they are or as a LawError."""

    def __init__(self, forks: bool = FORKS) -> None:
        self._nursery = Nursery(forks)

    def trajectory(self, path: str | os.PathLike[str], robot: Robot, values: Mapping[str, float]) -> Trajectory:
        """The trajectory of a file, see `own_trajectory`, with those values that it still has. Raises LawError, EngineError."""
        process = _CodeProcess(self._nursery, Source("", Path(path).stem, os.fspath(path)), robot)
        try:
            return process.trajectory(robot.n, values)
        finally:
            process.end()

    def disturbance(self, path: str | os.PathLike[str], robot: Robot, values: Mapping[str, float]) -> HostedDisturbance:
        """The disturbance of a file, with those values that it still has.

        It has been called once, at home and at rest. Raises LawError, EngineError.
        """
        source = Source(read_text(path), Path(path).stem, os.fspath(path))
        process = _CodeProcess(self._nursery, source, robot)
        try:
            made = process.disturbance(robot, values)
            process.wrench(0.0, robot.configurations["home"], np.zeros(robot.n), True, FIRST)
        except LawError:
            process.end()
            raise
        return made

    def close(self) -> None:
        """Ends all processes."""
        self._nursery.close()


@dataclass(frozen=True, eq=False, kw_only=True)
class HostedDisturbance(OwnDisturbance):
    """An own disturbance whose text runs in a process of its own, never here."""

    process: _CodeProcess = field(repr=False)

    def begin(self, robot: Robot) -> HostedPush:
        """It at work on an arm, from the beginning. Raises LawError, EngineError for a link that the arm has not."""
        return HostedPush(self, robot)


class HostedPush(DisturbanceRun):
    """What the simulation has of a disturbance that runs elsewhere."""

    told: HostedDisturbance

    @property
    def process(self) -> _CodeProcess:
        """Where it runs."""
        return self.told.process

    def restart(self) -> None:
        self.process.take_values(self.told.values)
        self.process.restart()

    def given(self, t: float, q: np.ndarray, qd: np.ndarray, trial: bool) -> np.ndarray:
        return self.process.wrench(t, q, qd, trial)

    @property
    def memory(self) -> dict[str, Any]:
        return self.process.memory()

    @memory.setter
    def memory(self, memory: dict[str, Any]) -> None:
        if isinstance(memory, Memory):
            self.process.remember(memory)


class _CodeProcess(LawProcess):
    """A trajectory or a disturbance in a process of its own."""

    def trajectory(self, n: int, values: Mapping[str, float]) -> Trajectory:
        """That of the file. Raises LawError."""
        body = pickle.dumps((self.source.path, n, dict(values)))
        return Trajectory.from_description(json.loads(self._ask(service.PLAN, body, PLANNING, "during planning")))

    def disturbance(self, robot: Robot, values: Mapping[str, float]) -> HostedDisturbance:
        """The text as a disturbance. Raises LawError."""
        self.values = values
        link, parameters, self.values = self._load_push(robot)
        found = {name: Parameter(*figures) for name, figures in parameters.items()}
        return HostedDisturbance(**self.source._asdict(), link=link, parameters=found, values=self.values, process=self)

    def _load_push(self, robot: Robot) -> Any:
        body = pickle.dumps((*self.source, dict(self.values), robot))
        return json.loads(self._ask(service.LOAD_PUSH, body, LOADING, "during loading"))

    def restart(self) -> None:
        if self.over:
            self.renew()
            self._load_push(self._robot)
        else:
            self._ask(service.RESTART, b"", LOADING, "during reloading")

    def wrench(self, t: float, q: np.ndarray, qd: np.ndarray, trial: bool, seconds: float = PATIENCE) -> np.ndarray:
        """What it gives, `(6,)`. Raises LawError."""
        if self.over:
            self.restart()
        began, body = time.perf_counter(), np.concatenate([[trial, t], q, qd]).tobytes()
        answer = self._ask(service.PUSH, body, seconds, f"at t = {t:g} s")
        self._took.append(time.perf_counter() - began)
        return np.frombuffer(answer).copy()
