"""`CodeProcess`: a process for the code of one file. Whatever the code does, a request returns in time or raises LawError."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

import armature
from armature.engine.control.own_law.host.code_service import DONE, FAULT, OVERDUE, Source, serve
from armature.engine.control.own_law.kept_memory import PickledMemory
from armature.engine.errors import EngineError, LawError
from armature.engine.model.robot import Robot

METHOD = "forkserver" if sys.platform == "linux" else "spawn"  # elsewhere the system's own libraries do not survive a fork
READY = 120.0  # s for the imports of a process on a busy computer
LOADING = 5.0  # s for executing a file
COMPILING = 120.0  # s for numba, while an earlier version is running
FIRST = 3.0  # s for the first call, which may load code of the engine
PATIENCE = 1.0  # s for each later call
PLANNING = 20.0  # s for a trajectory, which is a few thousand calls
_GRACE = 1.0  # s beyond the limit for the process to report the line
_LARGEST = 1 << 28  # bytes of an answer
_RETRIES = (0.1, 1.0, 0.0)  # s to wait after a failed start: a fork server that was killed may be ending
_CALLS = 25  # that the duration of a call is measured over

_LOCK = threading.Lock()  # around every start and end: multiprocessing keeps a list of processes without one
_SPARES: dict[str, _Started] = {}  # by start method, where starting takes long


class _Started(NamedTuple):
    process: BaseProcess
    requests: Connection
    crashes: Connection


class CodeProcess:
    """The process of one controller, disturbance or trajectory of the user; of a controller it is the `Run`.

    Requests come from one thread, apart from `memory`. `values` are the parameter values; `log` is the log of the last call.
    """

    def __init__(self, source: Source, robot: Robot, method: str = METHOD):
        self.source, self._robot, self._method = source, robot, method
        self._kind, self._values = "", dict[str, float]()
        self.log: Mapping[str, Any] = {}
        self.compiled, self.why_python = False, ""
        self._durations: deque[float] = deque(maxlen=_CALLS)
        self._next, self._busy = threading.Lock(), threading.Lock()
        self._is_abandoned = False
        self._begin()

    def _begin(self) -> None:
        self._started, self.has_ended = _process(self._method), False

    def load(self, kind: str, values: Mapping[str, float], compiled: bool = False) -> Any:
        """Execute the text with the `values` that are still valid; return the `OwnLaw` or `OwnDisturbance`. Raises LawError.

        To be `compiled`, numba compiles a controller if it can, which takes seconds; else `why_python` is the reason.
        """
        self._kind = kind
        self.request("warm_up", seconds=READY, when="at start")
        seconds = COMPILING if compiled else LOADING
        arguments = kind, self.source, dict(values), self._robot, compiled
        loaded, self.compiled, self.why_python = self.request("load", *arguments, seconds=seconds, when="during loading")
        self._values = loaded.values
        return loaded

    def restart(self) -> None:
        """Begin with an empty memory, in another process after a crash or a hang. Raises LawError."""
        self.log = {}
        if self.has_ended:
            self._begin()
            self.load(self._kind, self._values, self.compiled)
        else:
            self.request("restart", seconds=LOADING, when="during reloading")

    def learn(self, robot: Robot) -> None:
        """Change the model of the arm."""
        if robot is not self._robot:
            self._robot = robot
            if not self.has_ended:
                self.request("learn", robot)

    @property
    def values(self) -> Mapping[str, float]:
        return self._values

    @values.setter
    def values(self, values: Mapping[str, float]) -> None:
        self._values = dict(values)
        if not self.has_ended:
            self.request("set_values", self._values)

    @property
    def memory(self) -> dict[str, Any]:
        """The memory of the run, for any thread; empty after a crash or a hang."""
        if self.has_ended:
            return PickledMemory()
        described, pickled = self.request("memory", when="while its memory was read")
        return PickledMemory(json.loads(described), pickled)

    @memory.setter
    def memory(self, memory: dict[str, Any]) -> None:
        if isinstance(memory, PickledMemory) and memory.pickled:
            self.request("set_memory", memory.pickled, when="while its memory was restored")

    def torque(self, t: float, q: np.ndarray, qd: np.ndarray, reference: np.ndarray) -> np.ndarray:
        """Return the torque of the controller `(n,)`, N·m or N; sets `log`. Raises LawError."""
        return self._call("torque", (t, q, qd, reference), False, PATIENCE)

    def trial(self, t: float, q: np.ndarray, qd: np.ndarray, reference: np.ndarray, seconds: float = PATIENCE) -> np.ndarray:
        """Return the torque `(n,)`, N·m or N, without a change of the memory. Raises LawError."""
        return self._call("torque", (t, q, qd, reference), True, seconds)

    def wrench(self, t: float, q: np.ndarray, qd: np.ndarray, trial: bool, seconds: float = PATIENCE) -> np.ndarray:
        """Return the wrench of the disturbance `(6,)`, N and N·m; a trial leaves the memory unchanged. Raises LawError."""
        return self._call("wrench", (t, q, qd), trial, seconds)

    def _call(self, method: str, state: tuple[Any, ...], trial: bool, seconds: float) -> np.ndarray:
        if self.has_ended:
            self.restart()
        began, (t, *vectors) = time.perf_counter(), state
        answer = self.request(method, np.concatenate([[t], *vectors]).tobytes(), trial, seconds=seconds, when=f"at t = {t:g} s")
        if method == "torque":
            answer, log = answer
            self.log = {name: x if type(x) is float else np.frombuffer(x) for name, x in log.items()}
        if not trial:
            self._durations.append(time.perf_counter() - began)
        return np.frombuffer(answer).copy()

    @property
    def calls(self) -> int:
        """Number of calls that `seconds` is measured over."""
        return len(self._durations)

    @property
    def seconds(self) -> float:
        """Median duration of the last calls, both ways included: one slow call is the operating system's."""
        return median(self._durations) if self._durations else 0.0

    def request(self, method: str, *arguments: object, seconds: float = PATIENCE, when: str = "") -> Any:
        """Return the result of a method of `CodeService`. Raises LawError, which an ended process explains."""
        request = pickle.dumps((method, seconds, arguments), pickle.HIGHEST_PROTOCOL)
        place, (process, requests, _) = self.source.place, self._started
        with self._next:  # the thread that waits is the next one, however soon this one returns
            self._busy.acquire()
        try:
            requests.send_bytes(request)
            ready = wait((requests, process.sentinel), seconds + _GRACE)
            if requests in ready:
                outcome, result = pickle.loads(requests.recv_bytes(_LARGEST))
            else:
                outcome, result = "" if ready else OVERDUE, None
        except Exception:  # it has ended, or the code has written into the pipe
            outcome, result = "", None
        finally:
            self._busy.release()
        if outcome == DONE:
            return result
        if outcome == FAULT:
            raise LawError(*result)
        how = self.end()
        if self._is_abandoned:
            raise LawError(f"{place}: a newer version of this controller is in use", place)
        line = result if outcome == OVERDUE else self._crash_line()
        what = f"it did not return within {seconds:g} s and was stopped" if outcome == OVERDUE else f"its process ended: {how}"
        raise LawError(f"{place}{f', line {line}' if line else ''}: {when} {what}", place, line)

    def abandon(self) -> None:
        """Kill the process, from any thread: its request fails soon."""
        self._is_abandoned = True
        self._started.process.kill()

    def end(self) -> str:
        """Kill the process; return how it had ended if by itself."""
        self.has_ended = True
        process, requests, _ = self._started
        requests.close()
        with _LOCK:
            process.kill()
            process.join(READY)
        return _how(process.exitcode or 0)

    def _crash_line(self) -> int | None:
        """The line of the file that the process crashed in, as Python's fault handler wrote it."""
        crashes = self._started.crashes
        if os.name == "nt" or not crashes.poll():
            return None
        place = self.source.place.encode("ascii", "backslashreplace").decode()
        text = os.read(crashes.fileno(), 1 << 16).decode("ascii", "replace")
        found = re.search(rf'File "{re.escape(place)}", line (\d+)', text)
        return None if found is None else int(found[1])


def _process(method: str) -> _Started:
    """A process that waits for requests. Raises EngineError where the system has none."""
    for pause in _RETRIES:
        try:
            with _LOCK:
                ready = _SPARES.pop(method, None) or _start(method)
                if method == "spawn":
                    _SPARES[method] = _start(method)
                return ready
        except (OSError, EOFError) as error:
            why = error
        time.sleep(pause)
    raise EngineError(f"the controller process could not be started: {why}")


def _start(method: str) -> _Started:
    context: Any = get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload(["armature.engine.control.own_law.host.fork_server"])
    requests, requests_end = context.Pipe()
    crashes, crashes_end = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(requests_end, crashes_end), name="user-code", daemon=True)
    with _importable():
        process.start()
    requests_end.close()
    crashes_end.close()
    return _Started(process, requests, crashes)


@contextmanager
def _importable() -> Iterator[None]:
    """While a process starts: let the fork server import this package, and no process run the main script again."""
    main, spec, paths = sys.modules["__main__"], sys.modules["__main__"].__spec__, os.environ.get("PYTHONPATH")
    main.__spec__ = ModuleSpec("armature.__main__", None)  # multiprocessing imports no module of that name
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(armature.__file__).parents[1]), *filter(None, [paths])])
    try:
        yield
    finally:
        main.__spec__ = spec
        os.environ.pop("PYTHONPATH") if paths is None else os.environ.update(PYTHONPATH=paths)


def _how(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    if code == -signal.SIGKILL:
        return "it was killed"
    return f"it crashed ({signal.Signals(-code).name})"
