"""`simulate` and the stepper: physics, arguments, divergence."""

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.run_loop import Pacer
from armature.engine.simulation.run_loop import run as run_loop
from armature.engine.simulation.simulation_arguments import steps_in
from armature.engine.simulation.stepper import Stepper


@pytest.fixture(scope="module")
def pendulum():
    return engine.load_robot("double_pendulum")


def test_there_is_a_sample_at_every_step_and_one_at_the_end(pendulum):
    recording = engine.simulate(pendulum, [0.3, -0.2], [0.0, 0.1], 0.5, 0.01)
    assert len(recording) == 51
    assert recording.t.tolist() == [float(f"{k / 100:.2f}") for k in range(51)]
    assert np.array_equal(recording.q[0], [0.3, -0.2])
    assert np.array_equal(recording.qd[0], [0.0, 0.1])


def test_accelerations_are_those_of_forward_dynamics(pendulum):
    recording = engine.simulate(pendulum, [0.3, -0.2], None, 0.2, 0.01)
    expected = engine.forward_dynamics(pendulum, recording.q, recording.qd, recording.tau)
    assert np.allclose(recording.qdd, expected, rtol=1e-9)


def test_energy_stays_without_friction(pendulum):
    recording = engine.simulate(pendulum, [0.3, -0.2], None, 2.0, 1e-3)
    energy = recording.kinetic + recording.potential
    assert np.ptp(energy) < 1e-8 * recording.kinetic.max()


def test_rk4_converges_with_the_fourth_power_of_the_step(pendulum):
    def end(dt):
        return engine.simulate(pendulum, [0.3, -0.2], None, 0.4, dt).q[-1]

    exact = end(0.0005)
    coarse, fine = np.abs(end(0.02) - exact).max(), np.abs(end(0.01) - exact).max()
    assert 10 < coarse / fine < 25


def test_semi_implicit_euler_converges_with_the_first(pendulum):
    def end(dt):
        return engine.simulate(pendulum, [0.3, -0.2], None, 0.2, dt, integrator="euler").q[-1]

    exact = engine.simulate(pendulum, [0.3, -0.2], None, 0.2, 0.0005).q[-1]
    coarse, fine = np.abs(end(0.004) - exact).max(), np.abs(end(0.002) - exact).max()
    assert 1.6 < coarse / fine < 2.4


def test_a_controller_is_asked_at_every_step_and_its_torque_recorded(puma):
    q0 = puma.configurations["home"]
    asked = []

    def hold(t, q, qd):
        asked.append(t)
        return engine.gravity_torque(puma, q)

    recording = engine.simulate(puma, q0, None, 0.1, 1e-3, controller=hold)
    assert len(asked) == 101
    assert np.allclose(recording.q, q0, atol=1e-6)
    assert np.allclose(recording.tau, engine.gravity_torque(puma, recording.q), atol=1e-9)


def test_a_controller_cannot_reach_into_the_state(pendulum):
    def vandal(t, q, qd):
        q[:] = 99.0
        return np.zeros(2)

    recording = engine.simulate(pendulum, [0.3, -0.2], None, 0.01, 1e-3, controller=vandal)
    assert np.array_equal(recording.table(), engine.simulate(pendulum, [0.3, -0.2], None, 0.01, 1e-3).table())


@pytest.mark.parametrize("answer", [[1.0], [np.nan, 0.0], "torque", None])
def test_a_controller_that_answers_nonsense_is_named_with_the_time(pendulum, answer):
    with pytest.raises(
        engine.DimensionError, match=r"at t = 0 s the controller <lambda> returned .*; it must return 2 finite numbers.*joint1"
    ):
        engine.simulate(pendulum, [0, 0], None, 0.1, 1e-3, controller=lambda t, q, qd: answer)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"q0": [0.0]}, "q must be 2 finite numbers, one for each of joint1, joint2"),
        ({"qd0": [0.0, np.inf]}, "qd must be 2 finite numbers"),
        ({"duration": 0}, "the duration must be above 0 s"),
        ({"duration": "long"}, "the duration must be above 0 s"),
        ({"duration": 1e-6}, "shorter than one step"),
        ({"duration": 1e9}, "GB of memory"),
        ({"dt": 0}, "the step must be from"),
        ({"dt": np.nan}, "the step must be from"),
        ({"integrator": "verlet"}, "unknown integrator 'verlet'; valid: euler, rk4"),
    ],
)
def test_bad_arguments_are_told_in_one_line(pendulum, change, text):
    arguments = {"q0": [0.0, 0.0], "qd0": None, "duration": 1.0, "dt": 1e-3, **change}
    with pytest.raises(engine.EngineError, match=text) as caught:
        engine.simulate(pendulum, **arguments)
    assert "\n" not in str(caught.value)


def test_an_arm_without_masses_says_so():
    with pytest.raises(engine.MissingDynamicsError, match="irb140: the robot has no masses"):
        engine.simulate(engine.load_robot("irb140"), np.zeros(6), None, 1.0, 1e-3)


def test_whole_steps_are_counted_in_spite_of_rounding():
    assert steps_in(0.3, 0.1) == 3
    assert steps_in(1.0, 1e-3) == 1000
    assert steps_in(1.0, 0.3) == 3


def test_divergence_names_joint_and_time_and_keeps_the_last_finite_state(pendulum):
    stepper = Stepper(pendulum, [0.0, 0.0], [0.0, 9e5], dt=0.1, integrator="euler")
    stepper.set_torque([1e9, -1e9])
    batch = stepper.advance(1000)
    assert batch.divergence is not None
    assert pendulum.joint_names[batch.divergence.joint] in batch.divergence.text
    assert all(advice in batch.divergence.text for advice in ("a step smaller than 0.1 s", "rk4", "less torque"))
    assert np.isfinite(stepper.q).all() and np.isfinite(stepper.qd).all()
    assert np.isfinite(batch.states).all()
    assert stepper.t == batch.divergence.t == pytest.approx(len(batch.states) * 0.1)
    with pytest.raises(engine.DivergenceError, match="diverged at joint joint"):
        engine.simulate(pendulum, [0, 0], [0, 9e5], 10, 0.1, controller=lambda t, q, qd: [1e9, -1e9], integrator="euler")


def test_a_singular_mass_matrix_is_told_by_the_joint():
    robot = engine.load_robot("spherical_pendulum")
    with pytest.raises(engine.DivergenceError, match="joint phi has no inertia in this pose"):
        engine.simulate(robot, np.zeros(2), None, 1.0, 1e-3)


def test_swinging_through_a_singular_pose_is_told_as_such():
    robot = engine.load_robot("spherical_pendulum")
    with pytest.raises(engine.DivergenceError, match=r"joint phi has (almost )?no inertia .*mass matrix (is|nearly) singular"):
        engine.simulate(robot, [0.0, 0.5], [1e-9, 0.0], 60.0, 1e-3)


def test_grouping_steps_does_not_change_a_bit(puma):
    q0 = puma.configurations["ready"]
    whole = Stepper(puma, q0)
    rows = whole.advance(600).states
    parts = Stepper(puma, q0)
    pieces = np.concatenate([parts.advance(k).states for k in (1, 7, 250, 42, 300)])
    assert np.array_equal(rows, pieces)
    assert np.array_equal(whole.q, parts.q)


def test_a_change_of_step_goes_on_in_time(pendulum):
    stepper = Stepper(pendulum, [0.1, 0.2])
    stepper.advance(100)
    stepper.set_dt(0.01)
    assert stepper.t == pytest.approx(0.1)
    assert stepper.advance(10).states[-1, 0] == pytest.approx(0.19)
    stepper.reset([0.1, 0.2])
    assert stepper.t == 0.0 and stepper.steps == 0


def test_pacing_changes_when_steps_are_taken_not_what_they_give(puma):
    class Clock:
        now = 0.0

        def read(self):
            self.now += 1e-4
            return self.now

        def sleep(self, seconds):
            assert seconds >= 0
            self.now += seconds

    clock, q0 = Clock(), puma.configurations["home"]
    slow = np.concatenate(
        [b.states for b in run_loop(Stepper(puma, q0), 500, pacer=Pacer(1e-3), clock=clock.read, sleep=clock.sleep)]
    )
    fast = np.concatenate([b.states for b in run_loop(Stepper(puma, q0), 500)])
    assert np.array_equal(slow, fast)
    assert clock.now == pytest.approx(0.5, abs=0.05)


def test_the_adaptive_method_agrees_with_the_best_fixed_one(pendulum):
    start = ([0.3, -0.2], [1.0, -2.0])
    exact = engine.simulate(pendulum, *start, 0.5, 2e-4, integrator="gauss6").q[-1]
    adaptive = engine.simulate(pendulum, *start, 0.5, 0.05, integrator="adaptive").q[-1]
    np.testing.assert_allclose(adaptive, exact, atol=1e-9)


def test_the_adaptive_method_knows_friction_and_stops():
    robot = engine.load_robot("puma560")
    home = robot.configurations["home"]
    ends = [engine.simulate(robot, home, None, 1.5, 1e-3, integrator=name).q[-1] for name in ("adaptive", "rk4")]
    np.testing.assert_allclose(*ends, atol=2e-3)
    assert robot.q_min[1] == ends[0][1]


def test_the_adaptive_method_names_the_joint_without_inertia():
    with pytest.raises(engine.DivergenceError, match="phi"):
        engine.simulate(engine.load_robot("spherical_pendulum"), [0.1, 0.0], None, 1.0, 0.1, integrator="adaptive")
