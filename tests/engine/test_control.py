"""Controllers as theory has them: what they follow, where they settle, and by how much they miss."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from armature import engine
from armature.engine.control.control_laws import LAWS, NAMES
from armature.engine.simulation.pull import Pull
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import at_rest


def smooth(robot, q0, step, duration=1.0):
    return engine.minimum_jerk([q0, q0 + step], [duration])


def errors(robot, controller, trajectory, duration, dt=1e-3, **options):
    """|q − q_d| at every step."""
    rec = engine.simulate(robot, trajectory.start, None, duration, dt, controller, trajectory=trajectory, **options)
    return np.abs(rec.q - trajectory.sample(rec.t)[0]), rec


@pytest.mark.parametrize("name", ["puma560", "panda", "scara"])
def test_computed_torque_with_a_perfect_model_follows(name):
    """Below 1e-4 rad at 1 kHz: the hold over a step, half a step of jerk over Kp; the PUMA's friction takes 20 ms to come."""
    robot = engine.load_robot(name)
    trajectory = smooth(robot, robot.configurations["home"], 0.3 if name != "scara" else 0.1)
    error, _ = errors(robot, engine.default_gains(robot, "computed-torque"), trajectory, 1.5)
    assert error.max() < (2e-4 if name == "puma560" else 1e-4)


def test_computed_torque_misses_less_with_shorter_periods():
    robot = engine.load_robot("panda")
    trajectory = smooth(robot, robot.configurations["home"], 0.3)
    law = engine.default_gains(robot, "computed-torque")
    coarse, fine = (errors(robot, law, trajectory, 1.2, dt)[0].max() for dt in (2e-3, 5e-4))
    assert fine < coarse / 3


def test_pd_with_gravity_settles_without_error_and_pd_alone_by_the_sag_of_its_springs():
    robot = engine.load_robot("panda")
    q = robot.configurations["home"]
    goal = at_rest(q + 0.2, 1.0)
    for law, expected in (("pd-gravity", 0.0), ("pd", None)):
        controller = engine.default_gains(robot, law)
        rec = engine.simulate(robot, q, None, 8.0, 1e-3, controller, trajectory=goal)
        sag = q + 0.2 - rec.q[-1]
        assert np.abs(rec.qd[-1]).max() < 1e-7
        if expected is None:
            np.testing.assert_allclose(sag, engine.gravity_torque(robot, rec.q[-1]) / controller.kp, rtol=1e-6, atol=1e-9)
            assert np.abs(sag).max() > 0.01
        else:
            np.testing.assert_allclose(sag, expected, atol=1e-8)


def test_pid_takes_the_sag_away():
    robot = engine.load_robot("panda")
    q = robot.configurations["home"]
    rec = engine.simulate(robot, q, None, 6.0, 1e-3, engine.default_gains(robot, "pid"))
    np.testing.assert_allclose(rec.q[-1], q, atol=1e-6)


def test_a_payload_the_controller_does_not_know_leaves_the_error_that_stiffness_predicts():
    """Kp Δq = g_loaded(q) − g_known(q) at rest."""
    robot = engine.load_robot("panda")
    q = robot.configurations["home"]
    controller = engine.default_gains(robot, "pd-gravity")
    held = engine.Payload(2.0, [0, 0, 0.05])
    stepper = Stepper(robot, q)
    stepper.set_payload(held)
    for knows in (False, True):
        stepper.reset(q)
        stepper.set_controller(controller, knows_payload=knows)
        stepper.advance(8000)
        missing = engine.gravity_torque(held.held_by(robot), stepper.q) - engine.gravity_torque(robot, stepper.q)
        expected = -missing / controller.kp if not knows else np.zeros(7)
        np.testing.assert_allclose(stepper.q - q, expected, atol=1e-8)
        assert np.abs(missing / controller.kp).max() > 1e-3


def test_a_wrong_model_shows_in_computed_torque():
    robot = engine.load_robot("panda")
    trajectory = smooth(robot, robot.configurations["home"], 0.3)
    law = engine.default_gains(robot, "computed-torque")
    light = dataclasses.replace(robot, bodies=tuple(dataclasses.replace(b, mass=0.8 * b.mass) for b in robot.bodies))
    right, wrong = (errors(robot, law, trajectory, 1.2, model=model)[0].max() for model in (None, light))
    assert wrong > 30 * right


def test_impedance_yields_to_the_hand_by_its_stiffness():
    """A constant force at the tool moves it by K⁻¹ f along the axes."""
    robot = engine.load_robot("panda")
    q = robot.configurations["home"]
    K = np.array([800.0, 500, 1000, 40, 40, 40])
    law = engine.Impedance(K, [80, 80, 80, 1.5, 1.5, 1.5], 1.0)
    body, X_BT = robot.frame().body, robot.frame().X_BF
    force = np.array([8.0, -5.0, 6.0])
    stepper = Stepper(robot, q)
    stepper.set_controller(law)
    start = engine.frame_pose(robot, q)
    for _ in range(12):
        X = engine.frame_pose(robot, stepper.q)
        stepper.wrench[body, :3] = force  # at the body's origin, plus the moment that moves it to the tool
        stepper.wrench[body, 3:] = np.cross(X[:3, :3] @ X_BT[:3, :3].T @ X_BT[:3, 3], force)
        stepper.advance(1000)
    moved = engine.frame_pose(robot, stepper.q)[:3, 3] - start[:3, 3]
    np.testing.assert_allclose(moved, force / K[:3], atol=2e-5)


@pytest.mark.parametrize("name", ["puma560", "panda"])
def test_resolved_rate_follows_a_line(name):
    robot = engine.load_robot(name)
    q = robot.configurations["home"]
    X = engine.frame_pose(robot, q).copy()
    X[:3, 3] += [0.05, 0.15, -0.1]
    trajectory = engine.straight_line(robot, q, X, 2.0)
    rec = engine.simulate(robot, q, None, 3.0, 1e-3, engine.ResolvedRate(20.0, 200.0, 0.01), trajectory=trajectory)
    wanted = engine.tool_motion(robot, trajectory, rec.t)[0]
    off = np.linalg.norm(rec.tool[:, :3] - wanted[:, :3, 3], axis=1)
    assert off.max() < 1e-3 and off[-1] < 2e-5


def test_resolved_rate_stays_calm_at_a_singularity():
    robot = engine.load_robot("puma560")
    q = robot.configurations["stretched"]
    law = engine.default_gains(robot, "resolved-rate")
    rec = engine.simulate(robot, q, None, 1.0, 1e-3, law, trajectory=smooth(robot, q, np.array([0.2, 0.1, 0.0, 0, 0.3, 0])))
    assert np.abs(rec.qd).max() < 5.0


def test_gravity_compensation_floats_and_can_be_led():
    robot = engine.load_robot("panda")
    q = robot.configurations["home"]
    stepper = Stepper(robot, q)
    stepper.set_controller(engine.GravityCompensation())
    stepper.advance(2000)
    np.testing.assert_allclose(stepper.q, q, atol=1e-12)
    tool = robot.frame()
    target = engine.frame_pose(robot, q)[:3, 3] + [0.0, 0.15, 0.05]
    stepper.set_pull(Pull(tool.body, tool.X_BF[:3, 3], target, 200.0, 60.0))
    stepper.advance(4000)
    assert np.linalg.norm(engine.frame_pose(robot, stepper.q)[:3, 3] - target) < 0.02


def test_the_torque_never_exceeds_what_the_motor_gives_and_the_integral_does_not_wind_up():
    robot = engine.load_robot("panda")
    q = robot.configurations["home"]
    goal = at_rest(q + np.array([1.5, 0, 0, 0, 0, 0, 0]), 1.0)
    law = engine.default_gains(robot, "pid")
    rec = engine.simulate(robot, q, None, 4.0, 1e-3, law, trajectory=goal)
    assert (np.abs(rec.tau) <= robot.tau_max).all() and (np.abs(rec.tau[:, 0]) == robot.tau_max[0]).any()
    over = rec.q[:, 0].max() - goal.start[0]
    free = engine.simulate(robot, q, None, 4.0, 1e-3, dataclasses.replace(law, saturate=False), trajectory=goal)
    assert np.abs(free.tau).max() > robot.tau_max[0]
    assert over < 0.6 and abs(rec.q[-1, 0] - goal.start[0]) < 1e-3


@pytest.mark.parametrize(("period", "dt"), [(5e-3, 1e-3), (2.5e-3, 1e-3), (1e-2, 3e-3)])
def test_the_torque_is_held_over_the_control_period(period, dt):
    robot = engine.load_robot("panda").without_friction()
    q = robot.configurations["home"]
    law = dataclasses.replace(engine.default_gains(robot, "pd-gravity"), period=period)
    rec = engine.simulate(robot, q, None, 0.6, dt, law, trajectory=smooth(robot, q, 0.2, 0.5))
    changed = np.flatnonzero((np.diff(rec.tau, axis=0) != 0).any(axis=1)) + 1
    looks = np.unique(np.ceil(np.arange(0, 0.6 + period, period) / dt - 1e-6).astype(int))
    assert set(changed) <= set(looks) and len(changed) > 0.9 * len(looks) - 3


def test_a_batch_is_the_same_however_it_is_cut():
    robot = engine.load_robot("puma560")
    trajectory = smooth(robot, robot.configurations["home"], 0.3)
    law = dataclasses.replace(engine.default_gains(robot, "pid"), period=3e-3)
    ends = []
    for cut in (1, 7, 600):
        stepper = Stepper(robot, trajectory.start, None, 1e-3)
        stepper.set_controller(law)
        stepper.set_trajectory(trajectory)
        for first in range(0, 600, cut):
            stepper.advance(min(cut, 600 - first))
            stepper.sample()
        ends.append(np.concatenate([stepper.q, stepper.qd]))
    np.testing.assert_array_equal(ends[0], ends[2])
    np.testing.assert_array_equal(ends[1], ends[2])


def test_a_function_does_the_same_as_the_compiled_law():
    robot = engine.load_robot("panda")
    q_d = robot.configurations["home"] + 0.1
    law = engine.default_gains(robot, "pd-gravity")

    def by_hand(t, q, qd):
        return np.clip(law.kp * (q_d - q) - law.kd * qd + engine.gravity_torque(robot, q), -robot.tau_max, robot.tau_max)

    start = robot.configurations["home"]
    a = engine.simulate(robot, start, None, 0.3, 1e-3, law, trajectory=at_rest(q_d, 1.0))
    b = engine.simulate(robot, start, None, 0.3, 1e-3, by_hand)
    np.testing.assert_allclose(a.q, b.q, atol=1e-12)
    np.testing.assert_allclose(a.tau, b.tau, atol=1e-9)


@pytest.mark.parametrize("law", NAMES.values())
@pytest.mark.parametrize("name", ["puma560", "rp", "double_pendulum", "spherical_pendulum", "stanford"])
def test_defaults_of_every_law_hold_every_arm(law, name):
    """From a pose slightly off nothing runs away, whatever the arm."""
    robot = engine.load_robot(name)
    q = np.clip(robot.configurations["home"] + 0.3, robot.q_min, robot.q_max)
    rec = engine.simulate(robot, q, None, 0.5, 1e-3, engine.default_gains(robot, law, q=q))
    assert np.isfinite(rec.q).all() and np.abs(rec.qd).max() < 50


def test_defaults_are_critically_damped():
    """A single joint under PD returns without overshoot and in the time of (1 + ω t) e^(−ω t)."""
    robot = engine.load_robot("rp").without_friction().with_gravity([0, 0, 0])
    q = np.clip(robot.configurations["home"], robot.q_min, robot.q_max)
    law = engine.default_gains(robot, "computed-torque", natural_frequency=10.0)
    rec = engine.simulate(
        robot, q + [0.1, 0.0], None, 1.0, 1e-4, dataclasses.replace(law, saturate=False), trajectory=at_rest(q, 1)
    )
    expected = 0.1 * (1 + 10 * rec.t) * np.exp(-10 * rec.t)
    np.testing.assert_allclose(rec.q[:, 0] - q[0], expected, atol=1e-4)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda r: engine.default_gains(r, "magic"), "unknown controller 'magic'; valid: torque, pd"),
        (lambda r: engine.default_gains(r, "pd", natural_frequency=0), "natural frequency"),
        (lambda r: engine.PD([1, 2], 1.0).pack(r), "kp must be one number or 6"),
        (lambda r: engine.PD(-1.0, 1.0).pack(r), "kp must be"),
        (lambda r: engine.PD(1.0, 1.0, period=-1), "control period"),
        (
            lambda r: Stepper(r, r.configurations["home"]).set_controller(engine.PD(1, 1), engine.load_robot("panda")),
            "does not have the joints",
        ),
        (
            lambda r: engine.simulate(r, r.configurations["home"], None, 1, 1e-3, engine.PD(1, 1), "adaptive"),
            "does not support controllers",
        ),
        (lambda r: Stepper(r, np.zeros(6)).set_trajectory(at_rest(np.zeros(3), 1.0)), "has 6 joints, but the trajectory has 3"),
    ],
)
def test_what_does_not_fit_is_refused(call, words):
    with pytest.raises(engine.EngineError, match=words):
        call(engine.load_robot("puma560"))


@pytest.mark.parametrize("law", ["pd", "pid"])
def test_other_gains_keep_what_is_held_and_the_integral_goes_on(law):
    robot = engine.load_robot("puma560")
    stepper = Stepper(robot, robot.configurations["home"])
    gains = engine.default_gains(robot, law)
    stepper.set_controller(gains)
    stepper.advance(1500)
    goal, tau = stepper.sample().desired[0, :6], stepper.sample().states[0, -6:]
    stepper.set_controller(dataclasses.replace(gains, kd=1.05 * gains.kd))
    stepper.advance(10)
    np.testing.assert_array_equal(stepper.sample().desired[0, :6], goal)
    assert np.abs(stepper.sample().states[0, -6:] - tau).max() < 0.05 * np.abs(tau).max(), "no jolt"
    stepper.hold()
    np.testing.assert_array_equal(stepper.sample().desired[0, :6], stepper.q)
    stepper.advance(100)
    stepper.set_controller(engine.default_gains(robot, "pd-gravity"))
    np.testing.assert_array_equal(stepper.sample().desired[0, :6], stepper.q)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.law)
def test_a_law_has_a_number_of_its_own_texts_and_units(law):
    assert [other for other in LAWS if other.number == law.number] == [law]
    assert law.title
    assert law.equation
    assert law.explanation
    assert all(gain.label and gain.unit and gain.explanation and gain.low < gain.high for gain in law.gains().values())


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.law)
def test_a_table_of_gains_changes_the_gains_of_the_controller(puma, law):
    gains = law.table_gains()
    rows = {"joints": puma.n, "axes": 6, "single": 1}[next(iter(gains.values())).per] if gains else 0
    controller = engine.default_gains(puma, law.law)
    table = controller.gain_table(rows) + 1.0
    changed = controller.with_gain_table(table)
    np.testing.assert_array_equal(changed.gain_table(rows), table)
    assert changed.pack(puma).shape == controller.pack(puma).shape
    assert not gains or not np.array_equal(changed.pack(puma), controller.pack(puma))
