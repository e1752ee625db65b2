"""`Nursery`: where processes for laws come from, in milliseconds where the system can fork."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

import armature
from armature.engine.control.own_law.call_limit import VARIABLE
from armature.engine.control.own_law.host.channel import Channel
from armature.engine.control.own_law.host.requests import END, FORK, LONGEST, NUMBER, WARM
from armature.engine.errors import EngineError
from armature.engine.model.robot import Robot

FORKS = sys.platform == "linux"  # elsewhere a forked process may not use the system's own libraries
READY = 120.0  # s for the imports of a process on a busy machine; one that ends is noticed at once


class Nursery:
    """Gives processes that wait for a law, and says how they ended. Any thread may ask; nothing is begun before somebody does."""

    def __init__(self, forks: bool = FORKS):
        self._forks, self._lock, self._closed = forks, threading.Lock(), False
        self._zygote: tuple[subprocess.Popen, socket.socket] | None = None
        self._spares: list[tuple[subprocess.Popen, Channel, Channel]] = []
        self._processes: dict[int, subprocess.Popen] = {}

    def prepare(self, robot: Robot) -> None:
        """Begins what `process` needs, without waiting for it; a good moment is before a law is chosen."""
        with self._lock:
            if self._closed:
                return
            if not self._forks:
                self._keep_a_spare()
                return
            request = WARM + pickle.dumps(robot)
            if len(request) <= LONGEST:  # else each process takes its own time
                self._tell(request)

    def process(self) -> tuple[Channel, Channel, int]:
        """A process that waits for a law: its two sockets, and its number. Raises EngineError where the system has none."""
        with self._lock:
            if self._closed:
                raise EngineError("the program is closing")
            try:
                return self._forked() if self._forks else self._spare()
            except OSError as error:
                raise EngineError(f"the controller process could not be started: {error}") from None

    def end(self, number: int) -> str:
        """Ends a process, and says in words how it ended, if by itself."""
        with self._lock:
            if not self._forks:
                process = self._processes.pop(number, None)
                return "" if process is None else _how(_ended(process))
            if self._zygote is None:
                return ""
            try:
                self._zygote[1].sendall(END + NUMBER.pack(number))
                status = NUMBER.unpack(self._zygote[1].recv(NUMBER.size))[0]
            except (OSError, ValueError, struct.error):  # the zygote is gone, or its late answer would be taken for the next one
                self._drop_zygote()
                return ""
            return _how(os.waitstatus_to_exitcode(status))

    def close(self) -> None:
        """Ends all processes, and gives no more."""
        self._closed, zygote = True, self._zygote
        if zygote is not None:
            zygote[0].kill()  # whoever waits for it waits no longer
        with self._lock:
            self._drop_zygote()
            for process, channel, side in self._spares:
                channel.close()
                side.close()
                _ended(process)
            for process in self._processes.values():
                _ended(process)
            self._spares, self._processes = [], {}

    def _forked(self) -> tuple[Channel, Channel, int]:
        ours, theirs = zip(socket.socketpair(), socket.socketpair())
        try:
            answer = self._ask_for_fork([one.fileno() for one in theirs])
        finally:
            for one in theirs:
                one.close()
        return Channel(ours[0]), Channel(ours[1]), NUMBER.unpack(answer)[0]

    def _ask_for_fork(self, descriptors: list[int]) -> bytes:
        for first in (True, False):
            if self._closed:
                break
            _, sock = self._started()
            try:
                socket.send_fds(sock, [FORK], descriptors)
                sock.settimeout(READY)
                answer = sock.recv(NUMBER.size)
                if answer:
                    return answer
            except OSError:
                if not first:
                    raise
            self._drop_zygote()  # somebody ended it: once more with another
        raise OSError("the process that starts controllers ended")

    def _tell(self, request: bytes) -> None:
        try:
            self._started()[1].sendall(request)
        except OSError:
            self._drop_zygote()

    def _started(self) -> tuple[subprocess.Popen, socket.socket]:
        if self._zygote is None:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self._zygote = _python(theirs), ours
        return self._zygote

    def _drop_zygote(self) -> None:
        zygote, self._zygote = self._zygote, None
        if zygote is not None:
            zygote[1].close()
            _ended(zygote[0], patience=1.0)

    def _keep_a_spare(self) -> None:
        while not self._spares:
            ours, theirs = zip(socket.socketpair(), socket.socketpair())
            process = _python(*theirs)
            for one in theirs:
                one.close()
            self._spares.append((process, Channel(ours[0]), Channel(ours[1])))

    def _spare(self) -> tuple[Channel, Channel, int]:
        self._keep_a_spare()
        process, channel, side = self._spares.pop()
        self._processes[process.pid] = process
        self._keep_a_spare()
        return channel, side, process.pid


def _python(*sockets: socket.socket) -> subprocess.Popen:
    """A process of `zygote.py` that has these sockets."""
    above = str(Path(armature.__file__).parents[1])
    paths = [above, *filter(None, [os.environ.get("PYTHONPATH")])]
    shared = os.name == "nt"
    numbers = ["shared"] if shared else [str(one.fileno()) for one in sockets]
    process = subprocess.Popen(
        [sys.executable, "-m", "armature.engine.control.own_law.host.zygote", *numbers],
        stdin=subprocess.PIPE if shared else subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), VARIABLE: "0"},  # `LawProcess` limits each request
        pass_fds=() if shared else [one.fileno() for one in sockets],
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    if sys.platform == "win32":  # which hands sockets over as bytes
        assert process.stdin is not None
        process.stdin.write(pickle.dumps([one.share(process.pid) for one in sockets]))
        process.stdin.close()
    return process


def _ended(process: subprocess.Popen, patience: float = 0.0) -> int:
    """How a process ended, by itself within `patience` s or because it is killed."""
    try:
        return process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def _how(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    if code == -signal.SIGKILL:
        return "it was killed"
    return f"it crashed ({signal.Signals(-code).name})"
