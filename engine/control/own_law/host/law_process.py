"""`LawProcess`: a law in a process of its own, as the program sees it."""

from __future__ import annotations

import json
import pickle
import re
import time
from collections import deque
from collections.abc import Mapping
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from armature.engine.control.own_law.host import law_service as service
from armature.engine.control.own_law.host.nursery import READY, Nursery
from armature.engine.control.own_law.kept_memory import memory_of
from armature.engine.control.own_law.law_parameters import Parameter
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.errors import LawError
from armature.engine.model.robot import Robot

LOADING = 5.0  # s that a law may take to load
COMPILING = 120.0  # s that numba may take for it, beside a version that runs
FIRST = 3.0  # s that its first call may take, for which code of the engine may have to be read
PATIENCE = 1.0  # s that each later one may take; a law is slow below and hangs above
_SIDE = 0.5  # s in which a process says where it is
_CALLS = 25  # that the time of a call is measured over


class Source(NamedTuple):
    """What a law is made of, none of it run yet."""

    text: str
    name: str
    path: str | None

    @property
    def place(self) -> str:
        """What errors call it."""
        return self.path or self.name


class Memory(dict):
    """What a law remembers: what a file can hold of it, and `packed` all of it for another process, which unpacks it."""

    def __init__(self, answer: bytes = b""):
        length = int.from_bytes(answer[:4], "little")
        self.packed = answer[4 + length :]
        told = json.loads(answer[4 : 4 + length]) if length else []
        if isinstance(told, dict):  # what cannot be told stays one thing that no file holds
            super().__init__(lost=_Lost())
        else:
            super().__init__(memory_of(told) if told else {})


class _Lost:
    """Stands for what is in a law's process alone."""


class LawProcess:
    """One law for one robot. Whatever it does, a call comes back within PATIENCE: with an answer or as a LawError.

    The thread that calls owns it, but for `memory_now`, which another may ask. `values` are those of its parameters; `log` is
    what it logged at the last call.
    """

    def __init__(self, nursery: Nursery, source: Source, robot: Robot):
        self.source, self.nursery, self._robot = source, nursery, robot
        self.values: Mapping[str, float] = {}
        self.log: Mapping[str, Any] = {}
        self._took: deque[float] = deque(maxlen=_CALLS)
        self.compiled, self.why_python = False, ""
        self._layout: list[tuple[str, list[int]]] = []
        self._over = self._abandoned = False
        self._channel, self._side, self._number = nursery.process()

    def load(self, values: Mapping[str, float], compiled: bool = False) -> OwnLaw:
        """Runs the text there, with those of `values` that are still its own; what it then is. Raises LawError.

        Where it is to be `compiled`, numba does so if it can, which takes seconds; else `why_python` says why not.
        """
        source, seconds = self.source, COMPILING if compiled else LOADING
        self._ask(service.WARM, pickle.dumps(self._robot), READY, "at start")
        body = pickle.dumps((source.text, source.name, source.path, dict(values), self._robot, compiled))
        told = json.loads(self._ask(service.LOAD, body, seconds, "during loading"))
        parameters, self.values, period, saturate, self.compiled, self.why_python = told
        found = {name: Parameter(*figures) for name, figures in parameters.items()}
        figures = {"parameters": found, "values": self.values, "period": period, "saturate": saturate}
        return OwnLaw(**source._asdict(), **figures, compiled=self.compiled)

    def restart(self) -> None:
        """From the beginning, in another process where it was stopped. Raises LawError."""
        self._layout, self.log = [], {}
        if self._over:
            self.renew()
            self.load(self.values, self.compiled)
        else:
            self._ask(service.RESTART, b"", LOADING, "during reloading")

    def renew(self) -> None:
        """Another process in place of one that has ended."""
        self._channel, self._side, self._number = self.nursery.process()
        self._over = False

    def learn(self, robot: Robot) -> None:
        """The arm as the controller knows it."""
        if robot is not self._robot:
            self._robot = robot
            self._ask(service.LEARN, pickle.dumps(robot), PATIENCE, "")

    def trial(self, t: float, q: np.ndarray, qd: np.ndarray, reference: np.ndarray, seconds: float = PATIENCE) -> np.ndarray:
        """A call that leaves nothing behind. Raises LawError."""
        return self._torque(service.TRIAL, (t, q, qd, reference), seconds)

    def torque(self, t: float, q: np.ndarray, qd: np.ndarray, reference: np.ndarray) -> np.ndarray:
        """What the law gives, `(n,)`, and `log`. Raises LawError."""
        began = time.perf_counter()
        tau = self._torque(service.CALL, (t, q, qd, reference), PATIENCE)
        self._took.append(time.perf_counter() - began)
        return tau

    @property
    def calls(self) -> int:
        """How many of them that is measured over."""
        return len(self._took)

    @property
    def seconds(self) -> float:
        """What a call took of late, with the way there and back: the median, as one slow call is the system's."""
        return median(self._took) if self._took else 0.0

    def _torque(self, kind: bytes, call: tuple[float, np.ndarray, np.ndarray, np.ndarray], seconds: float) -> np.ndarray:
        if self._over:
            self.restart()
        t, q, qd, reference = call
        answer, body = self._answer(kind, np.concatenate([[t], q, qd, reference]).tobytes(), seconds, f"at t = {t:g} s")
        return self._torque_of(len(q), answer, body)

    def _torque_of(self, n: int, kind: bytes, body: bytes) -> np.ndarray:
        if kind == service.TORQUE:
            return np.frombuffer(body).copy()
        head = int.from_bytes(body[:4], "little")
        if head:
            self._layout = json.loads(body[4 : 4 + head])
        figures, at, log = np.frombuffer(body, offset=4 + head), n, {}
        for name, shape in self._layout:
            length = shape[0] if shape else 1
            log[name] = figures[at : at + length] if shape else float(figures[at])
            at += length
        self.log = log
        return figures[:n].copy()

    def take_values(self, values: Mapping[str, float]) -> None:
        """Other values of the parameters, from the next call on."""
        self.values = dict(values)
        if not self._over:
            self._ask(service.VALUES, json.dumps(self.values).encode(), PATIENCE, "")

    def memory(self) -> Memory:
        """What the law remembers; empty where it was stopped."""
        return Memory() if self._over else Memory(self._ask(service.MEMORY, b"", PATIENCE, "while its memory was read"))

    def memory_now(self) -> Memory:
        """The same while it may be at work in another thread; empty where it does not answer."""
        try:
            self._side.send(service.MEMORY)
            kind, body = self._side.receive(_SIDE)
        except OSError:
            return Memory()
        return Memory(body) if kind == service.DONE else Memory()

    def remember(self, memory: Memory) -> None:
        """Goes on with the memory of another process."""
        if memory.packed:
            self._ask(service.REMEMBER, memory.packed, PATIENCE, "while its memory was restored")

    def abandon(self) -> None:
        """From any thread: it is no longer wanted. What it is at fails soon."""
        self._abandoned = True
        self._channel.hang_up()  # closed by the thread that waits on it: another would get its number
        self._side.hang_up()

    def end(self) -> str:
        """Ends the process; how it had ended, where it had by itself."""
        if self._over:
            return ""
        self._over = True
        self._channel.close()
        self._side.close()
        return self.nursery.end(self._number)

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self._over

    def _ask(self, kind: bytes, body: bytes, seconds: float, when: str) -> bytes:
        return self._answer(kind, body, seconds, when)[1]

    def _answer(self, kind: bytes, body: bytes, seconds: float, when: str) -> tuple[bytes, bytes]:
        """Sends a request; its answer. A fault is raised as LawError; the process ends where it is none of a line."""
        place = self.source.place
        try:
            self._channel.send(kind, body)
            answer, told = self._channel.receive(seconds)
        except TimeoutError:
            line = self._where()
            self.end()
            at = f", line {line}" if line else ""
            raise LawError(f"{place}{at}: {when} it did not return within {seconds:g} s and was stopped", place, line) from None
        except OSError:
            if self._abandoned:
                raise LawError(f"{place}: a newer version of this controller is in use", place) from None
            line = self._last_words()
            how, at = self.end(), f", line {line}" if line else ""
            raise LawError(f"{place}{at}: {when} its process ended: {how or 'unknown reason'}", place, line) from None
        if answer == service.FAULT:
            text, path, line = json.loads(told)
            raise LawError(text, path, line)
        return answer, told

    def _where(self) -> int | None:
        try:
            self._side.send(service.WHERE)
            return json.loads(self._side.receive(_SIDE)[1])
        except (OSError, ValueError):
            return None

    def _last_words(self) -> int | None:
        """The line that a process was in when it crashed: what Python's fault handler wrote."""
        words = self._side.rest(_SIDE).decode(errors="replace")
        found = re.search(rf'File "{re.escape(self.source.place)}", line (\d+)', words)
        return None if found is None else int(found[1])
