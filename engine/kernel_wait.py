"""Compiled code in a window: processes beside it compile, and until its kernels are loaded NumPy serves or threads wait."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from armature.engine.errors import KernelsAwaitedError


@dataclass
class _Wait:
    """`window` is the thread that never waits, `blocked` are those that do, by their identifiers."""

    awaited: bool = False
    cancelled: bool = False
    window: int = 0
    blocked: set[int] = field(default_factory=set)


_wait, _changed = _Wait(), threading.Condition()


def kernels_awaited() -> bool:
    """True while kernels are compiled or loaded beside a window: what NumPy can compute, it computes."""
    return _wait.awaited


def await_kernels() -> None:
    """Compile nothing on first use from now on, until `end_wait`; the calling thread is the window's, which never waits."""
    _wait.awaited, _wait.cancelled, _wait.window = True, False, threading.get_ident()


def end_wait(cancelled: bool = False) -> None:
    """Compile on first use again; `cancelled` ends threads that wait with a KernelsAwaitedError."""
    _wait.awaited, _wait.cancelled = False, cancelled
    notify_loaded()


def notify_loaded() -> None:
    """Let waiting threads look whether their kernel is loaded."""
    with _changed:
        _changed.notify_all()


def is_blocked(thread: int) -> bool:
    """True while a thread, by its identifier, waits for its kernel."""
    return thread in _wait.blocked


def wait_until_loaded(is_loaded: Callable[[], bool]) -> None:
    """Block the calling thread while kernels are awaited and its own is not loaded.

    Raises KernelsAwaitedError at once in the window's thread, and in others when cancelled.
    """
    if not _wait.awaited:
        return
    if threading.get_ident() == _wait.window:
        raise KernelsAwaitedError("kernels are still being compiled (first start only)")
    thread = threading.get_ident()
    _wait.blocked.add(thread)
    try:
        with _changed:
            _changed.wait_for(lambda: is_loaded() or not _wait.awaited)
    finally:
        _wait.blocked.discard(thread)
    if _wait.cancelled:
        raise KernelsAwaitedError("the computation was cancelled before its kernels were compiled")
