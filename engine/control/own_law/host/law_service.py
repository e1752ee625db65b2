"""What the process of a law does: it loads the law, calls it, and says where it is when it does not come back."""

from __future__ import annotations

import faulthandler
import json
import os
import pickle
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import FrameType

import numpy as np

from armature.engine.control.own_law.host.channel import Channel
from armature.engine.control.own_law.kept_memory import described_memory
from armature.engine.control.own_law.law_parameters import still_valid
from armature.engine.control.own_law.law_run import Run
from armature.engine.control.own_law.law_source import fault
from armature.engine.control.own_law.own_disturbance import DisturbanceRun, disturbance_from_text
from armature.engine.control.own_law.own_law import law_from_text
from armature.engine.control.own_law.own_trajectory import trajectory_of_version
from armature.engine.errors import EngineError, LawError
from armature.engine.model.robot import Robot

WARM, LOAD, RESTART, LEARN, VALUES, CALL, TRIAL, MEMORY, REMEMBER, WHERE = (bytes([x]) for x in b"XLSAVCTMRW")
PLAN, LOAD_PUSH, PUSH = (bytes([x]) for x in b"PBH")
"""The requests: WARM up; LOAD a law; RESTART it; LEARN another arm; take VALUES; CALL it; a TRIAL that leaves nothing behind;
tell its MEMORY, REMEMBER another's; and, on the second socket, MEMORY or WHERE in its text it is. PLAN a trajectory; LOAD_PUSH a
disturbance, and PUSH: what it gives."""
DONE, FAULT, TORQUE, LOGGED = b"D", b"F", b"O", b"G"
"""The answers; LOGGED is a torque with what was logged, behind the names and shapes of that where they are new."""
NICE = 10  # of a thread that compiles


def serve(channel: Channel, side: Channel) -> None:
    """Answers until the other side is gone."""
    service = _Service()
    if os.name != "nt":
        faulthandler.enable(side.fileno(), all_threads=False)  # the line of a crash
    threading.Thread(target=_serve_side, args=(side, service, threading.get_ident()), name="where", daemon=True).start()
    answers: dict[bytes, Callable[[bytes], tuple[bytes, bytes]]] = {
        WARM: service.warm_up,
        LOAD: service.load,
        RESTART: service.restart,
        LEARN: service.learn,
        CALL: service.call,
        TRIAL: service.trial,
        MEMORY: service.tell_memory,
        REMEMBER: service.remember,
        VALUES: service.take_values,
        PLAN: service.plan,
        LOAD_PUSH: service.load_push,
        PUSH: service.push,
    }
    try:
        while True:
            kind, body = channel.receive()
            try:
                answer = answers[kind](body)
            except BaseException as error:  # sys.exit() of a law, too, is no more than a fault of it
                answer = FAULT, service.told(error)
            channel.send(*answer)
    except OSError:
        return


def _serve_side(side: Channel, service: _Service, thread: int) -> None:
    """Answers while the law is at work; the process ends when the other side is gone, whatever the law does."""
    try:
        while True:
            kind, _ = side.receive()
            if kind == MEMORY:
                side.send(*service.tell_memory(b""))
            else:
                side.send(DONE, json.dumps(_line_now(sys._current_frames().get(thread), service.place)).encode())
    except OSError:
        os._exit(0)


def _line_now(frame: FrameType | None, place: str) -> int | None:
    """The innermost line of the file `place` that a thread is in."""
    while frame is not None and frame.f_code.co_filename != place:
        frame = frame.f_back
    return None if frame is None else frame.f_lineno


def _beside(begin: Callable[[Robot], Run], robot: Robot) -> Run:
    """What `begin` gives, from a thread that gives way to others: numba takes seconds, and a law is at work meanwhile."""

    def work() -> Run:
        if sys.platform == "linux":  # where a thread has a priority of its own
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), max(NICE, os.getpriority(os.PRIO_PROCESS, 0)))
        return begin(robot)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


class _Service:
    """The law or the disturbance of this process, and its run; or it plans a trajectory."""

    def __init__(self) -> None:
        self.place = ""
        self._robot: Robot | None = None
        self._run: Run | None = None
        self._push: DisturbanceRun | None = None
        self._layout: list[tuple[str, tuple[int, ...]]] = []

    def warm_up(self, body: bytes) -> tuple[bytes, bytes]:
        """What a law may call is there before its time is taken; a forked process has it from the zygote."""
        robot = pickle.loads(body)
        if robot.name not in _WARM:
            warm_up(robot)
        return DONE, b""

    def load(self, body: bytes) -> tuple[bytes, bytes]:
        """A law and the robot it is for, from the program, so that this may be unpickled; answers what the law is."""
        text, name, path, values, robot, compiled = pickle.loads(body)
        self.place = path or name
        law = law_from_text(text, name, path)
        law = replace(law, values=still_valid(law.parameters, values), compiled=compiled)
        run = _beside(law.begin, robot) if compiled else law.begin(robot)
        self._run, self._robot = run, robot
        parameters = {name: list(parameter) for name, parameter in law.parameters.items()}
        told = [parameters, dict(law.values), law.period, bool(law.saturate), run.compiled, run.why_python]
        return DONE, json.dumps(told).encode()

    def restart(self, _: bytes) -> tuple[bytes, bytes]:
        """From the beginning."""
        (self._push or self._at_work()).restart()
        self._layout = []
        return DONE, b""

    def learn(self, body: bytes) -> tuple[bytes, bytes]:
        """Another arm, from the program."""
        self._robot = pickle.loads(body)
        self._at_work().learn(self._robot)
        return DONE, b""

    def _at_work(self) -> Run:
        if self._run is None:
            raise EngineError("no controller is loaded")
        return self._run

    def call(self, body: bytes) -> tuple[bytes, bytes]:
        """t, q, qd and the reference as doubles; answers the torque, with what was logged."""
        return self._answer(self._at_work().torque, body)

    def trial(self, body: bytes) -> tuple[bytes, bytes]:
        """The same, with the memory afterwards as it was."""
        return self._answer(self._at_work().trial, body)

    def _answer(self, ask: Callable[..., np.ndarray], body: bytes) -> tuple[bytes, bytes]:
        figures = np.frombuffer(body)
        assert self._robot is not None
        n = self._robot.n
        tau = ask(float(figures[0]), figures[1 : 1 + n], figures[1 + n : 1 + 2 * n], figures[1 + 2 * n :])
        log = self._at_work().log
        if not log and not self._layout:
            return TORQUE, tau.tobytes()
        logged = [np.atleast_1d(value) for value in log.values()]
        layout, head = [(name, value.shape if np.ndim(log[name]) else ()) for name, value in zip(log, logged)], b""
        if layout != self._layout:
            self._layout, head = layout, json.dumps(layout).encode()
        return LOGGED, len(head).to_bytes(4, "little") + head + np.concatenate([tau, *logged]).tobytes()

    def tell_memory(self, _: bytes) -> tuple[bytes, bytes]:
        """The memory: what a recording can hold of it, with its length, and packed for another process of a law."""
        memory = (self._push or self._at_work()).memory
        told = json.dumps(described_memory(memory)).encode()
        return DONE, len(told).to_bytes(4, "little") + told + pickle.dumps(dict(memory))

    def remember(self, body: bytes) -> tuple[bytes, bytes]:
        """Goes on with another law's memory, which comes from that law's process."""
        (self._push or self._at_work()).memory = pickle.loads(body)
        return DONE, b""

    def plan(self, body: bytes) -> tuple[bytes, bytes]:
        """A trajectory file, the number of joints and values, from the program; answers the trajectory as plain values."""
        self.place, n, values = pickle.loads(body)
        return DONE, json.dumps(trajectory_of_version(self.place, n, values).describe()).encode()

    def load_push(self, body: bytes) -> tuple[bytes, bytes]:
        """A disturbance and the robot it is for, from the program; answers what the disturbance is."""
        text, name, path, values, robot = pickle.loads(body)
        self.place, self._robot = path or name, robot
        told = disturbance_from_text(text, name, path)
        told = replace(told, values=still_valid(told.parameters, values))
        self._push = told.begin(robot)
        parameters = {name: list(parameter) for name, parameter in told.parameters.items()}
        return DONE, json.dumps([told.link, parameters, dict(told.values)]).encode()

    def push(self, body: bytes) -> tuple[bytes, bytes]:
        """Whether it is a trial, t, q and qd as doubles; answers the wrench."""
        assert self._push is not None and self._robot is not None
        figures, n = np.frombuffer(body), self._robot.n
        return DONE, self._push.given(float(figures[1]), figures[2 : 2 + n], figures[2 + n :], bool(figures[0])).tobytes()

    def take_values(self, body: bytes) -> tuple[bytes, bytes]:
        """Other values of the parameters."""
        (self._push or self._at_work()).values = json.loads(body)
        return DONE, b""

    def told(self, error: BaseException) -> bytes:
        """A fault as one line, with file and line."""
        if not isinstance(error, EngineError):
            error = fault(error, self.place, "failed")
        path, line = (error.path, error.line) if isinstance(error, LawError) else (self.place, None)
        return json.dumps([str(error), path, line]).encode()


def warm_up(robot: Robot) -> None:
    """Loads the compiled code of the engine that laws of this robot call."""
    _WARM.add(robot.name)
    home = robot.configurations["home"]
    run = law_from_text(_CALLS, "warm_up").begin(robot)
    run.torque(0.0, home, np.zeros(robot.n), np.concatenate([home, np.zeros(2 * robot.n)]))


_WARM = set[str]()  # robots by name
_CALLS = """
def control(t, q, qd, goal, arm, p):
    arm.jacobian(q), arm.pose(q)
    return arm.mass_matrix(q) @ (goal.q - q) + arm.coriolis(q, qd) @ qd + arm.gravity(q) + 0 * arm.rnea(q, qd, qd)
"""
