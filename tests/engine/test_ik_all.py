"""All branches in closed form: their names, singular poses, limits, and arms that have none."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.model.body import PRISMATIC, REVOLUTE
from tests.chance import seeds
from tests.engine.six_joint_arms import parallel_arm, spherical_arm
from tests.engine.trees import random_pose

ARMS = ("puma560", "irb140", "stanford", "ur5", "ur10")
POSES = 100


def poses(robot, seed: int = 0) -> np.ndarray:
    low, high = np.maximum(robot.q_min, -np.pi), np.minimum(robot.q_max, np.pi)
    return np.random.default_rng(seed).uniform(low, high, (POSES, robot.n))


def apart(robot, q, other) -> float:
    """Largest difference of a joint, whole turns apart counting as none."""
    d = q - other
    return float(np.abs(np.where(robot.prismatic, d, (d + np.pi) % (2 * np.pi) - np.pi)).max())


def check(robot, branches, X) -> None:
    """All branches take the pose to 1e-9, are different ones and have names of their own."""
    assert all(np.abs(engine.frame_pose(robot, b.q) - X).max() < 1e-9 and b.error <= 1e-9 for b in branches)
    assert all(apart(robot, a.q, b.q) > 1e-6 for a, b in itertools.combinations(branches, 2))
    assert len({b.name for b in branches}) == len(branches)


@pytest.mark.parametrize("name", ARMS)
def test_the_pose_that_was_made_is_among_the_branches(name):
    robot = engine.load_robot(name)
    for q in poses(robot):
        X = engine.frame_pose(robot, q)
        branches = engine.ik_all(robot, X)
        check(robot, branches, X)
        assert min(apart(robot, b.q, q) for b in branches) < 1e-6
        own = min(branches, key=lambda b: apart(robot, b.q, q))
        assert own.within_limits and (own.q >= robot.q_min).all() and (own.q <= robot.q_max).all()
        assert len(branches) % 2 == 0 and not any(b.free for b in branches)


@pytest.mark.parametrize("name", ["puma560", "stanford"])
def test_generic_poses_have_eight_branches(name):
    robot = engine.load_robot(name)
    found = engine.ik_all(robot, engine.frame_pose(robot, poses(robot, 1)))
    assert {len(branches) for branches in found} == {8}


@pytest.mark.parametrize("name", ["puma560", "irb140", "ur5", "ur10"])
def test_home_has_all_eight_names(name):
    robot = engine.load_robot(name)
    q = robot.configurations["home"]
    names = {b.name for b in engine.ik_all(robot, engine.frame_pose(robot, q), q)}
    expected = itertools.product(("left", "right"), ("up", "down"), ("flip", "no flip"))
    assert names == {f"shoulder {s}, elbow {e}, wrist {w}" for s, e, w in expected}


def test_names_mean_what_they_say():
    puma = engine.load_robot("puma560")
    branches = {b.name: b.q for b in engine.ik_all(puma, engine.frame_pose(puma, puma.configurations["home"]))}
    for name, q in branches.items():
        elbow, wrist = (engine.frame_pose(puma, q, link)[:3, 3] for link in ("link2", "link4"))
        beside = np.cross(wrist, engine.frame_pose(puma, q, "link3")[:3, 3])[2]  # of the line from the base to the wrist
        assert (beside < 0) == ("shoulder right" in name)
        shoulder = np.array([0, 0, 0.67183])
        line = shoulder + (wrist - shoulder) * np.linalg.norm(elbow - shoulder) / np.linalg.norm(wrist - shoulder)
        assert (elbow[2] > line[2]) == ("elbow up" in name)
        assert (q[4] > 0) == ("no flip" in name)
    ur = engine.load_robot("ur5")
    for b in engine.ik_all(ur, engine.frame_pose(ur, ur.configurations["home"])):
        heights = [engine.frame_pose(ur, b.q, link)[2, 3] for link in ("link1", "link2", "link3")]
        assert (heights[1] > (heights[0] + heights[2]) / 2) == ("elbow up" in b.name)


@pytest.mark.parametrize(
    "types", list(itertools.product([REVOLUTE, PRISMATIC], repeat=3)), ids=lambda t: "".join(x[0] for x in t)
)
def test_any_three_joints_before_a_wrist(types):
    for seed in seeds(25):
        robot = spherical_arm(seed, types)
        q = np.random.default_rng(seed).uniform(-2, 2, 6)
        X = engine.frame_pose(robot, q)
        branches = engine.ik_all(robot, X)
        check(robot, branches, X)
        assert min(apart(robot, b.q, q) for b in branches) < 1e-5
        assert len(branches) <= 8


def test_any_arm_with_three_parallel_axes():
    counts = []
    for seed in seeds(60):
        robot = parallel_arm(seed)
        q = np.random.default_rng(seed).uniform(-2, 2, 6)
        X = engine.frame_pose(robot, q)
        branches = engine.ik_all(robot, X)
        check(robot, branches, X)
        assert min(apart(robot, b.q, q) for b in branches) < 1e-5
        counts.append(len(branches))
    assert max(counts) == 8


@pytest.mark.parametrize("name", ARMS)
def test_branches_are_complete(name):
    """A search from many starts finds no solution that the closed form has not."""
    robot = engine.load_robot(name)
    free = replace(robot, q_min=np.full(6, -np.inf), q_max=np.full(6, np.inf))
    X = engine.frame_pose(robot, poses(robot, 2)[0])
    branches = engine.ik_all(robot, X)
    found = engine.ik(free, X, np.random.default_rng(3).uniform(-3, 3, (300, 6)), restarts=3)
    for q in found.q[found.success]:
        assert min(apart(robot, b.q, q) for b in branches) < 1e-5


def test_the_tool_is_applied_on_the_right_side():
    rng = np.random.default_rng(4)
    for name in ARMS:
        robot = engine.load_robot(name)
        tool, q = random_pose(rng), poses(robot)[0]
        X_WF = engine.frame_pose(robot, q, "link6")
        branches = engine.ik_all(robot.with_tool(tool), X_WF @ tool)
        assert min(apart(robot, b.q, q) for b in branches) < 1e-6
        for b in engine.ik_all(robot, X_WF, frame="link6"):
            np.testing.assert_allclose(engine.frame_pose(robot, b.q, "link6"), X_WF, atol=1e-9)


def test_a_straight_wrist_leaves_a_joint_free():
    robot = engine.load_robot("puma560")
    X = engine.frame_pose(robot, [0.3, 0.5, -2, 0.4, 0, 0.2])
    for turn in (0.0, 0.7, -1.2):
        branches = engine.ik_all(robot, X, [0, 0, 0, turn, 0, 0])
        check(robot, branches, X)
        (free,) = [b for b in branches if b.free]
        assert free.free == ("joint4",) and free.q[3] == pytest.approx(turn, abs=1e-9) and "wrist straight" in free.name
        assert free.q[3] + free.q[5] == pytest.approx(0.6)
        assert len(branches) == 7
    robot = engine.load_robot("ur5")
    X = engine.frame_pose(robot, [0.5, -1, 1, 0.4, 0, 0.2])
    free = [b for b in engine.ik_all(robot, X, [0, 0, 0, 0, 0, 0.9]) if b.free]
    assert free and all(b.free == ("joint6",) and b.q[5] == pytest.approx(0.9) for b in free)
    check(robot, free, X)


def test_a_wrist_over_the_first_axis_leaves_it_free():
    robot = engine.load_robot("irb140")
    T = np.eye(4)
    T[:3, 3] = 0, 0, 0.9
    q = np.array(engine.ik(robot, T, frame="link4", task=("x", "y", "z")).q)
    q[3:] = 0.3, 0.8, -0.5
    X = engine.frame_pose(robot, q)
    for turn in (0.4, -2.0):
        branches = engine.ik_all(robot, X, [turn, 0, 0, 0, 0, 0])
        assert branches and all(b.free == ("joint1",) and b.q[0] == pytest.approx(turn, abs=1e-6) for b in branches)
        check(robot, branches, X)


def test_a_stretched_arm_has_its_elbow_straight():
    robot = engine.load_robot("ur5")
    X = engine.frame_pose(robot, robot.configurations["ready"])
    branches = engine.ik_all(robot, X)
    check(robot, branches, X)
    assert branches and all("elbow straight" in b.name for b in branches)
    assert min(apart(robot, b.q, robot.configurations["ready"]) for b in branches) < 1e-6


@pytest.mark.parametrize("name", ARMS)
def test_every_named_pose_of_a_file_comes_back(name):
    robot = engine.load_robot(name)
    for pose, q in robot.configurations.items():
        X = engine.frame_pose(robot, q)
        branches = engine.ik_all(robot, X, q)
        check(robot, branches, X)
        assert min(apart(robot, b.q, q) for b in branches) < 1e-6, pose


def test_branches_beyond_limits_are_flagged_and_come_last():
    robot = engine.load_robot("puma560")
    seen = 0
    for q in poses(robot, 5):
        branches = engine.ik_all(robot, engine.frame_pose(robot, q))
        flags = [b.within_limits for b in branches]
        assert flags == sorted(flags, reverse=True)
        for b in branches:
            out = tuple(f"joint{i + 1}" for i in range(6) if not robot.q_min[i] <= b.q[i] <= robot.q_max[i])
            assert b.beyond == out and b.within_limits == (not out)
            seen += len(out) > 0
    assert seen


def test_angles_are_given_on_the_turn_that_fits():
    robot = engine.load_robot("irb140")  # its last joint turns ±400°
    q = np.array(robot.configurations["home"]) + 0.1
    X = engine.frame_pose(robot, q)
    for near in (0.0, 2 * np.pi, -2 * np.pi):
        branches = engine.ik_all(robot, X, [*q[:5], q[5] + near])
        assert min(np.abs(b.q - [*q[:5], q[5] + near]).max() for b in branches) < 1e-6
    assert all(abs(b.q[5]) <= np.radians(400) for b in engine.ik_all(robot, X, [*q[:5], 20.0]))


def test_out_of_reach_there_are_none():
    for name in ARMS:
        robot = engine.load_robot(name)
        X = np.array(engine.frame_pose(robot, robot.configurations["home"]))
        X[:3, 3] = 5, 0, 0
        branches = engine.ik_all(robot, X)
        assert branches == () if name != "stanford" else all("joint3" in b.beyond for b in branches)  # pulled out that far


OTHERS = [name for name in engine.shipped_robots() if len(engine.load_robot(name).chain(engine.load_robot(name).tool_frame)) != 6]


@pytest.mark.parametrize("name", OTHERS)
def test_arms_of_more_or_fewer_joints_are_told_what_to_do(name):
    robot = engine.load_robot(name)
    with pytest.raises(
        engine.EngineError, match=r"\d joints move this frame, but all IK solutions are listed for six"
    ) as refused:
        engine.ik_all(robot, np.eye(4))
    assert "\n" not in str(refused.value)
    assert ("fix 1 of them" in str(refused.value)) == (len(robot.chain(robot.tool_frame)) == 7)


def test_frames_that_fewer_joints_move_are_told():
    with pytest.raises(engine.EngineError, match="4 joints move this frame"):
        engine.ik_all(engine.load_robot("puma560"), np.eye(4), frame="link4")


def test_figures_with_few_digits_are_made_up_for():
    """URDF files round right angles to 1.5708: the axes are then not quite parallel, and the branches exact all the same."""
    rng = np.random.default_rng(6)
    for name in ("puma560", "ur5"):
        robot = engine.load_robot(name)
        bodies = []
        for body in robot.bodies:
            X = np.array(body.X_PJ)
            U, _, Vt = np.linalg.svd(X[:3, :3] + rng.uniform(-5e-6, 5e-6, (3, 3)))
            X[:3, :3] = U @ Vt
            bodies.append(replace(body, X_PJ=X))
        rough = replace(robot, bodies=tuple(bodies))
        for q in poses(robot, 7)[:30]:
            X = engine.frame_pose(rough, q)
            branches = engine.ik_all(rough, X)
            check(rough, branches, X)
            assert min(apart(robot, b.q, q) for b in branches) < 1e-6


def test_bad_arguments():
    robot = engine.load_robot("puma560")
    with pytest.raises(engine.DimensionError):
        engine.ik_all(robot, np.eye(3))
    with pytest.raises(engine.EngineError, match="one q0"):
        engine.ik_all(robot, np.eye(4), np.zeros((2, 6)))
    with pytest.raises(engine.UnknownFrameError):
        engine.ik_all(robot, np.eye(4), frame="hand")
    assert engine.ik_all(robot, np.empty((0, 4, 4))) == ()
