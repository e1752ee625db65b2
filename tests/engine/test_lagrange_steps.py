"""Lagrange's method step by step, against the recursion, the energies and differences."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine


@pytest.mark.parametrize("name", ["rp_offset", "scara", "puma560", "two_arms"])
def test_the_steps_agree_with_everything_else(name):
    robot = engine.load_robot(name)
    q, qd, qdd = np.random.default_rng(3).normal(size=(3, 5, robot.n))
    steps = engine.lagrange_steps(robot, q, qd, qdd)
    np.testing.assert_allclose(steps.tau, engine.rnea(robot, q, qd, qdd), rtol=0, atol=1e-12 * np.abs(steps.tau).max())
    np.testing.assert_allclose(steps.K.sum(axis=1), engine.kinetic_energy(robot, q, qd), rtol=1e-12)
    np.testing.assert_allclose(steps.P.sum(axis=1), engine.potential_energy(robot, q), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(steps.symbols, engine.christoffel(robot, q))
    h = 1e-6
    for k in range(robot.n):
        e = h * np.eye(robot.n)[k]
        dM = (engine.mass_matrix(robot, q + e) - engine.mass_matrix(robot, q - e)) / (2 * h)
        np.testing.assert_allclose(steps.slopes[..., k], dM, atol=1e-8)
        L = [engine.kinetic_energy(robot, q + d, qd) - engine.potential_energy(robot, q + d) for d in (e, -e)]
        np.testing.assert_allclose(steps.dL_dq[:, k], (L[0] - L[1]) / (2 * h), atol=1e-7)
    single = engine.lagrange_steps(robot, q[0], qd[0], qdd[0])
    np.testing.assert_array_equal(single.tau, steps.tau[0])


@pytest.mark.parametrize(("name", "significance"), [("rp_offset", None), ("scara", None), ("puma560", 0.0)])
def test_centripetal_and_coriolis_torque_are_the_parts_of_C_qd(name, significance):
    robot = engine.load_robot(name)
    q, qd = np.random.default_rng(4).normal(size=(2, robot.n))
    equations, symbols = engine.equations(robot, significance), engine.christoffel(robot, q)
    squares = np.einsum("kii,i->k", symbols, qd**2)
    whole = engine.coriolis_matrix(robot, q, qd) @ qd
    for k in range(robot.n):
        assert equations.centripetal[k].evaluate(q, qd) == pytest.approx(squares[k], abs=1e-12)
        assert equations.coriolis[k].evaluate(q, qd) == pytest.approx(whole[k] - squares[k], abs=1e-12)
        assert equations.c[k].evaluate(q, qd) == pytest.approx(whole[k], abs=1e-12)
