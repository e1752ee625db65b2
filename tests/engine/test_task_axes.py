"""A task along the axes of the base, the arm or the tool: singular values, inverse kinematics, lines and files agree on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.kinematics.task import axes_rotation, task_jacobian
from armature.engine.model.body import Frame
from armature.engine.model.robot import TASK_FRAMES
from armature.engine.rotations import rotation_vector
from armature.engine.singularities.dexterity_measures import QUANTITIES, measure_batch
from tests.engine.trees import random_tree

CASES = Path(__file__).parents[1] / "data" / "robots"
TASK = ("x", "y", "z", "ry")
ROWS = np.array([0, 1, 2, 4])
Q = np.array([0.4, 0.3, 0.5, 0.2])
TURNED = TASK_FRAMES[1:]


def gripper(axes: str, task: tuple[str, ...] = TASK) -> engine.Robot:
    return replace(engine.load_robot(CASES / "task_4dof_gripper.urdf"), task=task, task_axes=axes, task_named=True)


def tilted(axes: str, task: tuple[str, ...] = ("x", "z", "ry"), n: int = 4) -> engine.Robot:
    """A random chain on a base that is turned against the world."""
    robot = random_tree(5, n, branching=False)
    X = np.eye(4)
    X[:3, :3] = engine.frame_pose(random_tree(6, 1), [0.3])[:3, :3]
    links = {**robot.links, "base": Frame(-1, X)}
    return replace(robot, links=links, frames={**robot.frames, **links}, base=X, task=task, task_axes=axes, task_named=True)


@pytest.mark.parametrize("axes", ["arm", "tool"])
@pytest.mark.parametrize("make", [gripper, tilted])
def test_nothing_changes_when_the_arm_turns_about_its_first_axis(make, axes):
    robot = make(axes)
    q = np.random.default_rng(0).uniform(-1, 1, robot.n)
    one, other = engine.singularity(robot, np.array([q, q + [1.3, *np.zeros(robot.n - 1)]]))
    if robot.joint_types[0] == "revolute":
        np.testing.assert_allclose(other.sigma, one.sigma, atol=1e-12)
        assert other.manipulability == pytest.approx(one.manipulability, rel=1e-9)
    assert one.task == robot.task


@pytest.mark.parametrize("axes", TURNED)
@pytest.mark.parametrize("make", [gripper, tilted])
def test_rows_are_the_components_along_the_axes(make, axes):
    robot = make(axes)
    q = np.random.default_rng(1).uniform(-1, 1, (5, robot.n))
    R, J = axes_rotation(robot, q, None), engine.jacobian(robot, q)
    rows = np.array([("x", "y", "z", "rx", "ry", "rz").index(axis) for axis in robot.task])
    expected = np.concatenate([R.swapaxes(1, 2) @ J[:, :3], R.swapaxes(1, 2) @ J[:, 3:]], axis=1)[:, rows]
    np.testing.assert_allclose(task_jacobian(robot, q, None, rows), expected, atol=1e-12)
    still = axes_rotation(robot, np.zeros(robot.n), None)
    if axes != "tool":
        np.testing.assert_allclose(still, robot.base[:3, :3], atol=1e-12)
    A = expected * np.where(rows >= 3, robot.characteristic_length, 1.0)[:, None]
    for report, a in zip(engine.singularity(robot, q), A, strict=True):
        np.testing.assert_allclose(report.sigma, np.linalg.svd(a, compute_uv=False), atol=1e-12)
    for quantity in set(QUANTITIES) - ({"determinant"} if len(rows) != robot.n else set()):
        values = measure_batch(robot, q, quantity)[0]
        sigma = np.linalg.svd(A if quantity in ("sigma_min", "inverse_condition") else expected, compute_uv=False)
        wanted = {
            "sigma_min": sigma[:, -1],
            "inverse_condition": sigma[:, -1] / sigma[:, 0],
            "manipulability": sigma.prod(axis=1),
        }
        np.testing.assert_allclose(
            values, wanted.get(quantity, np.linalg.det(expected) if len(rows) == robot.n else 0), atol=1e-9
        )


def test_what_is_lost_is_along_the_worlds_axes():
    robot = gripper("arm")
    near = engine.nearest_singularity(robot, Q)
    report = engine.singularity(robot, near.q)
    assert report.rank == 3 and "cannot" in report.reason
    R = axes_rotation(robot, near.q, None)
    lost = np.concatenate([R.T @ report.lost_twist[:3], R.T @ report.lost_twist[3:]])[ROWS]
    assert np.abs(lost @ task_jacobian(robot, near.q, None, ROWS)).max() < 1e-6
    assert engine.singularity(robot, near.q + [0, 0, 0.002, 0]).away


@pytest.mark.parametrize("axes", TURNED)
def test_the_nearest_singular_pose_and_the_map_lose_rank(axes):
    robot = gripper(axes)
    near = engine.nearest_singularity(robot, Q)
    assert engine.singularity(robot, near.q).rank == 3 and near.q[0] == pytest.approx(Q[0])
    assert near.distance == pytest.approx(np.linalg.norm(near.q - Q), abs=1e-9)
    found = engine.singularity_map(robot, Q, 1, 2, resolution=25)
    assert found.curves
    for curve in found.curves:
        for x, y in curve[:: max(1, len(curve) // 3)]:
            assert engine.singularity(robot, [Q[0], x, y, Q[3]]).sigma_min < 1e-9
    a, b = 7, 12
    assert found.values[a, b] == pytest.approx(engine.singularity(robot, [Q[0], found.first[a], found.second[b], Q[3]]).sigma_min)


@pytest.mark.parametrize("axes", TURNED)
def test_inverse_kinematics_meets_the_coordinates_and_no_more(axes):
    robot = gripper(axes)
    X = engine.frame_pose(robot, Q)
    X[:3, 3] += [0.01, 0.05, 0.01]
    found = engine.ik(robot, X, q0=Q, restarts=0)
    assert found.success and found.error < 1e-6
    here = engine.frame_pose(robot, found.q)
    np.testing.assert_allclose(here[:3, 3], X[:3, 3], atol=1e-6)
    R = X[:3, :3] if axes == "tool" else axes_rotation(robot, found.q, None)
    turn = R.T @ rotation_vector(X[:3, :3] @ here[:3, :3].T)
    assert abs(turn[1]) < 1e-6 and abs(turn[2]) > 0.05
    high = X.copy()
    high[2, 3] += 1.0
    assert not engine.ik(robot, high, q0=Q).success


@pytest.mark.parametrize("axes", TURNED)
def test_inverse_kinematics_of_random_arms(axes):
    robot = tilted(axes, n=5)
    rng = np.random.default_rng(3)
    q = rng.uniform(-1, 1, (20, robot.n))
    found = engine.ik(robot, engine.frame_pose(robot, q), q0=q + rng.uniform(-0.2, 0.2, q.shape))
    assert found.success.all()
    assert (found.iterations < 40).all()  # the derivative of the error is exact, that of the axes included
    with pytest.raises(engine.EngineError, match="goal 'manipulability' needs a task along the world axes"):
        engine.ik(robot, np.eye(4), goal="manipulability")


@pytest.mark.parametrize("axes", ["arm", "tool"])
def test_a_line_keeps_the_pitch_while_the_arm_turns(axes):
    robot = gripper(axes)
    X = engine.frame_pose(robot, Q)
    pitch = X[2, 0]
    X[:3, 3] += [0.01, 0.05, 0.01]
    line = engine.straight_line(robot, Q, X, 2.0)
    t = np.linspace(0.1, 1.9, 9)
    poses, h = engine.tool_motion(robot, line, t)[0], 1e-5
    np.testing.assert_allclose(poses[:, 2, 0], pitch, atol=1e-6)
    np.testing.assert_allclose(np.cross(poses[:, :3, 3] - engine.frame_pose(robot, Q)[:3, 3], [0.01, 0.05, 0.01]), 0, atol=1e-7)
    rate = (line.sample(t + h)[1] - line.sample(t - h)[1]) / (2 * h)
    np.testing.assert_allclose(line.sample(t)[2], rate, atol=1e-6)


@pytest.mark.parametrize("axes", TURNED)
def test_all_lengths_and_all_rotations_are_the_same_along_any_axes(axes):
    for task in (("x", "y", "z"), ("rx", "ry", "rz"), ("x", "y", "z", "rx", "ry", "rz")):
        robot, plain = gripper(axes, task), gripper("world", task)
        one, other = engine.singularity(robot, Q), engine.singularity(plain, Q)
        np.testing.assert_allclose(one.sigma, other.sigma, atol=1e-15)
        assert one.reason == other.reason and np.array_equal(
            engine.nearest_singularity(robot, Q).q, engine.nearest_singularity(plain, Q).q
        )


@pytest.mark.parametrize("suffix", [".toml", ".urdf"])
@pytest.mark.parametrize("axes", TURNED)
def test_files_say_along_whose_axes(tmp_path, axes, suffix):
    joints = '\n[[joints]]\ntype = "revolute"\na = 0.3\nalpha_deg = 90\n' + 3 * '\n[[joints]]\ntype = "revolute"\na = 0.2\n'
    head = f'name = "arm"\nconvention = "standard"\ntask = ["x", "y", "z", "ry"]\ntask_axes = "{axes}"\n'
    (tmp_path / "arm.toml").write_text(head + "[base]\nrpy_deg = [0, 20, 40]\n" + joints)
    robot = engine.load_robot(tmp_path / "arm.toml")
    assert robot.task_axes == axes and robot.task_text == f"x, y, z, ry along the {axes}'s axes"
    engine.save_robot(robot, tmp_path / f"copy{suffix}")
    copy = engine.load_robot(tmp_path / f"copy{suffix}")
    assert (copy.task, copy.task_axes) == (robot.task, axes)
    q = [0.3, 0.4, -0.5, 0.6]
    np.testing.assert_allclose(engine.singularity(copy, q).sigma, engine.singularity(robot, q).sigma, atol=1e-9)
    draft = engine.draft_of(robot).with_value(("joints", 0, "a"), 0.31)
    assert draft.robot.task_axes == axes


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('task_axes = "tool"', "task_axes: needs a task that names its coordinates"),
        ('task = ["x"]\ntask_axes = "hand"', "task_axes: must be .world., .base., .arm. or .tool., got .hand."),
    ],
)
def test_bad_axes_are_one_line(tmp_path, line, says):
    (tmp_path / "arm.toml").write_text(f'name = "arm"\nconvention = "standard"\n{line}\n[[joints]]\ntype = "revolute"\n')
    with pytest.raises(engine.ModelError, match=says) as error:
        engine.load_robot(tmp_path / "arm.toml")
    assert "\n" not in str(error.value)


def test_families_are_refused_along_other_axes():
    with pytest.raises(engine.EngineError, match="need a task in world axes, not in arm axes"):
        engine.singular_families(gripper("arm"))
