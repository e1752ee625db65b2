"""The nearest singular configuration: exactly singular, within the limits, and no scan of two joints knows a nearer one."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from armature import engine
from armature.engine.kinematics.task import row_scale, task_rows
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.singularities.nearest_singularity import singular_near
from armature.engine.singularities.singular_problem import Arm
from armature.engine.singularities.singular_step import newton_step, residual, step_work, task_matrix
from tests.engine.example_robots import example
from tests.engine.plane_scan import nearest_in_planes, sigma_min, task_jacobian
from tests.engine.trees import random_tree

SQUARE = ["puma560", "ur5", "stanford", "scara", "double_pendulum", "irb140"]


def confirm(robot, q: np.ndarray, points: int) -> None:
    found = engine.nearest_singularity(robot, q)
    assert sigma_min(robot, found.q) < 1e-9
    assert np.all((found.q >= robot.q_min) & (found.q <= robot.q_max))
    unit = np.where(robot.prismatic, robot.characteristic_length, 1.0)
    assert found.distance == pytest.approx(np.linalg.norm((found.q - q) / unit), abs=1e-12)
    assert nearest_in_planes(robot, q, found.distance, points) > found.distance * (1 - 1e-3) - 1e-6


def poses(robot, N: int, seed: int = 11) -> np.ndarray:
    return np.random.default_rng(seed).uniform(*joint_ranges(robot), (N, robot.n))


@pytest.mark.parametrize("name", SQUARE)
def test_no_scan_of_two_joints_knows_a_nearer_one(name):
    robot = engine.load_robot(name)
    for q in poses(robot, 12):
        confirm(robot, q, points=25)


@pytest.mark.parametrize(
    "q, bound",
    [
        ([1.76591954, 1.49226558, -3.10798025, 0.88055462, -1.49279501, -0.79404185], 1.42),
        ([-0.32046701, 1.63232931, -3.02805297, -0.08963457, -1.42538398, 6.10805159], 1.32),
        ([-1.06055454, -1.5395178, 0.48556117, 3.00641474, -1.99187992, -6.92797661], 1.92),
    ],
)
def test_singularities_behind_others_and_in_corners_of_the_limits_are_seen(q, bound):
    assert engine.nearest_singularity(engine.load_robot("irb140"), q).distance < bound


def test_one_valley_does_not_hide_the_others():
    q = [-1.91017457, -0.89697307, 0.78395688, -1.33013612, 0.52463736, 3.08147477, -2.34601426]
    assert engine.nearest_singularity(engine.load_robot("panda"), q).distance < 0.947  # 1.01 folds the elbow


def test_nor_does_one_of_a_redundant_arm():
    robot = engine.load_robot("panda")
    for q in poses(robot, 2):
        confirm(robot, q, points=15)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", [*SQUARE, "panda"])
def test_a_thousand_poses(name):
    robot = engine.load_robot(name)
    for q in poses(robot, 1000):
        confirm(robot, q, points=33 if name != "panda" else 17)


@pytest.mark.parametrize("q2, expected", [(0.3, 0.0), (-0.9, 0.0), (2.6, 0.0)])
def test_the_scara_straightens_its_elbow_and_nothing_else(q2, expected):
    robot = engine.load_robot("scara")
    found = engine.nearest_singularity(robot, [0.4, q2, 0.1])
    np.testing.assert_allclose(found.q, [0.4, expected, 0.1], atol=1e-5)
    assert found.distance == pytest.approx(abs(q2), abs=1e-10)


def test_the_puma_straightens_its_wrist():
    robot = engine.load_robot("puma560")
    q = np.array([0.2, 0.7, -2.6, 0.3, 0.2, 0.4])
    found = engine.nearest_singularity(robot, q)
    np.testing.assert_allclose(found.q, [0.2, 0.7, -2.6, 0.3, 0.0, 0.4], atol=1e-9)


def test_slides_count_by_the_characteristic_length():
    robot = engine.load_robot("rp").tree
    free = robot.with_tool(np.eye(4))
    object.__setattr__(free, "q_min", np.array([-np.inf, -2.0]))
    found = engine.nearest_singularity(free, [0.3, 0.1])
    np.testing.assert_allclose(found.q, [0.3, -0.5], atol=1e-12)
    assert found.distance == pytest.approx(0.6 / free.characteristic_length)


def test_where_there_is_none_it_says_so():
    robot = engine.load_robot("rp")  # the slide would have to come back to the axis, which its limits forbid
    assert engine.nearest_singularity(robot, robot.configurations["home"]) is None
    assert engine.nearest_singularity(robot, [[0.3, 0.1], [0.1, 0.2]]) == (None, None)


def test_at_a_singular_pose_it_stays():
    robot = engine.load_robot("puma560")
    for name in ("ready", "stretched"):
        found = engine.nearest_singularity(robot, robot.configurations[name])
        assert found.distance < 1e-9


def test_limits_are_respected_where_they_cut_the_way_off():
    robot = engine.load_robot("puma560")
    q = np.array([0.2, 0.7, -2.6, 0.3, 0.4, 0.4])
    before = engine.nearest_singularity(robot, q)
    np.testing.assert_allclose(before.q[4], 0.0, atol=1e-9)
    narrow = engine.load_robot("puma560").with_payload(0)
    low = np.array(robot.q_min)
    low[4] = 0.2
    object.__setattr__(narrow, "q_min", low)
    found = engine.nearest_singularity(narrow, q)
    assert found.q[4] >= 0.2 and found.distance > before.distance and sigma_min(narrow, found.q) < 1e-9


@numba.njit
def one_step(arm, q, x, multiplier):
    """A step from q; its matrices, and the residual before it."""
    n, c = len(q), len(multiplier)
    work, out = step_work(n, len(arm.rows)), np.empty(c)
    task_matrix(arm, q, work)
    size = residual(work.A, x, out)
    newton_step(arm, q, x, np.zeros(n), multiplier, True, work, np.empty(n), np.empty(len(x)))
    return work, size, out


@pytest.mark.parametrize("seed, n", [(1, 6), (2, 7), (3, 5), (4, 4)])
def test_the_newton_matrix_against_differences(seed, n):
    """D, K and H of the step are the derivatives of C(q) x and of its product with the multiplier."""
    robot = random_tree(seed, n, branching=False)
    rng = np.random.default_rng(seed)
    rows = task_rows(robot)
    m, s, c = len(rows), min(len(rows), n), max(len(rows), n)
    F, scale = robot.frame(), row_scale(robot, rows)
    q, x, multiplier = rng.uniform(-2, 2, n), rng.normal(size=s), rng.normal(size=c)

    def C(q):
        A = task_jacobian(robot, q[None])[0]
        return A.T if m <= n else A

    free = np.full(n, np.inf)
    arm = Arm(robot.packed, F.body, F.X_BF, rows, scale, np.zeros(n), robot.characteristic_length, -free, free)
    work, size, out = one_step(arm, q, x, multiplier.copy())
    assert size == pytest.approx(np.linalg.norm(C(q) @ x))
    np.testing.assert_allclose(out, C(q) @ x, atol=1e-12)
    h, E = 1e-5, np.eye(n)
    D = np.stack([(C(q + h * e) - C(q - h * e)) @ x / (2 * h) for e in E], axis=1)
    K = np.stack([multiplier @ (C(q + h * e) - C(q - h * e)) / (2 * h) for e in E], axis=1)
    np.testing.assert_allclose(work.D, D, atol=1e-7)
    np.testing.assert_allclose(work.K, K, atol=1e-7)
    h = 1e-4
    phi = lambda q: multiplier @ C(q) @ x  # noqa: E731
    twice = lambda a, b: phi(q + a + b) - phi(q + a - b) - phi(q - a + b) + phi(q - a - b)  # noqa: E731
    H = [[twice(h * a, h * b) / (4 * h * h) for b in E] for a in E]
    np.testing.assert_allclose(work.H, H, atol=1e-5)


def test_a_low_singular_value_leads_to_its_singularity():
    robot = engine.load_robot("puma560")
    near = singular_near(robot, np.array([0.2, 0.7, -2.6, 0.3, 0.05, 0.4]), None, task_rows(robot), 0)
    np.testing.assert_allclose(near.q[4], 0.0, atol=1e-9)


def test_bad_requests_are_refused():
    robot = engine.load_robot("puma560")
    with pytest.raises(engine.DimensionError, match="shape"):
        engine.nearest_singularity(robot, [0.0, 1.0])
    with pytest.raises(engine.EngineError, match="task"):
        engine.nearest_singularity(robot, np.zeros(6), task=("up",))


@pytest.mark.parametrize("name", ["puma560", "panda", "ur5"])
def test_joints_that_move_the_arm_as_a_whole_or_its_frame_alone_stay(name):
    robot = engine.load_robot(name)
    for q in poses(robot, 5):
        near = engine.nearest_singularity(robot, q)
        assert near.q[[0, -1]] == pytest.approx(np.clip(q, robot.q_min, robot.q_max)[[0, -1]], abs=1e-6)


def test_fingers_that_copy_each_other_change_nothing():
    arm, gripping = engine.load_robot("panda"), engine.load_robot(example("panda"))
    q = np.array([0.3, 0.4, 0.1, -1.2, 0.2, 1.2, 0.5, 0.02])
    found = engine.nearest_singularity(gripping, np.array([q, q]))
    assert len(found) == 2 and found[0].q.shape == (8,) and found[0].q[7] == 0.02
    assert found[0].distance == pytest.approx(engine.nearest_singularity(arm, q[:7]).distance, rel=1e-3)
    assert engine.singularity(gripping, found[0].q).sigma_min < 1e-6
    with pytest.raises(engine.EngineError, match="mimic"):
        engine.nearest_singularity(gripping, q, "panda_rightfinger")
