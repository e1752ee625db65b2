"""Routines count no references to arrays where they make none: arrays are neither lost nor leaked."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from numba import njit
from numba.core.runtime import _nrt_python, rtsys

from armature.engine.jit import routine


@routine
def total(rows, out):
    top = rows[0]
    for i in range(top.size):
        out[i] = top[i] + rows[1, i]
    return out.size


@routine
def first(rows):
    return rows[0]


@routine
def first_of_pair(rows):
    return rows.size, rows[0]


@routine
def doubled(x):
    return 2.0 * x


@routine
def sum_of_doubled(x):
    return doubled(x).sum()


@routine
def mean_square(x):
    return (x * x).mean()


@routine
def spread(x):
    return mean_square(x) ** 0.5


@routine
def larger(a, b, swap):
    c = a
    if swap:
        c = b
    return first(c.reshape((1, -1)))[0]


CALLS = [
    (lambda x: total(x, np.empty(3)), 3),
    (lambda x: first(x).sum(), 3.0),
    (lambda x: first_of_pair(x)[1].sum(), 3.0),
    (lambda x: sum_of_doubled(x), 30.0),
    (lambda x: spread(x), (55 / 6) ** 0.5),
    (lambda x: larger(x, x + 1.0, True), 1.0),
]


@pytest.fixture
def living():
    """Returns how many arrays compiled code has allocated and not freed."""
    _nrt_python.memsys_enable_stats()
    yield lambda: rtsys.get_allocation_stats().alloc - rtsys.get_allocation_stats().free
    _nrt_python.memsys_disable_stats()


@pytest.mark.parametrize(("call", "value"), CALLS)
def test_arrays_are_neither_lost_nor_leaked(call, value, living):
    compiled, rows = njit(call), np.arange(6.0).reshape(2, 3)
    assert compiled(rows) == pytest.approx(value)
    before = sys.getrefcount(rows), living()
    for _ in range(100):
        compiled(rows)
    assert (sys.getrefcount(rows), living()) == before
