"""Gains that a held torque makes unstable: the bound is exact, is named before a run, and is the cause after it."""

from __future__ import annotations

import logging
import os
import re

import numpy as np
import pytest

from armature import engine
from armature.engine import PD, PID, ComputedTorque, Impedance, ResolvedRate
from armature.engine.model.body import Friction
from armature.engine.simulation.gain_stability import unstable_gains
from armature.engine.simulation.stepper import Stepper

WRIST = """
name = "wrist"
convention = "standard"
[[joints]]
type = "revolute"
a = 0.1
mass = 1
inertia = [0.001, 0.001, 0.001]
[[joints]]
type = "revolute"
a = 0.05
mass = 0.05
inertia = [1e-5, 1e-5, 1e-5]
"""
DT = 2e-3
INTEGRATORS = ["rk4", "euler", "midpoint", "gauss6"]
HARD = PD(500, 50, saturate=False)


@pytest.fixture
def wrist(tmp_path):
    path = tmp_path / "wrist.toml"
    path.write_text(WRIST)
    return engine.load_robot(path)


def growth(robot, q0, controller, dt, integrator="rk4", duration=0.5):
    """How many times faster the arm is in the last quarter than in the first, from next to rest; inf if it diverged."""
    qd0 = 1e-7 * np.random.default_rng(1).normal(size=robot.n)
    try:
        speed = np.abs(engine.simulate(robot, q0, qd0, duration, dt, controller, integrator).qd).max(axis=1)
    except engine.DivergenceError:
        return np.inf
    quarter = len(speed) // 4
    return speed[-quarter:].max() / speed[:quarter].max()


def bound(robot, q0, law, dt, integrator, start=0.5):
    """The least scale s at which law(s) is reported."""
    low, high = start, 1e3
    assert unstable_gains(robot, law(low), q0, dt, integrator) is None
    assert unstable_gains(robot, law(high), q0, dt, integrator) is not None
    for _ in range(40):
        middle = (low * high) ** 0.5
        low, high = (low, middle) if unstable_gains(robot, law(middle), q0, dt, integrator) else (middle, high)
    return low


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("period", [None, 4 * DT])
def test_the_damping_that_holds_is_twice_the_inertia_by_the_period(wrist, integrator, period):
    robot, q0 = wrist.with_gravity([0, 0, 0]), np.array([0.0, 0.3])
    inertia = 1 / np.linalg.inv(engine.mass_matrix(robot, q0))[1, 1]

    def law(s):
        return PD([0, 0], [0, s], saturate=False, period=period)

    least = bound(robot, q0, law, DT, integrator, 1e-3)
    assert least == pytest.approx(2 * inertia / (period or DT), rel=1e-4)
    assert growth(robot, q0, law(0.98 * least), DT, integrator) < 1 < growth(robot, q0, law(1.02 * least), DT, integrator)


LAWS = {
    "pd": lambda robot, s: PD(np.full(robot.n, 0.5), np.full(robot.n, 0.5 * s), saturate=False),
    "pid": lambda robot, s: PID(np.full(robot.n, 0.5), np.full(robot.n, 0.5 * s), np.full(robot.n, 0.1), saturate=False),
    "computed torque": lambda robot, s: ComputedTorque(100.0, 10.0 * s, saturate=False),
    "impedance": lambda robot, s: Impedance(
        np.full(6, 500.0), s * np.array([80, 80, 80, 5, 5, 5]), s * np.full(robot.n, 2.0), saturate=False
    ),
    "resolved rate": lambda robot, s: ResolvedRate(5.0, 20.0 * s, saturate=False),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("integrator", ["rk4", "euler"])
def test_the_bound_of_every_law_is_where_the_arm_begins_to_shake(name, integrator):
    robot = engine.load_robot("panda").without_friction().with_gravity([0, 0, 0])
    q0 = robot.configurations["ready"]
    least = bound(robot, q0, lambda s: LAWS[name](robot, s), 1e-3, integrator)
    held, shaken = LAWS[name](robot, 0.97 * least), LAWS[name](robot, 1.03 * least)
    assert growth(robot, q0, held, 1e-3, integrator) < 1 < growth(robot, q0, shaken, 1e-3, integrator)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_viscous_friction_counts_as_the_integrator_treats_it(integrator):
    robot, q0 = engine.load_robot("panda").with_gravity([0, 0, 0]), [0.0, 0.0, 0.0, -1.5, 0.0, 1.0, 0.0]
    rough = robot.with_friction({name: Friction(5.0) for name in robot.joint_names})

    def law(s):
        return PD(np.zeros(7), np.full(7, s), saturate=False)

    least = bound(rough, q0, law, 1e-3, integrator)
    assert growth(rough, q0, law(0.97 * least), 1e-3, integrator) < 1 < growth(rough, q0, law(1.03 * least), 1e-3, integrator)


@pytest.mark.parametrize("integrator", ["rk4", "midpoint", "gauss6"])
def test_friction_too_stiff_for_a_step_is_the_cause_without_any_controller(wrist, integrator):
    inertia = 1 / np.linalg.inv(engine.mass_matrix(wrist, [0.0, 0.3]))[1, 1]
    robot = wrist.with_friction({"joint2": Friction(7.0 * inertia / DT)})
    with pytest.raises(engine.DivergenceError, match=f"viscous friction of joint2 is too stiff for {integrator} in"):
        engine.simulate(robot, [0.0, 0.3], [1.0, 1.0], 3.0, DT, None, integrator)
    (step,) = numbers("step", unstable_gains(robot, None, [0.0, 0.3], DT, integrator).text)
    assert growth(robot, [0.0, 0.3], None, 0.98 * step, integrator) <= 1
    assert unstable_gains(robot, None, [0.0, 0.3], DT, "euler") is None
    assert growth(robot, [0.0, 0.3], None, DT, "euler") <= 1


def test_a_spring_without_damping_is_named_with_the_damping_it_needs(wrist):
    robot, q0, law = wrist.with_gravity([0, 0, 0]), [0.0, 0.3], PD([1, 1], [0, 0], saturate=False)
    found = unstable_gains(robot, law, q0, DT, "rk4")
    assert found is not None and "kd above 0.001 s times kp: 0.00101 at joint1, 0.00101 at joint2" in found.text
    assert "step below" not in found.text  # an undamped spring shakes at every step
    assert growth(robot, q0, law, DT) > 1 > growth(robot, q0, PD([1, 1], [1.2e-3, 1.2e-3], saturate=False), DT, duration=3.0)


def numbers(pattern, text):
    return [float(x) for x in re.findall(pattern + r" below ([\d.e+-]+)", text)]


def test_the_gains_and_the_step_that_are_named_hold(wrist):
    robot, q0 = wrist.with_gravity([0, 0, 0]), np.array([0.0, 0.3])
    text = unstable_gains(robot, HARD, q0, DT, "rk4").text
    (kd2, kd1), (kp2, kp1), (step,) = numbers("kd", text), numbers("kp", text), numbers("step", text)
    assert growth(robot, q0, PD([kp1, kp2], [kd1, kd2], saturate=False), DT) < 1
    assert growth(robot, q0, PD([1.1 * kp1, 1.1 * kp2], [1.1 * kd1, 1.1 * kd2], saturate=False), DT) > 1
    assert unstable_gains(robot, HARD, q0, step, "rk4") is None
    assert unstable_gains(robot, HARD, q0, 1.02 * step, "rk4") is not None


def test_the_cause_comes_before_its_symptom_after_a_divergence(wrist, caplog):
    with pytest.raises(engine.DivergenceError) as error:
        engine.simulate(wrist, [0.0, 0.0], [0.1, 0.1], 2.0, DT, HARD)
    text = str(error.value)
    assert text.startswith("wrist: the simulation diverged at joint joint2, t = ") and "kd·dt/I = " in text
    assert "singular" not in text and "rk4" not in text
    assert "kd·dt/I = " in caplog.text and caplog.records[0].name == "armature"  # before the run


def test_a_motor_at_its_limits_does_not_hide_it(tmp_path, caplog):
    path = tmp_path / "wrist.toml"
    path.write_text(WRIST.replace("mass = 1\n", "mass = 1\ntorque_limit = 5\n").replace("0.05\ni", "0.05\ntorque_limit = 0.5\ni"))
    robot = engine.load_robot(path)
    run = engine.simulate(robot, [0.0, 0.0], [0.1, 0.1], 1.0, DT, PD(500, 50))
    assert np.ptp(run.q[len(run.q) // 2 :, 1]) > 0.2  # it shakes
    assert len(run.remarks) == 1 and "kd·dt/I = " in run.remarks[0]
    assert "kd·dt/I = " in caplog.text


def test_a_pose_on_the_way_is_seen_before_the_run():
    robot = engine.load_robot("gen3")
    rng = np.random.default_rng(0)
    poses = rng.uniform(-2, 2, (60, 7))
    law = engine.default_gains(robot, "pd")
    bad = next(q for q in poses if unstable_gains(robot, law, q, 1e-3, "rk4"))
    home = robot.configurations["home"]
    assert unstable_gains(robot, law, home, 1e-3, "rk4") is None
    way = engine.quintic(home, bad, 0.05)
    run = engine.simulate(robot, home, None, 2e-3, 1e-3, law, trajectory=way)
    assert "kd·dt/I" in run.remarks[-1]


@pytest.mark.parametrize("law", ["pd", "pid", "pd-gravity", "computed-torque", "impedance", "resolved-rate", "gravity", "torque"])
def test_default_gains_are_steady_at_home(law):
    for name in engine.shipped_robots():
        robot = engine.load_robot(name)
        if robot.has_dynamics:
            q0 = robot.configurations["home"]
            assert unstable_gains(robot, engine.default_gains(robot, law), q0, 1e-3, "rk4") is None, name


def test_an_arm_without_inertia_is_no_matter_of_gains(tmp_path):
    path = tmp_path / "point.toml"
    path.write_text(
        WRIST.replace("[1e-5, 1e-5, 1e-5]", "[0, 0, 0]").replace("a = 0.05", "a = 0").replace("mass = 0.05", "mass = 0")
    )
    robot = engine.load_robot(path)
    assert unstable_gains(robot, HARD, robot.configurations["home"], DT, "rk4") is None


@pytest.mark.parametrize("frequency", [500, 1000])
def test_a_pair_that_is_named_holds_where_no_common_factor_does(frequency):
    robot, q0, dt = engine.load_robot("pendulum"), np.zeros(1), 5e-3
    law = engine.default_gains(robot, "pd", frequency, q0)
    kp, kd = np.array(law.kp), np.array(law.kd)
    text = unstable_gains(robot, law, q0, dt, "rk4").text
    (kd_most,), (kp_most,), (step,) = numbers("kd", text), numbers("kp", text), numbers("step", text)
    for share in (0.01, 0.3, 0.98):
        scaled = PD(share * kp_most, share * kd_most, saturate=False)
        assert growth(robot.with_gravity([0, 0, 0]), q0, scaled, dt, duration=50.0) < 1
    assert unstable_gains(robot, law, q0, 0.98 * step, "rk4") is None
    if frequency == 1000:  # kp dt / kd = 2.5: scaling both holds nowhere
        for factor in np.geomspace(1e-3, 1, 10):
            assert unstable_gains(robot, PD(factor * kp, factor * kd, saturate=False), q0, dt, "rk4") is not None


def test_gains_that_are_named_hold_along_the_whole_trajectory(wrist, caplog):
    q0, way = np.array([0.0, 0.3]), engine.quintic([0.0, 0.3], [1.0, 2.8], 1.0)
    with caplog.at_level(logging.WARNING, "armature"), pytest.raises(engine.DivergenceError) as error:
        engine.simulate(wrist, q0, None, 2.0, DT, HARD, trajectory=way)
    poses = way.sample(np.linspace(0, 1, 101))[0]
    for text in (caplog.text, str(error.value)):
        (kd2, kd1), (kp2, kp1) = numbers("kd", text), numbers("kp", text)
        law = PD([0.99 * kp1, 0.99 * kp2], [0.99 * kd1, 0.99 * kd2], saturate=False)
        assert unstable_gains(wrist, law, poses, DT, "rk4") is None
        assert engine.simulate(wrist, q0, None, 2.0, DT, law, trajectory=way).remarks == ()
        assert unstable_gains(wrist, PD([2 * kp1, 2 * kp2], [2 * kd1, 2 * kd2], saturate=False), poses, DT, "rk4") is not None


def law_of(scale, period=DT, body="tau = s * (10 * (goal.q - q) - qd)"):
    """A user-defined controller with damping `scale`."""
    text = f"def control(t, q, qd, goal, arm, p):\n    s = {scale!r}\n    {body}\n    return tau\n"
    return engine.control.own_law.own_law.law_from_text(f"{text}control.period = {period}\ncontrol.saturate = False\n", "mine")


@pytest.mark.parametrize("dt", [DT, DT / 2])
def test_a_law_of_the_user_that_damps_too_much_is_named_with_its_period(wrist, dt):
    def found(law):
        stepper = Stepper(wrist, [0.0, 0.3], None, dt)
        stepper.set_controller(law)
        return stepper.unstable_gains()

    text = found(law_of(50.0)).text
    assert "damping is too high for the control period of 0.002 s: damping·period/I = " in text and "period below" in text
    (share,) = re.findall(r"less than ([\d.e+-]+) times the damping and the stiffness", text)
    held, shaken = law_of(0.98 * float(share) * 50), law_of(1.05 * float(share) * 50)
    assert found(held) is None and found(shaken) is not None
    robot = wrist.with_gravity([0, 0, 0])
    assert growth(robot, [0.0, 0.3], held, dt) < 1 < growth(robot, [0.0, 0.3], shaken, dt)


@pytest.mark.parametrize(
    "body",
    [
        "tau = s * np.random.normal(size=2)",
        "tau = qd / 0",
        "tau = -s * np.sign(qd)",
        "p.memory['v'] = qd; tau = -s * qd",
        "raise ValueError",
    ],
)
def test_a_law_whose_slope_says_nothing_is_not_judged(wrist, body):
    stepper = Stepper(wrist, [0.0, 0.3], None, DT)
    stepper.set_controller(law_of(50.0, body=f"import numpy as np; {body}"))
    assert stepper.unstable_gains() is None


def verdict(robot, law):
    stepper = Stepper(robot, [0.0, 0.3], None, DT)
    stepper.set_controller(law)
    return stepper.unstable_gains()


GAIN = np.full(2, 50.0)


def spring(e):
    return 10.0 * e


def test_functions_are_judged_as_files_are_and_keep_their_data(wrist):
    calls, gains = [], {"kd": [GAIN]}

    def control(t, q, qd, goal, arm, p):
        calls.append(t)
        return GAIN * (spring(goal.q - q) - qd)

    def law(t, q, qd, q_d):
        calls.append(t)
        return gains["kd"][0] * (spring(q_d - q) - qd)

    expected = verdict(wrist, law_of(50.0)).text
    control.period, control.saturate = DT, False
    assert verdict(wrist, control).text == expected
    assert verdict(wrist, engine.PythonLaw(law, period=DT, saturate=False)).text == expected
    assert not calls
    assert any("damping is too high" in text for text in engine.simulate(wrist, [0.0, 0.3], None, 2e-3, DT, law).remarks)


def test_a_function_whose_calls_affect_others_is_neither_measured_nor_called(wrist, capsys):
    last, noise = np.zeros(2), np.random.default_rng(0)

    class Tool:
        def __call__(self, t, q, qd):
            last[:] = qd
            return -50.0 * qd

    def filters(t, q, qd):
        last[:] = 0.9 * last + 0.1 * qd
        return -50.0 * last

    def draws(t, q, qd):
        return -50.0 * qd + noise.normal(size=2)

    def draws_for_all(t, q, qd):
        return -50.0 * qd + 1e-9 * np.random.normal(size=2)  # noqa: NPY002

    def prints(t, q, qd):
        print(t)
        return -50.0 * qd

    def writes(t, q, qd):
        os.environ["ARMATURE_TEST"] = "1"
        return -50.0 * qd

    drawn, before = noise.bit_generator.state, np.random.get_state()[2]  # noqa: NPY002
    for law in (Tool(), filters, draws, draws_for_all, prints, writes):
        assert verdict(wrist, law) is None, law
    assert not last.any() and not capsys.readouterr().out and "ARMATURE_TEST" not in os.environ
    assert noise.bit_generator.state == drawn and np.random.get_state()[2] == before  # noqa: NPY002


def test_the_advice_after_a_divergence_is_the_control_period_where_it_is_longer(wrist):
    class Damper:  # whose gains are not measured
        def __call__(self, t, q, qd):
            return -1e3 * qd

    def advice(period):
        law = engine.PythonLaw(Damper(), period=period, saturate=False)
        with pytest.raises(engine.DivergenceError) as error:
            engine.simulate(wrist, [0.0, 0.3], [0.1, 0.1], 2.0, 1e-3, law)
        return str(error.value)

    assert "try a control period shorter than 0.002 s" in advice(DT) and "step" not in advice(DT)
    assert "try a step smaller than 0.001 s" in advice(None)


def test_a_period_that_is_no_multiple_of_the_step_is_remarked(wrist):
    calls = []

    def law(t, q, qd):
        calls.append(round(1e3 * t))
        return [0, 0]

    run = engine.simulate(wrist, [0, 0], None, 9e-3, 1e-3, engine.PythonLaw(law, period=2.5e-3))
    assert calls[:4] == [0, 3, 5, 8]
    (remark,) = run.remarks
    assert (
        remark == "the control period of 0.0025 s is not a multiple of the step of 0.001 s; each call is delayed to the next step"
    )
    assert engine.simulate(wrist, [0, 0], None, 9e-3, 1e-3, engine.PythonLaw(law, period=3e-3)).remarks == ()
