"""Compiled entry points: one signature each, compiled on first use or by `warm_up`, cached on disk."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import numba
from numba import types

_ENGINE = Path(__file__).parent


def _cache_folder() -> Path:
    """A folder of the user's cache named after the sources that hold compiled code.

    numba's own key sees only the file of the entry point, so an edit in a file it calls would go unnoticed.
    """
    state = hashlib.sha256(numba.__version__.encode())
    for source in sorted(_ENGINE.rglob("*.py")):
        text = source.read_bytes()
        if b"engine.jit import" in text or source.name in ("jit.py", "pack.py"):
            state.update(source.relative_to(_ENGINE).as_posix().encode() + text)
    if sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local"))
    elif sys.platform == "darwin":
        root = Path.home() / "Library/Caches"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return root / "armature" / f"kernels-{state.hexdigest()[:16]}"


def prune_cache() -> None:
    """Removes kernels of earlier versions, unused for 30 days, from the user's cache."""
    folder = Path(numba.config.CACHE_DIR)
    if folder.parent.name != "armature":
        return
    for old in folder.parent.glob("kernels-*"):
        if old != folder and time.time() - old.stat().st_mtime > 30 * 86400:
            shutil.rmtree(old, ignore_errors=True)


if "NUMBA_CACHE_DIR" not in os.environ:
    numba.config.CACHE_DIR = str(_cache_folder())

_OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy", "fastmath": {"contract"}}

MODEL = types.Array(types.float64, 2, "C", readonly=True)  # the packed robot
VEC = types.Array(types.float64, 1, "C", readonly=True)
MAT = types.Array(types.float64, 2, "C", readonly=True)
CUBE = types.Array(types.float64, 3, "C", readonly=True)
INTS = types.Array(types.int64, 1, "C", readonly=True)
OUT1, OUT2, OUT3 = types.float64[::1], types.float64[:, ::1], types.float64[:, :, ::1]
OUT4 = types.float64[:, :, :, ::1]
INT, REAL = types.int64, types.float64

REFUSED = (TypeError, ValueError)
"""What `Kernel.call` raises for arguments of other types than declared; numba has no name for an empty list, hence the second."""

inner = numba.njit(**_OPTIONS)
"""For routines that only kernels call."""


class Kernel:
    """A nogil entry point. `call` refuses any argument types but the declared ones with an error of `REFUSED`."""

    registry: ClassVar[list[Kernel]] = []

    def __init__(self, function: Callable, signature: tuple):
        self.name = f"{function.__module__}.{function.__name__}"
        self.dispatcher = numba.njit(**_OPTIONS)(function)
        self._signature = signature
        self.call: Callable = self._first_call
        self._lock = threading.Lock()
        Kernel.registry.append(self)

    def compile(self) -> None:
        """Compiles or loads from the cache; does nothing the second time."""
        with self._lock:  # the first calls may come from several threads at once
            if self.call is not self.dispatcher:
                self.dispatcher.compile(self._signature)
                self.dispatcher.disable_compile()
                self.call = self.dispatcher

    def _first_call(self, *args):
        self.compile()
        return self.dispatcher(*args)


def kernel(*signature) -> Callable[[Callable], Kernel]:
    """Decorator: a `Kernel` for exactly these argument types."""
    return lambda function: Kernel(function, signature)
