"""Integrators by their orders, and algorithms by their operations: counted sums give the engine's own numbers."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.dynamics.algorithm_cost import algorithm_costs, growth, serial_arm
from armature.engine.dynamics.counted_operations import Tally, composite_bodies, lagrange, newton_euler
from armature.engine.simulation.runs.integrator_comparison import METHODS, compare_integrators


@pytest.mark.parametrize("n", [1, 2, 5, 11])
def test_what_is_counted_is_what_the_engine_computes(n):
    robot, tallies = serial_arm(n), [Tally(), Tally(), Tally()]
    q, qd, qdd = np.random.default_rng(n).normal(size=(3, n))
    tau = engine.rnea(robot, q, qd, qdd)
    assert newton_euler(tallies[0], robot, q, qd, qdd) == pytest.approx(tau, rel=1e-11)
    assert composite_bodies(tallies[1], robot, q) == pytest.approx(engine.mass_matrix(robot, q), rel=1e-11)
    assert lagrange(tallies[2], robot, q, qd, qdd) == pytest.approx(tau, rel=1e-11)
    assert tallies[0].total == n * 255  # each link costs the same


def test_operations_grow_as_the_books_say():
    costs = list(algorithm_costs((2, 4, 8, 16, 32)))
    assert growth(costs) == pytest.approx([1.0, 1.7, 2.5], abs=0.25)
    assert all(seconds > 0 for cost in costs for seconds in cost.seconds)
    assert list(algorithm_costs((2, 4), cancelled=lambda: True)) == []


def test_integrators_err_by_their_order_and_explicit_euler_gains_energy():
    robot, told = engine.load_robot("double_pendulum"), []
    q = robot.configurations["home"] + 0.3
    found = compare_integrators(robot, q, progress=lambda done, total: told.append((done, total)))
    orders = dict(zip(METHODS, found.orders))
    assert orders["explicit-euler"] == pytest.approx(1, abs=0.2) and orders["euler"] == pytest.approx(1, abs=0.2)
    assert orders["midpoint"] == pytest.approx(2, abs=0.2) and orders["rk4"] == pytest.approx(4, abs=0.4)
    worst = dict(zip(METHODS, found.worst))
    assert (worst["explicit-euler"] > worst["rk4"]).all() and (worst["gauss6"][2:] < 1e-8).all()
    assert found.error.shape == (len(METHODS), 401) and told[-1][0] == told[-1][1]
    # by hand: one explicit step from rest has the new speed and the old place
    free = robot.without_friction()
    qdd = engine.forward_dynamics(free, q, [0.0, 0.0], [0.0, 0.0])
    gained = engine.kinetic_energy(free, q, 0.005 * qdd)
    assert found.error[0, 1] == pytest.approx(gained, rel=1e-9)
    with pytest.raises(engine.EngineError, match="does not move"):
        compare_integrators(robot, [-np.pi / 2, 0.0])
    with pytest.raises(engine.Cancelled):
        compare_integrators(robot, q, cancelled=lambda: True)
