"""The singularity report: textbook poses, regular ones, and the fast batch route."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.analysis.measures import measure_batch, sigma_min_batch


def test_puma_with_a_straight_wrist():
    robot = engine.load_robot("puma560")
    report = engine.singularity(robot, [0.2, 0.7, -2.6, 0.3, 0.0, 0.4])
    assert report.rank == 5 and report.condition == np.inf and report.sigma_min < 1e-12
    assert report.joints == (3, 5)
    assert "axes 4 and 6 are collinear" in report.explanation
    np.testing.assert_allclose(np.abs(report.joint_motion), [0, 0, 0, 2**-0.5, 0, 2**-0.5], atol=1e-9)
    # the motion of the blamed joints does not move the tool, and no joint makes the lost twist
    assert np.abs(engine.jacobian(robot, [0.2, 0.7, -2.6, 0.3, 0.0, 0.4]) @ report.joint_motion).max() < 1e-12


def test_a_regular_pose_is_called_regular():
    report = engine.singularity(engine.load_robot("puma560"), [0.2, 0.7, -2.6, 0.3, 0.8, 0.4])
    assert report.rank == 6 and report.condition < 17
    assert report.explanation.startswith("Regular")


@pytest.mark.parametrize("name", engine.shipped_robots())
def test_the_report_is_consistent(name):
    robot = engine.load_robot(name)
    rng = np.random.default_rng(0)
    for q in rng.uniform(-2, 2, (50, robot.n)):
        report = engine.singularity(robot, q)
        J = engine.jacobian(robot, q)
        rows = [("x", "y", "z", "rx", "ry", "rz").index(axis) for axis in report.task]
        S = np.where(np.arange(6) >= 3, report.length, 1.0)
        sigma = np.linalg.svd((S[:, None] * J)[rows], compute_uv=False)
        np.testing.assert_allclose(report.sigma, sigma, atol=1e-12)
        assert report.sigma_min == report.sigma[-1]
        moved = (S[:, None] * J)[rows] @ report.joint_motion
        assert np.linalg.norm(moved) == pytest.approx(report.sigma_min, abs=1e-12)
        assert np.linalg.norm(report.lost_twist) == pytest.approx(1)
        assert np.isfinite(report.lost_twist).all() and "\n" not in report.explanation


@pytest.mark.parametrize("name", engine.shipped_robots())
def test_the_batch_route_agrees(name):
    robot = engine.load_robot(name)
    q = np.random.default_rng(1).uniform(-2, 2, (200, robot.n))
    q[:20] = np.round(q[:20])
    q[20] = 0.0
    reports = [engine.singularity(robot, x) for x in q]
    np.testing.assert_allclose(sigma_min_batch(robot, q), [r.sigma_min for r in reports], atol=1e-12)
    w, points = measure_batch(robot, q)
    np.testing.assert_allclose(w, [r.manipulability for r in reports], rtol=1e-8, atol=1e-14)
    np.testing.assert_allclose(points, engine.frame_pose(robot, q)[:, :3, 3])
    inverse, _ = measure_batch(robot, q, "inverse_condition")
    np.testing.assert_allclose(inverse, [1 / r.condition for r in reports], atol=1e-9)
    assert np.isfinite(w).all() and np.isfinite(inverse).all()


def test_a_task_of_ones_own():
    robot = engine.load_robot("puma560")
    straight = [0.2, 0.7, -2.6, 0.3, 0.0, 0.4]
    assert engine.singularity(robot, straight, task=("x", "y", "z")).rank == 3
    assert engine.singularity(robot, straight, frame="link2", task=("x", "z")).task == ("x", "z")


def test_a_redundant_arm_loses_rank_only_when_it_does():
    panda = engine.load_robot("panda")
    assert engine.singularity(panda, panda.configurations["home"]).rank == 6
    assert engine.singularity(panda, panda.configurations["zero"]).rank == 5


def test_many_poses_give_a_report_each():
    robot = engine.load_robot("puma560")
    poses = [robot.configurations[name] for name in ("home", "stretched")]
    reports = engine.singularity(robot, poses)
    assert [report.sigma_min for report in reports] == [engine.singularity(robot, q).sigma_min for q in poses]
    assert [report.explanation for report in reports] == [engine.singularity(robot, q).explanation for q in poses]
