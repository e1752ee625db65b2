"""`serve`: the loop of a process for user code; `CodeService` has the requests that it answers."""

from __future__ import annotations

import faulthandler
import json
import math
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import cache
from multiprocessing import current_process
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from armature.engine.control.own_law.call_limit import VARIABLE
from armature.engine.control.own_law.kept_memory import described_memory
from armature.engine.control.own_law.law_parameters import still_valid
from armature.engine.control.own_law.law_run import Run
from armature.engine.control.own_law.law_source import fault
from armature.engine.control.own_law.own_disturbance import DisturbanceRun, disturbance_from_text
from armature.engine.control.own_law.own_law import law_from_text
from armature.engine.control.own_law.own_trajectory import trajectory_of_version
from armature.engine.errors import EngineError, LawError
from armature.engine.model.load_robot import load_robot
from armature.engine.model.robot import Robot

DONE, FAULT, OVERDUE = "done", "fault", "overdue"
"""Outcomes of a request, sent with its result, with text, path and line of a LawError, or with the line being executed."""
_CHECKS = 0.1  # s between two checks of the time limit
_NICE = 10  # of the thread that compiles
_FIRST_IN_MEMORY = Path("/proc/self/oom_score_adj")


class Source(NamedTuple):
    """Text of a file of the user, its name without suffix, and its path if it has one."""

    text: str
    name: str
    path: str | None

    @property
    def place(self) -> str:
        """Path or name that error messages show."""
        return self.path or self.name


def serve(requests: Connection, crashes: Connection) -> None:
    """Answer requests until the program is gone; `crashes` receives the lines of a crash, where the system has such pipes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    current_process().daemon = False  # user code may start processes
    os.environ[VARIABLE] = "0"  # the limit is that of each request
    if os.name != "nt":
        faulthandler.enable(crashes.fileno(), all_threads=False)
    with suppress(OSError):  # Linux ends this process before all others where memory runs out
        _FIRST_IN_MEMORY.write_text("1000")
    service = CodeService()
    limit = _TimeLimit(requests, service)
    threading.Thread(target=limit.watch, name="time-limit", daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            method, seconds, arguments = pickle.loads(requests.recv_bytes())
            limit.end = time.monotonic() + seconds
            try:
                answer = pickle.dumps((DONE, getattr(service, method)(*arguments)), pickle.HIGHEST_PROTOCOL)
            except BaseException as error:  # including sys.exit() of user code
                answer = pickle.dumps((FAULT, service.fault(error)))
            with limit.lock:
                limit.end = math.inf
            requests.send_bytes(answer)


class _TimeLimit:
    """End of the present request in s of `time.monotonic`; past it the process reports the line being executed and exits."""

    def __init__(self, requests: Connection, service: CodeService):
        self._requests, self._service, self._thread = requests, service, threading.get_ident()
        self.end, self.lock = math.inf, threading.Lock()

    def watch(self) -> None:
        """Check the limit for as long as the process runs."""
        while True:
            time.sleep(_CHECKS)
            with self.lock:
                if time.monotonic() > self.end:
                    line = _line(sys._current_frames().get(self._thread), self._service.place)
                    with suppress(OSError):  # the program is gone
                        self._requests.send_bytes(pickle.dumps((OVERDUE, line)))
                    os._exit(1)


def _line(frame: FrameType | None, place: str) -> int | None:
    """The innermost line of a file on the stack."""
    while frame is not None and frame.f_code.co_filename != place:
        frame = frame.f_back
    return None if frame is None else frame.f_lineno


class CodeService:
    """The controller or disturbance of one file, and its run; or a trajectory. Vectors come and go as bytes of doubles."""

    place = ""
    _run: Run | DisturbanceRun
    _n: int

    def warm_up(self) -> None:
        """Load the compiled code that user code calls, before its time counts."""
        warm_up()

    def load(self, kind: str, source: Source, values: Mapping[str, float], robot: Robot, compiled: bool) -> tuple[Any, bool, str]:
        """Execute the text and begin a run with the `values` that are still valid.

        Return the `OwnLaw` or `OwnDisturbance`, whether numba compiled it, and why not.
        """
        self.place, self._n = source.place, robot.n
        if kind == "disturbance":
            disturbance = disturbance_from_text(*source)
            disturbance = replace(disturbance, values=still_valid(disturbance.parameters, values))
            self._run = disturbance.begin(robot)
            return disturbance, False, ""
        law = law_from_text(*source)
        law = replace(law, values=still_valid(law.parameters, values), compiled=compiled)
        run = self._run = _at_low_priority(law.begin, robot) if compiled else law.begin(robot)
        return replace(law, compiled=run.compiled), run.compiled, run.why_python

    def restart(self) -> None:
        """Execute the text again and begin with an empty memory."""
        self._run.restart()

    def learn(self, robot: Robot) -> None:
        """Change the model of the arm."""
        self._n = robot.n
        if not isinstance(self._run, DisturbanceRun):
            self._run.learn(robot)

    def set_values(self, values: Mapping[str, float]) -> None:
        """Change the values of the parameters."""
        self._run.values = values

    def torque(self, state: bytes, trial: bool) -> tuple[bytes, Mapping[str, Any]]:
        """Return the torque and the log for t, q, qd and the reference; a trial leaves the memory unchanged."""
        assert not isinstance(self._run, DisturbanceRun)
        x, n = np.frombuffer(state), self._n
        call = self._run.trial if trial else self._run.torque
        tau = call(float(x[0]), x[1 : 1 + n], x[1 + n : 1 + 2 * n], x[1 + 2 * n :])
        return tau.tobytes(), {name: x if type(x) is float else x.tobytes() for name, x in self._run.log.items()}

    def wrench(self, state: bytes, trial: bool) -> bytes:
        """Return the wrench `(6,)` for t, q and qd; a trial leaves the memory unchanged."""
        assert isinstance(self._run, DisturbanceRun)
        x = np.frombuffer(state)
        return self._run.link_wrench(float(x[0]), x[1 : 1 + self._n], x[1 + self._n :], trial).tobytes()

    def memory(self) -> tuple[str, bytes]:
        """Return the memory as JSON for a recording, and pickled for another process, which alone unpickles it."""
        return json.dumps(described_memory(self._run.memory)), pickle.dumps(dict(self._run.memory))

    def set_memory(self, pickled: bytes) -> None:
        """Continue with the memory of another process."""
        self._run.memory = pickle.loads(pickled)

    def trajectory(self, path: str, n: int, values: Mapping[str, float]) -> dict[str, Any]:
        """Plan the trajectory of a file for n joints; return its plain description."""
        self.place = path
        return trajectory_of_version(path, n, values).describe()

    def fault(self, error: BaseException) -> tuple[str, str | None, int | None]:
        """Text of one line, path and line of an error."""
        if not isinstance(error, EngineError):
            error = fault(error, self.place, "failed")
        return (str(error), error.path, error.line) if isinstance(error, LawError) else (str(error), self.place, None)


def _at_low_priority(begin: Callable[[Robot], Any], robot: Robot) -> Any:
    """Call in a thread that yields the processor to others, as compiling takes seconds; a process could not return to normal."""

    def work() -> Any:
        if sys.platform == "linux":  # where a thread has a priority of its own
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), max(_NICE, os.getpriority(os.PRIO_PROCESS, 0)))
        return begin(robot)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


@cache
def warm_up() -> None:
    """Load the compiled code of the engine that user code calls, or compile it where it is not cached."""
    robot = load_robot("puma560")
    home = robot.configurations["home"]
    run = law_from_text(_CALLS, "warm_up").begin(robot)
    run.torque(0.0, home, np.zeros(robot.n), np.concatenate([home, np.zeros(2 * robot.n)]))


_CALLS = """
def control(t, q, qd, goal, arm, p):
    arm.jacobian(q), arm.pose(q)
    return arm.mass_matrix(q) @ (goal.q - q) + arm.coriolis(q, qd) @ qd + arm.gravity(q) + 0 * arm.rnea(q, qd, qd)
"""
