"""The singularity report: textbook poses, regular ones, and the fast batch route."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.kinematics.task import task_rows
from armature.engine.singularities.dexterity_measures import measure_batch, sigma_min_batch
from armature.engine.singularities.task_freedom import ABOUT, ALONG, impossible
from tests.engine.arms import different_arms
from tests.engine.trees import random_dh_arm

TASKS = (("x", "y", "z"), ("x", "y", "z", "rx", "ry", "rz"), ("x", "rz"), ("rx", "ry", "rz"))


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
    assert report.explanation.startswith("Non-singular")


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


@pytest.mark.parametrize("name", different_arms())
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


@pytest.mark.parametrize(
    "bend, verdict",
    [(0.0, "At a singularity"), (1e-6, "Near a singularity, less than 0.01° from it"), (3.0, "Near a singularity, 3° from it"),
     (-1.5, "Near a singularity, 1.5° from it"), (45.0, "Non-singular")],
)  # fmt: skip
def test_at_near_and_regular_are_told_apart(bend, verdict):
    report = engine.singularity(engine.load_robot("puma560"), [0.2, 0.7, -2.6, 0.3, np.radians(bend), 0.4])
    assert report.verdict() == verdict
    assert (report.rank == 6) == (bend != 0) and report.level() == (2 if abs(bend) < 4 else 0)
    assert report.verdict(warn=1.0).startswith("At" if bend == 0 else "Near") and report.explanation.startswith(report.reason)


def test_what_is_regular_is_for_the_caller_to_say():
    robot, q = engine.load_robot("puma560"), [0.2, 0.7, -2.6, 0.3, 0.5, 0.4]
    assert engine.singularity(robot, q).reason.startswith("Non-singular: the tool can move in every direction of its task")
    careful = engine.singularity(robot, q, warn=5.0)
    assert (
        not careful.reason.startswith("Non-singular")
        and careful.causes
        and careful.verdict(5.0) == "Near a singularity, 29° from it"
    )


@pytest.mark.parametrize("name, pose", [("puma560", "stretched"), ("ur5", "upright"), ("panda", "zero"), ("scara", "stretched")])
def test_rounding_is_zero(name, pose):
    robot = engine.load_robot(name)
    q = robot.configurations[pose]
    report = engine.singularity(robot, q)
    assert report.sigma_min == 0.0 and report.manipulability == 0.0 and report.condition == np.inf
    assert report.rank == np.count_nonzero(report.sigma) < len(report.sigma)
    for quantity in ("manipulability", "sigma_min", "inverse_condition"):
        assert (
            measure_batch(robot, np.array([q, q + 0.3]), quantity)[0][0]
            == 0.0
            < measure_batch(robot, q[None] + 0.3, quantity)[0][0]
        )


@pytest.mark.parametrize(
    "name, task, words",
    [
        ("spherical_pendulum", None, "2 joints for 3 coordinates: no motion along the rod."),
        ("double_pendulum", TASKS[0], "2 joints for 3 coordinates: no motion along y."),
        ("panda", None, "7 joints for 6 coordinates: 1 redundant."),
        ("lwr4", TASKS[0], "6 of 7 joints for 3 coordinates: 3 redundant."),
        ("cobra600", TASKS[1], "4 joints for 6 coordinates: no rotation about x or y."),
        ("scara", TASKS[1], "3 joints for 6 coordinates: no rotation about x or y, no motion along link 1 without rotation."),
        ("puma560", None, ""),
        ("scara", None, ""),
    ],
)
def test_too_few_or_too_many_joints_are_told(name, task, words):
    robot = engine.load_robot(name)
    for q in (robot.configurations["home"], robot.configurations["zero"]):
        report = engine.singularity(robot, q, task=task)
        assert report.freedom == words and report.explanation.endswith(words)
    report = engine.singularity(robot, robot.configurations["home"], task=task)
    assert report.reason.startswith(
        "Non-singular: the tool can move in every direction " + ("that" if "no " in words else "of its task")
    )
    assert report.rank == len(report.sigma)


@pytest.mark.parametrize("seed", range(24))
def test_what_no_pose_allows_is_allowed_by_none(seed):
    """The directions that are named, and those that have no name, are orthogonal to all that the joints do, at any pose."""
    n, rng = 1 + seed % 6, np.random.default_rng(seed)
    robot = random_dh_arm(seed, n)
    for task in TASKS:
        rows = task_rows(robot, task)
        counts = []
        for q in rng.uniform(-3, 3, (4, n)):
            J = np.zeros((6, n))
            J[rows] = engine.jacobian(robot, q)[rows]
            lost = impossible(robot, q, None, rows)
            counts.append(len(lost))
            for motion in lost:
                assert np.linalg.norm(motion.direction) == pytest.approx(1.0)
                J_kind = J[3:] if motion.kind == ABOUT else J[:3]
                if motion.kind not in (ALONG, ABOUT):  # of motions that do not turn the tool
                    _, sigma, Vt = np.linalg.svd(J[3:])
                    J_kind = J[:3] @ Vt[int(np.sum(sigma > 1e-9)) :].T
                assert np.abs(motion.direction @ J_kind).max(initial=0.0) < 1e-9 * max(1.0, robot.reach), motion.words
        assert len(set(counts)) == 1
        rank = np.linalg.matrix_rank(engine.jacobian(robot, rng.uniform(-3, 3, n))[rows], tol=1e-9)
        assert counts[0] == len(rows) - rank, "one for each motion that is missing"


@pytest.mark.parametrize(
    "name, q, task, lost",
    [
        ("double_pendulum", [0.3, 0.4], ("y",), "no motion along y"),
        ("double_pendulum", [0.3, 0.4], ("rx", "rz"), "no rotation about x or z"),
        ("double_pendulum", [0.3, 0.4], ("y", "rx"), "no rotation about x"),
        ("double_pendulum", [np.pi / 2, 0.0], ("z",), "move along z"),
    ],
)
def test_rounding_alone_is_no_motion(name, q, task, lost):
    robot = engine.load_robot(name)
    report = engine.singularity(robot, q, task=task)
    assert report.sigma_min == 0.0 and report.rank == 0 and report.condition == np.inf and not report.manipulability
    assert report.verdict() == "At a singularity" and lost in report.explanation, report.explanation
    assert np.isfinite([*report.lost_twist, *report.joint_motion]).all()


@pytest.mark.parametrize("phi", [0.0, 0.3, 2.0])
def test_what_a_pose_takes_from_an_arm_with_few_joints_is_named(phi):
    robot = engine.load_robot("spherical_pendulum")
    report = engine.singularity(robot, [phi, 0.0])
    (cause,) = report.causes
    assert "the tool cannot move along " in cause.loss and (phi != 0 or cause.loss.endswith("along y"))
    lost = np.array([-np.sin(phi), np.cos(phi), 0, 0, 0, 0])
    np.testing.assert_allclose(abs(cause.lost_twist @ lost), 1.0, atol=1e-9)
    assert np.abs(cause.lost_twist @ engine.jacobian(robot, [phi, 0.0])).max() < 1e-12
    assert np.abs(cause.lost_twist @ engine.jacobian(robot, [phi, 0.1])).max() > 0.01  # beside it the tool can


def test_a_tool_on_the_base_is_moved_by_no_joint():
    robot = engine.load_robot("puma560")
    report = engine.singularity(robot, robot.configurations["home"], frame="base")
    assert report.reason == "No joint moves the tool." and report.rank == 0
    assert not report.causes and not report.joints
