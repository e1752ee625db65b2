"""Poses where several causes meet: each is named, and told with what it costs."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.kinematics.task import task_rows
from tests.engine.cause_claims import Claims, confirm_loss

SIDEWAYS = np.radians(75.88)


def puma_causes(**changes):
    """Those of the Puma with its arm straight up, where its wrist centre lies in the plane of axes 1 and 2."""
    robot = engine.load_robot("puma560")
    straight = -np.arctan2(robot.dh.d[3], robot.dh.a[2])
    q = np.array([SIDEWAYS, np.pi / 2, straight, *np.radians([72.55, 50.41, 10.7])])
    for joint, value in changes.items():
        q[int(joint[1:]) - 1] = value
    return robot, q, {cause.kind: cause for cause in engine.singularity(robot, q).causes}


def test_shoulder_and_elbow_of_the_puma_lose_a_direction_each():
    robot, q, causes = puma_causes()
    assert list(causes) == ["shoulder", "elbow"]
    v, radial = causes["shoulder"].lost_twist[:3], causes["elbow"].lost_twist[:3]
    np.testing.assert_allclose(abs(v @ [-np.sin(SIDEWAYS), np.cos(SIDEWAYS), 0.0]), 1.0, atol=1e-5)
    wrist = engine.frame_pose(robot, q, "link4")[:3, 3]
    root = np.array([0.0, 0.0, robot.dh.d[0]])  # where axes 1 and 2 meet
    np.testing.assert_allclose(abs(radial @ (wrist - root)) / np.linalg.norm(wrist - root), 1.0, atol=1e-4)
    assert "axes 1 and 2" in causes["shoulder"].condition and "axes 2, 3" in causes["elbow"].condition


def test_a_third_cause_that_costs_nothing_more_says_so():
    _, _, causes = puma_causes(q5=0.0)
    assert set(causes) == {"shoulder", "elbow", "wrist"} and causes["wrist"].joints == (3, 5)
    assert causes["wrist"].loss == "the tool loses no motion beyond those already named"
    assert causes["shoulder"].joints == (0, 1) and not causes["shoulder"].motion.any()  # the wrist's motion is not the shoulder's


def test_causes_a_hundredth_of_a_degree_off_are_told_apart_too():
    robot, q, _ = puma_causes()
    text = engine.singularity(robot, q + np.radians([0, 0.003, 0.004, 0, 0, 0])).explanation
    assert "Shoulder" in text and "Elbow stretched" in text


def test_all_three_of_the_ur5_have_names():
    report = engine.singularity(engine.load_robot("ur5"), np.array([0.4, -np.pi / 2, 0.0, np.pi / 2, np.pi, 0.3]))
    assert {cause.kind for cause in report.causes} == {"shoulder", "elbow", "wrist"} and report.rank == 3


@pytest.mark.parametrize("name", ["puma560", "ur5", "ur10", "gp7", "irb140", "tx2_60", "stanford", "iiwa14"])
def test_every_lost_direction_has_a_cause_that_is_true(name):
    robot = engine.load_robot(name)
    rows = list(task_rows(robot, None))
    rng, seen = np.random.default_rng(14), 0
    for _ in range(100):
        turned = rng.choice([-np.pi / 2, 0.0, np.pi / 2, np.pi, 0.4], robot.n)
        q = np.where(robot.prismatic, rng.choice([0.1, 0.3], robot.n), turned)
        report = engine.singularity(robot, q)
        if len(report.sigma) - report.rank < 2:
            continue
        seen += 1
        wrenches = np.array([cause.wrench for cause in report.causes])
        assert np.linalg.matrix_rank(wrenches, tol=1e-3) == len(report.sigma) - report.rank, q
        assert np.abs(wrenches[:, rows] @ engine.jacobian(robot, q)[rows]).max() < 1e-6
        claims = Claims(robot, q)
        for cause in report.causes:
            claims.confirm(cause.condition)
            confirm_loss(robot, q, cause, rows)
            assert np.abs(engine.jacobian(robot, q)[rows] @ cause.motion).max() < 1e-4
    assert seen or name == "puma560"  # whose double poses are at no quarter turns
