"""Why a pose is singular: every sentence is geometry, so every sentence is checked against the axes it names."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import brentq

from armature import engine
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.robot import TASK_AXES
from armature.engine.singularities.nearest_singularity import nearest_singularity
from tests.engine.cause_claims import Claims, confirm_loss
from tests.engine.plane_scan import sigma_min, task_jacobian
from tests.engine.trees import random_dh_arm, random_tree

SIX = {"puma560": {"wrist", "elbow", "shoulder"}, "ur5": {"wrist", "elbow", "shoulder"}, "stanford": {"wrist", "shoulder"}}


def confirm(robot, q) -> tuple:
    """The report at a singular pose, every claim of it checked."""
    report = engine.singularity(robot, q)
    assert report.causes and report.joints and report.explanation
    rows = [TASK_AXES.index(axis) for axis in report.task]
    claims = Claims(robot, np.asarray(q, float))
    for cause in report.causes:
        named = claims.confirm(cause.condition)
        assert named or cause.kind in ("line", "general", "elbow"), cause.condition
        confirm_loss(robot, q, cause, rows)
        numbers = np.concatenate([cause.motion, cause.point, cause.lost_twist])
        assert np.isfinite(numbers).all()
        moved = (engine.jacobian(robot, q) @ cause.motion)[rows]
        assert np.abs(moved).max() < 1e-3 * max(1.0, robot.reach), cause.condition
    return report


@pytest.mark.parametrize("name", ["puma560", "ur5", "stanford", "panda", "lwr4", "irb140", "cobra600", "scara"])
def test_the_singular_poses_next_to_random_ones_are_explained_by_true_sentences(name):
    robot = engine.load_robot(name)
    q = np.random.default_rng(3).uniform(*joint_ranges(robot), (60, robot.n))
    kinds = set()
    for near in nearest_singularity(robot, q):
        report = confirm(robot, near.q)
        kinds |= {cause.kind for cause in report.causes}
    if name in SIX:
        assert kinds == SIX[name]
    if name == "panda":
        assert {"wrist", "elbow", "alignment"} <= kinds


def test_the_puma_by_construction():
    robot = engine.load_robot("puma560")
    elbow = np.arctan2(0.0203, 0.4318)  # wrist centre on the line from axis 2 through axis 3
    for q3, title in ((np.pi / 2 + elbow, "Elbow folded"), (-np.pi / 2 + elbow, "Elbow stretched")):
        report = confirm(robot, [0.3, 0.4, q3, 0.5, 0.6, 0.2])
        assert [c.title for c in report.causes] == [title]
        assert report.causes[0].condition == "axes 2, 3 and the wrist centre are coplanar"
    wrist = confirm(robot, [0.3, 0.4, -2.2, 0.5, 0.0, 0.2])
    assert wrist.explanation.startswith("Wrist: axes 4 and 6 are collinear, so the tool cannot rotate about")
    assert wrist.joints == (3, 5)

    def ahead(q2):  # of the wrist centre before the plane of axes 1 and 2
        claims = Claims(robot, np.array([0.3, q2, -2.5, 0.5, 1.0, 0.2]))
        return (claims.point("wrist centre") - claims.p[0]) @ np.cross(claims.z[0], claims.z[1])

    report = confirm(robot, [0.3, brentq(ahead, 0.0, 2.5, xtol=1e-15), -2.5, 0.5, 1.0, 0.2])
    assert [c.condition for c in report.causes] == ["the wrist centre is in the plane of axes 1 and 2"]
    both = confirm(robot, robot.configurations["stretched"])
    assert {c.kind for c in both.causes} >= {"wrist"}


def apart_over_the_elbow(robot, q, condition) -> np.ndarray | None:
    """Distances `(3,)` between what lies on both sides of the elbow, a hair before, at and after q; None for other facts."""
    plane = re.match(r"axes (\d), (\d) and the (tool|wrist centre|shoulder centre) are coplanar", condition)
    parallel = re.match(r"axes (\d), (\d) and (\d) are parallel and coplanar", condition)
    if plane is None and parallel is None:
        return None
    first, second = (int(k) - 1 for k in (plane or parallel).groups()[:2])
    elbow = first if plane and plane[3] == "shoulder centre" else second
    distances = []
    for step in (-0.01, 0.0, 0.01):
        turned = np.array(q, float)
        turned[elbow] += step
        claims = Claims(robot, turned)
        end = claims.point(plane[3]) if plane else claims.p[int(parallel[3]) - 1]
        way = end - claims.p[second if elbow == first else first]
        distances.append(np.linalg.norm(way - claims.z[elbow] * (claims.z[elbow] @ way)))
    return np.array(distances)


@pytest.mark.parametrize("name", ["puma560", "ur5", "panda", "irb140", "scara", "cobra600", "double_pendulum"])
def test_an_elbow_is_stretched_where_its_ends_are_farthest_apart_and_folded_where_nearest(name):
    robot = engine.load_robot(name)
    q = np.random.default_rng(11).uniform(*joint_ranges(robot), (60, robot.n))
    told = 0
    for near in nearest_singularity(robot, q):
        for cause in engine.singularity(robot, near.q).causes:
            if cause.kind == "elbow" and (apart := apart_over_the_elbow(robot, near.q, cause.condition)) is not None:
                farthest = apart[1] > max(apart[0], apart[2])
                assert cause.title == ("Elbow stretched" if farthest else "Elbow folded"), (near.q, cause.condition, apart)
                told += 1
    assert told


def test_three_parallel_axes_are_an_elbow_only_one_after_the_other(tmp_path):
    """A six-axis arm under construction whose axis 6 was moved aside: at zero axes 1, 4 and 6 stand up in one plane."""
    rows = [("pi/2", 0.4, 0.025), ("0", 0, 0.5), ("pi/2", 0, 0.035), ("-pi/2", 0.42, 0), ("pi/2", 0, 0.1), ("0", 0.08, 0)]
    joints = "".join(f'[[joints]]\ntype = "revolute"\nalpha = "{alpha}"\nd = {d}\na = {a}\n' for alpha, d, a in rows)
    path = tmp_path / "six.toml"
    path.write_text('name = "six"\nconvention = "standard"\n' + joints)
    (cause,) = engine.singularity(engine.load_robot(path), np.zeros(6)).causes
    assert cause.title == "Axes aligned" and cause.condition == "axes 1, 4 and 6 are parallel and coplanar"


def test_a_panda_at_full_stretch_is_not_folded():
    robot = engine.load_robot("panda")
    near = engine.nearest_singularity(robot, [0.1, 0.3, 0.2, -0.467, 0.3, 1.2, 0.1])
    elbow = next(cause for cause in engine.singularity(robot, near.q).causes if cause.kind == "elbow")
    assert near.q[3] == pytest.approx(-0.4670, abs=1e-4) and elbow.title == "Elbow stretched"


ARM = [("z", 0.0), ("y", 0.3), ("y", 0.4), ("z", 0.1), ("y", 0.3), ("z", 0.05)]
FINGERS = """
<joint name="g1" type="prismatic"><parent link="l6"/><child link="f1"/><axis xyz="0 1 0"/>
<limit lower="0" upper="0.04" effort="1" velocity="1"/></joint><link name="f1"/>
<joint name="g2" type="prismatic"><parent link="l6"/><child link="f2"/><axis xyz="0 -1 0"/>
<limit lower="0" upper="0.04" effort="1" velocity="1"/><mimic joint="g1"/></joint><link name="f2"/>"""


def six_axes(folder, fingers: str):
    """A six-axis arm from a URDF file, with these links on its sixth."""
    text = '<robot name="arm"><link name="l0"/>'
    for k, (axis, height) in enumerate(ARM, 1):
        text += f'<joint name="a{k}" type="revolute"><parent link="l{k - 1}"/><child link="l{k}"/><origin xyz="0 0 {height}"/>'
        text += f'<axis xyz="{int(axis == "x")} {int(axis == "y")} {int(axis == "z")}"/>'
        text += f'<limit lower="-3" upper="3" effort="1" velocity="1"/></joint><link name="l{k}"/>'
    tip = '<joint name="t" type="fixed"><parent link="l6"/><child link="tip"/><origin xyz="0 0 0.1"/></joint><link name="tip"/>'
    file = folder / f"arm{len(fingers)}.urdf"
    file.write_text(text + tip + fingers + "</robot>")
    return engine.load_robot(file)


@pytest.mark.parametrize("wrist", [0.0, 0.1])
def test_fingers_beside_the_chain_take_no_cause_away(tmp_path, wrist):
    bare, gripper = six_axes(tmp_path, ""), six_axes(tmp_path, FINGERS)
    assert gripper.coupling is not None and gripper.n == 7
    q = np.array([0.3, 0.5, 0.9, 0.2, wrist, 0.4])
    without = engine.singularity(bare, q, frame="tip")
    report = engine.singularity(gripper, [*q, 0.02], frame="tip", task=TASK_AXES)
    assert without.causes and report.verdict() == without.verdict() and ("from it" in report.verdict()) == (wrist != 0)
    assert report.joints == without.joints == (3, 5)
    (cause,), (same,) = report.causes, without.causes
    assert cause.kind == same.kind == "wrist" and "a4 and a6 are collinear" in cause.condition
    assert cause.motion.shape == (7,) and cause.motion[6] == 0.0
    np.testing.assert_allclose(np.abs(cause.motion[:6]), np.abs(same.motion), atol=1e-9)


def test_what_has_no_name_is_told_once():
    robot = engine.load_robot("panda")
    report = engine.singularity(robot, [0.1, 0.3, 0.2, -0.0698, 0.3, 1.2, 0.1])
    assert not report.causes and report.verdict() == "Near a singularity"
    assert report.reason.startswith("The motions of") and "singularity" not in report.reason


def test_several_causes_at_once_are_all_named():
    robot = engine.load_robot("puma560")
    elbow = -np.pi / 2 + np.arctan2(0.0203, 0.4318)
    report = confirm(robot, [0.3, 0.4, elbow, 0.0, 0.0, 0.2])
    assert report.rank == 4
    assert {c.kind for c in report.causes} == {"wrist", "elbow"}


@pytest.mark.parametrize("q2, title", [(0.0, "Elbow stretched"), (np.pi, "Elbow folded"), (-np.pi, "Elbow folded")])
def test_the_scara_is_singular_where_its_elbow_is_straight_and_nowhere_else(q2, title):
    robot = engine.load_robot("scara")
    report = confirm(robot, [0.4, q2, 0.1])
    assert report.sigma_min < 1e-12
    assert report.causes[0].title == title
    assert report.causes[0].condition == "axes 1, 2 and the tool are coplanar"
    grid = np.linspace(-np.pi, np.pi, 721)
    sigma = np.array([sigma_min(robot, np.array([0.4, x, 0.1])) for x in grid])
    zeros = grid[sigma < 1e-9]
    np.testing.assert_allclose(zeros, [-np.pi, 0, np.pi], atol=1e-12)


@pytest.mark.parametrize(
    "last, q3, title",
    [
        ('type = "revolute"\na = 0.4', np.pi, "Elbow folded"),
        ('type = "revolute"\na = 0.4', 0.0, "Elbow stretched"),
        ('type = "prismatic"', 0.0, "Prismatic joint retracted"),
    ],
)
def test_what_brings_the_tool_onto_an_axis_is_named(tmp_path, last, q3, title):
    middle = "a = 0.4" if "revolute" in last else 'alpha = "pi/2"'
    file = tmp_path / "arm.toml"
    file.write_text(
        f"""name = "arm"
convention = "standard"
task = ["x", "y", "z"]
[[joints]]
type = "revolute"
alpha = "pi/2"
a = {0.2 if "revolute" in last else 0.0}
[[joints]]
type = "revolute"
{middle}
d = {0.0 if "revolute" in last else 0.15}
[[joints]]
{last}
""",
        encoding="utf-8",
    )
    report = engine.singularity(engine.load_robot(file), [0.3, 0.8, q3])
    assert report.sigma_min < 1e-9 and title in {cause.title for cause in report.causes}, report.explanation


def test_a_redundant_arm_names_what_takes_its_rank():
    robot = engine.load_robot("lwr4")
    report = confirm(robot, [0.3, 0.5, 0.2, 0.0, 0.4, 0.6, 0.1])
    assert report.rank == 5 and report.causes[0].title == "Elbow stretched"
    assert "the wrist centre is on axis 3" in report.explanation
    aligned = confirm(robot, [0.3, 0.0, np.pi / 2, 0.8, 0.4, 0.6, 0.1])
    assert "axes 1 and 3 are collinear" in aligned.explanation
    regular = engine.singularity(robot, [0.3, 0.0, 0.4, 0.8, 0.4, 0.6, 0.1])
    assert regular.rank == 6, "axes 1 and 3 in one line alone take no rank from seven joints"


def test_a_slide_that_lies_across():
    robot = engine.load_robot("rp")
    report = confirm(robot, [0.3, -0.5])
    assert report.causes[0].kind in ("slide", "shoulder")
    polar = engine.load_robot("rp_offset")
    report = confirm(polar, [0.3, -0.6])
    assert report.causes[0].condition == "the axis of prismatic joint 2 is normal to the plane of axis 1 and the tool"


@pytest.mark.parametrize("name", ["puma560", "ur5", "stanford", "panda", "scara"])
def test_no_false_alarm_at_regular_poses(name):
    robot = engine.load_robot(name)
    rng, regular = np.random.default_rng(7), np.empty((0, robot.n))
    while len(regular) < 10_000:
        q = rng.uniform(*joint_ranges(robot), (10_000, robot.n))
        sigma = np.linalg.svd(task_jacobian(robot, q), compute_uv=False)
        regular = np.concatenate([regular, q[sigma[:, 0] < 15 * sigma[:, -1]]])
    reports = engine.singularity(robot, regular[:10_000])
    assert len(reports) == 10_000
    assert not [r for r in reports if r.causes or not r.explanation.startswith("Non-singular") or r.level()]


@pytest.mark.parametrize("name", ["puma560", "ur5", "stanford", "panda", "scara", "lwr4"])
@pytest.mark.parametrize("away", [1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.03])
def test_near_a_singularity_it_says_which(name, away):
    robot = engine.load_robot(name)
    rng = np.random.default_rng(5)
    for near in nearest_singularity(robot, rng.uniform(*joint_ranges(robot), (6, robot.n))):
        q = near.q + away * rng.normal(size=robot.n)
        report = engine.singularity(robot, q)
        numbers = np.concatenate([report.sigma, report.lost_twist, report.joint_motion])
        assert np.isfinite(numbers).all() and report.explanation
        if report.condition >= 17:
            assert report.causes or "cancel" in report.explanation
            assert all(np.isfinite([*c.motion, *c.point, *c.lost_twist]).all() for c in report.causes)


@example(341, 5, False)  # axes 4 and 5 are parallel and the slides of joints 1 and 3 are normal to them
@given(st.integers(0, 2**32 - 1), st.integers(1, 7), st.booleans())
def test_arms_of_any_make_are_explained(seed, n, position_only):
    robot = random_dh_arm(seed, n)
    rng = np.random.default_rng(seed)
    task = TASK_AXES[:3] if position_only else TASK_AXES
    q = np.where(rng.random(n) < 0.6, np.round(rng.uniform(-2, 2, n)) * np.pi / 2, rng.uniform(-2, 2, n))
    report = engine.singularity(robot, q, task=task)
    claims = Claims(robot, q)
    assert report.explanation and "nan" not in report.explanation
    for cause in report.causes:
        assert np.isfinite([*cause.motion, *cause.point, *cause.lost_twist]).all()
        if not np.isfinite(report.condition):
            claims.confirm(cause.condition)
            confirm_loss(robot, q, cause, [TASK_AXES.index(a) for a in task])
    assert np.isfinite(report.condition) or report.causes


@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_trees_are_explained(seed, n):
    robot = random_tree(seed, n)
    for q in (np.zeros(n), np.random.default_rng(seed).uniform(-2, 2, n)):
        assert engine.singularity(robot, q).explanation
