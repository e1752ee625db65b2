"""A trajectory made as short as the limits allow is within these limits, and just reaches one of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine import MotionLimits, Plan, Waypoint
from armature.engine.trajectory.motion_limits import peaks

PEAK_BETWEEN_SAMPLES = np.array(  # of a Panda; 2,001 samples saw 2.175 rad/s at most where the minimum-jerk path has 2.175002
    [
        [-0.3503, -0.2143, -0.0446, -2.0592, 0.1084, 2.503, 0.1458],
        [0.5653, 0.6306, 0.793, -1.2778, 0.7259, 2.3503, -0.5708],
        [-0.0418, -0.2218, -0.5523, -1.4849, -0.4221, 2.0464, 0.191],
        [-0.9169, -0.0812, -0.2553, -1.3227, -0.9546, 1.3683, 0.0292],
        [-0.2211, 0.2332, -0.3874, -1.9344, 1.0009, 1.4813, -0.818],
        [-0.5102, -0.226, -0.6371, -1.5272, 1.0127, 1.3035, -0.1966],
        [0.3898, 0.5425, 1.1585, -1.9987, 0.0865, 2.4424, -1.036],
        [0.2046, -0.4599, 0.6208, -1.0453, 0.0887, 1.127, -1.01],
    ]
)
WITH_JERK = ("minimum-jerk", "quintic", "time-optimal")  # the other kinds change their acceleration suddenly


def limits_of(robot, kind, speed):
    limits = MotionLimits.of(robot, speed)
    return limits if kind in WITH_JERK else replace(limits, jerk=np.full(robot.n, np.inf))


def through(robot, points, kind, speed=1.0):
    return Plan(tuple(Waypoint(q=q, kind=kind) for q in points), speed=speed).trajectory(robot)


def test_a_peak_between_two_samples_counts():
    robot = engine.load_robot("panda")
    trajectory = through(robot, PEAK_BETWEEN_SAMPLES, "minimum-jerk")
    assert engine.check_limits(robot, trajectory, limits_of(robot, "minimum-jerk", 1.0)) is None
    np.testing.assert_allclose((peaks(trajectory, 1) / robot.qd_max).max(), 1.0, rtol=1e-12)
    faster = engine.check_limits(robot, trajectory.scaled(1 + 2e-6))
    assert faster is not None and faster.quantity == "speed" and faster.joint == 2


@pytest.mark.parametrize("kind", ["minimum-jerk", "spline", "cubic", "quintic", "trapezoidal", "time-optimal"])
@pytest.mark.parametrize("name", ["panda", "scara"])
def test_the_shortest_way_through_random_points_is_within_its_limits(kind, name):
    robot, rng = engine.load_robot(name), np.random.default_rng(3)
    low, high = np.maximum(robot.q_min, -2), np.minimum(robot.q_max, 2)
    for speed in (1.0, 0.3, 0.8):
        points = low + (high - low) * rng.uniform(0.35, 0.65, (5, robot.n))
        trajectory, limits = through(robot, points, kind, speed), limits_of(robot, kind, speed)
        found = engine.check_limits(replace(robot, q_min=robot.q_min - 9, q_max=robot.q_max + 9), trajectory, limits)
        assert found is None, found.text
        used = [peaks(trajectory, 1) / limits.velocity, peaks(trajectory, 2) / limits.acceleration]
        used += [peaks(trajectory, 3) / limits.jerk] if kind in WITH_JERK else []
        assert max(share.max() for share in used) == pytest.approx(1.0, abs=1e-6)


def test_lines_and_arcs_are_within_the_limits_of_the_joints():
    robot = engine.load_robot("panda")
    X = engine.frame_pose(robot, robot.configurations["ready"])
    X_1 = X.copy()
    X_1[:3, 3] += [-0.1, 0.2, -0.1]
    via = X[:3, 3] + [0.0, 0.15, 0.0]
    fast = engine.ToolLimits(speed=100.0, acceleration=1e4, jerk=1e6, angular_speed=100.0)
    for point in (Waypoint(X_WT=X_1, kind="line"), Waypoint(X_WT=X_1, kind="arc", through=via)):
        trajectory = Plan((Waypoint(pose="ready"), point), tool_limits=fast).trajectory(robot)
        found = engine.check_limits(robot, trajectory, MotionLimits.of(robot))
        assert found is None, found.text


@pytest.mark.parametrize("order", [1, 2, 3])
def test_peaks_are_those_of_a_dense_sampling(order):
    rng = np.random.default_rng(order)
    trajectory = engine.quintic(*rng.normal(size=(2, 4)), 1.7, *rng.normal(size=(4, 4)))
    times = np.linspace(0.0, trajectory.duration, 200_001)
    sampled = [*trajectory.sample(times), trajectory.jerk(times)][order]
    np.testing.assert_allclose(peaks(trajectory, order), np.abs(sampled).max(axis=0), rtol=1e-8)


def test_the_acceleration_before_a_break_counts():
    """A piece that ends fast, followed by rest: the break itself belongs to the rest."""
    robot = engine.load_robot("panda")
    q = robot.configurations["ready"]
    rest = engine.quintic(q + 0.01, q + 0.01, 1.0)
    ending = engine.quintic(q, q + 0.01, 1.0, qdd1=np.full(7, -8.0))
    limits = replace(MotionLimits.of(robot), acceleration=np.full(7, 7.999), jerk=np.full(7, np.inf))
    found = engine.check_limits(robot, ending.then(rest), limits)
    assert found is not None and found.quantity == "acceleration"
    assert found.value == pytest.approx(-8.0, abs=1e-6) and found.t == pytest.approx(1.0)
