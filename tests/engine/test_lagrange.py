"""Lagrange's method, which shares nothing with Newton–Euler, equals it at 1e-9: on every shipped arm and on large trees."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from tests.engine.trees import random_state, random_tree

ARMS = [robot for robot in map(engine.load_robot, engine.shipped_robots()) if robot.has_dynamics]
TREES = [random_tree(seed, n) for seed, n in enumerate((1, 2, 5, 9, 20, 40))]


@pytest.mark.parametrize("robot", ARMS + TREES, ids=[robot.name for robot in ARMS + TREES])
def test_lagrange_equals_newton_euler(robot):
    q, qd, qdd = random_state(robot, np.random.default_rng(1), 20)
    terms = engine.lagrange_terms(robot, q, qd)
    g, still = engine.gravity_torque(robot, q), np.zeros_like(q)
    tau = engine.rnea(robot, q, qd, qdd)
    pairs = (
        (terms.M, engine.mass_matrix(robot, q)),
        (terms.c + terms.g, engine.rnea(robot, q, qd, still)),
        (terms.g, g),
        (np.einsum("kij,kj->ki", terms.M, qdd) + terms.c + terms.g, tau),
    )
    for ours, theirs in pairs:
        for one, other in zip(ours, theirs, strict=True):  # relative to the largest entry of each state
            assert np.abs(one - other).max() <= 1e-9 * np.abs(other).max()
