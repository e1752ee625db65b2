"""Processes that compile kernels beside this one and leave them in the cache: `python -m armature.engine.kernel_workers`."""

from __future__ import annotations

import logging
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

import armature
from armature.engine.jit import TARGET, Kernel
from armature.engine.kernel_cache import KernelCache
from armature.engine.kernel_target import VARIABLE

MOST = 5  # the longest kernel takes a fifth of the time of all, and each process up to a gigabyte
NICE = 10  # a window comes first where there are too few cores for all
_LOG = logging.getLogger("armature")
_NOT_KEPT = "\n"
"""The answer of a process that cannot keep a kernel, which whoever compiles it next tells."""
_LOOK_EVERY = 0.1  # s between two looks whether it was cancelled


def usable_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def compiled_apart(
    names: Sequence[str], homes: Sequence[str], cancelled: Callable[[], bool], most: int = MOST, target: str = TARGET
) -> Iterator[str]:
    """Names of kernels, as processes have compiled them, begun in this order; fewer than all where the processes end early.

    Args:
        names: `Kernel.name` of each.
        homes: modules to import, in which they are.
        cancelled: called all the time; then the processes are ended.
        most: processes at a time.
        target: what they compile for, `kernel_target.COMMON` or `NATIVE`.
    """
    waiting, done, over = deque(names), queue.SimpleQueue[str | None](), threading.Event()
    processes = [_start(homes, target) for _ in range(min(most, usable_cores(), len(names)))]
    for process in processes:
        threading.Thread(target=_serve, args=(process, waiting, done, over), name="kernel-worker", daemon=True).start()
    at_work = len(processes)
    try:
        while at_work and not cancelled():
            try:
                name = done.get(timeout=_LOOK_EVERY)
            except queue.Empty:
                continue
            if name is None:
                at_work -= 1
            else:
                yield name
    finally:
        over.set()
        for process in processes:
            process.kill()
            process.wait()


def _start(homes: Sequence[str], target: str) -> subprocess.Popen:
    above = str(Path(armature.__file__).parents[1])
    paths = [above, *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-m", "armature.engine.kernel_workers", *homes],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # what goes wrong there goes wrong here once more, where it is told
        text=True,
        env={**os.environ, VARIABLE: target, "PYTHONPATH": os.pathsep.join(paths)},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _serve(process: subprocess.Popen, waiting: deque[str], done: queue.SimpleQueue[str | None], over: threading.Event) -> None:
    """Hands kernels to one process, one after the other, until none is waiting, it is over or the process ends."""
    assert process.stdout is not None
    try:
        while waiting and not over.is_set():
            name = waiting.popleft()
            print(name, file=process.stdin, flush=True)
            answer = process.stdout.readline()
            if answer == _NOT_KEPT:
                break
            if answer.strip() != name:
                raise BrokenPipeError
            done.put(name)
    except IndexError:  # another took the last one
        pass
    except OSError:
        if not over.is_set():
            _LOG.warning("a process that was compiling kernels ended unexpectedly")
    finally:
        done.put(None)


def work(homes: Sequence[str]) -> None:
    """Compiles the kernels named on standard input, and answers each with its name, until one cannot be kept."""
    answers, sys.stdout = sys.stdout, sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process ends it
    if hasattr(os, "nice"):
        os.nice(NICE)
    for home in homes:
        import_module(home)
    kernels = {entry.name: entry for entry in Kernel.registry}
    for line in sys.stdin:
        kernels[line.strip()].compile()
        if KernelCache.trouble:
            print(_NOT_KEPT, end="", file=answers, flush=True)
            break
        print(line.strip(), file=answers, flush=True)


if __name__ == "__main__":
    work(sys.argv[1:])
