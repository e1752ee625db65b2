"""Every way a URDF file can be wrong ends in one line that names the file, the line and the element."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armature import engine
from tests.engine.example_robots import example

BASE = '<link name="base"/>'
MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
LIMIT = '<limit lower="-1" upper="1" effort="5" velocity="2"/>'


def link(name, inside=MASS):
    return f'<link name="{name}">{inside}</link>'


def joint(name, parent, child, inside=LIMIT, kind="revolute"):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def robot(*parts):
    return '<?xml version="1.0"?>\n<robot name="arm">\n' + "\n".join(parts) + "\n</robot>\n"


def arm(link_inside=MASS, joint_inside=LIMIT, kind="revolute"):
    return robot(BASE, link("arm1", link_inside), joint("j1", "base", "arm1", joint_inside, kind))


def inertial(mass='<mass value="1"/>', ixx="1", rest=""):
    return f'<inertial>{mass}<inertia ixx="{ixx}" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>{rest}</inertial>'


def complaint_about(tmp_path, text):
    path = tmp_path / "arm.urdf"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(engine.ModelError) as caught:
        engine.load_robot(path)
    message = str(caught.value)
    assert message.isprintable() and len(message) < 1000 and message.startswith(str(path)[:90]), message
    return message.rpartition("arm.urdf: ")[2]


TWO = (link("a"), link("b"))
BAD = {
    "negative mass": (
        arm(inertial('<mass value="-1"/>')),
        'line 4, <mass> of <link name="arm1">: value must be 0 or more, got -1',
    ),
    "mass not a number": (arm(inertial('<mass value="nan"/>')), '<mass> of <link name="arm1">: value must be a finite number'),
    "infinite mass": (arm(inertial('<mass value="inf"/>')), "value must be a finite number, got 'inf'"),
    "mass of 1e400": (arm(inertial('<mass value="1e400"/>')), "value must be between -1e9 and 1e9"),
    "mass in words": (arm(inertial('<mass value="1 kg"/>')), "must be a finite number, got '1 kg'"),
    "mass with a comma": (arm(inertial('<mass value="1,5"/>')), "must be a finite number, got '1,5'"),
    "mass with underscores": (arm(inertial('<mass value="1_0"/>')), "must be a finite number, got '1_0'"),
    "mass in other digits": (arm(inertial('<mass value="١"/>')), "must be a finite number"),
    "mass without value": (arm(inertial("<mass/>")), 'line 4, <mass> of <link name="arm1">: has no value'),
    "no mass": (arm(inertial("")), 'line 4, <inertial> of <link name="arm1">: has no <mass>'),
    "two masses": (arm(inertial('<mass value="1"/><mass value="2"/>')), "<mass> of <link name=\"arm1\">: is given twice"),
    "a joint without mass": (
        robot(BASE, link("a"), link("b", ""), joint("j1", "base", "a"), joint("j2", "a", "b")),
        'line 7, <joint name="j2">: moves no mass: link \'b\' and the links after it have none',
    ),
    "a slide with inertia only": (
        robot(
            BASE, *TWO[:1], link("b", inertial('<mass value="0"/>')), joint("j1", "base", "a"),
            joint("j2", "a", "b", LIMIT, "prismatic"),
        ),
        '<joint name="j2">: moves no mass',
    ),
    "negative moment": (arm(inertial(ixx="-1")), "the body that joint 'j1' moves has a negative principal moment"),
    "inertia not a number": (arm(inertial(ixx="NaN")), '<inertia> of <link name="arm1">: ixx must be a finite number'),
    "misspelt inertial": (arm(MASS.replace("inertial", "inertail")), "<inertail> of <link name=\"arm1\">: unknown element"),
    "misspelt origin": (arm(inertial(rest='<orign xyz="1 0 0"/>')), "did you mean origin?"),
    "misspelt xyz": (arm(inertial(rest='<origin xzy="1 0 0"/>')), 'unknown attribute "xzy"; did you mean xyz?'),
    "zero axis": (arm(MASS, LIMIT + '<axis xyz="0 0 0"/>'), 'line 5, <axis> of <joint name="j1">: xyz is zero'),
    "two numbers": (arm(MASS, LIMIT + '<axis xyz="0 1"/>'), "xyz must be 3 numbers, got 2"),
    "absurd origin": (arm(MASS, LIMIT + '<origin xyz="0 0 1e300"/>'), "<origin> of <joint name=\"j1\">: xyz must be between"),
    "unknown type": (arm(kind="hinge"), 'line 5, <joint name="j1">: unknown type \'hinge\'; valid are revolute, continuous'),
    "floating": (arm(kind="floating"), "type 'floating', a joint of six degrees of freedom, is not supported"),
    "planar": (arm(kind="planar"), "type 'planar', a joint of three degrees of freedom, is not supported"),
    "no type": (arm().replace(' type="revolute"', ""), '<joint name="j1">: has no type'),
    "no limit": (arm(MASS, ""), '<joint name="j1">: has no <limit>; a revolute joint needs one'),
    "limits crossed": (
        arm(MASS, '<limit lower="1" upper="-1" effort="1" velocity="1"/>'),
        "lower limit 1 is above the upper limit",
    ),
    "limit not a number": (arm(MASS, '<limit lower="nan" upper="1"/>'), "lower must be a number, got 'nan'"),
    "negative effort": (arm(MASS, '<limit lower="0" upper="1" effort="-1" velocity="1"/>'), "effort must be 0 or more"),
    "negative damping": (
        arm(MASS, LIMIT + '<dynamics damping="-1"/>'),
        "<dynamics> of <joint name=\"j1\">: damping must be 0 or",
    ),
    "no parent": (arm().replace('<parent link="base"/>', ""), '<joint name="j1">: has no <parent>'),
    "unknown parent": (arm().replace('<parent link="base"/>', '<parent link="bse"/>'), "parent 'bse' is not a link of this file"),
    "unknown child": (
        arm().replace('<child link="arm1"/>', '<child link="x"/>'),
        "line 5, <joint name=\"j1\">: child 'x' is not a link",
    ),
    "same link twice": (
        robot(BASE, *TWO, link("a"), joint("j", "base", "a")),
        'line 6, <link name="a">: a link of this name is already on line 4',
    ),
    "same joint twice": (
        robot(BASE, *TWO, joint("j", "base", "a"), joint("j", "a", "b")),
        "a joint of this name is already on line 6",
    ),
    "two parents": (
        robot(BASE, *TWO, joint("j1", "base", "a"), joint("j2", "a", "b"), joint("j3", "base", "b")),
        "line 8, <joint name=\"j3\">: closes a loop: link 'b' is already the child of joint 'j2' (line 7)",
    ),
    "a circle": (robot(*TWO, joint("j1", "a", "b"), joint("j2", "b", "a")), "is part of a loop"),
    "a circle beside": (robot(BASE, *TWO, joint("j1", "a", "b"), joint("j2", "b", "a")), "is part of a loop"),
    "a link on itself": (robot(BASE, link("a"), joint("j1", "a", "a")), "<joint name=\"j1\">: is part of a loop"),
    "two roots": (
        robot(BASE, *TWO, joint("j1", "a", "b")),
        'line 4, <link name="a">: has no parent joint, like link \'base\' (line 3)',
    ),
    "no link": (robot(), "<robot>: has no <link>"),
    "nothing moves": (robot(BASE), "<robot>: has no moving joint"),
    "link without name": (robot("<link/>"), "line 3, <link>: has no name"),
    "empty name": (robot('<link name=" "/>'), "name must be a printable name"),
    "world that moves": (
        robot(BASE, link("world"), joint("j1", "base", "world")),
        'line 4, <link name="world">: only the root link may be called world'
    ),
    "mimic of nobody": (
        arm(MASS, LIMIT + '<mimic joint="x"/>'),
        "line 5, <mimic> of <joint name=\"j1\">: joint 'x' is not in this file",
    ),
    "mimic of itself": (arm(MASS, LIMIT + '<mimic joint="j1"/>'), "the joint mimics itself"),
    "mimics in a circle": (
        robot(
            BASE, *TWO, joint("j1", "base", "a", LIMIT + '<mimic joint="j2"/>'),
            joint("j2", "a", "b", LIMIT + '<mimic joint="j1"/>'),
        ),
        "joints copy each other in a circle: j1, j2, j1",
    ),
    "mimic of a fixed joint": (
        robot(BASE, *TWO, joint("j1", "base", "a", "", "fixed"), joint("j2", "a", "b", LIMIT + '<mimic joint="j1"/>')),
        "joint 'j1' is fixed; a mimic joint must copy",
    ),
    "mimic not a number": (
        robot(BASE, *TWO, joint("j1", "base", "a"), joint("j2", "a", "b", LIMIT + '<mimic joint="j1" multiplier="inf"/>')),
        "<mimic> of <joint name=\"j2\">: multiplier must be a finite number",
    ),
    "truncated": (arm()[:-40], "is not XML"),
    "empty": ("", "is empty"),
    "no XML": ("name = 'arm'", "line 1: is not XML"),
    "another XML": ("<sdf/>", "the outermost element is <sdf>; in a URDF file it is <robot>"),
    "no robot name": ("<robot/>", "line 1, <robot>: has no name"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0", "is not UTF-8 text"),
    "UTF-16": (arm().replace('<?xml version="1.0"?>', "").encode("utf-16"), "is not UTF-8 text"),
    "UTF-7": (arm().replace('version="1.0"', 'version="1.0" encoding="utf-7"'), "is encoded as utf-7"),
    "Latin-1 bytes": (arm().replace("arm1", "\xe9").encode("latin-1"), "is not XML"),
    "external entity": (
        '<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>', "line 1: <!DOCTYPE> is not allowed"
    ),
    "external document type": ('<!DOCTYPE robot SYSTEM "http://localhost/x.dtd"><robot name="a"/>', "<!DOCTYPE> is not allowed"),
    "box of two": (
        arm(MASS + '<visual><geometry><box size="1 1"/></geometry></visual>'),
        "<box> of <link name=\"arm1\">: size must be",
    ),
    "negative radius": (arm(MASS + '<visual><geometry><sphere radius="-1"/></geometry></visual>'), "has a negative size, -1"),
    "no geometry": (arm(MASS + "<visual/>"), "<visual> of <link name=\"arm1\">: has no <geometry>"),
    "scale of zero": (
        arm(MASS + '<visual><geometry><mesh filename="a.stl" scale="1 0 1"/></geometry></visual>'),
        "scale must not contain a zero",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_refused_in_one_line(tmp_path, name):
    text, expected = BAD[name]
    assert expected in complaint_about(tmp_path, text)


def test_the_arm_that_the_faults_are_put_into_is_fine(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(arm())
    assert engine.load_robot(path).n == 1


def test_entity_bombs_cost_nothing(tmp_path):
    levels = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    bomb = f'<!DOCTYPE robot [<!ENTITY a0 "ha">{levels}]><robot name="arm"><link name="&a11;"/></robot>'
    tracemalloc.start()
    assert "<!DOCTYPE> is not allowed" in complaint_about(tmp_path, bomb)
    assert tracemalloc.get_traced_memory()[1] < 20e6
    tracemalloc.stop()


def test_a_doctype_in_a_comment_is_a_comment(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(arm().replace("</robot>", "<!-- <!DOCTYPE x> --></robot>"))
    assert engine.load_robot(path).n == 1


def test_fifty_megabytes_are_refused_unread(tmp_path):
    path = tmp_path / "arm.urdf"
    with path.open("wb") as stream:
        stream.truncate(50_000_000)
    with pytest.raises(engine.ModelError, match=r"has 50\.0 MB; a robot file may have at most 10 MB"):
        engine.load_robot(path)


@pytest.mark.parametrize("depth", [300, 200_000])
def test_deep_nesting(tmp_path, depth):
    assert "elements are nested more than 256 deep" in complaint_about(tmp_path, robot("<a>" * depth + "</a>" * depth))


def test_a_folder_and_a_file_that_is_not_there(tmp_path):
    (tmp_path / "folder.urdf").mkdir()
    for name, why in (("folder.urdf", "is a folder"), ("nobody.urdf", "file not found")):
        with pytest.raises(engine.ModelError, match=why):
            engine.load_robot(tmp_path / name)


def test_more_joints_than_anything_has(tmp_path):
    links = [link(f"l{i}") for i in range(400)]
    joints = [joint(f"j{i}", f"l{i}", f"l{i + 1}") for i in range(399)]
    assert "has 399 moving joints; at most 256" in complaint_about(tmp_path, robot(*links, *joints))


@pytest.mark.parametrize("name", ["", " ", "a&#10;b.stl"], ids=["empty", "a space", "line break"])
def test_a_mesh_without_a_proper_name_is_refused(tmp_path, name):
    message = complaint_about(tmp_path, arm(MASS + f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'))
    assert "filename must be a printable path" in message and 'line 4, <mesh> of <link name="arm1">' in message


def test_a_folder_of_the_system_is_no_package(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(arm(MASS + '<visual><geometry><mesh filename="package://etc/passwd"/></geometry></visual>'))
    robot = engine.load_robot(path)
    assert robot.visuals[0].path is None and any("in the package etc, which was not found" in remark for remark in robot.remarks)


def survives(path):
    """load_robot gives a robot or a ModelError of one line, nothing else."""
    try:
        robot = engine.load_robot(path)
    except engine.ModelError as error:
        assert str(error).isprintable() and len(str(error)) < 1000
    else:
        assert robot.n >= 1


CALM = settings(
    max_examples=300, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
FULL = robot(
    '<material name="red"><color rgba="1 0 0 1"/></material>', BASE,
    link("a", MASS + '<visual><origin xyz="0 0 1" rpy="0 1 0"/><geometry><mesh filename="a.stl" scale="1 1 2"/></geometry>'
         '<material name="red"/></visual><collision><geometry><cylinder radius="1" length="2"/></geometry></collision>'),
    link("b"), link("c", ""), joint("j1", "base", "a", LIMIT + '<axis xyz="0 1 1"/><dynamics damping="1" friction="2"/>'),
    joint("j2", "a", "b", LIMIT + '<mimic joint="j1" multiplier="2" offset="1"/>', "prismatic"),
    joint("j3", "b", "c", "", "fixed"),
).encode()  # fmt: skip


@CALM
@given(st.data())
def test_fuzz_mutated_bytes(tmp_path, data):
    text = bytearray(FULL)
    for _ in range(data.draw(st.integers(1, 6))):
        text = text or bytearray(b"<")
        at = data.draw(st.integers(0, len(text) - 1))
        kind = data.draw(st.sampled_from(["replace", "delete", "insert", "cut", "copy"]))
        if kind == "replace":
            text[at] = data.draw(st.integers(0, 255))
        elif kind == "delete":
            del text[at : at + data.draw(st.integers(1, 60))]
        elif kind == "insert":
            text[at:at] = data.draw(st.binary(min_size=1, max_size=8))
        elif kind == "copy":
            text[at:at] = text[data.draw(st.integers(0, len(text) - 1)) :][:200]
        else:
            del text[at + 1 :]
    path = tmp_path / "fuzz.urdf"
    path.write_bytes(bytes(text) or b"<")
    survives(path)


@CALM
@given(value=st.one_of(st.text(max_size=30), st.floats().map(str), st.integers().map(str)), which=st.integers(0, 60))
def test_fuzz_values(tmp_path, value, which):
    escaped = "".join(f"&#{ord(c)};" if not c.isalnum() and c >= " " else c for c in value)
    parts = FULL.decode().split('="')
    k = 1 + which % (len(parts) - 1)
    parts[k] = escaped + parts[k][parts[k].index('"') :]
    path = tmp_path / "fuzz.urdf"
    path.write_text('="'.join(parts), encoding="utf-8", errors="surrogatepass")
    survives(path)


@settings(CALM, max_examples=40)
@given(data=st.data())
def test_fuzz_a_real_file(tmp_path, data):
    lines = example("ur5_robot").read_bytes().splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        other = data.draw(st.integers(0, len(lines) - 1))
        lines[at] = data.draw(st.sampled_from([b"", lines[other], lines[at][:-8] + b"\n"]))
    path = tmp_path / "fuzz.urdf"
    path.write_bytes(b"".join(lines))
    survives(path)
