"""Compiled entry points: one signature each, compiled on first use or by `warm_up`, cached on disk."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, ClassVar

import numba
from numba import types
from numba.core.registry import cpu_target

from armature.engine.kernel_cache import KernelCache
from armature.engine.kernel_target import take_target
from armature.engine.kernel_wait import notify_loaded, wait_until_loaded
from armature.engine.part_compiler import KernelCompiler, LeanCompiler, PartCompiler, kernel_of, part_of

TARGET = take_target()
"""`kernel_target.COMMON` or `NATIVE`: before anything is compiled, and for good."""
_COUNTS = "_nrt"  # numba's option to count references to arrays; where it is not said, a routine does as its first caller
_OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}, _COUNTS: True}

MODEL = types.Array(types.float64, 2, "C", readonly=True)  # the packed robot
VEC = types.Array(types.float64, 1, "C", readonly=True)
MAT = types.Array(types.float64, 2, "C", readonly=True)
CUBE = types.Array(types.float64, 3, "C", readonly=True)
INTS = types.Array(types.int64, 1, "C", readonly=True)
OUT1, OUT2, OUT3 = types.float64[::1], types.float64[:, ::1], types.float64[:, :, ::1]
OUT4 = types.float64[:, :, :, ::1]
INT, REAL = types.int64, types.float64


def inner(function: Callable) -> Any:
    """Decorator for routines that only kernels call."""
    return _kept(_part(function), part_of)


def lean(function: Callable) -> Any:
    """Decorator for an `inner` routine that gets its arrays from its caller, and makes none: it counts no references to them.

    Counting can cost more than the arithmetic. Views are fine; what it calls may make arrays, but not hand them back, which is
    refused.
    """
    return _kept(_part(function, pipeline_class=LeanCompiler), part_of)


def formula(function: Callable) -> Any:
    """Decorator for arithmetic without arrays: its code goes into every caller's, however long it is."""
    return _kept(_part(function, forceinline=True), part_of)


def inlined(function: Callable) -> Callable:
    """Decorator for small routines called once per body or state: their code goes into the caller's.

    Across a call numba counts references to every array handed on, which can cost more than the arithmetic. Not for routines that
    use `armature.engine.lanes`: numba loses the stores of an overload it inlines twice over.
    """
    return numba.njit(inline="always", **_OPTIONS)(function)


def entry(function: Callable) -> Any:
    """`function` with a way in from Python."""
    return _kept(numba.njit(pipeline_class=KernelCompiler, no_cfunc_wrapper=True, **_OPTIONS)(function), kernel_of)


def _part(function: Callable, **options) -> Any:
    return numba.njit(**{"pipeline_class": PartCompiler, **_OPTIONS, **options})(function)


def _kept(dispatcher: Any, rebuild: Callable) -> Any:
    """The dispatcher, its code kept on disk."""
    dispatcher._cache = KernelCache(dispatcher.py_func, rebuild)
    return dispatcher


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
        return entry(function)

    @property
    def is_ready(self) -> bool:
        """Whether the next call will compile nothing."""
        return self.call != self._first_call

    def is_kept(self) -> bool:
        """Whether its code is in the cache."""
        function, signature = self._compiled()
        return KernelCache(function, kernel_of).is_kept(signature, cpu_target.target_context.codegen())

    def _compiled(self) -> tuple[Callable, Any]:
        """The function that numba compiles, and for which arguments."""
        return self.dispatcher.py_func, self._signature

    def compile(self) -> None:
        """Compiles or loads from the cache; does nothing the second time."""
        with self._lock:  # the first calls may come from several threads at once
            if not self.is_ready:
                if not self.is_kept():
                    short = self.name.removeprefix("armature.engine.")
                    logging.getLogger("armature").info("compiling %s, once", short, extra={"kernel": self.name})
                self.call = self._made()
                notify_loaded()

    def _made(self) -> Callable:
        self.dispatcher.compile(self._signature)
        self.dispatcher.disable_compile()
        return self.dispatcher

    def _first_call(self, *args):
        wait_until_loaded(lambda: self.is_ready)
        self.compile()
        return self.call(*args)


def kernel(*signature) -> Callable[[Callable], Kernel]:
    """Decorator: a `Kernel` for exactly these argument types."""
    return lambda function: Kernel(function, signature)
