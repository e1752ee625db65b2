"""Compiled code on disk, one file per kernel: processes that compile the same one at once never see half a file."""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from armature.engine.files import atomic_write, kernel_root
from armature.engine.kernel_fingerprint import fingerprint
from armature.engine.kernel_target import SHIPPED, target_of_numba

_DIGEST = hashlib.sha256().digest_size
FOLDER = "kernels"
READ_ONLY = "read-only"
"""In a temporary folder, a link to the cache that cannot be written."""


class KernelCache:
    """The file of one kernel; numba's dispatcher calls `load_overload` and `save_overload`.

    numba's own cache (`cache=True`) compares the time stamp of the kernel's file only, not the routines and constants of others.
    The two functions that make a `CompileResult` into bytes and back are private in numba; there is no public way.
    """

    trouble = ""
    """Why compiled code is not saved for the next start, in one line; empty if it is."""

    def __init__(self, function: Callable, signature: tuple):
        self._function, self._signature = function, signature

    @cached_property
    def name(self) -> str:
        """Name of the file, made of everything that the code depends on: sources, constants, types, processor and compiler."""
        versions = numba.__version__, llvmlite.__version__, sys.version_info[:2]
        state = fingerprint(self._function, self._signature), target_of_numba(), versions
        return f"{self._function.__name__}-{hashlib.sha256(repr(state).encode()).hexdigest()[:20]}.kernel"

    @property
    def cache_path(self) -> str:
        """Folder of the file, for numba's `stats`."""
        return str(kernel_root() / FOLDER)

    def exists(self) -> bool:
        """True if there is code for this signature and processor."""
        return any(os.access(path, os.R_OK) for path in self._places())

    def _places(self) -> list[Path]:
        """Paths of the file: of the installation, in the cache, and in a cache that can only be read."""
        return [folder / FOLDER / self.name for folder in (SHIPPED, kernel_root(), kernel_root() / READ_ONLY)]

    def load_overload(self, _signature, target_context) -> CompileResult | None:
        """Return the saved code, or None; a damaged file counts as none."""
        target_context.refresh()
        for path in self._places():
            if data := _intact(path):
                return CompileResult._rebuild(target_context, *pickle.loads(data))
        return None

    def save_overload(self, _signature, result: Any) -> None:
        """Save compiled code for other processes; if that fails, log one warning and use the code in memory."""
        data = dumps(result._reduce())
        keep(lambda: write_whole(kernel_root() / FOLDER / self.name, hashlib.sha256(data).digest() + data))


def _intact(path: Path) -> bytes:
    """Return the saved bytes; empty if the file does not exist or its checksum differs."""
    try:
        data = path.read_bytes()
    except OSError:
        return b""
    return data[_DIGEST:] if hashlib.sha256(data[_DIGEST:]).digest() == data[:_DIGEST] else b""


def write_whole(path: Path, data: bytes) -> Path:
    """Write a file that other processes see complete or not at all, and return its path. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        atomic_write(path, data)
    except OSError:
        if not path.exists():  # else another process was first, and on Windows holds it open
            raise
    return path


def keep(write: Callable[[], object]) -> bool:
    """Return whether `write()` could write to `kernel_root()`, which is a temporary folder after the first failure."""
    for _ in range(2):
        try:
            write()
        except OSError as error:
            if KernelCache.trouble:
                return False
            _use_temporary_folder(error)
        else:
            return True
    return False


def can_keep() -> bool:
    """Return whether this process and those that it starts find each other's compiled code."""
    return keep(lambda: try_room(4096))


def try_room(size: int) -> None:
    """Write and remove a file of `size` bytes in the cache. Raises OSError."""
    write_whole(kernel_root() / FOLDER / f"room-{os.getpid()}", bytes(size)).unlink()


def _use_temporary_folder(error: OSError) -> None:
    """Use another folder in this process and those that it starts, and warn once that the next start will not find it."""
    reason = error.strerror or str(error)
    KernelCache.trouble = f"kernel cache not writable: {kernel_root()} ({reason}); kernels are compiled at every start"
    logging.getLogger("armature").warning(KernelCache.trouble)
    with suppress(OSError):
        folder = tempfile.mkdtemp(prefix="armature-kernels-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        with suppress(OSError):  # as on Windows, without the right to
            Path(folder, READ_ONLY).symlink_to(kernel_root().absolute(), target_is_directory=True)
        os.environ["NUMBA_CACHE_DIR"] = folder


def prune_cache(in_use: Collection[str]) -> None:
    """Remove kernels of other versions that are older than 30 days from the user's cache; `in_use` are names of files."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    old = [*kernel_root().glob("kernels-*"), *(kernel_root() / FOLDER).glob("*.kernel")]  # folders up to version 0.3
    for path in old:
        with suppress(OSError):  # another process removes them, too
            if path.name not in in_use and time.time() - path.stat().st_mtime > 30 * 86400:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
