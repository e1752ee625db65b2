"""Through a singularity: exact where nothing is singular, honest about speeds and errors where something is."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.rotations import rotation
from armature.engine.singularities.singularity_crossing import CrossingTracker, Law

METHODS = ("pseudo_inverse", "damped", "damped_null_space")
WRIST = [0.2, 0.7, -2.6, 0.3, 0.0, 0.4]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["puma560", "panda", "scara"])
def test_far_from_singularities_every_method_stays_on_the_path(name, method):
    robot = engine.load_robot(name)
    q = robot.configurations["home"]
    run = engine.cross_singularity(robot, q, length=0.05, method=method, duration=0.5)
    assert run.position_error.max() < 1e-4 and run.orientation_error.max() < 1e-3
    assert run.sigma_min.min() > 0.02
    X = engine.frame_pose(robot, q)
    np.testing.assert_allclose(run.wanted[[0, -1]].mean(axis=0), X[:3, 3], atol=1e-12)
    assert np.linalg.norm(run.wanted[-1] - run.wanted[0]) == pytest.approx(0.05)
    assert np.linalg.norm(run.reached[-1] - run.wanted[-1]) == pytest.approx(run.position_error[-1], abs=1e-12)


def test_the_numbers_belong_together():
    robot = engine.load_robot("puma560")
    run = engine.cross_singularity(robot, WRIST, method="damped", duration=1.0, dt=0.002)
    np.testing.assert_allclose(np.diff(run.q, axis=0), 0.002 * run.qd[:-1], atol=1e-12)
    np.testing.assert_allclose(run.reached, engine.frame_pose(robot, run.q)[:, :3, 3])
    assert np.array_equal(run.peak_speed, run.fastest.max(axis=0)) and np.all(run.fastest >= np.abs(run.qd))
    assert np.all(run.fastest[:-1] * 0.002 >= np.abs(np.diff(run.q, axis=0)) - 1e-15) and np.array_equal(run.q_start, run.q[0])
    assert run.sigma_min[250] == pytest.approx(engine.singularity(robot, run.q[250]).sigma_min)
    assert len(run.t) == 501 and run.t[-1] == pytest.approx(1.0)


@pytest.mark.parametrize("direction", [None, (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)])
def test_damping_trades_path_error_for_joint_speed(direction):
    """Past an aligned wrist, a hair beside it: the pseudo-inverse keeps the path and spins, the damped ones lag and do not."""
    robot = engine.load_robot("puma560")
    beside = np.array(WRIST) + [0, 0, 0, 0, 0.003, 0]
    runs = {m: engine.cross_singularity(robot, beside, direction, method=m, duration=1.0) for m in METHODS}
    assert all(np.isfinite(np.concatenate([r.q.ravel(), r.qd.ravel(), r.position_error])).all() for r in runs.values())
    assert runs["pseudo_inverse"].sigma_min.min() < 0.01
    fast, slow = runs["pseudo_inverse"].peak_speed.max(), runs["damped"].peak_speed.max()
    assert fast > 2 * slow
    off = lambda run: max(run.position_error.max(), 0.4 * run.orientation_error.max())  # noqa: E731
    assert off(runs["damped"]) > off(runs["pseudo_inverse"])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name, pose", [("puma560", "stretched"), ("ur5", "upright"), ("panda", "zero"), ("scara", "stretched")])
def test_exactly_through_a_singular_pose_nothing_breaks(name, pose, method):
    robot = engine.load_robot(name)
    for direction in (None, (0, 1, 0)):
        try:
            run = engine.cross_singularity(robot, robot.configurations[pose], direction, 0.1, 0.5, method, dt=5e-3)
        except engine.EngineError as error:
            assert "out of reach" in str(error)
            continue
        assert np.isfinite(run.q).all() and np.isfinite(run.qd).all() and np.isfinite(run.orientation_error).all()


def test_beyond_the_reach_the_error_is_what_cannot_be_reached():
    robot = engine.load_robot("scara")
    run = engine.cross_singularity(robot, [0.3, 0.02, 0.1], (np.cos(0.3), np.sin(0.3), 0), 0.1, 2.0, "damped")
    assert run.position_error[-1] == pytest.approx(0.05, abs=0.01)
    assert run.peak_speed.max() < 10


def test_null_space_motion_leads_a_redundant_arm_away():
    robot = engine.load_robot("panda")
    near = engine.nearest_singularity(robot, robot.configurations["ready"])
    q = near.q + 0.01
    plain = engine.cross_singularity(robot, q, length=0.05, method="damped")
    led = engine.cross_singularity(robot, q, length=0.05, method="damped_null_space")
    assert led.sigma_min[-1] > 1.5 * plain.sigma_min[-1]
    assert led.position_error.max() < 0.01


def test_the_orientation_error_keeps_its_axis_up_to_half_a_turn():
    robot, rng = engine.load_robot("puma560"), np.random.default_rng(4)
    X = engine.frame_pose(robot, WRIST)
    tracker = CrossingTracker(robot, None, np.arange(6), X, np.zeros(3), 1.0, Law(robot, "damped"))
    for left in (0.0, 1e-12, 1e-10, 1e-7, 1e-3, 0.5, np.pi):
        axis = rng.standard_normal(3)
        axis /= np.linalg.norm(axis)
        turn = (np.pi - left) * axis
        off = X.copy()
        off[:3, :3] = rotation(-turn) @ X[:3, :3]
        error = tracker.pose_error(np.array(WRIST), off, 0.0)
        np.testing.assert_allclose(np.linalg.norm(error[3:]), np.pi - left, atol=1e-9)
        np.testing.assert_allclose(error[3:] if left else np.abs(error[3:]), turn if left else np.abs(turn), atol=1e-7)


@pytest.mark.parametrize(
    "bad",
    [
        {"method": "prayer"}, {"length": -1.0}, {"duration": 0.0}, {"dt": np.nan}, {"direction": (0, 0, 0)},
        {"direction": (1, 0)}, {"q": np.zeros((2, 6))}, {"task": ("rx", "ry")}, {"dt": 1e-9},
        {"length": 50.0, "direction": (0, 0, 1)},
    ],
)  # fmt: skip
def test_bad_requests(bad):
    robot = engine.load_robot("puma560")
    with pytest.raises(engine.EngineError):
        engine.cross_singularity(robot, **{"q": robot.configurations["home"]} | bad)


@pytest.mark.parametrize("name, q", [("puma560", "stretched"), ("puma560", "ready"), ("double_pendulum", [0.2, 0.0])])
def test_without_a_direction_a_path_is_found_that_can_begin(name, q):
    robot = engine.load_robot(name)
    q = robot.configurations[q] if isinstance(q, str) else np.array(q)
    run = engine.cross_singularity(robot, q, duration=0.4, dt=4e-3, method="damped")
    middle = engine.frame_pose(robot, q)[:3, 3]
    np.testing.assert_allclose((run.wanted[0] + run.wanted[-1]) / 2, middle, atol=1e-9)
    assert run.position_error[0] < 1e-6 and np.isfinite(run.q).all()


def test_where_no_path_can_begin_it_says_what_to_give():
    robot = engine.load_robot("spherical_pendulum")
    with pytest.raises(engine.EngineError, match="give a shorter length, a direction, or a task with fewer coordinates"):
        engine.cross_singularity(robot, [0.3, 0.0])
    run = engine.cross_singularity(robot, [0.3, 0.0], task=("x", "y"), duration=0.4, dt=4e-3)
    assert run.position_error[0] < 1e-6
