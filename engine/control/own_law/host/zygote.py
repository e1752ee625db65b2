"""The process that law processes are forked from: it has imported what they need, and runs no law itself.

`python -m armature.engine.control.own_law.host.zygote FD`, or with two descriptors of a law process, which it then becomes.
"""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

from armature.engine.control.own_law.host.channel import Channel
from armature.engine.control.own_law.host.law_service import serve, warm_up
from armature.engine.control.own_law.host.requests import END, FORK, LONGEST, NUMBER, WARM

REMEMBERED = 100  # processes of which it is known how they ended
_PDEATHSIG = 1  # of prctl


def main(descriptors: list[int]) -> None:
    """Forks law processes on request; with two descriptors, the sockets of one, it is one itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process ends it
    sockets = [socket.socket(fileno=number) for number in descriptors] or handed_over()
    if len(sockets) == 2:
        serve(Channel(sockets[0]), Channel(sockets[1]))
    else:
        _Zygote(sockets[0]).work()


def handed_over() -> list[socket.socket]:
    """The sockets that Windows hands over as bytes, on standard input."""
    if sys.platform == "win32":
        return [socket.fromshare(share) for share in pickle.load(sys.stdin.buffer)]
    return []


class _Zygote:
    """Answers one socket: FORK with two descriptors by the process's number, END with that number by how the process ended."""

    def __init__(self, sock: socket.socket):
        self._socket, self._children, self._ended = sock, set[int](), dict[int, int]()
        gc.freeze()  # what is there already is no garbage: a child that does not look at it shares its memory

    def work(self) -> None:
        """Until the other side is gone, which ends all that were forked."""
        try:
            while True:
                request, descriptors, _, _ = socket.recv_fds(self._socket, LONGEST, 2)
                if not request:
                    break
                self._obey(request[:1], request[1:], descriptors)
        except OSError:
            pass
        finally:
            for child in self._children:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)

    def _obey(self, kind: bytes, body: bytes, descriptors: list[int]) -> None:
        if kind == FORK:
            self._reap()
            zygote, child = os.getpid(), os.fork()
            if child == 0:
                self._be_a_law_process(zygote, descriptors)
            for number in descriptors:
                os.close(number)
            self._children.add(child)
            self._socket.sendall(NUMBER.pack(child))
        elif kind == END:
            self._socket.sendall(NUMBER.pack(self._end(*NUMBER.unpack(body))))
        elif kind == WARM:
            with suppress(Exception):  # then each law process takes its own time
                warm_up(pickle.loads(body))

    def _end(self, child: int) -> int:
        """How a law process ended, as `os.waitpid` says it; one that still runs is killed."""
        self._reap()
        if child in self._children:
            os.kill(child, signal.SIGKILL)
            _, self._ended[child] = os.waitpid(child, 0)
            self._children.discard(child)
        return self._ended.pop(child, 0)

    def _reap(self) -> None:
        """Takes note of those that ended by themselves."""
        for child in tuple(self._children):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                self._ended[child] = status
                self._children.discard(child)
        while len(self._ended) > REMEMBERED:
            del self._ended[next(iter(self._ended))]

    def _be_a_law_process(self, zygote: int, descriptors: list[int]) -> None:
        code = 1
        try:
            self._socket.close()
            dies_with_its_parent()
            if os.getppid() == zygote:  # else that came too late
                serve(*(Channel(socket.socket(fileno=number)) for number in descriptors))
            code = 0
        finally:
            os._exit(code)  # nothing of the zygote's is cleaned up twice


def dies_with_its_parent() -> None:
    """The system kills this process with its parent, and, where memory runs out, before any other."""
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


if __name__ == "__main__":
    main([int(number) for number in sys.argv[1:] if number != "shared"])
