"""All branches of arms without a closed form: complete, exact, the same by other ways, and singular poses told."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from armature import engine
from armature.engine.kinematics import pose_branches
from armature.engine.model.body import PRISMATIC, REVOLUTE
from tests.chance import seeds
from tests.engine.six_joint_arms import dh_arm, general_arm, meeting_arm, offset_wrist_arm, three_parallel_arm

GENERAL = {f"general{seed}": general_arm(seed) for seed in range(1, 6)}
ARMS = {**GENERAL, "jaco": dh_arm("jaco"), "manseur_doty": dh_arm("manseur_doty")}
R, P = REVOLUTE, PRISMATIC
SLIDING = [(P, R, R, R, R, R), (R, R, R, R, R, P), (R, P, R, R, P, R), (P, R, P, R, R, P), (P, P, R, P, R, R)]
POSES = 40


def random_positions(robot, count: int, seed: int = 0) -> np.ndarray:
    span = np.where(robot.prismatic, 0.5, np.pi)
    return np.random.default_rng(seed).uniform(-span, span, (count, robot.n))


def apart(robot, q, others) -> np.ndarray:
    """Largest difference of a joint, whole turns apart counting as none, from each of the others."""
    d = np.array([b.q for b in others]).reshape(-1, robot.n) - q
    return np.abs(np.where(robot.prismatic, d, (d + np.pi) % (2 * np.pi) - np.pi)).max(axis=1, initial=0.0)


def check(robot, branches, X) -> None:
    """All branches take the pose to 1e-9, are different ones and have names of their own."""
    q = np.array([b.q for b in branches]).reshape(-1, robot.n)
    assert np.abs(engine.frame_pose(robot, q) - X).max(initial=0.0) < 1e-9 and all(b.error <= 1e-9 for b in branches)
    assert all(apart(robot, a.q, [b])[0] > 1e-6 for a, b in itertools.combinations(branches, 2))
    assert len({b.name for b in branches}) == len(branches)


def same(robot, some, others) -> bool:
    return len(some) == len(others) and all(apart(robot, b.q, others).min() < 1e-6 for b in some)


def by_continuation(monkeypatch, robot, X, q0=None):
    """The branches without the closed form that the arm has."""
    with monkeypatch.context() as patch:
        patch.setattr(pose_branches, "six_axes", lambda *_: None)
        return engine.ik_all(robot, X, q0)


def find_every_seed(robot, positions) -> list[int]:
    """How many branches every pose has; all are found by the positions that were made."""
    counts = []
    for q in positions:
        X = engine.frame_pose(robot, q)
        branches = engine.ik_all(robot, X)
        if np.linalg.svd(engine.jacobian(robot, q), compute_uv=False)[-1] >= 1e-5:
            check(robot, branches, X)
            assert apart(robot, q, branches).min() < 1e-6
            assert len(branches) % 2 == 0 and len(branches) <= 16 and not any(b.free for b in branches)
            counts.append(len(branches))
    return counts


@pytest.mark.parametrize("name", ARMS)
def test_the_pose_that_was_made_is_among_the_branches(name):
    counts = find_every_seed(ARMS[name], random_positions(ARMS[name], POSES))
    assert max(counts) >= 6


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", [*GENERAL, "jaco"])
def test_ten_thousand_poses(name):
    find_every_seed(ARMS[name], random_positions(ARMS[name], 10_000, seeds(1)[0]))


@pytest.mark.parametrize("types", SLIDING, ids=lambda types: "".join(kind[0] for kind in types))
def test_slides_among_the_joints(types):
    find_every_seed(general_arm(7, types), random_positions(general_arm(7, types), POSES // 2))


def test_an_arm_with_sixteen_branches():
    """The pose that Manocha and Canny print, with six digits."""
    X = np.eye(4)
    X[:3, :3] = [[-0.760117, -0.641689, 0.102262], [0.133333, 0, 0.991071], [-0.635959, 0.766965, 0.085558]]
    X[:3, 3] = -1.140175, 0, 0
    branches = engine.ik_all(ARMS["manseur_doty"], X)
    assert len(branches) == 16
    assert {b.name for b in branches} == {f"branch {k}" for k in range(1, 17)}
    counts = [
        len(engine.ik_all(ARMS["manseur_doty"], Y))
        for Y in engine.frame_pose(ARMS["manseur_doty"], random_positions(ARMS["jaco"], 40))
    ]
    assert max(counts) == 16


@pytest.mark.parametrize("name", ["general1", "jaco"])
def test_branches_are_closed_under_solving_again(name):
    robot = ARMS[name]
    for q in random_positions(robot, 5, 1):
        branches = engine.ik_all(robot, engine.frame_pose(robot, q))
        for b in branches:
            again = engine.ik_all(robot, engine.frame_pose(robot, b.q), b.q)
            assert same(robot, branches, again)
            assert np.abs(again[0].q - b.q).max() < 1e-6


@pytest.mark.parametrize("name", ["general2", "jaco"])
def test_a_search_from_many_starts_finds_no_other(name):
    robot = ARMS[name]
    X = engine.frame_pose(robot, random_positions(robot, 1, 2)[0])
    branches = engine.ik_all(robot, X)
    found = engine.ik(robot, X, random_positions(robot, 300, 3), restarts=0)
    assert found.success.sum() > 50
    assert all(apart(robot, q, branches).min() < 1e-5 for q in found.q[found.success])


@pytest.mark.parametrize("make", [meeting_arm, three_parallel_arm])
@pytest.mark.parametrize("first", range(4))
def test_closed_forms_and_continuation_agree(make, first, monkeypatch):
    """Three axes that meet or are parallel, wherever they stand in the arm."""
    for seed in seeds(4):
        robot = make(seed, first)
        q = random_positions(robot, 1, seed)[0]
        X = engine.frame_pose(robot, q)
        branches = engine.ik_all(robot, X)
        check(robot, branches, X)
        assert apart(robot, q, branches).min() < 1e-6
        six = pose_branches.PoseBranches.of(robot, None, q, {}).six
        assert six is not None and six.first == first
        assert same(robot, branches, by_continuation(monkeypatch, robot, X))


@pytest.mark.parametrize("name", ["puma560", "irb140"])
@pytest.mark.parametrize("pose", ["home", "zero", "straight wrist"])
def test_closed_forms_and_continuation_agree_where_a_joint_is_free(name, pose, monkeypatch):
    robot = engine.load_robot(name)
    X = engine.frame_pose(robot, robot.configurations.get(pose, [0.3, 0.5, -2, 0.4, 0, 0.2]))
    q0 = [0, 0, 0, 0.7, 0, 0.9]
    closed, followed = engine.ik_all(robot, X, q0), by_continuation(monkeypatch, robot, X, q0)
    check(robot, followed, X)
    assert same(robot, closed, followed)
    assert sorted(b.free for b in closed) == sorted(b.free for b in followed)


def test_a_family_is_one_branch_with_its_free_joint():
    """Axes 4 and 6 of an offset wrist become one where it is straight; no three axes of that arm meet."""
    robot = offset_wrist_arm(2)
    q = np.array([0.3, -0.5, 0.8, 0.4, 0.0, 0.2])
    X = engine.frame_pose(robot, q)
    assert pose_branches.PoseBranches.of(robot, None, q, {}).six is None
    for turn in (0.0, 1.1, -2.0):
        branches = engine.ik_all(robot, X, [0.3, -0.5, 0.8, turn, 0, 0])
        check(robot, branches, X)
        (free,) = [b for b in branches if b.free]
        assert free.free == ("joint4",) and free.q[3] == pytest.approx(turn, abs=1e-9)
        np.testing.assert_allclose(free.q[:3], q[:3], atol=1e-6)
        assert free.q[3] + free.q[5] == pytest.approx(0.6) and len(branches) < 12


def test_a_double_solution_is_one_branch(monkeypatch):
    """With the elbow straight two branches are one: continuation gets stuck there, the closed form does not."""
    robot = engine.load_robot("ur5")
    X = engine.frame_pose(robot, robot.configurations["ready"])
    closed, followed = engine.ik_all(robot, X), by_continuation(monkeypatch, robot, X)
    check(robot, followed, X)
    assert len(closed) == len(followed) and all("elbow straight" in b.name for b in closed)
    assert all(apart(robot, b.q, followed).min() < 1e-5 for b in closed) and not any(b.free for b in followed)


@pytest.mark.parametrize("name", ["general1", "jaco"])
def test_branches_at_and_beside_singular_poses(name):
    """Where two branches become one there is an odd number of them; beside it both are found."""
    robot, rng = ARMS[name], np.random.default_rng(0)
    for start in random_positions(robot, 8, 4):
        singular = engine.nearest_singularity(robot, start).q
        X = engine.frame_pose(robot, singular)
        branches = engine.ik_all(robot, X)
        check(robot, branches, X)
        assert len(branches) % 2 == 1 and (apart(robot, singular, branches) < 1e-3).sum() == 1
        assert not any(b.free for b in branches)
        q = singular + 1e-3 * rng.normal(size=6)
        if np.linalg.svd(engine.jacobian(robot, q), compute_uv=False)[-1] >= 1e-5:
            beside = engine.ik_all(robot, engine.frame_pose(robot, q))
            assert len(beside) % 2 == 0 and apart(robot, q, beside).min() < 1e-6


def test_out_of_reach_there_are_none():
    X = np.eye(4)
    X[:3, 3] = 5, 0, 0
    assert engine.ik_all(ARMS["jaco"], X) == ()


def test_targets_at_once_are_as_one_by_one():
    X = engine.frame_pose(ARMS["jaco"], random_positions(ARMS["jaco"], 3))
    for some, one in zip(engine.ik_all(ARMS["jaco"], X), X, strict=True):
        assert [(b.name, tuple(b.q)) for b in some] == [(b.name, tuple(b.q)) for b in engine.ik_all(ARMS["jaco"], one)]


def test_four_slides_lose_a_direction_everywhere():
    with pytest.raises(engine.EngineError, match=r"five directions at most"):
        engine.ik_all(general_arm(3, (P, P, R, P, P, R)), np.eye(4))


def shipped(joints: int) -> list[str]:
    robots = {name: engine.load_robot(name) for name in engine.shipped_robots()}
    return [name for name, robot in robots.items() if len(robot.chain(robot.tool_frame)) == joints]


@pytest.mark.parametrize("name", [*shipped(6), *shipped(7)])
def test_every_shipped_arm_finds_its_poses(name):
    """Arms of seven joints with the third held."""
    robot = engine.load_robot(name)
    for q in np.random.default_rng(0).uniform(np.maximum(robot.q_min, -3), np.minimum(robot.q_max, 3), (4, robot.n)):
        X = engine.frame_pose(robot, q)
        branches = engine.ik_all(robot, X, q, fixed={robot.joint_names[2]: q[2]} if robot.n == 7 else None)
        check(robot, branches, X)
        assert apart(robot, q, branches).min() < 1e-6 and len(branches) % 2 == 0


@pytest.mark.parametrize(("name", "joint"), [("panda", "joint3"), ("panda", "joint7"), ("lwr4", "joint3"), ("lwr4", "joint5")])
def test_seven_joints_with_one_held(name, joint):
    robot = engine.load_robot(name)
    joint = robot.joint_names[int(joint[-1]) - 1]
    i = robot.joint_names.index(joint)
    for q in np.random.default_rng(1).uniform(robot.q_min, robot.q_max, (8, 7)):
        X = engine.frame_pose(robot, q)
        branches = engine.ik_all(robot, X, fixed={joint: q[i]})
        check(robot, branches, X)
        assert apart(robot, q, branches).min() < 1e-6 and len(branches) % 2 == 0
        assert all(b.q[i] == pytest.approx(q[i], abs=1e-12) for b in branches)


def test_what_cannot_be_held_is_told():
    robot, arms = engine.load_robot("panda"), engine.load_robot("two_arms")
    first = robot.joint_names[0]
    for fixed, words in (
        ({"elbow": 0.0}, "unknown joint 'elbow'"),
        ({first: np.nan}, "not a finite number"),
        ({first: "x"}, "not a finite"),
    ):
        with pytest.raises(engine.EngineError, match=words):
            engine.ik_all(robot, np.eye(4), fixed=fixed)
    with pytest.raises(engine.EngineError, match="5 joints can move this frame"):
        engine.ik_all(robot, np.eye(4), fixed=dict.fromkeys(robot.joint_names[:2], 0.0))
    off = next(name for i, name in enumerate(arms.joint_names) if i not in arms.chain(arms.tool_frame))
    with pytest.raises(engine.EngineError, match="does not move this frame"):
        engine.ik_all(arms, np.eye(4), fixed={off: 0.0})
