"""`fingerprint`: everything that the code of a kernel is made of, so that an edit of any of it compiles the kernel again."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np
from numba import types

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
