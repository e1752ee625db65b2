"""Compiled entry points: one signature each, compiled on first use or by `warm_up`, cached on disk."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numba
from numba import types
from numba.core.caching import CacheImpl, UserProvidedCacheLocator

_ENGINE = Path(__file__).parent
_PARTS = ("jit", "headers", "lanes", "rotations", "rounding", "model.body", "model.packed_model", "kinematics.task")
_COMPILED = {f"armature.engine.{name}" for name in (*_PARTS, "control.packed_controller", "simulation.stepping.step_drive")}
"""What compiled code is made of besides the modules that import from here: intrinsics, constants, named tuples."""
_IMPORT = re.compile(rb"^from (armature\.engine[\w.]*) import", re.MULTILINE)


def user_cache() -> Path:
    """The folder where Armature keeps what can be made again, as the platform has it."""
    if sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local"))
    elif sys.platform == "darwin":
        root = Path.home() / "Library/Caches"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return root / "armature"


def _compiled_sources(module: str, found: dict[str, bytes]) -> dict[str, bytes]:
    """Adds the text of `module` and of every engine module it builds on, by name, where it holds compiled code."""
    path = _ENGINE / (module.removeprefix("armature.engine.").replace(".", "/") + ".py")
    if module in found or not path.exists():
        return found
    found[module] = path.read_bytes()
    for match in _IMPORT.findall(found[module]):
        _compiled_sources(match.decode(), found)
    return found


@cache
def _cache_folder(module: str) -> str:
    """A folder of the user's cache named after the compiled code that `module` is made of.

    numba's own key sees only the file of the entry point, so an edit in a file it calls would go unnoticed.
    """
    state = hashlib.sha256(numba.__version__.encode())
    for name, text in sorted(_compiled_sources(module, {}).items()):
        if name in _COMPILED or b"from armature.engine.jit import" in text:
            state.update(name.encode() + text)
    return str(user_cache() / f"kernels-{state.hexdigest()[:16]}")


class _InUserCache(UserProvidedCacheLocator):
    """The folder's name tells what the sources say, so where they lie is left out: every installation shares one cache."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        return Path(py_file).parent.name


def prune_cache() -> None:
    """Removes kernels of earlier versions, unused for 30 days, from the user's cache."""
    if _OWN_CACHE:
        return
    for folder in user_cache().glob("kernels-*"):
        if str(folder) not in _in_use and time.time() - folder.stat().st_mtime > 30 * 86400:
            shutil.rmtree(folder, ignore_errors=True)


_OWN_CACHE = "NUMBA_CACHE_DIR" in os.environ  # where the user says so, numba's setting stands
_in_use: set[str] = set()
_lock = threading.RLock()

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


def inner(function: Callable) -> Callable:
    """Decorator for routines that only kernels call."""
    return cached(numba.njit(**_OPTIONS), function)


def formula(function: Callable) -> Callable:
    """Decorator for arithmetic without arrays: its machine code goes into every caller's, however long it is."""
    return cached(numba.njit(forceinline=True, **_OPTIONS), function)


def piece(function: Callable) -> Callable:
    """Decorator for routines made while the program runs, which no cache could know again: their code goes into the caller's."""
    return numba.njit(forceinline=True, **{**_OPTIONS, "cache": False})(function)


def callback(function: Callable, signature) -> Any:
    """`function` as C code of that signature, with its `address`."""
    return cached(numba.cfunc(signature, **_OPTIONS), function)


def cached(decorate: Callable, function: Callable) -> Any:
    """`decorate(function)`, its machine code kept in the user's cache."""
    if _OWN_CACHE:
        return decorate(function)
    folder = _cache_folder(function.__module__)
    _in_use.add(folder)
    with _lock:  # numba asks for the folder when it decorates, and other code's kernels are not ours to place
        CacheImpl._locator_classes.insert(0, _InUserCache)
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, folder
        try:
            return decorate(function)
        finally:
            numba.config.CACHE_DIR = before
            CacheImpl._locator_classes.remove(_InUserCache)


def inlined(function: Callable) -> Callable:
    """Decorator for small routines called once per body or state: their code goes into the caller's.

    Across a call numba counts references to every array handed on, which can cost more than the arithmetic. Not for routines that
    use `armature.engine.lanes`: numba loses the stores of an overload it inlines twice over.
    """
    return numba.njit(inline="always", **{**_OPTIONS, "cache": False})(function)


class Kernel:
    """A nogil entry point. `call` refuses any argument types but the declared ones with an error of `REFUSED`."""

    registry: ClassVar[list[Kernel]] = []

    def __init__(self, function: Callable, signature: tuple):
        self.name = f"{function.__module__}.{function.__name__}"
        self.dispatcher: Any = self._make(function)
        self._signature = signature
        self.call: Callable = self._first_call
        self._lock = threading.RLock()
        Kernel.registry.append(self)

    def _make(self, function: Callable) -> Any:
        return inner(function)

    @property
    def is_ready(self) -> bool:
        """Whether the next call will compile nothing."""
        return self.call != self._first_call

    def compile(self) -> None:
        """Compiles or loads from the cache; does nothing the second time."""
        with self._lock:  # the first calls may come from several threads at once
            if not self.is_ready:
                self.dispatcher.compile(self._signature)
                self.dispatcher.disable_compile()
                self.call = self.dispatcher

    def _first_call(self, *args):
        self.compile()
        return self.call(*args)


def kernel(*signature) -> Callable[[Callable], Kernel]:
    """Decorator: a `Kernel` for exactly these argument types."""
    return lambda function: Kernel(function, signature)
