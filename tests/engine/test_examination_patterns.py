"""Figures of all links that are wrong in one and the same way: one finding, whose repair gives the sound arm back."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.examination.repaired_files import repaired_text
from armature.engine.model.draft.robot_draft import draft_of_text
from armature.engine.rotations import skew
from tests.engine.example_robots import example
from tests.engine.sound_arms import TOML, URDF, opened

CASES = Path(__file__).parents[1] / "data" / "robots"
ARMS = ("panda", "puma560", "gen3", "so101", "xarm6")
CENTRES = "centres of mass of all links"


def placed_links(robot):
    """The poses `(4, 4)` in the world of the base and of the link of each body, with all joints at 0."""
    return [robot.base, *engine.link_poses(robot, np.zeros(robot.n))[1:]]


def written(robot, key, new) -> str:
    """The text of a shipped robot file with another `com` or `inertia`, a function of the link's number, com and inertia."""
    draft = draft_of_text(robot.source.read_text(), robot.source)
    for i, body in enumerate(robot.bodies, 1):
        X = np.linalg.inv(robot.links[f"link{i}"].X_BF)
        value = new(i, (X @ [*body.com, 1])[:3], X[:3, :3] @ body.inertia @ X[:3, :3].T)
        draft = draft.with_value(("joints", i - 1, key), np.asarray(value).tolist())
    return draft.text


def given_in_base(robot):
    X = placed_links(robot)
    return lambda i, c, _: (np.linalg.inv(X[0]) @ X[i] @ [*c, 1])[:3]


def given_in_parent(robot):
    X = placed_links(robot)
    return lambda i, c, _: (np.linalg.inv(X[i - 1]) @ X[i] @ [*c, 1])[:3]


@pytest.mark.parametrize(("name", "says"), [("com_in_base_frame", "base frame"), ("com_in_parent_frame", "parent link's frame")])
def test_centres_of_all_links_in_another_frame_are_one_finding_and_the_repair_moves_all(name, says, tmp_path):
    text = (CASES / f"{name}.urdf").read_text()
    robot = opened(tmp_path, text)
    (finding,) = engine.examine(robot)
    assert finding.rule == CENTRES and finding.grade == "doubtful" and says in finding.cause
    arm = opened(tmp_path, repaired_text(text, robot.source, [finding]))
    poses = engine.link_poses(arm, np.zeros(arm.n))
    for i, body in enumerate(arm.bodies):
        centre = poses[1 + i] @ np.linalg.inv(arm.links[f"l{i}"].X_BF) @ [*body.com, 1]
        np.testing.assert_allclose(centre[:3], [0, 0, 0.3 * (i + 1) + 0.15], atol=1e-12)  # in the middle of each link
    assert engine.examine(arm) == ()


@pytest.mark.parametrize("given", [given_in_base, given_in_parent])
@pytest.mark.parametrize("name", ARMS)
def test_real_arms_with_their_centres_in_another_frame_are_recognised(name, given, tmp_path):
    sound = engine.load_robot(name)
    text = written(sound, "com", given(sound))
    robot = opened(tmp_path, text)
    (finding,) = [finding for finding in engine.examine(robot) if "centre" in finding.rule]
    assert finding.rule == CENTRES and ("base" in finding.cause) == (given is given_in_base)
    arm = opened(tmp_path, repaired_text(text, robot.source, [finding]))
    for body, right in zip(arm.bodies, sound.bodies, strict=True):
        np.testing.assert_allclose(body.com, right.com, atol=1e-9)


def test_two_readings_that_explain_the_centres_are_both_named_and_neither_is_written(tmp_path):
    """A row of rods: with all signs reversed or given in the parent's frame, the centres are as near to the middle."""
    rods = [(0.3, [0.15, 0.01, 0]), (0.3, [0.15, 0.01, 0]), (0.3, [0.15, 0.01, 0]), (0.2, [0.1, 0, 0])]
    rows = "".join(
        f'[[joints]]\ntype = "revolute"\na = {a}\nmass = 1\ncom = {com}\ninertia = [0.001, 0.003, 0.003]\n' for a, com in rods
    )
    (finding,) = engine.examine(opened(tmp_path, f'name = "arm"\nconvention = "standard"\n{rows}'))
    assert finding.rule == CENTRES and finding.repair is None
    assert finding.cause.count(" or ") == 1 and "all three signs" in finding.cause and "parent link" in finding.cause


@pytest.mark.parametrize("name", ["fr3", "iiwa14", "jaco2", "sawyer", "scara", "so101", "stanford", "ur10", "xarm6"])
def test_sound_arms_are_read_as_they_are_written(name):
    assert not [finding for finding in engine.examine(engine.load_robot(name)) if finding.where.part == name]


def test_inertias_of_all_links_about_their_frames_are_one_finding(tmp_path):
    """Rods with their frames at the far end, as in standard Denavit-Hartenberg rows."""
    rods = (0.5, 0.4, 0.35, 0.3, 0.25)
    about_centre = [np.diag([0.001, 0.001 + a**2 / 12, 0.001 + a**2 / 12]) for a in rods]
    about_frame = [inertia - skew([-a / 2, 0, 0]) @ skew([-a / 2, 0, 0]) for a, inertia in zip(rods, about_centre, strict=True)]
    rows = "".join(
        f'[[joints]]\ntype = "revolute"\na = {a}\nmass = 1.0\ncom = [{-a / 2}, 0, 0]\ninertia = {inertia.tolist()}\n'
        for a, inertia in zip(rods, about_frame, strict=True)
    )
    text = f'name = "arm"\nconvention = "standard"\n{rows}'
    robot = opened(tmp_path, text)
    (finding,) = [finding for finding in engine.examine(robot) if "inertia" in finding.rule]
    assert finding.rule == "inertias about the origins of the link frames"
    arm = opened(tmp_path, repaired_text(text, robot.source, [finding]))
    for body, right in zip(arm.bodies, about_centre, strict=True):
        np.testing.assert_allclose(body.inertia, right, atol=1e-12)


@pytest.mark.parametrize("name", ["fr3", "sawyer"])
def test_inertias_of_all_links_along_the_axes_of_the_base_are_one_finding(name, tmp_path):
    sound = engine.load_robot(name)
    X = placed_links(sound)

    def along_base(i, _, inertia):
        R = (np.linalg.inv(X[0]) @ X[i])[:3, :3]
        return R @ inertia @ R.T

    text = written(sound, "inertia", along_base)
    robot = opened(tmp_path, text)
    found = [finding for finding in engine.examine(robot) if finding.rule == "inertias along the axes of the base"]
    assert len(found) == (name == "sawyer")  # two of the five slender links of fr3 show it: too few
    if found:
        arm = opened(tmp_path, repaired_text(text, robot.source, found))
        for body, right in zip(arm.bodies, sound.bodies, strict=True):
            np.testing.assert_allclose(body.inertia, right.inertia, atol=1e-9)


def test_the_allegro_hand_has_the_products_of_its_inertias_with_the_other_sign():
    for hand in ("allegro_left_hand", "allegro_right_hand"):
        (finding,) = [f for f in engine.examine(engine.load_robot(example(hand))) if "inertia" in f.rule]
        assert finding.rule == "inertias with reversed signs of their products" and "4 of 20 links" in finding.figure


def test_products_of_two_links_with_the_other_sign_are_reversed_in_all(tmp_path):
    flat = np.array([[0.010, 0.004, 0.003], [0.004, 0.009, 0.002], [0.003, 0.002, 0.0112]])  # impossible, possible reversed
    rows = "".join(
        f'[[joints]]\ntype = "revolute"\na = 0.3\nmass = 1.0\ncom = [-0.15, 0, 0]\ninertia = {inertia.tolist()}\n{more}'
        for inertia, more in (
            (flat, 'inertia_as_published = "a table"\n'),
            (flat, 'inertia_as_published = "a table"\n'),
            (np.eye(3) / 80, ""),
        )
    )
    robot = opened(tmp_path, f'name = "arm"\nconvention = "standard"\n{rows}')
    (finding,) = [finding for finding in engine.examine(robot) if "inertia" in finding.rule]
    assert finding.rule == "inertias with reversed signs of their products"
    (first, second, *_) = finding.repair.edits
    np.testing.assert_allclose(first[1], 2 * np.diag(np.diagonal(flat)) - flat)
    assert second[0] == ("joints", 1, "inertia") and len(finding.repair.edits) == 2


@pytest.mark.parametrize(
    ("grade", "says", "repaired"),
    [("note", "opposite sign", True), ("doubtful", "identified", True), ("error", "another unit", False)],
)
def test_a_broken_triangle_inequality_is_graded_by_how_far(grade, says, repaired):
    name = {"note": "slight", "doubtful": "clear", "error": "gross"}[grade]
    (finding,) = engine.examine(engine.load_robot(CASES / f"inertia_{name}.urdf"))
    assert finding.rule == "physically inconsistent inertia" and finding.grade == grade
    assert says in finding.cause and (finding.repair is not None) == repaired and "g·m²" not in finding.cause


ALL_LINKS = {
    "centres in mm": (r"com            = \[(.*?)\]", 1e3, "centre of mass outside the link", "links"),
    "centres off by a decimal": (r"com            = \[(.*?)\]", 10, "centre of mass outside the link", "links"),
    "inertias in g·mm²": (r"inertia        = \[(.*?)\]", 1e9, "inertia too large for the link", "links"),
    "masses in g": (r"mass           = (.*)", 1e3, "mass too large for the arm", "links"),
    "limits in degrees": (r"limits         = \[(.*?)\]", 180 / np.pi, "limits in degrees", "joints"),
    "speeds in degrees": (r"velocity_limit = (.*)", 180 / np.pi, "speed limit in degrees per second", "joints"),
}


@pytest.mark.parametrize("name", ALL_LINKS)
def test_one_unit_of_all_links_is_one_finding_and_its_repair_changes_all(name, tmp_path):
    pattern, factor, rule, nouns = ALL_LINKS[name]

    def scaled(match):
        return match[0].replace(match[1], ", ".join(repr(factor * float(x)) for x in match[1].split(",")))

    text = re.sub(pattern, scaled, TOML)
    robot = opened(tmp_path, text)
    (finding,) = [finding for finding in engine.examine(robot) if finding.rule.startswith(rule)]
    assert finding.rule == f"{rule}, most {nouns}" and finding.figure.startswith("3 of 3 ")
    arm, sound = opened(tmp_path, repaired_text(text, robot.source, [finding])), opened(tmp_path, TOML)
    for body, right in zip(arm.bodies, sound.bodies, strict=True):
        assert body.mass == pytest.approx(right.mass)
        np.testing.assert_allclose(body.com, right.com, atol=1e-9)
        np.testing.assert_allclose(body.inertia, right.inertia, atol=1e-9)
    np.testing.assert_allclose([arm.q_min, arm.q_max, arm.qd_max], [sound.q_min, sound.q_max, sound.qd_max], rtol=1e-9)


def test_all_angles_of_a_urdf_in_degrees_are_one_finding_and_those_in_radians_stay(tmp_path):
    turned = {"0 0 0.5": "90 0 90", "0.4 0.1 0": "0 -90 5", "0.4 -0.1 0": "0 1.5708 180"}
    text = URDF
    for place, rpy in turned.items():
        text = re.sub(rf'(<origin xyz="{place}" )rpy="0 0 0"', rf'\1rpy="{rpy}"', text)
    robot = opened(tmp_path, text.replace('<origin xyz="0.4 0.1 0"/>', ""))
    (finding,) = [finding for finding in engine.examine(robot) if finding.rule.startswith("angle in degrees")]
    assert finding.rule == "angle in degrees, most angles" and finding.repair.certain
    values = [[float(x) for x in value.split()] for _, value in finding.repair.edits]
    np.testing.assert_allclose(values, [np.radians([90, 0, 90]), np.radians([0, -90, 5]), [0, 1.5708, np.pi]], rtol=1e-9)


def test_two_angles_in_degrees_of_one_rotation_are_one_repair(tmp_path):
    text = URDF.replace('xyz="0 0 0.5" rpy="0 0 0"', 'xyz="0 0 0.5" rpy="90 0 -45"')
    robot = opened(tmp_path, text)
    (finding,) = [finding for finding in engine.examine(robot) if finding.rule == "angle in degrees"]
    np.testing.assert_allclose([float(x) for x in finding.repair.edits[0][1].split()], np.radians([90, 0, -45]), rtol=1e-9)
