"""`examine`: mistakes of published files are found with line and repair, each repair ends its finding, and sound arms pass."""

from __future__ import annotations

import itertools
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.dynamics.uncompiled import holding_torque
from armature.engine.examination.finding import GRADES
from armature.engine.examination.repaired_files import repaired_text, with_urdf_edits
from armature.engine.examination.rules.inertias import nearest_possible
from armature.engine.examination.rules.masses import other_side
from armature.engine.model.inertia_rules import triangle_fault
from armature.engine.model.placed_bodies import random_poses
from tests.engine.example_robots import usable_files
from tests.engine.mistakes import MISTAKES, SHOULDER, WAIST, WITHOUT_REPAIR
from tests.engine.sound_arms import TOML, URDF, opened, wrong


def found(robot: engine.Robot, rule: str) -> list[engine.Finding]:
    return [finding for finding in engine.examine(robot) if finding.rule.startswith(rule)]


@pytest.mark.parametrize("text", [TOML, URDF], ids=["toml", "urdf"])
def test_the_sound_arm_has_no_finding(text, tmp_path):
    assert engine.examine(opened(tmp_path, text)) == ()


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_with_its_line_and_its_repair_ends_it(name, tmp_path):
    text, old, new, after, rule, grade, says = MISTAKES[name]
    if name == "home below the floor":
        text = text.replace('convention = "standard"', 'convention = "standard"\nfloor = 0.0')
    bad, line = wrong(text, old, new, after)
    robot = opened(tmp_path, bad)
    (finding,) = found(robot, rule)
    assert finding.grade == grade and says in finding.cause and finding.figure
    assert finding.where.file == robot.source and finding.where.part
    if new and "payload" not in name and "rpy_deg" not in name:  # the one in the description, the other below [base]
        assert finding.where.line == line
    assert (finding.repair is None) == (name in WITHOUT_REPAIR)
    if finding.repair is not None:
        repaired = opened(tmp_path, repaired_text(bad, robot.source, [finding]))
        assert not found(repaired, rule)


CERTAIN = {"centre in mm", "inertia 3e8", "limits in degrees", "alpha in degrees", "alpha nearly", "a in mm", "a box of 250 m"}
GUESSED = {"lost decimal point", "mass in g", "zeroed inertia", "triangle", "inertia off by a decimal", "inertia off by 1000"}


def test_a_repair_is_certain_where_nothing_else_can_be_meant(tmp_path):
    told: dict[str, bool] = {}
    for name, (text, old, new, after, rule, *_) in MISTAKES.items():
        (finding,) = found(opened(tmp_path, wrong(text, old, new, after)[0]), rule) or (None,)
        if finding is not None and finding.repair is not None:
            told[name] = finding.repair.certain
            assert not (finding.repair.certain and finding.grade == "doubtful")
            assert ("Likely repair: " in str(finding)) != finding.repair.certain
    assert {name for name in CERTAIN if told[name]} == CERTAIN and not any(told[name] for name in GUESSED)


def test_a_repair_writes_what_it_says_and_nothing_else(tmp_path):
    """The repaired files are the sound ones again where the mistake was a unit."""
    for name in ("centre in mm", "inertia off by 1000", "inertia about the CAD frame", "inertia 3e8", "alpha nearly",
                 "centre in mm, URDF", "limits in degrees, URDF", "inertia about the CAD frame, URDF"):  # fmt: skip
        text, old, new, after, rule, *_ = MISTAKES[name]
        bad, _ = wrong(text, old, new, after)
        robot = opened(tmp_path, bad)
        repaired = repaired_text(bad, robot.source, found(robot, rule))
        assert len(repaired.splitlines()) == len(text.splitlines())
        different = [(a, b) for a, b in itertools.zip_longest(text.splitlines(), repaired.splitlines()) if a != b]
        assert len(different) <= 1
        arm, sound = opened(tmp_path, repaired), opened(tmp_path, text)
        if "limits" not in name:
            np.testing.assert_allclose(arm.bodies[0].com, sound.bodies[0].com, atol=1e-12)
            np.testing.assert_allclose(arm.bodies[1].inertia, sound.bodies[1].inertia, atol=1e-12)
        else:
            np.testing.assert_allclose(arm.q_min[0], np.radians(-190), rtol=1e-11)


@pytest.mark.parametrize(
    ("text", "old", "new", "after", "says"),
    [
        (TOML, "[-3.0, 3.0]", "[3.0, -3.0]", WAIST, r"joints\[0\]\.limits .*lower < upper"),
        (TOML, "{ viscous = 2.0", "{ viscous = -2.0", WAIST, r"joints\[0\]\.friction\.viscous .*0 or more"),
        (TOML, "[0.004, 0.042, 0.042]", "[-0.004, 0.042, 0.042]", SHOULDER, r"joints\[1\]\.inertia .*negative principal moment"),
        (TOML, "[0.004, 0.042, 0.042]", "[0.004, 0.012, 0.042]", SHOULDER, r"joints\[1\]\.inertia .*exceeds the sum"),
        (TOML, 'home = [0, "pi/4"', "home = [0, 3.0", "", r"configurations\.home.*limit"),
        (TOML, "mass           = 3.0", "mass           = -3.0", SHOULDER, r"joints\[1\]\.mass .*0 or more"),
        (URDF, 'lower="-1.9" upper="1.9"', 'lower="1.9" upper="-1.9"', "shoulder", "line 4.*lower limit 1.9 is above"),
        (URDF, 'iyy="0.042"', 'iyy="-0.042"', "upper", "line .*negative principal moment"),
        (URDF, "<axis", '<dynamics damping="-1"/><axis', "shoulder", "line 4.*damping must be 0 or more"),
    ],
)  # fmt: skip
def test_what_the_parser_refuses_names_file_and_field(text, old, new, after, says, tmp_path):
    bad, _ = wrong(text, old, new, after)
    with pytest.raises(engine.ModelError, match=r"arm\.(toml|urdf): .*" + says):
        opened(tmp_path, bad)


@pytest.mark.parametrize("name", engine.shipped_robots())
def test_no_shipped_arm_has_an_error_and_doubts_stand_in_its_remarks(name):
    robot = engine.load_robot(name)
    findings = engine.examine(robot)
    assert all(finding.grade in GRADES for finding in findings)
    doubts = [finding for finding in findings if finding.grade != "note"]
    assert not [finding for finding in doubts if finding.grade == "error"]
    assert not doubts or robot.remarks
    assert len(findings) - len(doubts) <= 1


FRAME, ROUND = "inertia about the link frame", "axes nearly but not exactly parallel"
# Every finding but notes on 1.5708 in example-robot-data, looked at by hand: rule, how many, the first link.
KNOWN = {
    "allegro_left_hand": {("inertias with reversed signs of their products", 1, "allegro_hand_left")},
    "allegro_right_hand": {("inertias with reversed signs of their products", 1, "allegro_hand_right")},
    "double_pendulum": {("upper limit equals lower limit", 1, "joint1")},
    "double_pendulum_simple": {("upper limit equals lower limit", 1, "joint1")},
    "icub": {
        ("left and right sides differ", 2, "r_shoulder_1"),
        ("zero inertia", 6, "head"),
        ("no inertia in the home pose", 1, "head"),
    },
    "icub_reduced": {("left and right sides differ", 2, "r_shoulder_1"), ("zero inertia", 6, "head")},
    "laikago": {(FRAME, 4, "FR_calf")},
    "panda": {("inertia too large for the link", 1, "panda_link1")},
    "pr2": {("incompatible limits of a mimic joint", 2, "r_gripper_r_parallel_root_joint")},
    "romeo_small": {("physically inconsistent inertia", 2, "RShoulderYawLink")},
    "ur5_gripper": {("inertia too large for the link", 3, "wrist_1_link")},
    "ur5_joint_limited_robot": {("inertia too large for the link", 3, "wrist_1_link")},
    "ur5_robot": {("inertia too large for the link", 3, "wrist_1_link")},
} | {
    name: {
        ("inertia too large for the link", 21, "WAIST_LINK1"),
        ("default inertias", 1, "WAIST_LINK1"),
        ("motors too weak to hold the arm", 1, "WAIST_R"),
    }
    for name in ("simple_humanoid", "simple_humanoid_classical")
}  # fmt: skip


def test_what_is_found_in_published_urdf_files_is_true_and_the_others_have_one_note_at_most():
    for path in usable_files():
        findings = engine.examine(engine.load_robot(path))
        rules = {finding.rule: [f for f in findings if f.rule == finding.rule] for finding in findings}
        assert len(rules.pop(ROUND, [])) <= 1
        told = {(rule, len(found), found[0].where.part.split()[-1]) for rule, found in rules.items()}
        assert told == KNOWN.get(path.stem, set()), path.stem
        assert all(finding.where.line for finding in findings) and not any(finding.grade == "error" for finding in findings)


def test_the_stanford_arm_of_a_toolbox_has_its_centres_ten_times_too_far_out(tmp_path):
    """That of link 4, 11 cm off where 1 cm is right, would pass alone; the repair of them all changes it too."""
    head, first, *rows = engine.load_robot("stanford").source.read_text().split("[[joints]]")
    tenfold = [re.sub(r"(?<=com).*=.*?\n", lambda m: _tenfold(m[0]), row, count=1) for row in rows]
    (finding,) = found(opened(tmp_path, "[[joints]]".join([head, first, *tenfold])), "centre of mass outside the link")
    assert finding.figure.startswith("4 of 6 links") and "decimal point" in finding.cause
    edits = dict(finding.repair.edits)
    assert edits[("joints", 2, "com")] == [0.0, 0.0, -0.6447] and ("joints", 3, "com") in edits


def _tenfold(line):
    return f" = [{', '.join(repr(10 * float(x)) for x in line[line.index('[') + 1 : line.index(']')].split(','))}]\n"


def test_placeholders(tmp_path):
    text = TOML
    for inertia in ("[0.085, 0.012, 0.085]", "[0.004, 0.042, 0.042]", "[0.002, 0.016, 0.016]"):
        text = text.replace(inertia, "[0.01, 0.01, 0.01]")
    (finding,) = engine.examine(opened(tmp_path, text))
    assert finding.rule == "default inertias" and finding.figure == "3 of 3 links have 0.01 kg·m² about every axis"


def test_motors_in_the_companion_file_are_examined(tmp_path):
    (tmp_path / "arm.armature.toml").write_text("[joints.shoulder]\ngear_ratio = 100\nrotor_inertia = 300\n")
    (finding,) = engine.examine(opened(tmp_path, URDF))
    assert finding.rule == "rotor inertia too large" and finding.where.file == tmp_path / "arm.armature.toml"


def test_a_xacro_file_is_examined_with_its_own_lines(tmp_path):
    text, line = wrong(URDF, 'lower="-1.9" upper="1.9"', 'lower="-190" upper="$(arg far)"', "shoulder")
    macros = '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="far" default="45"/>'
    path = tmp_path / "arm.urdf.xacro"
    path.write_text(text.replace('<robot name="arm">', macros))
    (finding,) = engine.examine(engine.load_robot(path, {"far": "60"}))
    assert str(finding).startswith(f"error: arm.urdf.xacro, line {line}, joint shoulder: limits in degrees: [−190, 60] rad")
    assert finding.repair is None  # it may be a macro's, or an argument's


def test_a_robot_that_is_no_file_any_more_is_examined_as_it_is(tmp_path):
    bad, _ = wrong(TOML, "com            = [-0.2,", "com            = [-200,", SHOULDER)
    robot = opened(tmp_path, bad)
    (tmp_path / "arm.toml").unlink()
    (finding,) = engine.examine(robot)
    assert finding.rule.startswith("centre of mass outside") and finding.where.line is None and finding.repair is None
    assert engine.examine(robot.with_payload(1.0))[0].rule == finding.rule
    (told,) = engine.examine(robot, text=bad)
    assert told.repair is not None and told.where.line == bad[: bad.index("[-200")].count("\n") + 1


def test_with_meshes_masses_are_compared_with_them(tmp_path):
    """A cube of 10 cm holds one litre: stretched to four, 3 kg are lighter than water, 95 kg heavier than osmium."""
    mesh = tmp_path / "cube.stl"
    mesh.write_text("solid\nendsolid\n")
    corners = np.array(list(itertools.product((0.0, 0.1), repeat=3)))
    text = URDF.replace('<box size="0.4 0.09 0.09"/>', '<mesh filename="cube.stl" scale="4 1 1"/>')
    text = text.replace('xyz="0.2 0 0"/>', 'xyz="0 -0.05 -0.05"/>')
    robot = opened(tmp_path, text)
    assert engine.examine(robot) == engine.examine(robot, {mesh: corners}) == ()
    heavy = text.replace('mass value="3.0"', 'mass value="95"').replace('velocity="3" effort="60"', 'velocity="3" effort="900"')
    robot = opened(tmp_path, heavy)
    (beside,) = engine.examine(robot)
    assert beside.rule == "mass far above the other links" and beside.repair is None  # 9.5 kg or 0.95 kg: both would do
    _, finding = engine.examine(robot, {mesh: corners})
    assert finding.rule == "density above that of any material" and "23750 kg/m³" in finding.figure


def test_the_torque_that_holds_the_arm_is_gravity_torque():
    for name in ("puma560", "stanford", "two_arms", "scara"):
        robot = engine.load_robot(name)
        q = random_poses(robot, 20)
        np.testing.assert_allclose(holding_torque(robot, q), engine.gravity_torque(robot, q), atol=1e-11)


def test_the_nearest_possible_inertia_keeps_a_possible_one():
    rng = np.random.default_rng(5)
    for _ in range(20):
        points = rng.normal(size=(10, 3))
        inertia = sum((p @ p) * np.eye(3) - np.outer(p, p) for p in points)
        np.testing.assert_allclose(nearest_possible(inertia), inertia, rtol=1e-9)
    fixed = nearest_possible(np.diag([0.1, 0.2, 1.0]))
    assert triangle_fault(fixed) is None and np.linalg.eigvalsh(fixed)[0] >= 0.1


def test_sides():
    assert other_side("left_hand") == "right_hand" and other_side("arm_l_3") == "arm_r_3" and other_side("l_hip") == "r_hip"
    assert other_side("LeftArm") == "RightArm"
    assert other_side("right_hand") == "" and other_side("wheel") == "" and other_side("tool") == ""


def test_urdf_edits_leave_every_other_byte():
    link = "<link name='x'>\n  <inertial><mass   value = '1.0' /></inertial></link>"
    text = f"<robot name='a'><!-- <link name='x'> -->{link}</robot>"
    edited = with_urdf_edits(text, [(("link", "x", "inertial", "mass", "value"), "2.5")])
    assert edited == text.replace("'1.0'", "'2.5'")
    grown = with_urdf_edits(text, [(("link", "x", "inertial", "origin", "xyz"), "0 0 1")])
    assert grown == text.replace("<inertial>", '<inertial><origin xyz="0 0 1"/>')
    with pytest.raises(engine.ModelError, match="link 'y' has no inertial"):
        with_urdf_edits(text, [(("link", "y", "inertial", "mass", "value"), "2.5")])


def test_findings_are_values(tmp_path):
    bad, _ = wrong(TOML, "[-3.0, 3.0]", "[-190, 45]", WAIST)
    (finding,) = engine.examine(opened(tmp_path, bad))
    assert pickle.loads(pickle.dumps(finding)) == finding
    assert str(finding).startswith("error: arm.toml, line 12, joint 1: limits in degrees: [−190, 45] rad")
    assert math.isclose(finding.repair.edits[0][1][0], math.radians(-190), rel_tol=1e-11)


def test_a_repair_of_another_file_is_refused(tmp_path):
    bad, _ = wrong(TOML, "[-3.0, 3.0]", "[-190, 45]", WAIST)
    findings = engine.examine(opened(tmp_path, bad))
    with pytest.raises(engine.ModelError, match=r"arm\.toml, not in other\.toml"):
        repaired_text(bad, Path("other.toml"), findings)


CASES = Path(__file__).parents[1] / "data" / "robots"


def tool_row(*changes: tuple[str, str]) -> str:
    text = (CASES / "tool_as_joint.toml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ((), "write under [tool] xyz = [0.125, 0, 0.0687]"),
        ((("a=0.125", "a=0"),), "xyz = [0, 0, 0.0687]"),
        ((("d=0.0687\nalpha=0", 'd=0.0687\nalpha="pi/2"'),), "xyz = [0.125, 0, 0.0687], rpy_deg = [90, 0, 0]"),
        ((("a=0.125", "theta_deg=90\na=0.125"),), "xyz = [0, 0.125, 0.0687], rpy_deg = [0, 0, 90]"),
        (
            (('"standard"', '"modified"'), ("d=0.0996\nalpha=0", 'd=0.0996\nalpha="pi/2"'), ("a=0.125", "a=0")),
            "xyz = [0, 0, 0.0687]",
        ),
    ],
    ids=["as it came", "straight ahead", "rotated", "at a constant angle", "modified"],
)
def test_a_tool_entered_as_a_joint_is_called_so_and_belongs_under_tool(changes, says, tmp_path):
    text = tool_row(*changes)
    robot = opened(tmp_path, text)
    (finding,) = found(robot, "tool entered as a joint")
    assert finding.grade == "doubtful" and "joint7" in finding.figure and "joint6" in finding.figure and says in finding.cause
    assert not [other for other in found(robot, "two joints on one axis") if "joint7" in other.figure]
    without = text[: text.rindex("[[joints]]")] + "[tool]\n" + finding.cause.split("[tool] ")[1].replace("], ", "]\n")
    mended = opened(tmp_path, without)
    q = np.random.default_rng(0).uniform(-2, 2, 6)
    np.testing.assert_allclose(engine.frame_pose(mended, q), engine.frame_pose(robot, [*q, 0.0]), atol=1e-6)
    assert not found(mended, "a tool entered")


def test_a_tool_entered_as_a_joint_of_a_urdf_is_to_be_fixed(tmp_path):
    text = (CASES / "task_4dof_gripper.urdf").read_text()
    mass = next(line for line in text.splitlines() if '"l4"' in line).replace('"l4"', '"ee"')
    tip = (
        '<link name="tcp"/><joint name="end" type="fixed"><parent link="ee"/><child link="tcp"/><origin xyz=".126 0 0"/></joint>'
    )
    text = text.replace('<link name="ee"/>', mass).replace("</robot>", tip + "</robot>")
    turning = text.replace('name="t" type="fixed"', 'name="t" type="continuous"').replace(
        'xyz=".126 0 0" rpy="0 0 0"/></joint>', 'xyz="0 0 0"/><axis xyz="0 1 0"/></joint>'
    )
    (finding,) = found(opened(tmp_path, turning), "tool entered as a joint")
    assert "t, the last joint, has the same axis as j4" in finding.figure and finding.cause.endswith("make it a fixed joint")
    assert not found(opened(tmp_path, text), "a tool entered")


@pytest.mark.parametrize(
    "changes",
    [
        (("a=0.125\nd=0.0687", "a=0\nd=0"),),
        (("a=0.125", "friction = { viscous = 0.1 }\na=0.125"),),
    ],
    ids=["nothing on it", "a motor of its own"],
)
def test_two_joints_on_one_axis_are_no_tool_where_the_last_is_none(changes, tmp_path):
    robot = opened(tmp_path, tool_row(*changes))
    assert found(robot, "two joints on one axis") and not found(robot, "a tool entered")
