"""Lanes: eight states at once give what one state gives, sines included."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from armature import engine
from armature.engine.lanes import TURNS, WIDTH, item, sin_cos, write
from tests.engine.trees import random_tree


@numba.njit
def _sines(x, out):
    s, c = sin_cos(item(x, 0))
    write(out, 0, 0, s)
    write(out, 0, 1, c)


@pytest.mark.parametrize("span", [1e-8, 1.0, 10.0, 1e3, TURNS])
def test_sines_are_within_two_units_of_the_last_place(span):
    out = np.empty((1, 2, WIDTH))
    for x in np.random.default_rng(0).uniform(-span, span, (500, 1, WIDTH)):
        _sines(x, out)
        assert np.abs(out[0, 0] - np.sin(x[0])).max() < 5e-16
        assert np.abs(out[0, 1] - np.cos(x[0])).max() < 5e-16


def test_quarter_turns():
    x, out = np.arange(-4, 4).reshape(1, 8) * np.pi / 2, np.empty((1, 2, WIDTH))
    _sines(x, out)
    np.testing.assert_allclose(out[0, 0], np.sin(x[0]), atol=1e-15)
    np.testing.assert_allclose(out[0, 1], np.cos(x[0]), atol=1e-15)


@pytest.mark.parametrize("N", [1, 7, 8, 9, 100])
def test_any_number_of_states(N):
    robot = random_tree(3, 6)
    q, qd, qdd = np.random.default_rng(N).normal(size=(3, N, 6))
    one = [engine.rnea(robot, *(x[k].copy() for x in (q, qd, qdd))) for k in range(N)]
    np.testing.assert_allclose(engine.rnea(robot, q, qd, qdd), one, rtol=1e-12, atol=1e-12)


def test_joints_that_turned_very_often():
    robot = engine.load_robot("puma560")
    q = np.full((8, 6), 3 * TURNS + 0.4)
    alone = engine.gravity_torque(robot, q[0].copy())
    np.testing.assert_allclose(engine.gravity_torque(robot, q)[0], alone, rtol=1e-9, atol=1e-9)
