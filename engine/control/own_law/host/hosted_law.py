"""`HostedLaw`: an own law at work in a process of its own; `LawHost` makes its versions ready beside the one at work."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np

from armature.engine.control.own_law.host.law_process import FIRST, LawProcess, Memory, Source
from armature.engine.control.own_law.host.nursery import FORKS, Nursery
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.errors import LawError
from armature.engine.model.robot import Robot


class State(NamedTuple):
    """What a first call is made with: time s, q, qd `(n,)`, what to follow and the measured torque `(4 n,)`."""

    t: float
    q: np.ndarray
    qd: np.ndarray
    reference: np.ndarray


class Version:
    """One text of a law that has proven itself. Each run of it has a process of its own, the first one that of the proof."""

    def __init__(self, process: LawProcess):
        self._source, self._nursery = process.source, process.nursery
        self._compiled, self.why_python = process.compiled, process.why_python
        self._new: LawProcess | None = process
        self._last, self._lock = weakref.ref(process), threading.Lock()

    def process(self, robot: Robot, values: Mapping[str, float]) -> LawProcess:
        """A process with the law as it was loaded. Raises LawError."""
        with self._lock:
            process, self._new = self._new, None
            if process is None:
                process = LawProcess(self._nursery, self._source, robot)
                process.load(values, self._compiled)
                self._last = weakref.ref(process)
        process.learn(robot)
        process.take_values(values)
        return process

    def memory(self) -> Memory:
        """What the newest run remembers now."""
        process = self._last()
        return Memory() if process is None else process.memory_now()


@dataclass(frozen=True, eq=False, kw_only=True)
class HostedLaw(OwnLaw):
    """An own law whose text runs in processes of its own, never here."""

    version: Version = field(repr=False)

    def begin(self, robot: Robot) -> HostedRun:
        """The law at work in a process, with an empty memory. Raises LawError."""
        return HostedRun(self.version.process(robot, self.values))

    def is_only_reset(self, other: Any) -> bool:
        """Whether this is `other` with other values or another period."""
        return isinstance(other, HostedLaw) and other.version is self.version


class HostedRun:
    """What the simulation has of a law that runs elsewhere; as `Run` says."""

    def __init__(self, process: LawProcess):
        self.process = process
        self.compiled, self.why_python = process.compiled, process.why_python

    @property
    def values(self) -> Mapping[str, float]:
        return self.process.values

    @values.setter
    def values(self, values: Mapping[str, float]) -> None:
        self.process.take_values(values)

    @property
    def memory(self) -> dict[str, Any]:
        return self.process.memory()

    @memory.setter
    def memory(self, memory: dict[str, Any]) -> None:
        if isinstance(memory, Memory):
            self.process.remember(memory)

    @property
    def log(self) -> Mapping[str, Any]:
        return self.process.log

    def torque(self, t: float, q: np.ndarray, qd: np.ndarray, reference: np.ndarray) -> np.ndarray:
        return self.process.torque(t, q, qd, reference)

    def trial(self, t: float, q: np.ndarray, qd: np.ndarray, reference: np.ndarray) -> np.ndarray:
        return self.process.trial(t, q, qd, reference)

    def learn(self, robot: Robot) -> None:
        self.process.learn(robot)

    def restart(self) -> None:
        self.process.restart()


class LawHost:
    """Makes versions of a law ready, each in a process of its own, beside the one at work."""

    def __init__(self, forks: bool = FORKS) -> None:
        self._nursery, self._lock = Nursery(forks), threading.Lock()
        self._robot: Robot | None = None
        self._candidates: set[LawProcess] = set()

    def prepare(self, robot: Robot) -> None:
        """Laws of this robot are likely; returns at once."""
        with self._lock:
            if self._robot is not robot:
                self._robot = robot
                self._nursery.prepare(robot)

    def ready(self, source: Source, robot: Robot, state: State, before: HostedLaw | None) -> HostedLaw:
        """A version that was loaded and has made its first call, in `state` and with the memory of the version `before` it.

        It takes as long as the law does, at most LOADING and FIRST; what is still made ready then is given up. Raises LawError.
        """
        self.prepare(robot)
        with self._lock:
            older, self._candidates = self._candidates, set()
        for process in older:
            process.abandon()
        values = {} if before is None else _set_by_hand(before)
        return self._proven(source, robot, state, values, None if before is None else before.version.memory())

    def compiled(self, law: HostedLaw, robot: Robot, state: State) -> HostedLaw | str:
        """The same as numba compiles it, which takes seconds, or why it stays Python. Raises LawError."""
        source = Source(law.text, law.name, law.path)
        made = self._proven(source, robot, state, law.values, None, True)
        return made if made.compiled else made.version.why_python

    def _proven(
        self,
        source: Source,
        robot: Robot,
        state: State,
        values: Mapping[str, float],
        memory: Memory | None,
        compiled: bool = False,
    ) -> HostedLaw:
        process = LawProcess(self._nursery, source, robot)
        with self._lock:
            self._candidates.add(process)
        try:
            law = process.load(values, compiled)
            if memory is not None:
                process.remember(memory)
            process.trial(*state, seconds=FIRST)
            process.restart()
        except LawError:
            process.end()
            raise
        finally:
            with self._lock:
                self._candidates.discard(process)
        own = {item.name: vars(law)[item.name] for item in fields(law) if item.init}
        return HostedLaw(**own, version=Version(process))

    def close(self) -> None:
        """Ends all processes; what is made ready fails soon."""
        with self._lock:
            candidates, self._candidates = self._candidates, set()
        for process in candidates:
            process.abandon()
        self._nursery.close()


def _set_by_hand(law: HostedLaw) -> dict[str, float]:
    """Values that are not those of the file any more; the others follow the file."""
    return {name: value for name, value in law.values.items() if value != law.parameters[name].start}
