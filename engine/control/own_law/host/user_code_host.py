"""`UserCodeHost`: controllers, disturbances and trajectories of the user, each in a process of its own."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakSet

import numpy as np

from armature.engine.control.own_law.host.code_process import FIRST, METHOD, PLANNING, READY, CodeProcess
from armature.engine.control.own_law.host.code_service import Source
from armature.engine.control.own_law.law_source import read_text
from armature.engine.control.own_law.own_disturbance import DisturbanceRun, OwnDisturbance
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.errors import LawError
from armature.engine.model.robot import Robot
from armature.engine.trajectory.trajectory import Trajectory


class State(NamedTuple):
    """Arguments of a first call: time s, q, qd `(n,)`, and desired motion with measured torque `(4 n,)`."""

    t: float
    q: np.ndarray
    qd: np.ndarray
    reference: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True)
class HostedLaw(OwnLaw):
    """User-defined controller whose text runs in a process of its own, for one simulation at a time."""

    process: CodeProcess = field(repr=False)

    def begin(self, robot: Robot) -> CodeProcess:
        """Return the process as a run with an empty memory. Raises LawError."""
        self.process.learn(robot)
        self.process.values = self.values
        self.process.restart()
        return self.process

    def is_only_reset(self, other: Any) -> bool:
        """True if this is `other` with other values or another period."""
        return isinstance(other, HostedLaw) and other.process is self.process


@dataclass(frozen=True, eq=False, kw_only=True)
class HostedDisturbance(OwnDisturbance):
    """User-defined disturbance whose text runs in a process of its own, for one simulation at a time."""

    process: CodeProcess = field(repr=False)

    def begin(self, robot: Robot) -> HostedPush:
        """Return a run with an empty memory. Raises LawError, EngineError for an unknown link."""
        return HostedPush(self, robot)


class HostedPush(DisturbanceRun):
    """A run of a disturbance in another process."""

    disturbance: HostedDisturbance

    def __init__(self, disturbance: HostedDisturbance, robot: Robot):
        self.process = disturbance.process
        self.process.learn(robot)
        self.process.values = disturbance.values
        super().__init__(disturbance, robot)

    def restart(self) -> None:
        self.process.restart()

    def link_wrench(self, t: float, q: np.ndarray, qd: np.ndarray, trial: bool) -> np.ndarray:
        return self.process.wrench(t, q, qd, trial)

    @property
    def memory(self) -> dict[str, Any]:
        return self.process.memory

    @memory.setter
    def memory(self, memory: dict[str, Any]) -> None:
        self.process.memory = memory


class UserCodeHost:
    """Loads and tests files that the user chose. Whatever they do, a method returns in time or raises LawError."""

    def __init__(self, method: str = METHOD) -> None:
        self._method, self._lock, self._is_closed = method, threading.Lock(), False
        self._processes: WeakSet[CodeProcess] = WeakSet()
        self._candidates: set[CodeProcess] = set()

    def controller(self, source: Source, robot: Robot, state: State, before: HostedLaw | None) -> HostedLaw:
        """Return a controller that was called once, in `state` and with the memory of the version `before` it. Raises LawError.

        Earlier versions that are still being tested are abandoned; values that the user changed are retained.
        """
        with self._lock:
            older = list(self._candidates)
        for process in older:
            process.abandon()
        changed = {} if before is None else {k: x for k, x in before.values.items() if x != before.parameters[k].start}
        return self._tested(source, robot, state, changed, False, None if before is None else before.process)

    def compile(self, law: HostedLaw, robot: Robot, state: State) -> HostedLaw | str:
        """Return the controller compiled by numba, which takes seconds, or the reason why it runs as Python. Raises LawError."""
        made = self._tested(Source(law.text, law.name, law.path), robot, state, law.values, True, None)
        return made if made.compiled else made.process.why_python

    def _tested(
        self, source: Source, robot: Robot, state: State, values: Mapping[str, float], compiled: bool, before: Any
    ) -> Any:
        with self._process(source, robot) as process:
            with self._lock:
                self._candidates.add(process)
            try:
                law = process.load("control", values, compiled)
                if before is not None:
                    with suppress(LawError):  # it does not answer
                        process.memory = before.memory
                process.trial(*state, seconds=FIRST)
            finally:
                with self._lock:
                    self._candidates.discard(process)
        return HostedLaw(**_fields(law), process=process)

    def disturbance(self, path: str | os.PathLike[str], robot: Robot, values: Mapping[str, float]) -> HostedDisturbance:
        """Return the disturbance of a file that was called once, at home and at rest, with the `values` that are valid.

        Raises LawError, EngineError.
        """
        with self._process(Source(read_text(path), Path(path).stem, os.fspath(path)), robot) as process:
            disturbance = process.load("disturbance", values)
            process.wrench(0.0, robot.configurations["home"], np.zeros(robot.n), True, FIRST)
        return HostedDisturbance(**_fields(disturbance), process=process)

    def trajectory(self, path: str | os.PathLike[str], robot: Robot, values: Mapping[str, float]) -> Trajectory:
        """Return the trajectory of a file, see `own_trajectory`, with the `values` that are valid. Raises LawError."""
        with self._process(Source("", Path(path).stem, os.fspath(path)), robot) as process:
            process.request("warm_up", seconds=READY, when="at start")
            arguments = process.source.path, robot.n, dict(values)
            description = process.request("trajectory", *arguments, seconds=PLANNING, when="during planning")
            process.end()
        return Trajectory.from_description(description)

    @contextmanager
    def _process(self, source: Source, robot: Robot) -> Iterator[CodeProcess]:
        """A process that is ended if its code fails."""
        process = CodeProcess(source, robot, self._method)
        with self._lock:
            self._processes.add(process)
        if self._is_closed:
            process.abandon()
        try:
            yield process
        except LawError:
            process.end()
            raise

    def close(self) -> None:
        """Kill all processes; requests to them fail soon."""
        self._is_closed = True
        with self._lock:
            processes = list(self._processes)
        for process in processes:
            process.abandon()


def _fields(value: OwnLaw | OwnDisturbance) -> dict[str, Any]:
    return {item.name: getattr(value, item.name) for item in fields(value) if item.init}
