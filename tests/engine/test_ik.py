"""Inverse kinematics by search: reach, limits, tasks, secondary goals, and what is said when a target cannot be met."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from armature import engine
from armature.engine.kinematics.search.search_problem import distance_words
from armature.engine.model.body import Body, Frame
from armature.engine.model.coupling import Coupling
from tests.engine.trees import random_pose, random_tree

AXES = ("x", "y", "z", "rx", "ry", "rz")
ARMS = engine.shipped_robots()


def random_poses(robot, count: int, seed: int = 0) -> np.ndarray:
    low, high = np.maximum(robot.q_min, -np.pi), np.minimum(robot.q_max, np.pi)
    return np.random.default_rng(seed).uniform(low, high, (count, robot.n))


def off(X, T) -> float:
    """Distance in m and angle in rad between two poses, by scipy."""
    return float(np.linalg.norm([*(X - T)[:3, 3], *Rotation.from_matrix(T[:3, :3] @ X[:3, :3].T).as_rotvec()]))


def within(robot, q) -> bool:
    return bool((q >= robot.q_min).all() and (q <= robot.q_max).all())


def moved(X, xyz=(0, 0, 0), turn=None) -> np.ndarray:
    T = np.array(X)
    T[:3, 3] += xyz
    if turn is not None:
        T[:3, :3] = T[:3, :3] @ Rotation.from_rotvec(turn).as_matrix()
    return T


@pytest.mark.parametrize("name", ARMS)
def test_reachable_poses_are_reached_within_limits(name):
    robot = engine.load_robot(name)
    T = engine.frame_pose(robot, random_poses(robot, 300))
    found = engine.ik(robot, T)
    assert found.success.all() and within(robot, found.q)
    assert found.error.max() <= 1e-6 and found.reason == ("reached",) * 300
    if len(robot.task) == 6:
        assert max(off(X, t) for X, t in zip(engine.frame_pose(robot, found.q), T)) <= 1e-6


def test_the_panda_at_the_promised_rate():
    robot = engine.load_robot("panda")
    found = engine.ik(robot, engine.frame_pose(robot, random_poses(robot, 10_000, seed=1)))
    assert found.success.mean() >= 0.995
    assert within(robot, found.q)


@given(seed=st.integers(0, 10**6), n=st.integers(6, 10))
@settings(max_examples=25, deadline=None)
def test_random_chains(seed, n):
    robot = random_tree(seed, n, branching=False)
    q = np.random.default_rng(seed).uniform(-1, 1, n)
    X = engine.frame_pose(robot, q)
    found = engine.ik(robot, X)
    assert found.success, found.reason
    assert off(engine.frame_pose(robot, found.q), X) <= 1e-6


def test_joints_off_the_way_to_the_frame_stay():
    robot = random_tree(11, 9)
    name = max((f"link{i + 1}" for i in range(9)), key=lambda key: len(chain_of(robot, key)))
    q, start = np.random.default_rng(0).uniform(-1, 1, (2, 9))
    found = engine.ik(robot, engine.frame_pose(robot, q, name), start, name)
    assert found.success
    rest = [i for i in range(9) if i not in chain_of(robot, name)]
    assert rest and np.array_equal(found.q[rest], start[rest])


def chain_of(robot, name) -> list[int]:
    i, bodies = robot.frames[name].body, []
    while i >= 0:
        bodies.append(i)
        i = robot.bodies[i].parent
    return bodies


def test_the_tool_is_applied_on_the_right_side():
    """X_WT = X_WF X_FT: a tool that shifts and turns does not commute with the arm, so the wrong side misses by far."""
    rng = np.random.default_rng(2)
    for name in ("puma560", "ur5", "panda"):
        for _ in range(5):
            robot = engine.load_robot(name)
            tool = random_pose(rng)
            X_WF = engine.frame_pose(robot, random_poses(robot, 1, int(rng.integers(99)))[0], robot.link_names[-1])
            held = robot.with_tool(tool)
            found = engine.ik(held, X_WF @ tool)
            assert found.success
            np.testing.assert_allclose(engine.frame_pose(robot, found.q, robot.link_names[-1]), X_WF, atol=2e-6)


def test_a_frame_other_than_the_tool():
    robot = engine.load_robot("puma560")
    X = engine.frame_pose(robot, robot.configurations["home"], "link4")
    found = engine.ik(robot, X, frame="link4", task=AXES[:3])
    assert found.success
    np.testing.assert_allclose(engine.frame_pose(robot, found.q, "link4")[:3, 3], X[:3, 3], atol=1e-6)


@pytest.mark.parametrize("task", [AXES[:3], AXES[3:], AXES[:5], ("x", "z", "ry"), ("rz",), ("z", "rx", "ry")])
def test_a_task_counts_and_nothing_else(task):
    robot = engine.load_robot("panda")
    rows = [AXES.index(axis) for axis in task]
    for q in random_poses(robot, 20, seed=3):
        T = engine.frame_pose(robot, q)
        found = engine.ik(robot, T, robot.configurations["home"], task=task)
        X = engine.frame_pose(robot, found.q)
        left = np.concatenate([(T - X)[:3, 3], Rotation.from_matrix(T[:3, :3] @ X[:3, :3].T).as_rotvec()])
        assert found.success and np.linalg.norm(left[rows]) <= 1e-6
        assert not found.twist[[r for r in range(6) if r not in rows]].any()


def test_the_robots_own_task_is_the_default():
    robot = engine.load_robot("scara")
    q = np.array([0.3, -1.0, 0.1])
    T = moved(engine.frame_pose(robot, q), turn=(0.4, 0, 0))  # an orientation this arm does not have
    found = engine.ik(robot, T)
    assert found.success
    assert not engine.ik(robot, T, task=AXES).success


def test_a_start_leads_to_the_solution_beside_it():
    robot = engine.load_robot("puma560")
    for q in random_poses(robot, 50, seed=4):
        if engine.singularity(robot, q).condition > 20 or (np.minimum(q - robot.q_min, robot.q_max - q) < 0.1).any():
            continue
        found = engine.ik(robot, engine.frame_pose(robot, q), q + 0.02, restarts=0)
        np.testing.assert_allclose(found.q, q, atol=1e-5)
    outside = engine.ik(robot, engine.frame_pose(robot, robot.configurations["home"]), np.full(6, 50.0))
    assert outside.success and within(robot, outside.q)


def test_endless_joints_stay_near_the_start():
    robot = engine.load_robot("ur5")
    q = np.array([0.5, -1.0, 1.2, -0.8, 1.4, 0.3])
    X = engine.frame_pose(robot, q)
    assert np.abs(engine.ik(robot, X).q).max() <= np.pi
    np.testing.assert_allclose(engine.ik(robot, X, q + 2 * np.pi).q, q + 2 * np.pi, atol=1e-6)


def test_half_turns_of_the_target_are_no_trouble():
    robot = engine.load_robot("lwr4")
    q = robot.configurations["home"]
    X = engine.frame_pose(robot, q)
    for axis in np.vstack([np.eye(3), Rotation.random(5, rng=0).apply([1, 0, 0])]):
        assert engine.ik(robot, moved(X, turn=np.pi * axis), q, task=AXES[3:]).success


def test_singular_targets_are_reached():
    for name, pose in (("puma560", "ready"), ("puma560", "stretched"), ("ur5", "upright"), ("cobra600", "stretched")):
        robot = engine.load_robot(name)
        T = engine.frame_pose(robot, robot.configurations[pose])
        for seed in range(3):
            found = engine.ik(robot, T, seed=seed)
            assert found.success, (name, pose, found.reason)


def test_the_same_call_gives_the_same_answer():
    robot = engine.load_robot("panda")
    T = engine.frame_pose(robot, random_poses(robot, 40, seed=5))
    together = engine.ik(robot, T, seed=7)
    alone = [engine.ik(robot, X, seed=7) for X in T]
    assert np.array_equal(together.q, [one.q for one in alone])
    assert not np.array_equal(together.q, engine.ik(robot, T, seed=8).q)


@pytest.mark.parametrize("goal", ["limits", "manipulability"])
@pytest.mark.parametrize(("name", "task"), [("panda", AXES), ("lwr4", AXES), ("irb140", AXES[:3])])
def test_secondary_goals_are_raised_as_far_as_the_target_allows(goal, name, task):
    robot = engine.load_robot(name)

    def height(q):
        if goal == "manipulability":
            return engine.singularity(robot, q, task=task).manipulability
        return -0.5 * np.sum(((2 * q - robot.q_min - robot.q_max) / (robot.q_max - robot.q_min)) ** 2)

    rows = [AXES.index(axis) for axis in task]
    gains = []
    for q in random_poses(robot, 15, seed=6):
        T = engine.frame_pose(robot, q)
        found = engine.ik(robot, T, q, task=task, goal=goal)
        assert found.success and within(robot, found.q)
        assert height(found.q) >= height(q) * (1 - 1e-9 * np.sign(height(q)))
        gains.append(height(found.q) - height(q))
        # no neighbour on the solution set does better
        spare = np.linalg.svd(engine.jacobian(robot, found.q)[rows])[2][len(task) :]
        for step in np.concatenate([spare, -spare]) * 1e-3:
            beside = engine.ik(robot, T, found.q + step, task=task, restarts=0)
            assert not beside.success or height(beside.q) < height(found.q) + 1e-5 * abs(height(found.q))
    assert np.median(gains) > 0


def test_a_goal_leaves_an_arm_without_spare_joints_alone():
    robot = engine.load_robot("puma560")
    T = engine.frame_pose(robot, robot.configurations["home"])
    plain, goal = (engine.ik(robot, T, robot.configurations["home"] + 0.1, goal=g) for g in (None, "manipulability"))
    np.testing.assert_allclose(plain.q, goal.q, atol=1e-9)


def test_far_targets_say_how_far_and_get_the_nearest_pose():
    robot = engine.load_robot("double_pendulum")
    T = np.eye(4)
    T[:3, 3] = 1.5, 0, 2.0  # at 2.5 m; the arm is 1.2 m long
    found = engine.ik(robot, T)
    assert not found.success and found.error == pytest.approx(1.3, abs=1e-6)
    assert found.reason == "unreachable: the target is 1.3 m beyond reach; nearest pose returned"
    np.testing.assert_allclose(engine.frame_pose(robot, found.q)[:3, 3], [0.72, 0, 0.96], atol=1e-5)
    T[:3, 3] = 0.05, 0, 0  # the arm folds to 0.2 m
    assert "0.15 m too close" in engine.ik(robot, T).reason


@pytest.mark.parametrize(
    "linear, angular, told",
    [
        (0.12, 0.0, "0.12 m"),
        (0.12, 1.5e-11, "0.12 m"),
        (1e-12, 0.1, "5.73°"),
        (0.12, 0.1, "0.12 m and 5.73°"),
        (1e-9, 2e-9, "1e-09 m and 1.15e-07°"),
    ],
)
def test_what_is_left_to_go_is_told_without_rounding(linear, angular, told):
    assert distance_words(np.array([0.0, linear, 0.0, angular, 0.0, 0.0])) == told


@pytest.mark.parametrize("name", ["puma560", "panda", "stanford", "ur10"])
def test_the_nearest_pose_cannot_be_improved(name):
    """Stationary within the limits: the gradient of |e|² is zero on free joints and points out of the range on stopped ones."""
    robot = engine.load_robot(name)
    X = engine.frame_pose(robot, robot.configurations["home"])
    for xyz in ((3, 0, 0.5), (0, -2, 1), (1, 1, 3)):
        T = moved(X, xyz, (0.3, 0.2, -0.4))
        found = engine.ik(robot, T)
        assert not found.success and "beyond reach" in found.reason
        assert np.linalg.norm(found.twist) == pytest.approx(found.error) and within(robot, found.q)

        def half_squared(q, T=T):
            Y = engine.frame_pose(robot, q)
            turn = robot.characteristic_length * Rotation.from_matrix(T[:3, :3] @ Y[:3, :3].T).as_rotvec()
            return 0.5 * (np.sum((T - Y)[:3, 3] ** 2) + turn @ turn)

        slope = np.array([(half_squared(found.q + s) - half_squared(found.q - s)) / 2e-5 for s in 1e-5 * np.eye(robot.n)])
        blocked = ((found.q <= robot.q_min) & (slope > 0)) | ((found.q >= robot.q_max) & (slope < 0))
        assert np.abs(np.where(blocked, 0.0, slope)).max() < 1e-4


def test_joint_limits_are_named():
    robot = engine.load_robot("puma560")
    q = np.array(robot.configurations["home"])
    q[4] = np.radians(120)  # joint5 stops at 100°
    for arguments in ({"q0": q, "restarts": 0}, {}):  # the nearest pose beside this one, and of all
        found = engine.ik(robot, engine.frame_pose(robot, q), **arguments)
        stopped = [f"joint{i + 1}" for i in range(6) if found.q[i] in (robot.q_min[i], robot.q_max[i])]
        assert not found.success and within(robot, found.q) and stopped
        assert found.reason.startswith(f"joint limits: {' and '.join(stopped)} stopped") and "nearest pose" in found.reason
        assert arguments == {} or stopped == ["joint5"]


def test_an_orientation_out_of_reach_is_told_from_a_place_out_of_reach():
    robot = engine.load_robot("cobra600")
    T = moved(engine.frame_pose(robot, robot.configurations["home"]), turn=(0.5, 0, 0))
    found = engine.ik(robot, T, task=AXES)
    assert "not with this orientation (4 joints for 6 coordinates)" in found.reason
    assert "in rx by 24.8° and ry by 14.3°" in found.reason
    assert np.linalg.norm(found.twist[3:]) > 0.1
    assert "cannot reach this orientation" in engine.ik(robot, T, task=AXES[3:]).reason


def test_a_start_that_leads_nowhere_is_told_from_a_target_out_of_reach():
    robot = engine.load_robot("panda")
    for q in random_poses(robot, 60, seed=8):
        found = engine.ik(robot, engine.frame_pose(robot, q), robot.configurations["home"], restarts=0)
        if not found.success:
            assert found.reason.startswith("did not converge from this start") and "restarts" in found.reason
            return
    pytest.fail("every target was reached from one start")


def test_many_starts_for_one_target_and_one_start_for_many():
    robot = engine.load_robot("ur5")
    q = random_poses(robot, 6, seed=9)
    T = engine.frame_pose(robot, q)
    assert engine.ik(robot, T[0], q).q.shape == (6, 6)
    assert engine.ik(robot, T, q[0]).success.all()
    assert engine.ik(robot, np.empty((0, 4, 4))).q.shape == (0, 6)
    with pytest.raises(engine.EngineError, match="6 start poses q0 for 3 targets"):
        engine.ik(robot, T[:3], q)


def test_bad_arguments():
    robot = engine.load_robot("puma560")
    X = engine.frame_pose(robot, robot.configurations["home"])
    for bad, message in (
        (np.zeros((3, 3)), r"expected \(4, 4\) or \(N, 4, 4\)"),
        (np.full((4, 4), np.nan), "non-finite"),
        (np.diag([1, 1, -1, 1.0]), "not a pose"),
        (2 * np.eye(4), "not a pose"),
        ("home", "not an array of real numbers"),
    ):
        with pytest.raises(engine.EngineError, match=message):
            engine.ik(robot, bad)
    for arguments, message in (
        ({"task": ("yaw",)}, "not a non-empty subset"),
        ({"frame": "hand"}, "unknown frame 'hand'"),
        ({"frame": "base"}, "does not move"),
        ({"goal": "beauty"}, "limits, manipulability"),
        ({"q0": [0, 0]}, r"q0 has shape \(2,\)"),
        ({"tolerance": 0.0}, "must be a positive number"),
        ({"tolerance": "small"}, "must be a positive number"),
        ({"restarts": -1}, "restarts not negative"),
        ({"seed": None}, "whole numbers"),
        ({"task": 3}, "not a non-empty subset"),
        ({"task": [["x"]]}, "not a non-empty subset"),
    ):
        with pytest.raises(engine.EngineError, match=message):
            engine.ik(robot, X, **arguments)


def test_a_rotation_printed_with_few_digits_is_taken():
    robot = engine.load_robot("puma560")
    X = np.round(engine.frame_pose(robot, robot.configurations["home"] + 0.1), 4)
    found = engine.ik(robot, X)
    assert found.success
    np.testing.assert_allclose(engine.frame_pose(robot, found.q), X, atol=2e-4)


def gripper() -> engine.Robot:
    """A chain of six joints with two fingers, of which the second copies the first."""
    robot = random_tree(31, 6, branching=False)
    fingers = tuple(Body(parent=5, joint_type="prismatic", X_PJ=random_pose(np.random.default_rng(k))) for k in range(2))
    names = (*robot.joint_names, "finger1", "finger2")
    limits = np.array([1.0] * 6 + [0.04])
    return replace(
        robot,
        bodies=(*robot.bodies, *fingers),
        joint_names=names[:7],
        coupling=Coupling(names, driver=[*range(7), 6], multiplier=[1.0] * 7 + [-1.0], offset=np.zeros(8), own=np.arange(7)),
        frames={**robot.frames, "tip1": Frame(6, np.eye(4)), "tip2": Frame(7, np.eye(4))},
        q_min=-limits, q_max=limits, qd_max=limits, tau_max=limits, configurations={},
    )  # fmt: skip


def test_mimic_joints_beside_the_way_stay_and_on_it_are_refused():
    robot = gripper()
    q = np.array([0.3, -0.4, 0.5, 0.1, -0.2, 0.6, 0.02])
    for frame in ("tool", "tip1"):
        found = engine.ik(robot, engine.frame_pose(robot, q, frame), np.full(7, 0.01), frame)
        assert found.success and found.q.shape == (7,) and within(robot, found.q)
        assert off(engine.frame_pose(robot, found.q, frame), engine.frame_pose(robot, q, frame)) < 1e-6
        assert frame == "tip1" or found.q[6] == 0.01
    with pytest.raises(engine.EngineError, match="finger2 before this frame is coupled to another joint"):
        engine.ik(robot, np.eye(4), frame="tip2")
