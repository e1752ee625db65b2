"""Exciting motion: within every limit, at rest at its ends, well conditioned, the same by seed, and through files."""

from __future__ import annotations

import numpy as np
import pytest

import armature
from armature.engine import MotionLimits, TrajectoryError
from armature.engine.dynamics.friction import friction_torque
from armature.engine.identification.exciting_trajectory import ExcitationCost, excitation_series
from armature.engine.simulation.floor_watch import FloorWatch
from tests.chance import SOAK, seeds

ROBOTS = ["puma560", "ur10", "panda", "stanford", "scara", "lwr4", "irb140"] if SOAK else ["rp_offset", "double_pendulum"]


@pytest.mark.parametrize("name", ROBOTS)
def test_it_keeps_all_limits_is_at_rest_at_its_ends_and_goes_through_files(name, tmp_path):
    robot = armature.load_robot(name)
    for seed in seeds(1):
        told = []
        trajectory = armature.exciting_trajectory(robot, seed=seed, progress=told.append)
        assert told == sorted(told) and told[-1] == 1.0 and len(told) > 10
        limits = MotionLimits.of(robot)
        t = np.linspace(0, trajectory.duration, 5000)
        q, qd, qdd = trajectory.sample(t)
        assert (q >= robot.q_min).all() and (q <= robot.q_max).all()
        assert (np.abs(qd) <= limits.velocity).all() and (np.abs(qdd) <= limits.acceleration).all()
        assert (np.abs(armature.rnea(robot, q, qd, qdd) + friction_torque(robot, qd)) <= 0.9 * robot.tau_max + 1e-9).all()
        assert robot.floor is None or FloorWatch(robot).depths(q).max() < 0
        assert armature.check_limits(robot, trajectory, limits, torque=True) is None
        for end in (0.0, trajectory.duration):
            at = trajectory.sample(end)
            np.testing.assert_allclose(at[0], trajectory.start, atol=1e-12)
            np.testing.assert_allclose(at[1:], 0.0, atol=1e-9)
        assert armature.excitation(robot, trajectory).condition < 60
        assert trajectory.looped().loops
        path = armature.save_plan(armature.plan_through(trajectory, robot), tmp_path / f"{name}{seed}.toml")
        again = armature.load_trajectory(path, robot).sample(t)
        for one, other in zip((q, qd, qdd), again, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-8)


def test_the_same_seed_gives_the_same_motion_and_what_progress_raises_stops_it():
    robot = armature.load_robot("double_pendulum")
    options = {"duration": 4.0, "harmonics": 3}
    one, same, other = (armature.exciting_trajectory(robot, seed=seed, **options) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one.coefficients, same.coefficients)
    assert np.abs(one.start - other.start).max() > 1e-3

    def stop(fraction):
        raise armature.Cancelled

    with pytest.raises(armature.Cancelled):
        armature.exciting_trajectory(robot, progress=stop, **options)


def test_slopes_of_the_cost_are_its_differences():
    robot = armature.load_robot("panda")
    series = excitation_series(robot, 6.0, 3, None)
    cost, rng = ExcitationCost(robot, armature.base_parameters(robot), series), np.random.default_rng(5)
    x = series.random_shape(rng).ravel()
    assert cost.value(x.reshape(series.size)) == pytest.approx(cost(x)[0], rel=1e-12)
    for _ in range(3):
        way, step = rng.normal(size=x.size), 1e-6
        slope = (cost(x + step * way)[0] - cost(x - step * way)[0]) / (2 * step)
        assert cost(x)[1] @ way == pytest.approx(slope, rel=2e-3)


def test_what_limits_leave_no_room_for_is_refused_with_the_one_in_the_way():
    robot = armature.load_robot("rp_offset")
    with pytest.raises(TrajectoryError, match="2 to 20 harmonics"):
        armature.exciting_trajectory(robot, harmonics=1)
    with pytest.raises(TrajectoryError, match="duration"):
        armature.exciting_trajectory(robot, duration=0)
    with pytest.raises(TrajectoryError, match="above the floor"):
        armature.exciting_trajectory(robot, floor=5.0, duration=2.0, harmonics=2)


def test_what_a_motion_does_not_tell_is_said_before_it_is_run():
    robot = armature.load_robot("puma560")
    home = robot.configurations["home"]
    away = home + np.array([0.5, 0.4, -0.3, 0.0, 0.4, 0.6])
    poor = armature.excitation(robot, armature.minimum_jerk([home, away, home], [2.0, 2.0]))
    assert poor.condition > 1e4 and poor.coverage[3] == 0.0 and 0 < poor.coverage[0] < 0.2
    text = " ".join(poor.unidentifiable)
    assert "joint4 does not move" in text and "viscous of joint4" in text and "identify 36 combinations" in text
    assert "No torque of this arm depends on m1" in text and "hardly distinguishes" in text
    still = armature.excitation(robot, armature.plan_through(armature.quintic(home, away, 1.0), robot).trajectory(robot))
    assert still.condition > 1e4


def test_a_plan_is_made_only_of_what_it_gives_again():
    robot = armature.load_robot("double_pendulum")
    with pytest.raises(TrajectoryError, match="deviate from this trajectory"):
        armature.plan_through(armature.trapezoidal([0, 0], [1, 1], 1.0, 2.0), robot)
