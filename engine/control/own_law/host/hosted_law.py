"""`HostedLaw`: an own law at work in a process of its own; `LawHost` makes its versions ready beside the one at work."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np

from armature.engine.control.own_law.host.law_process import LawProcess, Memory, Source
from armature.engine.control.own_law.host.nursery import Nursery
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.errors import LawError
from armature.engine.model.robot import Robot


class State(NamedTuple):
    """What a first call is made with: time s, q, qd `(n,)`, and what to follow `(3 n,)`."""

    t: float
    q: np.ndarray
    qd: np.ndarray
    reference: np.ndarray


class Version:
    """One text of a law that has proven itself. Each run of it has a process of its own, the first one that of the proof."""

    def __init__(self, process: LawProcess):
        self._source, self._nursery = process.source, process.nursery
        self._new: LawProcess | None = process
        self._last, self._lock = weakref.ref(process), threading.Lock()

    def process(self, robot: Robot, values: Mapping[str, float]) -> LawProcess:
        """A process with the law as it was loaded. Raises LawError."""
        with self._lock:
            process, self._new = self._new, None
            if process is None:
                process = LawProcess(self._nursery, self._source, robot)
                process.load(values)
                self._last = weakref.ref(process)
        process.learn(robot)
        process.take_values(values)
        return process

    def memory(self) -> Memory:
        """What the newest run remembers now."""
        process = self._last()
        return Memory(b"") if process is None else process.memory_now()


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

    def __init__(self) -> None:
        self._nursery = Nursery()

    def prepare(self, robot: Robot) -> None:
        """Laws of this robot are likely; returns at once."""
        self._nursery.prepare(robot)

    def ready(self, source: Source, robot: Robot, state: State, before: HostedLaw | None) -> HostedLaw:
        """A version that was loaded and has made its first call, in `state` and with the memory of the version `before` it.

        It takes as long as the law does, at most LOADING and PATIENCE. Raises LawError.
        """
        process = LawProcess(self._nursery, source, robot)
        try:
            law = process.load({} if before is None else before.values)
            if before is not None:
                process.remember(before.version.memory())
            process.trial(*state)
            process.restart()
        except LawError:
            process.end()
            raise
        own = {item.name: vars(law)[item.name] for item in fields(law) if item.init}
        return HostedLaw(**own, version=Version(process))

    def close(self) -> None:
        """Ends all processes."""
        self._nursery.close()
