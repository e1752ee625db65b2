"""`copied_function`: a copy of a Python function that can be called without a change of the program's data."""

from __future__ import annotations

import builtins
import copy
import dis
from collections import deque
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.trajectory.trajectory import Trajectory

_LIBRARIES = ("armature", "cmath", "engine", "math", "numpy", "scipy")  # whose functions only compute
_EFFECTS = ("breakpoint", "compile", "delattr", "eval", "exec", "globals", "input", "open", "print", "random", "setattr", "vars")
_SHARED = (bool, int, float, complex, str, bytes, type(None), np.generic, np.ufunc, Robot, Trajectory)
_DATA = (np.ndarray, np.random.Generator, bytearray)


class _NotCopiedError(Exception):
    """The function uses something that cannot be copied, or that calls of a copy could change."""


def copied_function(function: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return a copy with copies of all variables that the function uses, or None if its calls could affect anything else.

    The function may use numbers, text, arrays, lists and the like, robots, other Python functions and numerical libraries, but
    no files, classes of its own or global random numbers.
    """
    try:
        return _Copier().copy(function) if isinstance(function, FunctionType) else None
    except _NotCopiedError:
        return None


class _Copier:
    """Copies objects once each, so that what functions share is shared by their copies."""

    def __init__(self) -> None:
        self._done: dict[int, Any] = {}

    def copy(self, value: Any) -> Any:
        """Return the copy of a value. Raises _NotCopiedError."""
        if isinstance(value, _SHARED) or _is_of_library(value):
            return value
        if id(value) not in self._done:
            self._done[id(value)] = self._copy(value)
        return self._done[id(value)]

    def _copy(self, value: Any) -> Any:
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, _DATA):
            return copy.deepcopy(value)
        if type(value) in (list, deque, tuple, set, frozenset):
            items = map(self.copy, value)
            return deque(items, value.maxlen) if type(value) is deque else type(value)(items)
        if type(value) is dict:
            return {self.copy(key): self.copy(x) for key, x in value.items()}
        raise _NotCopiedError

    def _function(self, function: FunctionType) -> FunctionType:
        names = set(_used_names(function.__code__))
        used, wanted = function.__globals__, dict[str, Any]()
        cells = tuple(self._cell(cell) for cell in function.__closure__ or ())
        made = FunctionType(function.__code__, wanted, function.__name__, None, cells)
        self._done[id(function)] = made  # before its variables, which may contain it
        wanted |= {"__builtins__": builtins} | {name: self.copy(used[name]) for name in names if name in used}
        made.__defaults__, made.__kwdefaults__ = self.copy(function.__defaults__), self.copy(function.__kwdefaults__)
        made.__dict__.update({name: self.copy(x) for name, x in vars(function).items()})
        for cell, original in zip(cells, function.__closure__ or (), strict=True):
            try:
                content = original.cell_contents
            except ValueError:  # not assigned yet
                continue
            cell.cell_contents = self.copy(content)
        return made

    def _cell(self, cell: CellType) -> CellType:
        return self._done.setdefault(id(cell), CellType())


def _is_of_library(value: Any) -> bool:
    """True for a module, function or class of `_LIBRARIES` or a function of Python itself."""
    if isinstance(value, ModuleType):
        return _is_library(value.__name__)
    if isinstance(value, (FunctionType, BuiltinFunctionType, type)) or hasattr(value, "__wrapped__"):
        return _is_library(getattr(value, "__module__", None) or "")
    return False


def _is_library(name: str) -> bool:
    return name.partition(".")[0] in (*_LIBRARIES, "builtins") and "random" not in name


def _used_names(code: CodeType) -> Iterator[str]:
    """Yield the global names that a function and its inner functions use. Raises _NotCopiedError for one with effects."""
    if any(name in _EFFECTS for name in code.co_names):
        raise _NotCopiedError
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME" and not _is_library(step.argval):
            raise _NotCopiedError
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _used_names(inner)
