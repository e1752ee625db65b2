"""Direct calls: compiled routines as builtin functions of CPython, for one state, where a call can cost more than its sums.

numba's own entry point takes 0.1 µs per array. A direct routine gets the addresses of its arguments and reads the arrays' headers
itself; anything but an array like the model's (NumPy's own class, float64, C order) goes back to its caller, who checks it.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from engine.jit import MODEL, OUT1, OUT2, VEC, Kernel, callback, inner
from engine.model.packed_model import WIDTH as COLUMNS

# Where CPython and NumPy keep things, in bytes from the address of an array; fixed by NumPy's binary interface.
_HEAD = object.__basicsize__
_TYPE, _DATA, _NDIM, _SHAPE, _DTYPE, _FLAGS = _HEAD - 8, _HEAD, _HEAD + 8, _HEAD + 16, _HEAD + 40, _HEAD + 48
_PLAIN = 0x0101  # C-contiguous and aligned
_FASTCALL = 0x0080
ROWS, WIDTH = 64, 128
_POINTER, _SHORT = ir.IntType(64).as_pointer(), ir.IntType(32).as_pointer()


class Direct(Kernel):
    """`call(model, …, out)` fills `out` and returns it, or returns something else where the arguments are not for it.

    The routine `(scratch, args, count)` gets addresses, as CPython hands them to builtin functions. Nothing else runs in this
    interpreter meanwhile, so that all its calls work in one memory, of up to ROWS bodies: see `work`.
    """

    def __init__(self, function: Callable):
        super().__init__(function, types.intp(types.intp, types.intp, types.intp))
        self._scratch = np.empty((ROWS, WIDTH))

    def _make(self, function: Callable):
        return function  # compiled with the signature, not before

    def compile(self) -> None:
        """Compiles or loads from the cache; does nothing the second time."""
        with self._lock:
            if not self.is_ready:
                self.call = self._builtin() if _layout_is_known() else _refuse

    def _builtin(self) -> Callable:
        self._code = callback(self.dispatcher, self._signature)
        self._method = _Method(self.dispatcher.__name__.encode(), self._code.address, _FASTCALL, None)
        new = ctypes.pythonapi.PyCFunction_NewEx
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p] * 3
        return new(ctypes.addressof(self._method), id(self._scratch), None)


class _Method(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (("name", ctypes.c_char_p), ("call", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


def _refuse(*_) -> None:
    """Stands in where objects lie in memory in a way not known here."""


def _layout_is_known() -> bool:
    """Whether this interpreter is CPython with the interpreter lock, on 64 bits, and an array lies where it should."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED") or sys.maxsize < 2**32:
        return False
    probe = np.zeros((3, 5))
    at, read = id(probe), lambda address: ctypes.c_int64.from_address(address).value
    shape, flags = read(at + _SHAPE), ctypes.c_int32.from_address(at + _FLAGS).value
    found = (read(at + _TYPE), read(at + _DATA), ctypes.c_int32.from_address(at + _NDIM).value, read(at + _DTYPE), flags & _PLAIN)
    known = (id(np.ndarray), probe.ctypes.data, 2, id(probe.dtype), _PLAIN)
    return found == known and (read(shape), read(shape + 8)) == probe.shape


@intrinsic
def _peek(typing, address):
    """The 64-bit number at an address."""

    def generate(context, builder, signature, args):
        return builder.load(builder.inttoptr(args[0], _POINTER))

    return types.intp(types.intp), generate


@intrinsic
def _peek_short(typing, address):
    """The 32-bit number at an address."""

    def generate(context, builder, signature, args):
        return builder.sext(builder.load(builder.inttoptr(args[0], _SHORT)), ir.IntType(64))

    return types.intp(types.intp), generate


@intrinsic
def _poke(typing, address, value):
    """Stores a 64-bit number at an address."""

    def generate(context, builder, signature, args):
        builder.store(args[1], builder.inttoptr(args[0], _POINTER))
        return context.get_dummy_value()

    return types.void(types.intp, types.intp), generate


def _view(kind: types.Array) -> Callable:
    """An intrinsic that makes an array of `kind` over memory that somebody else owns: (address, rows, columns)."""

    @intrinsic
    def view(typing, address, rows, columns):
        def generate(context, builder, signature, args):
            array, size = context.make_array(kind)(context, builder), ir.Constant(ir.IntType(64), 8)
            populate_array(
                array,
                data=builder.inttoptr(args[0], array.data.type),
                shape=args[1 : 1 + kind.ndim],
                strides=[builder.mul(args[2], size), size][-kind.ndim :],
                itemsize=size,
                meminfo=None,
            )
            return array._getvalue()

        return kind(types.intp, types.intp, types.intp), generate

    return view


_view_model, _view_vector, _view_out1, _view_out2 = (_view(kind) for kind in (MODEL, VEC, OUT1, OUT2))


@inner
def model(args):
    """The first argument, a packed robot that the caller vouches for."""
    a = _peek(args)
    return _view_model(_peek(a + _DATA), _peek(_peek(a + _SHAPE)), COLUMNS)


@inner
def vector(args, k):
    """Argument k; empty when it is not an array like the model's with one dimension."""
    m, a = _peek(args), _peek(args + 8 * k)
    if _peek(a + _TYPE) != _peek(m + _TYPE):
        return _view_vector(0, 0, 1)
    plain = _peek_short(a + _FLAGS) & _PLAIN == _PLAIN
    if not plain or _peek(a + _DTYPE) != _peek(m + _DTYPE) or _peek_short(a + _NDIM) != 1:
        return _view_vector(0, 0, 1)
    return _view_vector(_peek(a + _DATA), _peek(_peek(a + _SHAPE)), 1)


@inner
def out_vector(args, k):
    """Argument k, a float64 vector that the caller made."""
    a = _peek(args + 8 * k)
    return _view_out1(_peek(a + _DATA), _peek(_peek(a + _SHAPE)), 1)


@inner
def out_column(args, k):
    """Argument k, a float64 vector that the caller made, as a matrix of one column."""
    a = _peek(args + 8 * k)
    return _view_out2(_peek(a + _DATA), _peek(_peek(a + _SHAPE)), 1)


@inner
def out_matrix(args, k):
    """Argument k, a float64 matrix that the caller made."""
    a = _peek(args + 8 * k)
    return _view_out2(_peek(a + _DATA), _peek(_peek(a + _SHAPE)), _peek(_peek(a + _SHAPE) + 8))


@inner
def work(scratch, first, rows, columns):
    """A matrix in the scratch memory, from its number `first` on; ROWS × WIDTH numbers are there."""
    return _view_out2(_peek(scratch + _DATA) + 8 * first, rows, columns)


@inner
def given(args, k):
    """Argument k as the result: the caller gets one reference more. The model stands for a refusal."""
    a = _peek(args + 8 * k)
    _poke(a, _peek(a) + 1)
    return a
