"""Three-vectors, rotations and symmetric matrices as tuples, so that compiled formulas read as they are written.

They allocate nothing. Their entries are numbers or Lanes, depending on the array that `load3`, `load_symmetric`, `load_matrix`
and `store` access.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from armature.engine.jit import routine
from armature.engine.lanes import LANES, address


def _places(context, builder, array_type, array, i, first, count):
    """Addresses of the columns first … first + count − 1 of row i, without a check of bounds."""
    columns = [builder.add(first, ir.Constant(first.type, c)) for c in range(count)]
    view = context.make_array(array_type)(context, builder, array)
    if array_type.ndim == 2:
        return [cgutils.get_item_pointer(context, builder, array_type, view, [i, column]) for column in columns]
    row = builder.mul(i, builder.extract_value(view.shape, 1))
    return [address(context, builder, array_type, array, builder.add(row, column)) for column in columns]


def _reader(count):
    """Return an intrinsic that loads `count` columns of a row; a compiled function would count references to the array."""

    @intrinsic
    def read(typingctx, rows, i, first):
        entry = types.float64 if rows.ndim == 2 else LANES

        def codegen(context, builder, signature, args):
            array, i, first = args
            places = _places(context, builder, signature.args[0], array, i, first, count)
            return context.make_tuple(builder, signature.return_type, [builder.load(place, align=8) for place in places])

        return types.UniTuple(entry, count)(rows, types.intp, types.intp), codegen

    return read


load3 = _reader(3)
"""`load3(rows, i, first)`: the vector at columns first … first + 2 of row i."""

load_symmetric = _reader(6)
"""`load_symmetric(rows, i, first)`: the symmetric matrix xx xy xz yy yz zz at columns first … first + 5 of row i."""

load_matrix = _reader(9)
"""`load_matrix(rows, i, first)`: the `(3, 3)` matrix with its rows at columns first … first + 8 of row i."""


@intrinsic
def store(typingctx, rows, i, first, a):
    """Write the vector or matrix a to the columns of row i from `first` on."""
    entry, count = types.float64 if rows.ndim == 2 else LANES, len(a)

    def codegen(context, builder, signature, args):
        rows, i, first, a = args
        places = _places(context, builder, signature.args[0], rows, i, first, count)
        for place, value in zip(places, cgutils.unpack_tuple(builder, a, count), strict=True):
            builder.store(value, place, align=8)
        return context.get_dummy_value()

    return types.void(rows, types.intp, types.intp, types.UniTuple(entry, count)), codegen


@routine
def dot(a, b):
    """a·b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@routine
def along(v, w, f, n):
    """v·f + w·n: power of the wrench (f, n) at the twist (v, w), both at one point."""
    return v[0] * f[0] + v[1] * f[1] + v[2] * f[2] + w[0] * n[0] + w[1] * n[1] + w[2] * n[2]


@routine
def cross(a, b):
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@routine
def plus_cross(a, b, c):
    """a + b × c, in as many operations as products."""
    return (
        a[0] + b[1] * c[2] - b[2] * c[1],
        a[1] + b[2] * c[0] - b[0] * c[2],
        a[2] + b[0] * c[1] - b[1] * c[0],
    )


@routine
def plus(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@routine
def minus(a, b):
    """a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@routine
def times(s, a):
    """s a."""
    return s * a[0], s * a[1], s * a[2]


@routine
def rotate(R, a):
    """R a: for R_PB, a vector in axes B transformed to axes P."""
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@routine
def transform(p, R, a):
    """p + R a: the point a of a body with rotation R and origin p."""
    return (
        p[0] + R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        p[1] + R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        p[2] + R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@routine
def rotate_transposed(R, a):
    """Rᵀ a: for R_PB, a vector in axes P transformed to axes B."""
    return (
        R[0] * a[0] + R[3] * a[1] + R[6] * a[2],
        R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
        R[2] * a[0] + R[5] * a[1] + R[8] * a[2],
    )


@routine
def sym_mul(S, a):
    """S a of a symmetric matrix xx xy xz yy yz zz."""
    xx, xy, xz, yy, yz, zz = S
    return xx * a[0] + xy * a[1] + xz * a[2], xy * a[0] + yy * a[1] + yz * a[2], xz * a[0] + yz * a[1] + zz * a[2]


@routine
def minus_outer(A, a, b):
    """A − a bᵀ."""
    return (
        A[0] - a[0] * b[0],
        A[1] - a[0] * b[1],
        A[2] - a[0] * b[2],
        A[3] - a[1] * b[0],
        A[4] - a[1] * b[1],
        A[5] - a[1] * b[2],
        A[6] - a[2] * b[0],
        A[7] - a[2] * b[1],
        A[8] - a[2] * b[2],
    )


@routine
def minus_outer_sym(S, a, b):
    """S − a bᵀ for a parallel to b, symmetric."""
    xx, xy, xz, yy, yz, zz = S
    return xx - a[0] * b[0], xy - a[0] * b[1], xz - a[0] * b[2], yy - a[1] * b[1], yz - a[1] * b[2], zz - a[2] * b[2]


@routine
def move_inertia(R, p, m, h, I):
    """First moment and inertia of a body of mass m in other axes and about another origin; p is the body's origin there.

    h' = R h,  I' = R I Rᵀ + (2 p·h' + m p·p) 1 − (p h'ᵀ + h' pᵀ + m p pᵀ),  h'' = h' + m p. Returns h'', I'.
    """
    h = rotate(R, h)
    # the columns of R I
    x, y, z = rotate(R, (I[0], I[1], I[2])), rotate(R, (I[1], I[3], I[4])), rotate(R, (I[2], I[4], I[5]))
    mp = times(m, p)
    e, f, g = p[0] * (h[0] + h[0] + mp[0]), p[1] * (h[1] + h[1] + mp[1]), p[2] * (h[2] + h[2] + mp[2])
    xx = x[0] * R[0] + y[0] * R[1] + z[0] * R[2] + f + g
    xy = x[0] * R[3] + y[0] * R[4] + z[0] * R[5] - (p[0] * h[1] + h[0] * p[1] + mp[0] * p[1])
    xz = x[0] * R[6] + y[0] * R[7] + z[0] * R[8] - (p[0] * h[2] + h[0] * p[2] + mp[0] * p[2])
    yy = x[1] * R[3] + y[1] * R[4] + z[1] * R[5] + e + g
    yz = x[1] * R[6] + y[1] * R[7] + z[1] * R[8] - (p[1] * h[2] + h[1] * p[2] + mp[1] * p[2])
    zz = x[2] * R[6] + y[2] * R[7] + z[2] * R[8] + e + f
    return plus(h, mp), (xx, xy, xz, yy, yz, zz)


@routine
def axis(W, i):
    """z of joint i in world axes."""
    return W[i, 2], W[i, 5], W[i, 8]


@routine
def joint_twist(W, i, slides):
    """(v, w) per unit speed of joint i, at the world's origin:  (p × z, z) if revolute, (z, 0) if prismatic."""
    z = axis(W, i)
    if slides:
        return z, (0.0, 0.0, 0.0)
    return cross(load3(W, i, 9), z), z
