"""NumPy arrays as compiled code finds them in memory: the header before their numbers, and views that count no references."""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

# Where CPython and NumPy keep things, in bytes from the address of an array; fixed by NumPy's binary interface.
_HEAD = object.__basicsize__
REFERENCES = 0
TYPE, DATA, NDIM, SHAPE, DTYPE, FLAGS = _HEAD - 8, _HEAD, _HEAD + 8, _HEAD + 16, _HEAD + 40, _HEAD + 48
PLAIN, WRITEABLE = 0x0101, 0x0400  # C-contiguous and aligned; may be written to

_WORD, _SHORT = ir.IntType(64), ir.IntType(32)


def layout_is_known() -> bool:
    """Whether this is CPython with the interpreter lock, on 64 bits, and all that is read or written lies where it should."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED") or sys.maxsize < 2**32:
        return False
    return all(_header_is_known(np.zeros(shape)) for shape in ((4,), (3, 5), (2, 3, 4))) and _references_are_known(np.zeros(1))


def _header_is_known(probe: np.ndarray) -> bool:
    """Whether what is read of an array is what it is, and a number written behind its header stands in it."""
    at = id(probe)
    lengths = _word(at + SHAPE).value
    found = (_word(at + TYPE).value, _word(at + DATA).value, _short(at + NDIM).value, _word(at + DTYPE).value)
    if found != (id(np.ndarray), probe.ctypes.data, probe.ndim, id(probe.dtype)):
        return False
    if _word(at + SHAPE + 8).value != lengths + 8 * probe.ndim:  # the strides, which NumPy keeps behind the shape
        return False
    shape = tuple(_word(lengths + 8 * axis).value for axis in range(probe.ndim))
    flags = [_short(at + FLAGS).value & (PLAIN | WRITEABLE)]
    ctypes.c_double.from_address(found[1] + 8 * (probe.size - 1)).value = 0.5
    written = probe.flat[-1] == 0.5 and np.count_nonzero(probe) == 1
    probe.setflags(write=False)
    flags.append(_short(at + FLAGS).value & (PLAIN | WRITEABLE))
    return bool(written and shape == probe.shape and flags == [PLAIN | WRITEABLE, PLAIN])


def _references_are_known(probe: np.ndarray) -> bool:
    """Whether a reference more shows where references are counted, and one written there is one more."""
    word = _word(id(probe) + REFERENCES)
    before = word.value
    held = [probe, probe]
    if word.value != before + len(held):
        return False
    counted = sys.getrefcount(probe)
    word.value += 1
    more = sys.getrefcount(probe)
    word.value -= 1
    return more == counted + 1


def _word(address: int) -> ctypes.c_int64:
    return ctypes.c_int64.from_address(address)


def _short(address: int) -> ctypes.c_int32:
    return ctypes.c_int32.from_address(address)


@intrinsic
def peek(typing, address):
    """The 64-bit number at an address."""

    def generate(context, builder, signature, args):
        return builder.load(builder.inttoptr(args[0], _WORD.as_pointer()))

    return types.intp(types.intp), generate


@intrinsic
def peek_short(typing, address):
    """The 32-bit number at an address."""

    def generate(context, builder, signature, args):
        return builder.sext(builder.load(builder.inttoptr(args[0], _SHORT.as_pointer())), _WORD)

    return types.intp(types.intp), generate


@intrinsic
def poke(typing, address, value):
    """Stores a 64-bit number at an address."""

    def generate(context, builder, signature, args):
        builder.store(args[1], builder.inttoptr(args[0], _WORD.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.intp, types.intp), generate


def lengths_of(ndim: int) -> Callable:
    """An intrinsic that reads the shape of the array of `ndim` dimensions at an address."""

    @intrinsic
    def lengths(typing, address):
        kind = types.UniTuple(types.intp, ndim)

        def generate(context, builder, signature, args):
            at = builder.inttoptr(builder.add(args[0], ir.Constant(_WORD, SHAPE)), _WORD.as_pointer())
            first = builder.inttoptr(builder.load(at), _WORD.as_pointer())
            values = [builder.load(builder.gep(first, [ir.Constant(_SHORT, axis)])) for axis in range(ndim)]
            return context.make_tuple(builder, kind, values)

        return kind(types.intp), generate

    return lengths


def view_as(kind: types.Array) -> Callable:
    """An intrinsic that makes an array of `kind` over memory that it does not own: (address of its numbers, shape)."""

    @intrinsic
    def view(typing, address, shape):
        def generate(context, builder, signature, args):
            array, lengths = context.make_array(kind)(context, builder), cgutils.unpack_tuple(builder, args[1], kind.ndim)
            strides = [ir.Constant(_WORD, 8)]
            for length in lengths[:0:-1]:
                strides.insert(0, builder.mul(length, strides[0]))
            data = builder.inttoptr(args[0], array.data.type)
            populate_array(array, data=data, shape=lengths, strides=strides, itemsize=ir.Constant(_WORD, 8), meminfo=None)
            return array._getvalue()

        return kind(types.intp, types.UniTuple(types.intp, kind.ndim)), generate

    return view
