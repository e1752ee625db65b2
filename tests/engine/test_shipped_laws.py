"""The laws that ship as files: templates do what the built-in laws do, examples what they say, as Python and compiled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.control.own_law.shipped_laws import example_laws
from armature.engine.files import shipped
from armature.engine.recording.recording_notes import logged_values
from armature.engine.simulation.stepper import Stepper
from tests.chance import some

PERIOD = 0.001


def law_template(law):
    return shipped("assets", "laws", "templates", f"{law.replace('-', '_')}.py")


def way_of(robot):
    home = robot.configurations["home"]
    middle = np.clip(home + 0.3, robot.q_min, robot.q_max)
    return engine.quintic(home, middle, 0.4)


def run(robot, law, way, **options):
    return engine.simulate(robot, way.start + 0.01, None, way.duration + 0.1, PERIOD, law, trajectory=way, **options)


W = 12.0
SAME = {
    "pd": ({"w": W}, None),
    "pid": ({"w": W}, None),
    "pd-gravity": ({"w": W}, None),
    "computed-torque": ({"w": W}, None),
    "gravity": ({}, None),
    "torque": ({"share": 0.01}, lambda robot: engine.ConstantTorque(0.01 * robot.tau_max)),
    "impedance": (
        {"k": 900, "d": 90, "k_turn": 30, "d_turn": 3, "posture": 2},
        lambda robot: engine.Impedance([900.0] * 3 + [30.0] * 3, [90.0] * 3 + [3.0] * 3, 2.0),
    ),
    "resolved-rate": ({"k": 6, "s": 24, "damping": 0.02}, lambda robot: engine.ResolvedRate(6.0, 24.0, 0.02)),
}


@pytest.mark.parametrize("law", SAME)
def test_a_template_is_the_built_in_law(law):
    robot = engine.load_robot("panda").without_friction()
    way = way_of(robot)
    values, made = SAME[law]
    built_in = engine.default_gains(robot, law, W) if made is None else made(robot)
    own = engine.load_law(law_template(law), values)
    built_in = replace(built_in, period=PERIOD)
    wanted, got = run(robot, built_in, way), run(robot, own, way)
    assert np.abs(got.q - wanted.q).max() <= 1e-9
    assert np.abs(got.tau - wanted.tau).max() <= 1e-7 * max(1.0, np.abs(wanted.tau).max())


@pytest.mark.parametrize("law", some(sorted(SAME, key=lambda law: law not in ("computed-torque", "pid")), 2))
def test_a_template_that_is_compiled_is_the_same(law):
    """One of them, and one that is not compiled, with SOAK=1 all."""
    robot = engine.load_robot("panda").without_friction()
    way = way_of(robot)
    own = engine.load_law(law_template(law), SAME[law][0])
    fast = replace(own, compiled=True)
    assert fast.begin(robot).compiled == (law != "pid")
    if law != "pid":
        assert np.abs(run(robot, fast, way).q - run(robot, own, way).q).max() <= 1e-9


@pytest.mark.parametrize("name", sorted(example_laws()))
def test_no_example_hammers_the_motors_of_an_arm_at_rest(puma, name):
    """With noise of 1e-4 rad, from one call to the next, by far less than what the motors give."""
    sensors = engine.Sensors(position_noise=1e-4)
    run = engine.simulate(puma, puma.configurations["home"], None, 0.6, PERIOD, example(name), sensors=sensors)
    jumps = np.diff(run.tau[run.t > 0.2], axis=0)
    assert np.sqrt(np.mean(jumps**2)) < 11.0  # N·m, all joints together
    assert (np.abs(jumps).max(axis=0) < 0.7 * puma.tau_max).all()


@pytest.mark.parametrize("own", ["slotine_li", "recursive_least_squares", "template computed-torque", "template resolved-rate"])
def test_friction_does_not_leap_where_the_goal_of_a_joint_is_at_rest(puma, own):
    """Along a line up joint 1 rests but for rounding, whose sign has 26 N·m of dry friction."""
    file = law_template(own.split()[1]) if own.startswith("template") else example_laws()[own]
    higher = engine.frame_pose(puma, puma.configurations["home"])
    higher[2, 3] += 0.05
    way = engine.straight_line(puma, puma.configurations["home"], higher, 0.4)
    run = engine.simulate(puma, way.start, None, way.duration, PERIOD, engine.load_law(file), trajectory=way)
    assert np.abs(np.diff(run.tau[:, 0])).max() < 1.0  # N·m


def off(run, way, first=0.0, last=np.inf):
    """The largest error between two times, rad."""
    rows = (run.t >= first) & (run.t < last)
    return np.abs(run.q - way.sample(run.t)[0])[rows].max()


def test_every_example_has_a_test():
    assert set(example_laws()) == set(IN_TURN)


@pytest.fixture(scope="module")
def round_trip(puma):
    there = engine.quintic(puma.configurations["ready"], puma.configurations["ready"] + 0.5, 1.0)
    return there.then(there.reversed()).looped()


def example(name, compiled=False, **values):
    return replace(engine.load_law(example_laws()[name], values), compiled=compiled)


@pytest.mark.parametrize("compiled", [False, True])
def test_sliding_mode_is_robust_and_chatters_without_its_boundary_layer(puma, round_trip, compiled):
    heavy, start = puma.with_payload(2.0), round_trip.start

    def told(**values):
        law = example("sliding_mode", compiled, **values)
        assert law.begin(puma).compiled == compiled
        run = engine.simulate(heavy, start, None, 1.2, PERIOD, law, trajectory=round_trip, model=puma)
        return off(run, round_trip), np.abs(np.diff(run.tau, axis=0)).max()

    smooth, rough = told(), told(boundary=0.001)
    assert smooth[0] < 0.02 and smooth[1] < 2.0  # rad, N·m from one call to the next
    assert rough[0] < 0.002 and rough[1] > 100.0
    assert told(K=5)[0] > 0.1  # less than friction asks for


def test_slotine_li_learns_an_unknown_load(puma, round_trip):
    heavy = puma.with_payload(2.0, com=(0, 0, 0.05))
    options = {"trajectory": round_trip, "model": puma}
    run = engine.simulate(heavy, round_trip.start, None, 4.0, PERIOD, example("slotine_li"), **options)
    fixed = engine.simulate(heavy, round_trip.start, None, 4.0, PERIOD, example("slotine_li", gamma=0), **options)
    assert off(run, round_trip, 2.0) < 0.2 * off(fixed, round_trip, 2.0)
    assert (np.abs(run.tau) < puma.tau_max).all()


def test_a_learned_feedforward_is_better_every_round(puma, round_trip):
    law = example("learned_feedforward", round=round_trip.duration)
    run = engine.simulate(puma, round_trip.start, None, 8.0, PERIOD, law, trajectory=round_trip)
    rounds = [off(run, round_trip, 2.0 * k, 2.0 * k + 2.0) for k in range(4)]
    assert rounds[0] > 1.5 * rounds[1] > 3 * rounds[2]
    assert rounds[3] < 0.1 * rounds[0]


def test_under_admittance_a_push_moves_the_tool_as_a_spring_would():
    robot = engine.load_robot("panda")
    home = robot.configurations["ready"]
    stepper = Stepper(robot, home)
    stepper.set_controller(example("admittance"))
    stepper.advance(500)
    at = engine.frame_pose(robot, home)[:3, 3]
    assert np.abs(engine.frame_pose(robot, stepper.q)[:3, 3] - at).max() < 1e-6
    stepper.wrench[-1, :3] = [0.0, 0.0, -15.0]
    stepper.advance(2500)
    assert np.allclose(stepper.control.run.log["push"], [0, 0, -14], atol=0.1)  # N, less what it is deaf to
    away = engine.frame_pose(robot, stepper.q)[:3, 3] - at
    assert -0.06 < away[2] < -14 / 300  # m: stiffness 300 N/m, and what the inner loop gives way
    stepper.wrench[:] = 0.0
    stepper.advance(3000)
    assert np.abs(engine.frame_pose(robot, stepper.q)[:3, 3] - at).max() < 1e-3


def test_under_admittance_dry_friction_is_no_push(puma):
    """Past a singular pose, with nobody at the tool."""
    way = engine.load_trajectory("pick_place_puma560", puma)
    run = engine.simulate(puma, way.start, None, 6.0, PERIOD, example("admittance"), trajectory=way)
    assert engine.singularity(puma, run.q[4000]).sigma_min < 0.02
    push = np.linalg.norm(logged_values(run.metadata["events"], len(run))["push"], axis=1)
    assert np.nanmax(push) < 12.0  # N; 30 N where our own torque on a joint that sticks passes for a push
    assert off(run, way, 5.9) < 0.01
    stepper = Stepper(puma, puma.configurations["home"])
    stepper.set_controller(example("admittance"))
    stepper.wrench[-1, :3] = [0.0, 0.0, -60.0]  # more than the friction
    stepper.advance(2500)
    assert stepper.control.run.log["push"][2] < -20.0


@pytest.mark.parametrize("pose", ["ready", "home"])  # "ready" is singular
def test_under_admittance_noise_shakes_the_arm_little(puma, pose):
    sensors = engine.Sensors(position_noise=1e-4, seed=1)
    run = engine.simulate(puma, puma.configurations[pose], None, 0.6, PERIOD, example("admittance"), sensors=sensors)
    assert np.sqrt((np.diff(run.tau[200:], axis=0) ** 2).mean(axis=0)).max() < 3.0  # N·m from one call to the next
    assert np.abs(run.q - run.q[0]).max() < 0.01


IN_TURN = ["sliding_mode", "learned_feedforward", "admittance", "slotine_li", "recursive_least_squares"]


@pytest.mark.parametrize("name", some(IN_TURN, 3))
def test_an_example_that_is_compiled_is_the_same_and_another_says_why_not(puma, round_trip, name):
    """With SOAK=1 also the two that take longest to compile."""
    law = example(name, True)
    run = law.begin(puma)
    assert run.compiled or run.why_python
    runs = [
        engine.simulate(puma, round_trip.start, None, 0.3, PERIOD, replace(law, compiled=x), trajectory=round_trip)
        for x in (True, False)
    ]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-6
    assert engine.verify_recording(runs[0], allow_code=True).identical
