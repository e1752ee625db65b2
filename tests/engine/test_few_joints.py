"""Arms with fewer than six joints whose file names no task: all six coordinates count, whatever way the arm faces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.kinematics.task import movable_task, path_task
from armature.engine.model.robot import TASK_AXES
from armature.engine.singularities.dexterity_measures import sigma_min_batch
from tests.engine.trees import random_tree

CASES = Path(__file__).parents[1] / "data" / "robots"
HEAD = 'name = "arm"\nconvention = "standard"\n'
REVOLUTE = '\n[[joints]]\ntype = "revolute"\n'


def case(name: str) -> engine.Robot:
    return engine.load_robot(CASES / f"{name}.urdf")


def few_joints() -> dict[str, engine.Robot]:
    chains = {f"{n} joints, {seed}": random_tree(seed, n, branching=False) for n in (1, 2, 3, 4, 5) for seed in (4, 6)}
    return chains | {name: case(name) for name in ("task_zxxz", "task_4dof_gripper", "tool_end_effector_link")}


@pytest.mark.parametrize("name", few_joints())
def test_nothing_changes_when_the_arm_turns_about_its_first_axis(name):
    robot = few_joints()[name]
    q = np.random.default_rng(0).uniform(-1.0, 1.0, (5, robot.n))
    turned = q + np.eye(robot.n)[0] * np.array([[0.5], [np.pi / 2], [2.0], [3.0], [-1.0]])
    for before, after in zip(engine.singularity(robot, q), engine.singularity(robot, turned), strict=True):
        np.testing.assert_allclose(after.sigma, before.sigma, atol=1e-12 * before.sigma[0])
        assert after.manipulability == pytest.approx(before.manipulability, rel=1e-9)
        assert (after.rank, after.verdict(), after.joints) == (before.rank, before.verdict(), before.joints)
    np.testing.assert_allclose(sigma_min_batch(robot, turned), sigma_min_batch(robot, q), atol=1e-12)


@pytest.mark.parametrize("name", few_joints())
def test_the_singular_values_are_those_of_the_whole_jacobian(name):
    robot = few_joints()[name]
    moving = list(robot.moving_joints(robot.tool_frame))
    q = np.random.default_rng(1).uniform(-1.0, 1.0, robot.n)
    report = engine.singularity(robot, q)
    A = engine.jacobian(robot, q)[:, moving] * np.repeat([1.0, robot.characteristic_length], 3)[:, None]
    assert report.task == TASK_AXES
    np.testing.assert_allclose(report.sigma, np.linalg.svd(A, compute_uv=False), atol=1e-12)
    assert sigma_min_batch(robot, q[None])[0] == pytest.approx(report.sigma_min, abs=1e-12)
    if (near := engine.nearest_singularity(robot, q)) is not None:
        assert engine.singularity(robot, near.q).rank < len(moving)


def test_an_arm_of_axes_z_x_x_z_is_singular_upright_only():
    robot = case("task_zxxz")
    for q1 in (0.0, 0.4, np.pi / 2):
        assert engine.singularity(robot, [q1, 0.3, 0.5, 0.2]).verdict() == "Non-singular"
        upright = engine.singularity(robot, [q1, 0.0, 0.0, 0.2])
        assert upright.rank == 3 and "axes of j1 and j4 are collinear" in upright.reason
    near = engine.nearest_singularity(robot, [0.4, 0.3, 0.5, 0.2])
    np.testing.assert_allclose(near.q, [0.4, 0, 0, 0.2], atol=1e-9)


def test_a_gripper_of_four_joints_is_regular_at_home():
    robot = case("task_4dof_gripper")
    for q1 in (0.0, 1.0, np.pi / 2):
        q = robot.configurations["home"] + [q1, 0, 0, 0]
        assert engine.singularity(robot, q).verdict() == "Non-singular"
    families = engine.singular_families(robot, starts=48)
    assert {family.cause.kind for family in families} == {"elbow"}
    for family in families:
        assert engine.singularity(robot, family.q).rank == 3


def test_reached_means_every_coordinate():
    robot = case("task_4dof_gripper")
    X = engine.frame_pose(robot, [0.4, 0.3, 0.5, 0.2])
    met = engine.ik(robot, X, q0=np.zeros(4))
    assert met.success and met.reason == "reached"
    np.testing.assert_allclose(engine.frame_pose(robot, met.q), X, atol=1e-6)
    beside = X.copy()
    beside[0, 3] += 0.03  # a gripper whose arm does not turn with the place cannot point the same way there
    off = engine.ik(robot, beside)
    assert not off.success
    assert "4 joints for 6 coordinates" in off.reason and "rz by 1.51°" in off.reason and "rx" not in off.reason
    place = engine.ik(robot, beside, task=("x", "y", "z"))
    assert place.success
    np.testing.assert_allclose(engine.frame_pose(robot, place.q)[:3, 3], beside[:3, 3], atol=1e-6)


def test_orientations_of_a_batch_that_are_not_met_are_not_called_reached():
    robot = case("task_4dof_gripper")
    poses = engine.frame_pose(robot, np.random.default_rng(2).uniform(-1, 1, (20, 4)))
    tilted = poses.copy()
    tilted[:, :3, :3] = tilted[:, :3, :3] @ np.array([[1, 0, 0], [0, 0, -1.0], [0, 1, 0]])
    assert engine.ik(robot, poses).success.all()
    assert not engine.ik(robot, tilted).success.any()


PATHS = {  # rows, what a drag may change, what a path follows
    "a pendulum": (REVOLUTE + "a = 0.5\n", "[base]\nrpy_deg = [90, 0, 0]\n", "x z ry", "x"),
    "a wheel": (REVOLUTE, "", "rz", "rz"),
    "a slide": ('\n[[joints]]\ntype = "prismatic"\n', "", "z", "z"),
    "two in a vertical plane": (2 * (REVOLUTE + "a = 0.5\n"), "[base]\nrpy_deg = [90, 0, 0]\n", "x z ry", "x z"),
    "the same with a rounded right angle": (2 * (REVOLUTE + "a = 0.5\n"), "[base]\nrpy = [1.57, 0, 0]\n", "x z ry", "x z"),
    "three in a plane": (3 * (REVOLUTE + "a = 0.5\n"), "", "x y rz", "x y rz"),
    "four in a plane": (4 * (REVOLUTE + "a = 0.5\n"), "", "x y rz", "x y rz"),
    "a SCARA of four": (
        2 * (REVOLUTE + "a = 0.3\n") + '\n[[joints]]\ntype = "prismatic"\nalpha_deg = 180\nlimits = [0, 0.2]\n' + REVOLUTE,
        "",
        "x y z rz",
        "x y z rz",
    ),
    "a wrist": (REVOLUTE + "alpha_deg = -90\n" + REVOLUTE + "alpha_deg = 90\n" + REVOLUTE, "", "rx ry rz", "rx ry rz"),
    "five": (
        2 * (REVOLUTE + "a = 0.3\nalpha_deg = 90\n") + 3 * (REVOLUTE + "a = 0.2\nalpha_deg = 80\n"),
        "",
        "x y z rx ry rz",
        "x y z",
    ),
    "six in a plane": (6 * (REVOLUTE + "a = 0.5\n"), "", "x y z rx ry rz", "x y z rx ry rz"),
}


@pytest.mark.parametrize("name", PATHS)
def test_a_path_counts_the_coordinates_that_the_joints_can_follow(tmp_path, name):
    joints, base, movable, path = PATHS[name]
    (tmp_path / "arm.toml").write_text(HEAD + base + joints)
    robot = engine.load_robot(tmp_path / "arm.toml")
    assert robot.task == TASK_AXES
    assert " ".join(movable_task(robot)) == movable and " ".join(path_task(robot)) == path
    assert (robot.task_reason == "") == (robot.n == 6)
    (tmp_path / "own.toml").write_text(HEAD + 'task = ["y"]\n' + base + joints)
    own = engine.load_robot(tmp_path / "own.toml")
    assert own.task == path_task(own) == movable_task(own) == ("y",) and not own.task_reason


def test_a_line_keeps_the_position_of_an_arm_with_too_few_joints():
    robot = case("task_4dof_gripper")
    q0 = np.array([0.3, 0.2, 0.3, 0.4])
    X = engine.frame_pose(robot, q0)
    X[:3, 3] += [0.0, 0.05, 0.0]
    line = engine.straight_line(robot, q0, X, 2.0)
    t = np.linspace(0, 2, 21)
    points = engine.tool_motion(robot, line, t)[0][:, :3, 3]
    np.testing.assert_allclose(points[:, [0, 2]], np.broadcast_to(points[0, [0, 2]], (21, 2)), atol=1e-6)
    np.testing.assert_allclose(points[-1], X[:3, 3], atol=1e-6)


def test_a_file_of_an_arm_without_task_stays_one(tmp_path):
    robot = engine.load_robot(_written(tmp_path / "arm.toml", HEAD + 4 * (REVOLUTE + "a = 0.3\nalpha_deg = 80\n")))
    for name in ("copy.toml", "copy.urdf"):
        engine.save_robot(robot, tmp_path / name)
        copy = engine.load_robot(tmp_path / name)
        assert copy.task == TASK_AXES and copy.task_reason == robot.task_reason != ""
    named = engine.load_robot(
        _written(tmp_path / "six.toml", HEAD + f"task = {list(TASK_AXES)}\n" + 4 * (REVOLUTE + "a = 0.3\n"))
    )
    assert named.task == path_task(named) == TASK_AXES and not named.task_reason


def _written(path: Path, text: str) -> Path:
    path.write_text(text.replace("'", '"'))
    return path


def test_a_planar_arm_with_a_joint_to_spare_is_singular_only_stretched(tmp_path):
    link = REVOLUTE + "a = 0.3\n"
    (tmp_path / "planar.toml").write_text(HEAD + 4 * link)
    robot = engine.load_robot(tmp_path / "planar.toml")
    for q1 in (0.0, 0.4, np.pi / 2):
        bent, stretched = engine.singularity(robot, [q1, 0.4, 0.5, 0.6]), engine.singularity(robot, [q1, 0.0, 0.0, 0.0])
        assert (bent.task, bent.rank, bent.verdict()) == (("x", "y", "rz"), 3, "Non-singular")
        assert (stretched.rank, stretched.verdict()) == (2, "At a singularity")
    grid = engine.singularity_map(robot, np.full(4, 0.4), 1, 2, resolution=5)
    assert not grid.everywhere
    met = engine.ik(robot, engine.frame_pose(robot, np.full(4, 0.4)) @ np.diag([1.0, -1.0, -1.0, 1.0]))
    assert not met.success, "all six coordinates count for ik"
