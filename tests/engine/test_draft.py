"""A robot file being edited: what changes in the text, what stays, and what is refused."""

from __future__ import annotations

import difflib
import math

import numpy as np
import pytest

from armature import engine
from armature.engine.model.draft.new_drafts import draft_from_text
from armature.engine.model.draft.text_parts import split

ROBOTS = engine.shipped_robots()


EVERY_WAY = """\
\ufeff# An arm written in every way there is.
"name" = 'every_way'  # in quotes
convention = "standard"
description = '''
# no comment, [no] table
'''
base.xyz = [0.0, 0.0, 0.1]   # dotted
base.rpy_deg = [0, 0, 45]

# the tool, far out
[ tool ]
matrix = [
    [1.0, 0.0, 0.0, 0.1],  # "]]"
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.2],
    [0.0, 0.0, 0.0, 1.0],
]

# joints

# first of all
[[joints]]  # 1: waist [sic]
type = "revolute"
alpha = "pi/2"
mass = 1.0
friction.viscous = 0.5

[[joints]] # 2
type = "revolute"
alpha_deg = 90
mass = 2.0
limits = ["-pi", 3.0]
[joints.friction] # below
viscous = 0.25
coulomb = [0.1, 0.2]

[identification]
method = "by hand"
[[identification.parameters]]
name = "[[joints]]"
[configurations]
home = ["pi/4",
        0.5]  # last line, without an end"""


def draft(name: str) -> engine.RobotDraft:
    return engine.draft_of(engine.load_robot(name))


def changed_lines(one: engine.RobotDraft, other: engine.RobotDraft) -> list[str]:
    lines = difflib.unified_diff(one.text.splitlines(), other.text.splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


@pytest.mark.parametrize("name", ROBOTS)
def test_a_file_opens_as_it_is_and_its_parts_are_its_text(name):
    robot = engine.load_robot(name)
    opened = engine.open_draft(robot.source)
    assert opened.text.encode() == robot.source.read_bytes()
    assert not opened.changed and not opened.changed_on_disk()
    assert np.array_equal(opened.robot.packed, robot.packed)
    for text in (opened.text, opened.text.replace("\n", "\r\n"), "\ufeff" + opened.text, opened.text.rstrip("\n")):
        assert "".join(part.text for part in split(text)) == text
        assert sum(part.is_joint for part in split(text)) == robot.n


@pytest.mark.parametrize("name", ROBOTS)
def test_what_is_there_already_leaves_the_text_as_it_is(name):
    one = draft(name)
    for i in range(one.robot.n):
        for key in ("type", "a", "alpha", "alpha_deg", "d", "theta", "limits", "velocity_limit", "mass", "com", "inertia"):
            assert one.with_value(("joints", i, key), one.value(("joints", i, key))) is one
    for place in (("name",), ("floor",), ("base", "xyz"), ("base", "rpy"), ("tool", "rpy_deg"), ("configurations", "home")):
        assert one.with_value(place, one.value(place)) is one


@pytest.mark.parametrize("name", ROBOTS)
def test_comments_stay_through_edits_of_every_kind(name):
    one = draft(name)
    n = one.robot.n
    free = [max(one.value(("joints", i, "a")) or 0.0, 0.0) + 0.125 for i in range(n)]
    other = one.with_value(("description",), "Another sentence").with_value(("tool", "xyz"), [0.0, 0.0, 0.05])
    for i in range(n):
        other = other.with_value(("joints", i, "a"), free[i])
        other = other.with_value(("joints", i, "torque_limit"), 12.0)
    other = other.with_joint(1).with_joint_moved(1, 0).without_joint(0)
    assert comments(one.text) == comments(other.text)
    for i in range(n):
        assert other.value(("joints", i, "a")) == free[i]


def comments(text: str) -> list[str]:
    return [line.partition("#")[2].strip() for line in text.splitlines() if "#" in line]


def test_a_value_changes_its_own_characters_only():
    one = draft("puma560")
    assert changed_lines(one, one.with_value(("joints", 1, "a"), 0.45)) == [
        "-a             = 0.4318",
        "+a             = 0.45",
    ]
    assert changed_lines(one, one.with_value(("joints", 2, "friction", "viscous"), None)) == [
        '-friction             = { at = "motor", viscous = 0.00138, coulomb = [0.132, 0.105] }',
        '+friction             = { at = "motor", coulomb = [0.132, 0.105] }',
    ]
    assert changed_lines(one, one.with_value(("joints", 0, "limits", 1), math.radians(150.5))) == [
        "-limits_deg           = [-160, 160]",
        "+limits_deg           = [-160, 150.5]",
    ]


@pytest.mark.parametrize(
    ("name", "place", "value", "line"),
    [
        ("puma560", ("joints", 0, "alpha"), -math.pi / 2, 'alpha                = "-pi/2"'),
        ("puma560", ("joints", 0, "alpha"), 0.25, "alpha                = 0.25"),
        ("puma560", ("joints", 1, "alpha"), math.pi, 'alpha         = "pi"'),
        ("puma560", ("joints", 0, "limits"), [-1.0, math.pi], "limits_deg           = [-57.29577951308232, 180]"),
        ("puma560", ("configurations", "ready", 1), math.radians(80), "ready     = [0, 80,  -90, 0,   0, 0]"),
        ("scara", ("configurations_deg", "home", 1), 45.0, 'home      = ["pi/6", "pi/4", 0.05]'),
        ("scara", ("configurations_deg", "home", 2), 0.0625, 'home      = ["pi/6", "pi/3", 0.0625]'),
        ("pendulum", ("base", "rpy_deg"), [45, 0, 0], 'rpy = ["pi/4", 0.0, 0.0]'),
    ],
)
def test_angles_keep_the_manner_of_the_file(name, place, value, line):
    one = draft(name)
    other = one.with_value(place, value)
    added = [text[1:] for text in changed_lines(one, other) if text.startswith("+")]
    assert [text.partition("  #")[0].rstrip() for text in added] == [line]
    assert np.allclose(other.value(place), value, rtol=0, atol=1e-15)


@pytest.mark.parametrize("key", ["matrix", "quaternion"])
def test_a_pose_keeps_its_manner(key):
    value = np.eye(4).tolist() if key == "matrix" else [1.0, 0.0, 0.0, 0.0]
    one = draft("puma560").with_value(("tool",), {key: value}).with_value(("tool", "xyz"), [0.1, 0.0, 0.3])
    one = one.with_value(("tool", "rpy"), [0.1, -0.2, 0.3])
    assert key in one.table["tool"] and "rpy" not in one.table["tool"]
    assert np.allclose(one.value(("tool", "rpy_deg")), np.degrees([0.1, -0.2, 0.3]))
    assert np.allclose(one.value(("tool", "xyz")), [0.1, 0.0, 0.3])


def test_every_way_of_writing_is_edited_in_its_own_way():
    one = draft_from_text(EVERY_WAY)
    assert one.changed and one.robot.name == "every_way"
    other = (
        one.with_value(("joints", 0, "alpha"), math.pi / 3)
        .with_value(("joints", 1, "alpha"), math.pi / 3)
        .with_value(("joints", 0, "friction", "viscous"), 0.75)
        .with_value(("joints", 1, "friction", "viscous"), 0.125)
        .with_value(("joints", 1, "limits"), [-math.pi / 2, 3.0])
        .with_value(("base", "rpy"), [0.0, 0.0, math.pi / 6])
        .with_value(("configurations", "home", 0), 0.25)
        .with_value(("identification", "method"), "by machine")
    )
    assert [line[1:] for line in changed_lines(one, other) if line.startswith("+")] == [
        "base.rpy_deg = [0, 0, 30]",
        'alpha = "pi/3"',
        "friction.viscous = 0.75",
        "alpha_deg = 60",
        'limits = ["-pi/2", 3.0]',
        "viscous = 0.125",
        'method = "by machine"',
        "home = [0.25,",
    ]
    more = other.with_joint(0).with_joint(3).with_joint_moved(1, 2)
    assert [line for line in more.text.splitlines() if line.startswith(("[[joints]]", "# first"))] == [
        "[[joints]]  # 1",
        "[[joints]] # 2",
        "# first of all",
        "[[joints]]  # 3: waist [sic]",
        "[[joints]]  # 4",
    ]
    assert more.table["identification"] == other.table["identification"]
    assert [joint.get("alpha_deg") for joint in more.table["joints"]] == [None, 60, None, None]


def test_what_is_read_of_a_draft_is_a_copy():
    one = draft("puma560")
    one.value(("configurations_deg", "home"))[0] = 99.0
    one.value(("joints", 1, "friction")).clear()
    assert one.value(("configurations_deg", "home", 0)) == 0 and one.value(("joints", 1, "friction", "at")) == "motor"


def test_windows_line_ends_stay():
    text = engine.load_robot("puma560").source.read_text("utf-8").replace("\n", "\r\n")
    other = draft_from_text(text).with_value(("joints", 1, "friction", "stiction"), 0.5).with_value(("base", "xyz"), [0, 0, 1])
    other = other.with_joint(6).with_joint_moved(6, 0).with_value(("joints", 1, "velocity_limit"), 3.0)
    assert "\n" not in other.text.replace("\r\n", "")


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        (("joints", 1, "a"), "x", r"joints\[1\].a \(joint 2\): must be a number, got 'x'"),
        (("joints", 1, "a"), math.nan, r"joints\[1\].a \(joint 2\): must be a finite number, got nan"),
        (("joints", 0, "limits"), [2.0, 1.0], "lower < upper"),
        (("joints", 3, "mass"), -1.0, "must be 0 or more"),
        (("joints", 3, "mass"), None, "needs a mass in the same joint"),
        (("joints", 3, "gear_ratio"), 0, "must not be 0"),
        (("joints", 1, "inertia"), [1.0, 0.1, 0.1], "the largest exceeds the sum"),
        (("joints", 9, "a"), 1.0, r"joints\[9\].a: not a valid place in a robot file; the robot has 6, counted from 0"),
        (("joints", "first", "a"), 1.0, "not a valid place"),
        (("name", "of"), 1.0, "not a valid place"),
        ((), 1.0, "give the path of the value"),
        (("name",), "my arm", "must be a name of letters"),
        (("nmae",), "x", "unknown key; did you mean name"),
        (("convention",), "craig", 'must be "standard" or "modified"'),
        (("floor",), 1 + 2j, "numbers, texts, arrays and tables, not complex"),
        (("title",), "\ud800", "invalid characters"),
        (("gravity",), [0.0, None, 0.0], "is empty"),
        (("configurations_deg", "home", 1), 1000.0, "outside its limits"),
        (("configurations", "zero"), [0.0] * 6, "predefined"),
    ],
)
def test_what_a_robot_file_cannot_say_is_refused_with_field_reason_and_what_is_valid(place, value, says):
    one = draft("puma560")
    with pytest.raises(engine.ModelError, match=says) as caught:
        one.with_value(place, value)
    assert "\n" not in str(caught.value)
    assert one.text == engine.load_robot("puma560").source.read_text("utf-8")


def test_another_type_of_joint_leaves_what_the_other_unit_means_behind():
    one = draft("puma560").with_value(("joints", 2, "type"), "prismatic")
    assert one.robot.prismatic.tolist() == [False, False, True, False, False, False]
    assert one.value(("joints", 2, "limits")) is None and one.robot.configurations["home"][2] == 0.0


def test_the_first_mass_gives_the_others_none_and_a_sound_inertia_needs_no_excuse():
    one = draft("irb140").with_value(("joints", 2, "mass"), 5.0)
    assert [body.mass for body in one.robot.bodies] == [0.0, 0.0, 5.0, 0.0, 0.0, 0.0]
    other = draft("puma560").with_value(("joints", 2, "inertia"), [0.05, 0.06, 0.07])
    assert "inertia_as_published" not in other.table["joints"][2]


def test_lines_are_those_of_the_text():
    one = draft_from_text(EVERY_WAY)
    lines = one.text.splitlines()
    for place, line in [
        (("name",), "\"name\" = 'every_way'  # in quotes"),
        (("base", "rpy"), "base.rpy_deg = [0, 0, 45]"),
        (("tool", "matrix", 1), "    [0.0, 1.0, 0.0, 0.0],"),
        (("tool", "xyz"), "matrix = ["),
        (("joints", 0), "[[joints]]  # 1: waist [sic]"),
        (("joints", 0, "inertia"), "[[joints]]  # 1: waist [sic]"),
        (("joints", 1, "alpha"), "alpha_deg = 90"),
        (("joints", 1, "friction", "coulomb"), "coulomb = [0.1, 0.2]"),
        (("configurations", "home", 1), "        0.5]  # last line, without an end"),
    ]:
        assert lines[one.line_of(place) - 1] == line, place
    inline = draft("irb140")
    assert "shoulder" in inline.text.splitlines()[inline.line_of(("joints", 1, "alpha")) - 1]
    assert inline.line_of(("nothing",)) == 1


ODD = [0, -1.5, 1e308, math.nan, True, None, "x", "pi/2", "", "a\nb", '"""', "'#", [], [1], [1, 2], [1, 2, 3], ["pi", 1]]


ODD += [{}, {"a": 1}, {"xyz": [1, 2, 3]}, {"a": {"b": [1, {"c": 2}]}}, {"": 1}, {"a b": "c"}]


ODD += [10**400, "\ud800", b"x", [None], [[], []], np.eye(3)]


KEYS = ["name", "base", "tool", "configurations_deg", "identification", "xyz", "rpy", "matrix", "home", "type", "a", "alpha"]


KEYS += ["limits", "limits_deg", "mass", "com", "inertia", "friction", "viscous", "gear_ratio", "parent"]


KEYS += ["x y", "ä", "", "\ud800", 0, 1, -1, True, 1.5]


def test_a_bad_text_is_refused_in_one_line():
    for text, says in [
        ("name = 'x", "is not TOML"),
        ("", "is empty"),
        ("name = 'x'\nconvention = 'standard'\n", "joints: missing"),
        ("[[waypoints]]\nq = [0]\n", "is a trajectory file"),
        ("a" * 1_100_000, "larger than 1 MB"),
    ]:
        with pytest.raises(engine.ModelError, match=says) as caught:
            draft_from_text(text)
        assert "\n" not in str(caught.value)
