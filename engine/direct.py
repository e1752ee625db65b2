"""`single_state`: the entry of calls for one state, as builtin functions of CPython, where a call can cost more than its sums.

numba's own entry point takes 0.1 µs per array. A builtin gets the addresses of its arguments and reads the arrays' headers
itself; anything but arrays as declared (NumPy's own class, float64, C order) goes back to its caller, who checks it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property
from types import FunctionType
from typing import Any

import numpy as np
from numba import types

from armature.engine.headers import (
    DATA,
    DTYPE,
    FLAGS,
    NDIM,
    PLAIN,
    REFERENCES,
    TYPE,
    WRITEABLE,
    layout_is_known,
    lengths_of,
    peek,
    peek_short,
    poke,
    view_as,
)
from armature.engine.jit import MODEL, OUT2, REFUSED, VEC, Kernel, callback, entry, piece
from armature.engine.model.packed_model import WIDTH as COLUMNS

ROWS, _NUMBERS = 64, 8192  # bodies of an arm that is served here; numbers in the memory of its workspaces
_FASTCALL = 0x0080


def single_state(*kinds: types.Array, workspaces: Callable[[int], tuple]) -> Callable[[Callable], SingleState]:
    """Decorator: a `SingleState` for arguments of these kinds: the packed model, what else is read, and last the array to fill.

    Args:
        kinds: `MODEL`, `VEC` for a joint vector, other arrays, which only have to be there, and an `OUT…`.
        workspaces: shapes `((rows, columns), …)` of the workspaces for n bodies.
    """
    return lambda function: SingleState(function, kinds, workspaces)


class SingleState(Kernel):
    """`call(P, …, out)` fills `out` and returns it, or returns something else where the arguments are not for it.

    The routine `(P, …, out, *workspaces)` says whether it filled `out`. It is called with arrays that are what they should be,
    n finite numbers in every joint vector. Nothing else runs in this interpreter meanwhile, so that the workspaces of all
    routines lie in one memory.
    """

    _memory = np.empty(_NUMBERS)

    def __init__(self, function: Callable, kinds: tuple, workspaces: Callable[[int], tuple]):
        super().__init__(function, types.intp(types.intp, types.intp, types.intp))
        self._kinds, self._workspaces = kinds, workspaces
        if sum(rows * columns for rows, columns in workspaces(ROWS)) > _NUMBERS:
            raise ValueError(f"{self.name}: its workspaces for {ROWS} bodies need more than {_NUMBERS} numbers")

    def _make(self, function: Callable):
        return function  # compiled when it is known how it is called

    def _made(self) -> Callable:
        return self._builtin() if layout_is_known() else self.through_numba()

    def _compiled(self) -> tuple[Callable, Any]:
        return (self._entry, self._signature) if layout_is_known() else (self.dispatcher, self._through_numba_with())

    def _through_numba_with(self) -> tuple:
        return *self._kinds, *[OUT2] * len(self._workspaces(1))

    def _builtin(self) -> Callable:
        self._code = callback(self._entry, self._signature)
        self._method = _Method(self.dispatcher.__name__.encode(), self._code.address, _FASTCALL, None)
        new = ctypes.pythonapi.PyCFunction_NewEx
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p] * 3
        return new(ctypes.addressof(self._method), id(self._memory), None)

    @cached_property
    def _entry(self) -> Callable:
        """`_entry` with the parts of this routine, as if it stood in its file: there numba's cache knows it again."""
        code = self.dispatcher.__code__
        parts = {
            "COUNT": len(self._kinds),
            "read_model": _reader(MODEL, COLUMNS),
            "read_others": _readers(self._kinds[1:]),
            "shapes": piece(self._workspaces),
            "lay_out": _lay_out(len(self._workspaces(1))),
            "routine": piece(self.dispatcher),
        }
        name = f"{code.co_name}_entry"
        code = _entry.__code__.replace(
            co_filename=code.co_filename, co_firstlineno=code.co_firstlineno, co_name=name, co_qualname=name
        )
        return FunctionType(code, {**globals(), **parts, "__name__": self.dispatcher.__module__}, name)

    def through_numba(self) -> Callable:
        """The same call through numba's own entry point, for interpreters whose objects lie in memory in a way not known here."""
        routine = entry(self.dispatcher)
        routine.compile(self._through_numba_with())

        def call(P, *rest):
            n = len(P) - 1
            joints = [x for x, kind in zip(rest, self._kinds[1:], strict=True) if kind == VEC]
            if all(isinstance(x, np.ndarray) and x.shape == (n,) and x.dtype == float and np.isfinite(x).all() for x in joints):
                try:
                    if routine(P, *rest, *[np.empty(shape) for shape in self._workspaces(n)]):
                        return rest[-1]
                except REFUSED:
                    pass
            return None

        routine.disable_compile()
        return call


class _Method(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (("name", ctypes.c_char_p), ("call", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


def _missing(*_) -> Any:
    raise TypeError("this exists in compiled code only")


COUNT = 0
read_model = read_others = shapes = lay_out = routine = _missing
"""Parts of `_entry` that every routine has of its own."""


def _entry(memory, args, count):
    """What CPython calls with the addresses of the memory and of the arguments."""
    if count != COUNT:
        return 0  # our own fault, which CPython reports as such
    fine, P = read_model(memory, peek(args), 0)
    n = P.shape[0] - 1
    others_fine, others = read_others(memory, args + 8, n)
    done = fine and others_fine and n <= ROWS
    if done:
        done = routine(*((P,) + others + lay_out(peek(memory + DATA), shapes(n))))
    result = peek(args + 8 * (COUNT - 1) if done else args)
    poke(result + REFERENCES, peek(result + REFERENCES) + 1)  # the caller's
    return result


def _reader(kind: types.Array, columns: int = 0) -> Callable:
    """`(memory, a, n)`: whether the object at `a` is an array of that kind, like the memory itself, and a view of it.

    With `columns` it must have so many, which is cheaper to step in than a number that is read.
    """
    ndim, flags = kind.ndim, PLAIN | WRITEABLE if kind.mutable else PLAIN
    lengths, view, nothing = lengths_of(ndim), view_as(kind), (0,) * ndim
    is_joints = kind == VEC

    @piece
    def read(memory, a, n):
        if peek(a + TYPE) != peek(memory + TYPE):
            return False, view(0, nothing)
        if peek(a + DTYPE) != peek(memory + DTYPE) or peek_short(a + NDIM) != ndim or peek_short(a + FLAGS) & flags != flags:
            return False, view(0, nothing)
        shape, data = lengths(a), peek(a + DATA)
        if columns:
            return shape[1] == columns, view(data, (shape[0], columns))
        array = view(data, shape)
        if is_joints:
            return shape[0] == n and np.isfinite(array.sum()), array
        return True, array

    return read


def _readers(kinds: tuple) -> Callable:
    """`(memory, args, n)`: whether the objects with their addresses at `args` are arrays of these kinds, and a tuple of views."""
    if not kinds:
        return piece(lambda memory, args, n: (True, ()))
    first, others = _reader(kinds[0]), _readers(kinds[1:])

    @piece
    def read(memory, args, n):
        fine, array = first(memory, peek(args), n)
        rest_fine, rest = others(memory, args + 8, n)
        return fine and rest_fine, (array,) + rest

    return read


def _lay_out(count: int) -> Callable:
    """`(address, shapes)`: a tuple of `count` matrices of these shapes, one behind the other from an address on."""
    if count == 0:
        return piece(lambda address, shapes: ())
    before, view, last = _lay_out(count - 1), view_as(OUT2), count - 1

    @piece
    def lay_out(address, shapes):
        first = address
        for k in range(last):
            first += 8 * shapes[k][0] * shapes[k][1]
        return before(address, shapes) + (view(first, shapes[last]),)

    return lay_out
