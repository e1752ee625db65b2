"""Sticking and breaking loose within a step: beside a reference of its own, closed forms, the ledger, and the same bits again."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from armature import engine
from armature.engine.model.body import REVOLUTE, Body, Friction
from armature.engine.model.robot import Robot
from armature.engine.simulation.simulation_arguments import METHODS
from armature.engine.simulation.stepper import Stepper
from armature.engine.simulation.stepping.fixed_steps import INTEGRATORS
from tests.engine.stick_slip import StickSlip
from tests.engine.test_step import run, slider

EXACT = [method for method in METHODS if method != "euler"]


def rubbing(robot: Robot, *friction: Friction) -> Robot:
    """The arm with that friction at its joints and without stops."""
    bodies = tuple(replace(body, friction=rub) for body, rub in zip(robot.bodies, friction, strict=True))
    return replace(robot, bodies=bodies).without_stops()


def pendulum(friction: Friction) -> Robot:
    """1.2 kg at 0.4 m from a horizontal axis."""
    block = slider()
    bob = Body(-1, REVOLUTE, block.bodies[0].X_PJ, mass=1.2, com=np.array([0.4, 0.0, 0.0]), friction=friction)
    return replace(block, bodies=(bob,)).without_stops()


def both(coulomb: float, stiction: float = 0.0, viscous: float = 0.0) -> Friction:
    return Friction(viscous=viscous, coulomb=(coulomb, coulomb), stiction=stiction)


def cases() -> dict:
    """Arm, q, qd, motor torque."""
    two, rp = engine.load_robot("double_pendulum"), engine.load_robot("rp")
    uneven = (Friction(0.05, (1.0, 0.5), 1.2), Friction(0.02, (0.4, 0.7)))
    return {
        "one joint swings and sticks": (pendulum(both(0.3, 0.5, 0.02)), [1.2], [0.0], [0.0]),
        "one joint under a motor just above breakaway": (pendulum(both(0.4, 0.9)), [0.0], [0.0], [0.9001]),
        "one joint turns round and slides back": (pendulum(both(0.2, 0.3)), [0.4], [3.0], [0.0]),
        "two joints come to rest and break loose": (
            rubbing(two, both(1.5, 2.0, 0.1), both(0.6, 0.9, 0.05)),
            [0.3, 0.8],
            [0, 0],
            [0, 0],
        ),
        "two joints with little friction": (rubbing(two, both(0.9, 1.1), both(0.2, 0.3)), [1.2, -0.4], [0, 0], [0, 0]),
        "the swing of the second breaks the first loose": (rubbing(two, both(6.0, 9.0), Friction()), [0.1, 1.3], [0, 0], [0, 0]),
        "other friction each way": (rubbing(two, *uneven), [-1.0, 2.0], [1, -2], [1, 0.3]),
        "a slide": (rubbing(rp, both(2.0, 3.0, 0.2), both(4.0, 6.0, 1.0)), [-1.2, 0.2], [0, 0], [0, 0]),
    }


@cache
def reference(name: str) -> tuple[np.ndarray, int]:
    robot, q, qd, tau = cases()[name]
    arm = StickSlip(robot, tau)
    return np.concatenate(arm.run(q, qd, 3.0)), len(arm.events)


def end(name: str, method: str, dt: float = 1e-3) -> np.ndarray:
    robot, q, qd, tau = cases()[name]
    stepper = Stepper(robot, q, qd, dt, method)
    stepper.set_torque(tau)
    stepper.advance(round(3.0 / dt))
    return np.concatenate([stepper.q, stepper.qd])


@pytest.mark.parametrize("method", ["rk4", "gauss6", "adaptive"])
@pytest.mark.parametrize("name", cases())
def test_three_seconds_of_stick_and_slip_err_by_less_than_1e_6(name, method):
    exact, events = reference(name)
    assert events > 0 or "above breakaway" in name
    n = len(exact) // 2
    assert np.abs(end(name, method)[:n] - exact[:n]).max() < (1e-7 if method == "rk4" else 1e-11)


@pytest.mark.parametrize(("method", "factor"), [("midpoint", 4.0), ("euler", 2.0)])
def test_methods_of_low_order_err_by_their_own_order_only(method, factor):
    """Halving the step divides the error by 2^order; what an event missed by a part of a step leaves would spoil that."""
    for name in ("one joint swings and sticks", "two joints come to rest and break loose", "other friction each way", "a slide"):
        exact, _ = reference(name)
        coarse, fine = (np.abs(end(name, method, dt) - exact).max() for dt in (1e-3, 5e-4))
        assert coarse / fine == pytest.approx(factor, rel=0.15), name


@pytest.mark.parametrize("method", EXACT)
def test_a_block_comes_to_rest_where_and_turns_when_it_must(method):
    stepper = Stepper(slider(2.0, both(3.0)), [0.0], [1.0], 1e-3, method)
    stepper.advance(1000)
    assert stepper.q[0] == pytest.approx(1 / 3, abs=1e-13) and stepper.qd[0] == 0.0
    slope, rub = 9.81 * np.sin(0.5), 1.1 / 2.0  # up the slope, round without a rest, and down again
    stepper = Stepper(slider(2.0, both(1.1), slope=0.5), [0.0], [-1.0], 1e-3, method)
    stepper.advance(1000)
    back = 1.0 - 1.0 / (slope + rub)
    assert stepper.qd[0] == pytest.approx((slope - rub) * back, abs=1e-12)  # the time it turned at, to 1e-12 s
    assert stepper.q[0] == pytest.approx(0.5 * (slope - rub) * back**2 - 0.5 / (slope + rub), abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_held_joint_stays_where_it_is_to_the_last_bit(method):
    robot, q, qd, tau = cases()["the swing of the second breaks the first loose"]
    stepper = Stepper(robot, q, qd, 1e-3, method)
    stepper.set_torque([0.0, 0.0])
    states = stepper.advance(1500).states
    still = (states[1:, 3] == 0.0) & (states[:-1, 3] == 0.0)
    assert 50 < still.sum() < 1400
    assert (np.diff(states[:, 1])[still] == 0.0).all()


@pytest.mark.parametrize("method", METHODS)
def test_steps_grouped_otherwise_give_the_same_bits(method):
    """Through dozens of events, where what is known from the end of a step must be what the next would find."""
    cuts = np.random.default_rng(8).integers(1, 9, size=2000)
    for name in ("the swing of the second breaks the first loose", "two joints with little friction"):
        robot, q, qd, tau = cases()[name]
        for law in (None, "pd") if method != "adaptive" else (None,):
            whole, parts = (Stepper(robot, q, qd, 2e-3, method, ledger=law is not None) for _ in range(2))
            for stepper in (whole, parts):
                stepper.set_torque(tau)
                stepper.set_controller(None if law is None else engine.default_gains(robot, law))
            rows = whole.advance(700).states
            pieces = []
            while parts.steps < 700:
                pieces.append(parts.advance(int(min(cuts[len(pieces)], 700 - parts.steps))).states)
            assert (rows[:, 1 + robot.n : 1 + 2 * robot.n] == 0.0).any()
            np.testing.assert_array_equal(rows, np.concatenate(pieces))


def test_a_run_through_stick_and_slip_can_be_done_again():
    robot = engine.load_robot("puma560")
    wave = engine.minimum_jerk(
        [robot.configurations["ready"], robot.configurations["ready"] + 0.3],
        [0.5],
    )
    law = engine.default_gains(robot, "pd-gravity")
    recording = engine.simulate(robot, wave.start, None, 1.5, 1e-3, law, trajectory=wave)
    assert (recording.qd == 0.0).any() and engine.verify_recording(recording).identical


@pytest.mark.parametrize(("method", "most"), [("midpoint", 1e-4), ("rk4", 1e-8), ("gauss6", 1e-11)])
def test_the_ledger_closes_through_every_event(method, most):
    for name in cases():
        robot, q, qd, tau = cases()[name]
        stepper = Stepper(robot, q, qd, 1e-3, method, ledger=True)
        stepper.set_torque(tau)
        stepper.advance(3000)
        assert stepper.ledger().friction < -0.05, name
        assert abs(stepper.ledger().residual) < most, name


def test_a_bounce_is_not_taken_for_a_joint_that_came_to_rest():
    robot = slider(2.0, both(0.5, 3.0), limit=0.5, restitution=0.6)
    for method in METHODS:
        states = Stepper(robot, [0.3], [2.0], 1e-3, method).advance(600).states
        back = states[:, 2].min()
        assert back == pytest.approx(-0.6 * states[states[:, 1] < 0.5][:, 2].max(), rel=0.05), method


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_an_arm_that_lies_on_two_stops_lies_still(integrator):
    """A step that ended with a small blow on one stop used to lift it off the other, and so on for ever."""
    robot = engine.load_robot("puma560")
    tau = [60.0, 0, 0, 0, 0, 0]
    q, qd, log, _ = run(robot, robot.configurations["home"], [0.2, 0, 0, 0, 0, 0], 2.0, integrator=integrator, tau=tau)
    assert q[0] == robot.q_max[0] and q[1] == robot.q_min[1]
    assert not qd.any() and not log[-500:, 6:12].any()
