"""`kernel` and `routine`: the decorators of compiled code. Python calls kernels, and compiled code calls routines.

A kernel is compiled on first use or by `warm_up`, for one signature, and its code is saved with that of its routines.
"""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Callable
from typing import Any, ClassVar

import numba
from numba import types
from numba.core import ir  # private, as all of `core`: a compiler pass reads numba's form of a function
from numba.core.codegen import JITCodeLibrary  # private: no option keeps numba from compiling each routine to machine code
from numba.core.compiler import Compiler  # of the developer manual, "Customizing the compiler", as the next two
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonRewrites

from armature.engine.kernel_cache import KernelCache
from armature.engine.kernel_target import take_target
from armature.engine.kernel_wait import notify_loaded, wait_until_loaded

TARGET = take_target()
"""`kernel_target.COMMON` or `NATIVE`, decided before anything is compiled."""
_OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}, "no_cfunc_wrapper": True}
_OPTIONS["_nrt"] = True  # reference counts of arrays; a routine without this option inherits it from its first caller

MODEL = types.Array(types.float64, 2, "C", readonly=True)  # the packed robot
VEC = types.Array(types.float64, 1, "C", readonly=True)
MAT = types.Array(types.float64, 2, "C", readonly=True)
CUBE = types.Array(types.float64, 3, "C", readonly=True)
INTS = types.Array(types.int64, 1, "C", readonly=True)
OUT1, OUT2, OUT3 = types.float64[::1], types.float64[:, ::1], types.float64[:, :, ::1]
OUT4 = types.float64[:, :, :, ::1]
INT, REAL = types.int64, types.float64

_BORROWS = {"getitem", "static_getitem", "getattr", "build_tuple", "cast", "exhaust_iter", "phi"}
"""Operations whose result is no new array, but one that the routine has already, or a view of it."""


def routine(function: Callable) -> Any:
    """Decorator for a function that only compiled code calls.

    It counts references to arrays only if it makes or returns one: counting can cost more than the arithmetic. A function
    without array arguments is inlined into its callers.
    """
    return numba.njit(pipeline_class=_RoutineCompiler, no_cpython_wrapper=True, **_OPTIONS)(function)


def kernel(*signature) -> Callable[[Callable], Kernel]:
    """Decorator for a function that Python calls: returns a `Kernel` for exactly these argument types."""
    return lambda function: Kernel(function, signature)


class Kernel:
    """Compiled function that runs without the GIL. `call` raises TypeError or ValueError for arguments of other types."""

    registry: ClassVar[list[Kernel]] = []

    def __init__(self, function: Callable, signature: tuple):
        self.name = f"{function.__module__}.{function.__name__}"
        self.signature = signature
        self.cache = KernelCache(function, signature)
        self.dispatcher: Any = numba.njit(**_OPTIONS)(function)
        self.dispatcher._cache = self.cache
        self.call: Callable = self._first_call
        self._lock = threading.RLock()
        Kernel.registry.append(self)

    @property
    def is_ready(self) -> bool:
        """True if the next call compiles nothing."""
        return self.call != self._first_call

    def is_cached(self) -> bool:
        """True if its code is in a file."""
        return self.cache.exists()

    def compile(self) -> None:
        """Load the code from the cache, or compile and save it; do nothing if it is loaded."""
        with self._lock:  # the first calls may come from several threads at once
            if not self.is_ready:
                if not self.is_cached():
                    short = self.name.removeprefix("armature.engine.")
                    logging.getLogger("armature").info("compiling %s, once", short, extra={"kernel": self.name})
                self.dispatcher.compile(self.signature)
                self.dispatcher.disable_compile()
                self.call = self.dispatcher
                notify_loaded()

    def _first_call(self, *args):
        wait_until_loaded(lambda: self.is_ready)
        self.compile()
        return self.call(*args)


@register_pass(mutates_CFG=False, analysis_only=False)
class _BorrowArrays(FunctionPass):
    """Stops counting references in a routine that neither makes nor returns an array, and inlines it if it has none."""

    _name = "borrow_arrays"

    def __init__(self):
        super().__init__()

    def run_pass(self, state) -> bool:
        kinds = state.targetctx.data_model_manager

        def is_counted(kind: types.Type) -> bool:
            return kinds[kind].contains_nrt_meminfo()

        lines = [line for block in state.func_ir.blocks.values() for line in block.body]
        computed = [x for x in lines if isinstance(x, ir.Assign) and isinstance(x.value, ir.Expr)]
        made = [x.target for x in computed if x.value.op not in _BORROWS]
        made += [x.value for x in lines if isinstance(x, (ir.SetItem, ir.StaticSetItem))]  # a slice is set from a copy
        if is_counted(state.return_type) or any(is_counted(state.typemap[variable.name]) for variable in made):
            return False
        state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        state.flags.nrt = False
        state.flags.forceinline = not any(is_counted(kind) for kind in state.args)
        return True


_REFUSE = ctypes.cast(ctypes.pythonapi.PyObject_Call, ctypes.c_void_p).value
"""Address of a C function that raises TypeError if Python calls a routine: its first argument, a closure, is not callable."""


class _NoEngine:
    """Stands for the engine of a routine, which has no machine code that could look for its environment."""

    @staticmethod
    def set_env(name, environment):
        pass


class _RoutineLibrary(JITCodeLibrary):
    """Code that is optimized and compiled to machine code as a part of kernels only."""

    codegen = _NoEngine

    def _optimize_final_module(self):
        passes, builder = self._codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap")
        passes.run(self._final_module, builder)

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name):
        self._ensure_finalized()
        return _REFUSE


class _RoutineCompiler(Compiler):
    """numba's compiler with `_BorrowArrays` once the types are known, and without machine code."""

    def define_pipelines(self):
        self.state.library = _RoutineLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        (passes,) = super().define_pipelines()
        passes.add_pass_after(_BorrowArrays, NopythonRewrites)
        passes.finalize()
        return [passes]
