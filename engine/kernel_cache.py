"""Compiled code on disk, one file per kernel: processes that compile the same one at once never see half a file."""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from enum import Enum
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from armature.engine.files import atomic_write, kernel_root
from armature.engine.kernel_target import SHIPPED, target_of_numba

_PACKAGE, _JIT = "armature.", "armature.engine.jit"
_IMPORTS = re.compile(r"^from (armature\.[\w.]+) import", re.MULTILINE)
_CONSTANTS = (bool, int, float, complex, str, np.generic, np.dtype, types.Type, type(None))


def fingerprint(function: Callable, signature: tuple[types.Type, ...]) -> str:
    """Return a digest of `function`, of all routines and constants that it uses, from any file, and of its argument types.

    Functions count by their byte code, constants by their value: comments and docstrings do not matter. Functions that generate
    code (intrinsics, overloads) count by their file and by the files that this imports from.

    Raises:
        TypeError: the function uses an object of an unknown kind.
    """
    return _sha256((_files(_JIT), _digest(function, {}), [_kind(kind) for kind in signature]))


def _sha256(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()


def _digest(function: Any, known: dict[int, str]) -> str:
    """Return the digest of a function and of the functions that it calls; `known` has finished ones by their `id`."""
    if id(function) not in known:
        known[id(function)] = function.__qualname__  # where it calls itself
        place = f"{function.__module__}.{function.__qualname__}"
        used = [(name, _value(value, f"{name} in {place}", known)) for name, value in _used(function)]
        known[id(function)] = _sha256((_code(function.__code__, function.__doc__), function.__defaults__, used))
    return known[id(function)]


def _code(code: CodeType, docstring: str | None = None) -> tuple:
    constants = [_constant(x) for x in code.co_consts if x is None or x is not docstring]
    return code.co_code, code.co_names, code.co_varnames, constants


def _constant(value: Any) -> Any:
    if isinstance(value, CodeType):
        return _code(value)
    return sorted(map(repr, value)) if isinstance(value, frozenset) else repr(value)  # sets have another order in each process


def _used(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield name and value of each variable that the function uses and does not define."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents
    for name in sorted(_names(function.__code__)):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _names(code: CodeType) -> set[str]:
    return set(code.co_names).union(*(_names(x) for x in code.co_consts if isinstance(x, CodeType)))


def _value(value: Any, place: str, known: dict[int, str]) -> str:
    """Return what compiled code takes from a value."""
    if hasattr(value, "py_func"):
        return f"{_digest(value.py_func, known)} {value.targetoptions}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, tuple):
        return f"{type(value)} {[_value(x, place, known) for x in value]}"
    if isinstance(value, _CONSTANTS):
        return repr(value)
    if isinstance(value, type) and issubclass(value, tuple):
        return f"{value} {getattr(value, '_fields', ())}"
    if isinstance(value, type) and issubclass(value, Enum):
        return str([(member.name, member.value) for member in value])
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    if not module or (isinstance(value, ModuleType) and module.startswith(_PACKAGE)):
        raise TypeError(f"{place} is a {type(value).__name__}: import each constant and routine of a kernel by its name")
    return _files(module) if module.startswith(_PACKAGE) else f"{module}.{getattr(value, '__qualname__', '')}"


def _kind(kind: types.Type) -> tuple:
    """Return a numba type with the names of its fields, by which compiled code accesses them."""
    return str(kind), getattr(kind, "fields", ()), [_kind(x) for x in getattr(kind, "types", ())]


@cache
def _files(module: str) -> str:
    """Return the digest of a file of this package and of those that it imports from; compiler options are in `jit.py`."""
    found: dict[str, tuple] = {}
    waiting = [module, _JIT]
    while waiting:
        name = waiting.pop()
        if name not in found and name in sys.modules:
            text = Path(str(sys.modules[name].__file__)).read_text("utf-8")
            found[name] = _code(compile(text, name, "exec", dont_inherit=True, optimize=2))  # without docstrings
            waiting += [] if name == _JIT else _IMPORTS.findall(text)
    return _sha256(sorted(found.items()))


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
