"""`Lanes`: eight numbers that compiled code adds and multiplies at once, so that a kernel serves eight states in one pass.

Arithmetic written for one number works on Lanes as it stands. `read`, `write` and `sin_cos` make the rest of a routine serve
both: its arrays hold one number per entry, or `WIDTH` of them in one dimension more.
"""

from __future__ import annotations

import math
import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typeconv import Conversion
from numba.extending import intrinsic, lower_builtin, lower_cast, models, overload, register_model, type_callable

from armature.engine.jit import routine

WIDTH = 8
TURNS = 1e5  # rad, beyond which `sin_cos` of Lanes loses digits

_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)


class LanesType(types.Type):
    """The numba type of eight float64 side by side."""

    def __init__(self):
        super().__init__(name="Lanes")

    def unify(self, typingctx, other):
        """A variable that is a number on one path and Lanes on another is Lanes."""
        return self if isinstance(other, types.Float) else None

    def can_convert_from(self, typingctx, other):
        """Every lane takes the same number."""
        return Conversion.safe if isinstance(other, types.Float) else None


LANES = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, _VECTOR)


def _splat(builder, value):
    zero = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(zero, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, zero, ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH))


@lower_cast(types.Float, LanesType)
def _number_to_lanes(context, builder, fromty, toty, value):
    return _splat(builder, context.cast(builder, value, fromty, types.float64))


def _operator(op, instruction: str) -> None:
    @type_callable(op)
    def typing(context):
        def typer(a, b):
            if LANES in (a, b) and all(t == LANES or isinstance(t, (types.Float, types.Integer)) for t in (a, b)):
                return LANES
            return None

        return typer

    def lower(context, builder, signature, args):
        sides = [
            value if kind == LANES else _splat(builder, context.cast(builder, value, kind, types.float64))
            for value, kind in zip(args, signature.args, strict=True)
        ]
        return getattr(builder, instruction)(*sides, flags=["contract"])

    for pair in ((LANES, LANES), (LANES, types.Float), (types.Float, LANES), (LANES, types.Integer), (types.Integer, LANES)):
        lower_builtin(op, *pair)(lower)


for _op, _inplace, _instruction in (
    (operator.add, operator.iadd, "fadd"),
    (operator.sub, operator.isub, "fsub"),
    (operator.mul, operator.imul, "fmul"),
):
    _operator(_op, _instruction)
    _operator(_inplace, _instruction)


@type_callable(operator.neg)
def _type_neg(context):
    return lambda a: LANES if a == LANES else None


@lower_builtin(operator.neg, LANES)
def _lower_neg(context, builder, signature, args):
    return builder.fneg(args[0])


def address(context, builder, array_type, array, index):
    """Of the Lanes at position `index`, counted in Lanes, of a C-contiguous float64 array."""
    index = builder.mul(index, ir.Constant(index.type, WIDTH))
    view = context.make_array(array_type)(context, builder, array)
    return builder.bitcast(builder.gep(view.data, [index]), _VECTOR.as_pointer())


@intrinsic
def _load(typingctx, array, index):
    """Lanes at position `index` of a C-contiguous float64 array; nothing checks the end."""

    def codegen(context, builder, signature, args):
        return builder.load(address(context, builder, signature.args[0], args[0], args[1]), align=8)

    return LANES(array, types.intp), codegen


@intrinsic
def _store(typingctx, array, index, value):
    """Lanes to position `index` of a C-contiguous float64 array; nothing checks the end."""

    def codegen(context, builder, signature, args):
        builder.store(args[2], address(context, builder, signature.args[0], args[0], args[1]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, LANES), codegen


@intrinsic
def _floor(typingctx, value):
    def codegen(context, builder, signature, args):
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_VECTOR, [_VECTOR]), f"llvm.floor.v{WIDTH}f64")
        return builder.call(function, args)

    return LANES(LANES), codegen


def _compiled_only(name: str):
    raise TypeError(f"{name} exists in compiled code only")


def read(array, i, c):
    """Entry (i, c) of a workspace: a number of a 2-D array, Lanes of a 3-D one."""
    _compiled_only("read")


def write(array, i, c, value):
    """Sets entry (i, c) of a workspace, as `read` reads it."""
    _compiled_only("write")


def item(vector, i):
    """Entry i of a joint vector: a number of a 1-D array, Lanes of a 2-D one."""
    _compiled_only("item")


def put_item(vector, i, value):
    """Sets entry i of a joint vector, as `item` reads it."""
    _compiled_only("put_item")


def sin_cos(x):
    """(sin x, cos x) of a number or of Lanes; for Lanes |x| < `TURNS` rad, within 2 units in the last place."""
    _compiled_only("sin_cos")


@overload(read, inline="always")
def _read(array, i, c):
    if array.ndim == 2:
        return lambda array, i, c: array[i, c]
    return lambda array, i, c: _load(array, i * array.shape[1] + c)


@overload(write, inline="always")
def _write(array, i, c, value):
    if array.ndim == 2:

        def number(array, i, c, value):
            array[i, c] = value

        return number
    return lambda array, i, c, value: _store(array, i * array.shape[1] + c, value)


@overload(item, inline="always")
def _item(vector, i):
    if vector.ndim == 1:
        return lambda vector, i: vector[i]
    return lambda vector, i: _load(vector, i)  # noqa: PLW0108 - overload needs a function of this signature


@overload(put_item, inline="always")
def _put_item(vector, i, value):
    if vector.ndim == 1:

        def number(vector, i, value):
            vector[i] = value

        return number
    return lambda vector, i, value: _store(vector, i, value)  # noqa: PLW0108 - overload needs a function of this signature


@overload(sin_cos, inline="always")
def _sin_cos(x):
    if x == LANES:
        return lambda x: _lanes_sin_cos(x)  # noqa: PLW0108 - overload needs a function of this signature
    return lambda x: (math.sin(x), math.cos(x))


@routine
def _lanes_sin_cos(x):
    """sin and cos of Lanes, |x| < `TURNS`.

    x = k π/2 + r with π/2 in three parts, |r| ≤ π/4; series in r², then the quadrant k mod 4 by arithmetic instead of branches.

    Source: Cody, Waite, Software Manual for the Elementary Functions, chapter 8; coefficients: Moshier, Methods and Programs for
    Mathematical Functions; the three parts of π/2: Sun Microsystems, fdlibm.
    """
    k = _floor(x * 0.6366197723675814 + 0.5)
    r = x - k * 1.5707963267341256
    r = r - k * 6.077100506303966e-11
    r = r - k * 2.0222662487959506e-21
    z = r * r
    s = z * 1.58962301576546568060e-10 - 2.50507477628578072866e-8
    s = z * s + 2.75573136213857245213e-6
    s = z * s - 1.98412698295895385996e-4
    s = z * s + 8.33333333332211858878e-3
    s = z * s - 1.66666666666666307295e-1
    s = r + r * z * s
    c = z * -1.13585365213876817300e-11 + 2.08757008419747316778e-9
    c = z * c - 2.75573141792967388112e-7
    c = z * c + 2.48015872888517045348e-5
    c = z * c - 1.38888888888730564116e-3
    c = z * c + 4.16666666666665929218e-2
    c = 1.0 - 0.5 * z + z * z * c
    half = _floor(k * 0.5)
    odd = k - 2.0 * half  # 1 where sin and cos change places
    turn = half - 2.0 * _floor(half * 0.5)  # 1 where x lies in the lower half
    sign = 1.0 - 2.0 * turn
    even = 1.0 - odd
    return sign * (even * s + odd * c), sign * (even * c - odd * s)
