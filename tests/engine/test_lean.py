"""Routines that count no references to arrays: what they may do with them, and what is refused when they are compiled."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from numba.core.errors import NumbaError

from armature.engine.jit import inner, lean
from tests.engine.parts import from_python


def test_an_array_is_neither_lost_nor_kept():
    @lean
    def total(rows, out):
        top = rows[0]
        for i in range(top.size):
            out[i] = top[i] + rows[1, i]
        return out.size

    call = from_python(total)
    rows, out = np.arange(6.0).reshape(2, 3), np.zeros(3)
    call(rows, out)
    before = sys.getrefcount(rows), sys.getrefcount(out)
    for _ in range(100):
        assert call(rows, out) == 3
    assert (sys.getrefcount(rows), sys.getrefcount(out)) == before
    np.testing.assert_array_equal(out, [3.0, 5.0, 7.0])


def test_what_it_calls_counts_as_it_says_itself():
    @inner
    def mean_square(x):
        return (x * x).mean()

    @lean
    def spread(x):
        return mean_square(x) ** 0.5

    assert from_python(spread)(np.array([3.0, -3.0])) == 3.0
    assert from_python(mean_square)(np.array([3.0, -3.0])) == 9.0


@pytest.mark.parametrize("what", [lambda x: x, lambda x: (x.size, x[1:])], ids=["argument", "tuple"])
def test_one_that_hands_an_array_back_is_refused(what):
    with pytest.raises(TypeError, match=r"hands back .*array\(float64, 1d, C\).* to which it counts no reference"):
        from_python(lean(what))(np.zeros(3))


@pytest.mark.parametrize("what", [lambda x: x[1:], lambda x: (2.0 * x).sum()], ids=["view", "sum"])
def test_one_that_makes_an_array_is_refused(what):
    with pytest.raises(NumbaError):
        from_python(lean(what))(np.zeros(3))


def test_one_that_is_handed_an_array_is_refused():
    @inner
    def doubled(x):
        return 2.0 * x

    @lean
    def total(x):
        return doubled(x)[0]

    with pytest.raises(TypeError, match=r"total is handed array\(float64, 1d, C\), to which it counts no reference"):
        from_python(total)(np.zeros(3))
