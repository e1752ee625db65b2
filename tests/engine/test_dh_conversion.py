"""Standard and modified DH describe the same arm, and either is found for any serial arm from its axes alone."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.model.dh_table import MODIFIED, STANDARD
from armature.engine.model.inertia_rules import triangle_fault
from tests.chance import seeds
from tests.engine.example_robots import example, usable_files
from tests.engine.trees import random_tree

ARMS = [name for name in engine.shipped_robots() if engine.load_robot(name).dh is not None]
OTHER = {STANDARD: MODIFIED, MODIFIED: STANDARD}


def converted(robot):
    return (engine.to_modified if robot.dh.convention == STANDARD else engine.to_standard)(robot)


def product(robot, q):
    """X_WT as the plain product of the rows' matrices."""
    X = robot.base
    for theta, d, a, alpha in robot.dh.rows(q):
        z = np.array([[np.cos(theta), -np.sin(theta), 0, 0], [np.sin(theta), np.cos(theta), 0, 0], [0, 0, 1, d], [0, 0, 0, 1]])
        x = np.array([[1, 0, 0, a], [0, np.cos(alpha), -np.sin(alpha), 0], [0, np.sin(alpha), np.cos(alpha), 0], [0, 0, 0, 1]])
        X = X @ z @ x if robot.dh.convention == STANDARD else X @ x @ z
    flange = robot.frames[robot.link_names[-1]]
    return X @ np.linalg.inv(flange.X_BF) @ robot.frames["tool"].X_BF


@pytest.mark.parametrize("name", ARMS)
def test_both_conventions_place_the_tool_alike(name):
    robot = engine.load_robot(name)
    other = converted(robot)
    assert other.dh.convention == OTHER[robot.dh.convention]
    for q in np.random.default_rng(0).uniform(-2, 2, (10, robot.n)):
        np.testing.assert_allclose(product(other, q), engine.frame_pose(robot, q), atol=1e-12)
        np.testing.assert_allclose(product(other, q), engine.frame_pose(other, q), atol=1e-12)
    again = converted(other)
    for q in np.random.default_rng(1).uniform(-2, 2, (5, robot.n)):
        np.testing.assert_allclose(product(again, q), engine.frame_pose(robot, q), atol=1e-12)


def test_a_convention_it_has_already_is_left_alone():
    puma, panda = engine.load_robot("puma560"), engine.load_robot("panda")
    assert engine.to_standard(puma) is puma and engine.to_modified(panda) is panda


def as_toml(robot):
    """The robot file of this description, masses in its own link frames."""

    def listed(values):
        return "[" + ", ".join(repr(float(x)) for x in values) + "]"

    def matrix(X):
        return "[" + ", ".join(listed(row) for row in X) + "]"

    flange = robot.frames[robot.link_names[-1]]
    lines = [f'name = "arm"\nconvention = "{robot.dh.convention}"', f"gravity = {listed(robot.gravity)}"]
    lines += [f"[base]\nmatrix = {matrix(robot.base)}"]
    lines += [f"[tool]\nmatrix = {matrix(np.linalg.inv(flange.X_BF) @ robot.frames['tool'].X_BF)}"]
    for i, body in enumerate(robot.bodies):
        X = robot.links[robot.link_names[i + 1]].X_BF
        R, t = X[:3, :3], robot.dh
        I_L = R.T @ body.inertia @ R
        lines += [
            f'[[joints]]\ntype = "{body.joint_type}"\na = {t.a[i]!r}\nalpha = {t.alpha[i]!r}',
            f"d = {t.d[i]!r}\ntheta = {t.theta[i]!r}",
            f"mass = {body.mass!r}\ncom = {listed(R.T @ (body.com - X[:3, 3]))}\ninertia = {matrix((I_L + I_L.T) / 2)}",
            f"rotor_inertia = {body.rotor_inertia!r}",
        ]
        lines += ['inertia_as_published = "somewhere"'] * (triangle_fault(I_L) is not None)
    return "\n".join(lines).replace("np.float64", "").replace("(", "").replace(")", "")


@pytest.mark.parametrize("name", [name for name in ARMS if engine.load_robot(name).has_dynamics])
def test_inverse_dynamics_of_both_descriptions_are_equal(name, tmp_path):
    robot = engine.load_robot(name)
    files = []
    for description in (robot, converted(robot)):
        path = tmp_path / f"{description.dh.convention}.toml"
        path.write_text(as_toml(description))
        files.append(engine.load_robot(path))
    q, qd, qdd = np.random.default_rng(2).normal(size=(3, 20, robot.n))
    expected = engine.rnea(robot, q, qd, qdd)
    for read in files:
        tau = engine.rnea(read, q, qd, qdd)
        assert np.abs(tau - expected).max() <= 1e-9 * np.abs(expected).max()


def check(robot, convention, frame=None, exact=1e-9):
    found = engine.dh_from_robot(robot, convention, frame)
    assert found.table.convention == convention and found.extra_joints == ()
    assert max(found.error) <= exact * max(1.0, robot.reach)
    for q in np.random.default_rng(3).uniform(-3, 3, (5, robot.n)):
        ours = found.pose(q[list(found.joints)])
        assert np.abs(ours - engine.frame_pose(robot, q, found.frame)).max() <= exact * max(1.0, robot.reach)
    return found


@pytest.mark.parametrize("convention", [STANDARD, MODIFIED])
@pytest.mark.parametrize("name", ARMS)
def test_extraction_from_shipped_arms(name, convention):
    robot = engine.load_robot(name)
    found = check(robot, convention)
    assert found.joints == tuple(range(robot.n))


@pytest.mark.parametrize("path", usable_files(), ids=lambda path: path.stem)
def test_extraction_from_every_chain_of_every_urdf(path):
    robot = engine.load_robot(path).tree
    leaves = set(range(robot.n)) - {body.parent for body in robot.bodies}
    names = {frame.body: name for name, frame in robot.links.items() if frame.body in leaves}
    for name in names.values():
        for convention in (STANDARD, MODIFIED):
            check(robot, convention, name)


@pytest.mark.parametrize("seed", seeds(20))
def test_extraction_from_random_skew_chains(seed):
    check(random_tree(seed, 7, branching=False), (STANDARD, MODIFIED)[seed % 2])


def test_the_ur5_comes_out_as_its_maker_prints_it():
    table = engine.dh_from_robot(engine.load_robot(example("ur5_robot"))).table
    np.testing.assert_allclose(np.abs(table.a), [0, 0.425, 0.39225, 0, 0, 0], atol=1e-9)
    np.testing.assert_allclose(np.abs(table.alpha) % np.pi, [np.pi / 2, 0, 0, np.pi / 2, np.pi / 2, 0], atol=1e-9)


AXES = {
    "parallel": ([0, 0, 1], [1, 0, 0]),
    "antiparallel": ([0, 0, -1], [1, 0, 0]),
    "intersecting": ([0, 1, 0], [0, 0, 0.5]),
    "skew": ([0, 0.6, 0.8], [1, 0.2, 0.3]),
    "the same": ([0, 0, 1], [0, 0, 0.5]),
    "opposite on one line": ([0, 0, -1], [0, 0, 0.5]),
}


def two_joints(tmp_path, axis, xyz):
    path = tmp_path / "arm.urdf"
    numbers = [" ".join(repr(float(x)) for x in v) for v in (axis, xyz)]
    path.write_text(
        '<robot name="arm"><link name="base"/><link name="a"/><link name="b"/><link name="tip"/>'
        '<joint name="j1" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>'
        f'<joint name="j2" type="continuous"><parent link="a"/><child link="b"/><axis xyz="{numbers[0]}"/>'
        f'<origin xyz="{numbers[1]}"/></joint>'
        '<joint name="w" type="fixed"><parent link="b"/><child link="tip"/><origin xyz="0.3 0.1 0.2" rpy="1 2 3"/></joint>'
        "</robot>"
    )  # fmt: skip
    return engine.load_robot(path)


@pytest.mark.parametrize("name", AXES)
def test_extraction_however_two_axes_lie(name, tmp_path):
    robot = two_joints(tmp_path, *AXES[name])
    for convention in (STANDARD, MODIFIED):
        check(robot, convention)


def test_all_but_parallel_axes_need_an_extra_frame_and_say_so(tmp_path):
    tilt = 1e-5
    robot = two_joints(tmp_path, [np.sin(tilt), 0, np.cos(tilt)], [1, 0.3, 0])
    found = engine.dh_from_robot(robot, longest=10.0)
    assert found.extra_joints == (0,)
    assert tilt / 3 < found.error[1] < 3 * tilt and found.error[0] < 3 * tilt * robot.reach
    exact = engine.dh_from_robot(robot, longest=1e9)
    assert exact.extra_joints == () and exact.error[0] < 1e-9 and np.abs(exact.table.d).max() > 1e4


def test_frames_at_the_ends_are_named(tmp_path):
    robot = two_joints(tmp_path, *AXES["skew"])
    found = engine.dh_from_robot(robot)
    assert found.extra_frames == ("tool",) and np.array_equal(found.base, np.eye(4))
    pendulum = engine.dh_from_robot(engine.load_robot("double_pendulum"))
    assert pendulum.extra_frames == ("base",)
    assert engine.dh_from_robot(engine.load_robot("panda"), MODIFIED).extra_frames == ()


def test_what_has_no_description_is_refused():
    panda = engine.load_robot("panda")
    with pytest.raises(engine.ModelError, match="unknown DH convention 'craig'"):
        engine.dh_from_robot(panda, "craig")
    with pytest.raises(engine.ModelError, match="no joint moves the frame 'world'"):
        engine.dh_from_robot(panda, frame="world")
    with pytest.raises(engine.UnknownFrameError):
        engine.dh_from_robot(panda, frame="nowhere")
    hand = engine.load_robot(example("panda"))
    with pytest.raises(engine.ModelError, match="mimic"):
        engine.dh_from_robot(hand)
    with pytest.raises(engine.ModelError, match="has no DH table"):
        engine.to_standard(hand)
