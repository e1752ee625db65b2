"""Christoffel symbols: against slopes of the mass matrix, the Coriolis matrix, and the lectures' L-shaped arm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armature import engine
from tests.engine.test_simulation_coupled import gripper_arm
from tests.engine.trees import random_state, random_tree

H = 1e-6

trees = st.builds(random_tree, seed=st.integers(0, 10**6), n=st.integers(1, 9), branching=st.booleans())


def slopes(robot, q) -> np.ndarray:
    """∂M_ij/∂q_k at [i, j, k] by central differences."""
    M = engine.mass_matrix(robot, np.concatenate([q + H * np.eye(robot.n), q - H * np.eye(robot.n)]))
    return np.moveaxis((M[: robot.n] - M[robot.n :]) / (2 * H), 0, 2)


@given(trees)
def test_symbols_are_made_of_slopes_of_the_mass_matrix(robot):
    q, _, _ = random_state(robot, np.random.default_rng(robot.n))
    dM = slopes(robot, q)  # [k, j, i]
    expected = 0.5 * (np.einsum("kji->kij", dM) + dM - np.einsum("ijk->kij", dM))
    got = engine.christoffel(robot, q)
    assert np.abs(got - expected).max() < 1e-7 * (1 + np.abs(dM).max())
    assert np.abs(got - got.swapaxes(1, 2)).max() <= 1e-12 * (1 + np.abs(got).max())


@given(trees)
def test_symbols_times_speeds_are_the_coriolis_matrix(robot):
    q, qd, _ = random_state(robot, np.random.default_rng(robot.n))
    C = np.einsum("kij,i->kj", engine.christoffel(robot, q), qd)
    expected = engine.coriolis_matrix(robot, q, qd)
    assert np.abs(C - expected).max() <= 1e-12 * (1 + np.abs(expected).max())


def test_symbols_of_the_lectures():
    """c_112 = −m2 (l1 + q2), c_121 = c_211 = m2 (l1 + q2), the rest 0; the text writes the index of the torque last."""
    robot = engine.load_robot("rp_offset")
    q2 = 0.25
    c = engine.christoffel(robot, [0.7, q2])
    expected = np.zeros((2, 2, 2))
    expected[1, 0, 0], expected[0, 0, 1], expected[0, 1, 0] = np.array([-1, 1, 1]) * 2.0 * (0.6 + q2)
    np.testing.assert_allclose(c, expected, atol=1e-12)


def test_symbols_of_mimic_joints_batches_and_refusals(tmp_path):
    robot = gripper_arm(tmp_path)
    q, qd, _ = random_state(robot, np.random.default_rng(5), 4)
    c = engine.christoffel(robot, q)
    assert c.shape == (4, robot.n, robot.n, robot.n)
    np.testing.assert_allclose(np.einsum("skij,si->skj", c, qd), engine.coriolis_matrix(robot, q, qd), atol=1e-12)
    np.testing.assert_allclose(c[2], engine.christoffel(robot, q[2]), atol=1e-13)
    with pytest.raises(engine.DimensionError, match="shape"):
        engine.christoffel(robot, np.zeros(robot.n + 1))
    with pytest.raises(engine.MissingDynamicsError):
        engine.christoffel(engine.load_robot("irb140"), np.zeros(6))
