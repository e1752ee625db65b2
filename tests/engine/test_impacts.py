"""Impacts at stops, each at its own time within a step: what bounces rises as high as restitution says, by every method."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.model.body import REVOLUTE, Body
from armature.engine.simulation.stepper import Stepper
from armature.engine.simulation.stepping.fixed_steps import FINE, INTEGRATORS
from tests.engine.test_step import run, slider
from tests.engine.test_stick_slip import both

G = 9.81
EXACT = [("rk4", 1e-3), ("rk4", 5e-3), ("midpoint", 1e-3), ("gauss6", 5e-3), ("adaptive", 0.05)]


def ball(restitution: float):
    """1 kg that falls 1 m from q = 0 onto its lower stop."""
    return slider(1.0, limit=1.0, slope=-np.pi / 2, restitution=restitution)


def apexes(states) -> np.ndarray:
    """How high above the stop the flight of each row leads, m."""
    return states[:, 1] + 1.0 + states[:, 2] ** 2 / (2 * G)


@pytest.mark.parametrize(("method", "dt"), EXACT)
def test_an_elastic_ball_rises_as_high_as_it_fell_for_ever(method, dt):
    stepper = Stepper(ball(1.0), [0.0], [0.0], dt, method, ledger=method != "adaptive")
    states = stepper.advance(round(20 / dt)).states
    np.testing.assert_allclose(apexes(states), 1.0, atol=1e-9)
    assert np.count_nonzero(np.diff(np.sign(states[:, 2])) > 0) == 22, "20 s are 22 flights"
    if method != "adaptive":
        assert abs(stepper.ledger().stop) < 1e-9 and abs(stepper.ledger().residual) < 1e-9


@pytest.mark.parametrize(("method", "dt"), EXACT)
def test_apexes_fall_by_the_square_of_restitution(method, dt):
    stepper = Stepper(ball(0.8), [0.0], [0.0], dt, method, ledger=method != "adaptive")
    states = stepper.advance(round(3 / dt)).states
    fall = np.sqrt(2 / G)
    bounces = np.searchsorted(fall * (1 + 2 * np.cumsum(np.append(0.0, 0.8 ** np.arange(1, 20)))), states[:, 0])
    assert bounces[-1] == 6
    np.testing.assert_allclose(apexes(states), 0.64**bounces, atol=1e-9)
    if method != "adaptive":
        assert stepper.ledger().stop == pytest.approx(-G * (1 - 0.64 ** bounces[-1]), abs=1e-8)


def test_euler_keeps_its_order_over_bounces():
    off = [
        abs(apexes(Stepper(ball(1.0), [0.0], [0.0], dt, "euler").advance(round(4 / dt)).states)[-1] - 1) for dt in (2e-3, 1e-3)
    ]
    assert np.log2(off[0] / off[1]) == pytest.approx(1, abs=0.3)


@pytest.mark.parametrize(("method", "dt"), [("rk4", 1e-3), ("gauss6", 1e-2), ("adaptive", 0.05)])
def test_a_pendulum_leaves_its_stop_with_its_share_of_the_speed_it_came_with(method, dt):
    block = slider()
    bob = Body(-1, REVOLUTE, block.bodies[0].X_PJ, mass=1.2, com=np.array([0.4, 0.0, 0.0]), restitution=0.5)
    arm = replace(block, bodies=(bob,), q_min=np.array([-0.3]), q_max=np.array([3.0]))
    run = engine.simulate(arm, [1.2], None, 0.8, dt, integrator=method)
    after = run.qd[:, 0] > 0
    q, qd = run.q[after, 0], run.qd[after, 0]
    leaves = np.sqrt(qd**2 - 2 * G / 0.4 * (np.cos(q) - np.cos(0.3)))
    exact = 0.5 * np.sqrt(2 * G / 0.4 * (np.cos(0.3) - np.cos(1.2)))
    assert after.sum() > 2
    np.testing.assert_allclose(leaves, exact, rtol=1e-7)


@pytest.mark.parametrize("method", ["gauss6", "adaptive"])
def test_elastic_stops_keep_the_energy_of_an_arm(method):
    """Blows on one joint move the other: both bounce many times, at times that no step knows."""
    arm = engine.load_robot("double_pendulum").without_friction()
    bodies = tuple(replace(body, restitution=1.0) for body in arm.bodies)
    arm = replace(arm, bodies=bodies, q_min=np.array([-0.7, -0.5]), q_max=np.array([0.7, 0.5]))
    run = engine.simulate(arm, [0.0, 0.0], [3.0, -5.0], 4.0, 2e-3 if method == "gauss6" else 0.05, integrator=method)
    assert np.ptp(run.kinetic + run.potential) < 1e-7 * run.kinetic.max()
    assert (run.q <= arm.q_max).all() and (run.q >= arm.q_min).all()


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_bounces_too_many_for_one_step_end_at_the_stop(integrator):
    """Pressed on with 10⁴ m/s² it would bounce dozens of times a step: there it stays, and no blow adds energy."""
    robot = slider(1.0, limit=1.0, restitution=0.95)
    stepper = Stepper(robot, [0.9], [0.0], 5e-3, integrator, ledger=True)
    stepper.set_torque([1e4])
    states, stops = [], []
    for _ in range(200):
        states.append(stepper.advance(1).states)
        stops.append(stepper.ledger().stop)
    assert stepper.q[0] == 1.0 and stepper.qd[0] == 0.0
    assert np.diff(stops).max() <= 1e-9
    if integrator != "euler":
        assert -1100 < stops[-1] < -1000 and abs(stepper.ledger().residual) < 1e-6, "1000 J were pressed into it"


def test_two_joints_with_friction_may_reach_their_stops_at_once():
    one = slider(2.0, both(0.5, 1.0), limit=0.5, restitution=0.6)
    side = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    arm = replace(
        one,
        bodies=(one.bodies[0], replace(one.bodies[0], parent=0, X_PJ=side)),
        joint_names=("a", "b"),
        q_min=np.full(2, -0.5),
        q_max=np.full(2, 0.5),
        qd_max=np.full(2, np.inf),
        tau_max=np.full(2, np.inf),
        gravity=np.zeros(3),
    )
    q, qd, log, code = run(arm, [0.4, 0.4], [2.0, 2.0], 5.0)
    assert code == FINE and not qd.any()
    assert (log[:, :2] <= 0.5).all() and log[:, 2:4].min() == pytest.approx(-1.2, abs=0.1)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_batches_of_bounces_equal_one_long_batch(integrator):
    whole = Stepper(ball(0.9), [0.0], [0.0], 1e-3, integrator).advance(1500).states
    stepper = Stepper(ball(0.9), [0.0], [0.0], 1e-3, integrator)
    np.testing.assert_array_equal(np.concatenate([stepper.advance(k).states for k in (1, 449, 3, 1047)]), whole)
