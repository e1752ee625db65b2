"""Acceleration limits of joints: read, written, kept by trajectories and checked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine import MotionLimits, Plan, Waypoint
from armature.engine.trajectory.motion_limits import peaks

ARM = """
name = "arm"
convention = "standard"
[[joints]]
type = "revolute"
a = 0.5
velocity_limit = 2.0
acceleration_limit_deg = 180
mass = 1.0
[[joints]]
type = "prismatic"
velocity_limit = 0.5
acceleration_limit = 0.4
mass = 1.0
[[joints]]
type = "revolute"
a = 0.3
velocity_limit = 3.0
mass = 1.0
inertia = [0.01, 0.01, 0.01]
"""
LIMITS = [np.pi, 0.4, np.inf]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(ARM)
    return path


def test_a_robot_file_gives_them_in_rad_or_degrees(path):
    np.testing.assert_allclose(engine.load_robot(path).qdd_max, LIMITS, rtol=1e-15)
    assert np.isinf(engine.load_robot("panda").qdd_max).all()


@pytest.mark.parametrize("name", ["copy.toml", "copy.urdf"])
def test_they_are_written_and_read_back(path, tmp_path, name):
    robot = engine.load_robot(path)
    engine.save_robot(robot, tmp_path / name)
    np.testing.assert_array_equal(engine.load_robot(tmp_path / name).qdd_max, robot.qdd_max)


def test_a_draft_edits_them_in_the_unit_of_the_file(path):
    draft = engine.open_draft(path).with_value(("joints", 0, "acceleration_limit"), np.pi / 2)
    assert "acceleration_limit_deg = 90" in draft.text and draft.robot.qdd_max[0] == np.pi / 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("acceleration_limit = 0", "joints[2].acceleration_limit (joint 3): must be more than 0, got 0"),
        ("acceleration_limit = 1\nacceleration_limit_deg = 1", "acceleration_limit"),
    ],
)
def test_what_is_no_limit_is_refused(path, line, says):
    path.write_text(ARM + line)
    with pytest.raises(engine.ModelError) as caught:
        engine.load_robot(path)
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_a_slide_has_none_in_degrees(path):
    path.write_text(ARM.replace("acceleration_limit = 0.4", "acceleration_limit_deg = 0.4"))
    with pytest.raises(engine.ModelError, match="a prismatic joint moves in metres; use acceleration_limit"):
        engine.load_robot(path)


@pytest.mark.parametrize("kind", ["trapezoidal", "cubic", "quintic", "spline", "minimum-jerk", "time-optimal"])
@pytest.mark.parametrize("speed", [1.0, 0.5])
def test_trajectories_keep_to_them(path, kind, speed):
    robot = engine.load_robot(path)
    points = [[0, 0, 0], [1.0, 0.2, -0.5], [0.4, 0.1, 0.6]]
    trajectory = Plan(tuple(Waypoint(q=q, kind=kind) for q in points), speed=speed).trajectory(robot)
    assert engine.check_limits(robot, trajectory) is None
    assert (peaks(trajectory, 2) <= robot.qdd_max * speed**2 * (1 + 1e-9)).all()
    unlimited = replace(robot, qdd_max=np.full(3, np.inf))
    loose = Plan(tuple(Waypoint(q=q, kind=kind) for q in points), speed=speed).trajectory(unlimited)
    assert loose.duration < trajectory.duration
    broken = engine.check_limits(robot, loose)
    if speed == 1.0:
        assert broken is not None and broken.quantity == "acceleration" and "the limit is" in broken.text


def test_where_none_is_given_full_speed_is_reached_in_a_quarter_of_a_second(path):
    limits = MotionLimits.of(engine.load_robot(path))
    np.testing.assert_allclose(limits.acceleration, [np.pi, 0.4, 12.0])
    np.testing.assert_allclose(limits.jerk, [10 * np.pi, 4.0, 120.0])


def test_changes_of_a_robot_keep_them(path):
    robot = engine.load_robot(path)
    for other in (robot.with_payload(1.0), robot.without_friction(), robot.with_gravity([0, 0, 0])):
        np.testing.assert_array_equal(other.qdd_max, robot.qdd_max)
    assert len(robot.tree.qdd_max) == 3
