"""Kernels for this very processor, compiled beside a program that has those of its installation, for the next start."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from armature.engine.errors import EngineError
from armature.engine.files import is_locked, kernel_root, lock
from armature.engine.jit import TARGET
from armature.engine.kernel_cache import try_room, write_whole
from armature.engine.kernel_target import COMMON, NATIVE, conditions, made_for, native_mark
from armature.engine.kernel_workers import compiled_apart
from armature.engine.kernels import imported, ranked

_ROOM = 1 << 20  # bytes, as much as a large kernel
_LOOK_EVERY = 1.0  # s between two looks whether another program is still at it


def waits_for_native() -> bool:
    """Whether the kernels are those that came with the installation: compiled for this processor they would be faster."""
    return TARGET == COMMON and made_for() == conditions() and not native_mark().exists()


def make_native(
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
    more: Sequence[str] = (),
) -> bool:
    """Has a process beside this one compile every kernel for this very processor; whether the next start may take these.

    This process goes on with those it has: sums of the others round differently. What is compiled is kept when it is `cancelled`.

    Args:
        progress: called with (done, total) from the calling thread.
        cancelled: called all the time; it ends early where this says so.
        more: modules outside of the engine that have kernels, too.

    Raises:
        EngineError: they cannot be kept; the line says where and why.
    """
    homes, done = imported(more), 0
    names = [entry.name for entry in ranked()]
    try:
        with _alone(cancelled):
            if native_mark().exists():  # the other has finished
                return True
            try_room(_ROOM)
            progress(0, len(names))
            for done, _ in enumerate(compiled_apart(names, homes, cancelled, 1, NATIVE), 1):
                progress(done, len(names))
            if done < len(names):
                if not cancelled():
                    try_room(_ROOM)
                return False
            write_whole(native_mark(), b"")
    except OSError as error:
        reason = error.strerror or str(error)
        raise EngineError(f"kernels for this processor cannot be saved in {kernel_root()}: {reason}") from None
    return True


@contextmanager
def _alone(cancelled: Callable[[], bool]) -> Iterator[None]:
    """As the only program of this user that does it: waits until another has ended, or was cancelled. Raises OSError."""
    place = Path(f"{native_mark()}.making")
    while place.exists() and is_locked(place) and not cancelled():
        time.sleep(_LOOK_EVERY)
    place.parent.mkdir(parents=True, exist_ok=True)
    stream = os.open(place, os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    try:
        lock(stream)
        yield
    finally:
        os.close(stream)
