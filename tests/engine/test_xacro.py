"""Xacro files open as the URDF they describe; a bad or hostile one is one line with its place, and does nothing."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.model.xacro.xacro_reader import MissingArgumentError

ARM = """<?xml version="1.0"?>
<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="arm">
  <xacro:arg name="n" default="3"/>
  <xacro:arg name="prefix" default=""/>
  <xacro:property name="length" value="${0.5 * cos(radians(60)) * 2}"/>
  <xacro:include filename="$(find parts)/segment.xacro"/>
  <link name="base"/>
  <xacro:macro name="chain" params="i parent">
    <xacro:segment name="$(arg prefix)l${i}" parent="${parent}" length="${length}"/>
    <xacro:if value="${i &lt; int(xacro.arg('n'))}">
      <xacro:chain i="${i + 1}" parent="$(arg prefix)l${i}"/>
    </xacro:if>
  </xacro:macro>
  <xacro:chain i="1" parent="base"/>
</robot>
"""
SEGMENT = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="figures" value="${xacro.load_yaml('$(find parts)/figures.yaml')}"/>
  <xacro:macro name="segment" params="name parent length">
    <link name="${name}">
      <inertial>
        <origin xyz="${length/2} 0 0"/>
        <mass value="${figures.mass}"/>
        <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>
      </inertial>
      <visual><geometry><mesh filename="package://parts/meshes/l.stl"/></geometry></visual>
    </link>
    <joint name="j_${name}" type="revolute">
      <parent link="${parent}"/><child link="${name}"/>
      <origin xyz="${length} 0 0"/>
      <axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" effort="10" velocity="2"/>
    </joint>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def arm(tmp_path) -> Path:
    """A xacro file in one package that includes macros of another, beside it."""
    for name in ("arm", "parts"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "package.xml").write_text(f"<package><name>{name}</name></package>", encoding="utf-8")
    (tmp_path / "arm/urdf").mkdir()
    (tmp_path / "parts/meshes").mkdir()
    (tmp_path / "parts/meshes/l.stl").write_bytes(b"solid\nendsolid\n")
    (tmp_path / "parts/segment.xacro").write_text(SEGMENT, encoding="utf-8")
    (tmp_path / "parts/figures.yaml").write_text("mass: 1.5\n", encoding="utf-8")
    path = tmp_path / "arm/urdf/arm.urdf.xacro"
    path.write_text(ARM, encoding="utf-8")
    return path


def refused(path: Path, body: str) -> str:
    """What is said about a file of this body, whose third line it begins on."""
    path.write_text(f'<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="a">\n<link name="b"/>\n{body}\n</robot>', "utf-8")
    with pytest.raises(engine.ModelError) as caught:
        engine.load_robot(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ") and "\n" not in said
    return said.removeprefix(f"{path}: ")


def test_packages_arguments_expressions_and_yaml(arm):
    robot = engine.load_robot(arm)
    assert robot.joint_names == ("j_l1", "j_l2", "j_l3")
    assert [body.mass for body in robot.bodies] == [1.5] * 3
    np.testing.assert_allclose(engine.frame_pose(robot, np.zeros(3))[:3, 3], [1.5, 0, 0], atol=1e-15)
    assert robot.visuals[0].path == arm.parents[2] / "parts/meshes/l.stl"


def test_arguments_stand_behind_the_name_or_are_given(arm):
    two = engine.load_robot(f"{arm}?n=2&prefix=left%2F")
    assert two.joint_names == ("j_left/l1", "j_left/l2")
    same = engine.load_robot(arm, arguments={"n": 2, "prefix": "left/"})
    assert same.file_hash == two.file_hash != engine.load_robot(arm).file_hash
    assert engine.load_robot(same.source).joint_names == two.joint_names


def test_a_companion_completes_it(arm):
    (arm.parent / "arm.armature.toml").write_text("[joints.j_l1]\nrotor_inertia = 0.25\n", encoding="utf-8")
    assert engine.load_robot(arm).bodies[0].rotor_inertia == 0.25
    assert engine.load_robot(arm.parent / "arm.armature.toml").n == 3


def test_a_needed_argument_is_named(arm):
    arm.write_text(ARM.replace('name="arm"', 'name="$(arg name)"'), encoding="utf-8")
    with pytest.raises(MissingArgumentError, match=r"line 2: needs the argument 'name'; open arm\.urdf\.xacro\?name=…") as caught:
        engine.load_robot(arm)
    assert caught.value.name == "name"
    assert engine.load_robot(arm, arguments={"name": "mine"}).name == "mine"


def test_an_argument_it_has_not_is_refused(arm):
    with pytest.raises(engine.ModelError, match=r"unknown argument 'm'; valid are n, prefix"):
        engine.load_robot(arm, arguments={"m": 1})
    with pytest.raises(engine.ModelError, match=r"write arguments as \?name=value&name=value, got \?m"):
        engine.load_robot(f"{arm}?m")
    with pytest.raises(engine.ModelError, match=r"arm\.urdf\.xacro: the argument 'n' is given twice"):
        engine.load_robot(f"{arm}?n=1&prefix=a&n=2")
    with pytest.raises(engine.ModelError, match="only xacro files have arguments"):
        engine.load_robot("puma560", arguments={"n": 1})


def test_a_fault_behind_a_macro_names_the_line_it_was_written_on(arm):
    segment = arm.parents[2] / "parts/segment.xacro"
    segment.write_text(SEGMENT.replace('lower="-1"', 'lower="nan"'), encoding="utf-8")
    with pytest.raises(engine.ModelError, match=r'line 16 of segment\.xacro, <limit> of <joint name="j_l1">: lower must be'):
        engine.load_robot(arm)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<xacro:foo a="1"/>', "line 3: unknown macro name: xacro:foo"),
        ('<link name="${bar}"/>', "line 3: name 'bar' is not defined when evaluating expression 'bar'"),
        ('<xacro:include filename="$(find nowhere)/x.xacro"/>', "line 3: package 'nowhere' not found"),
        ('<xacro:include filename="bad.xacro"/>', "line 3: includes itself: bad.xacro in bad.xacro"),
        ('<xacro:include filename="none.xacro"/>', "line 3: file not found: "),
        ('<xacro:macro name="m" params=""><xacro:m/></xacro:macro>\n<xacro:m/>', "line 3: macros call each other endlessly: m"),
        (
            '<xacro:property name="p" value="${q}"/><xacro:property name="q" value="${p}"/><a b="${p}"/>',
            "line 3: circular variable",
        ),
        ("<link name=\"${'a' * 10**10}\"/>", "line 3: "),
        ('<link name="${9**9**9}"/>', "line 3: a whole number of more than 4,096 bits"),
        ('<link name="x"', "line 4: is not XML: not well-formed"),
        ('<link name="$(env NOT_THERE_AT_ALL)"/>', "line 3: environment variable 'NOT_THERE_AT_ALL' is not set"),
    ],
)
def test_a_bad_file_is_one_line_with_its_place(tmp_path, body, said):
    assert refused(tmp_path / "bad.xacro", body).startswith(said)


def test_a_file_that_grows_without_end_is_stopped(tmp_path):
    twice = '<xacro:m k="${k - 1}"/>' * 2
    bomb = f'<xacro:macro name="m" params="k"><a/><xacro:if value="${{k}}">{twice}</xacro:if></xacro:macro><xacro:m k="40"/>'
    assert "calls more than 5,000 macros" in refused(tmp_path / "bad.xacro", bomb)


ESCAPES = [
    "$(eval open('OUT', 'w'))",
    "${[x.__class__ for x in [1]]}",
    "${(lambda: ().__class__)()}",
    "${python.vars(xacro.fatal)}",
    "${python.type(1)}",
    "${'{0.__globals__}'.format(xacro.fatal)}",
    "${xacro.load_yaml('/etc/hostname')}",
    "${xacro.load_yaml('OUT')}",
]


@pytest.mark.parametrize("expression", ESCAPES)
def test_an_expression_computes_and_does_nothing_else(tmp_path, expression):
    """Each of these runs code, or reads a file elsewhere, with the library as it comes."""
    (tmp_path / "mine").mkdir()
    out = tmp_path / "out.txt"
    said = refused(tmp_path / "mine/bad.xacro", f'<link name="{expression.replace("OUT", str(out))}"/>')
    assert any(word in said for word in ("not allowed", "not defined", "is outside", "not a valid expression")), said
    assert not out.exists()


def test_files_outside_of_the_robot_are_not_read(tmp_path):
    (tmp_path / "secret.xacro").write_text("<robot/>", encoding="utf-8")
    (tmp_path / "mine").mkdir()
    said = refused(tmp_path / "mine/bad.xacro", '<xacro:include filename="../secret.xacro"/>')
    assert "is outside the robot's folder and its packages and is not read" in said


def test_the_process_may_not_write_start_or_connect():
    """The second wall, behind the expressions: what is tried there is refused by Python itself."""
    from armature.engine.model.xacro.guarded_reading import AllowedFolders, ForbiddenReading

    hook = AllowedFolders(Path(__file__))._hook
    attempts = [
        ("open", ("x", "w", 0)),
        ("open", (str(Path(__file__)), None, os.O_RDWR)),
        ("os.system", ("true",)),
        ("subprocess.Popen", ("true", [], None, None)),
        ("socket.connect", (None, ("localhost", 1))),
        ("import", ("ctypes",)),
    ]
    for event, details in attempts:
        with pytest.raises(ForbiddenReading):
            hook(event, details)
    hook("open", (str(Path(__file__)), "r", os.O_RDONLY))


PROPERTY = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="arm">
  <xacro:property name="length" value="0.4"/>
  <link name="base"/><link name="tip"/>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="tip"/><origin xyz="${length} 0 0"/><limit lower="-190" upper="45" effort="1" velocity="1"/>
  </joint>
</robot>
"""


def test_a_urdf_that_holds_macros_is_opened_as_xacro_with_its_lines_and_its_companion(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(PROPERTY)
    (tmp_path / "arm.armature.toml").write_text('title = "An arm"\n')
    robot = engine.load_robot(path)
    assert robot.source == path and robot.title == "An arm" and robot.bodies[0].X_PJ[0, 3] == 0.4
    (finding,) = engine.examine(robot)
    assert (
        finding.rule == "limits in degrees" and finding.where.line == 5 and finding.where.file == path and finding.repair is None
    )


def test_arguments_of_a_urdf_that_holds_macros_stand_behind_its_name(tmp_path):
    path = tmp_path / "arm.urdf"
    text = PROPERTY.replace('xacro:property name="length" value="0.4"', 'xacro:arg name="length" default="0.1"')
    path.write_text(text.replace("${length}", "$(arg length)"))
    assert engine.load_robot(f"{path}?length=0.7").bodies[0].X_PJ[0, 3] == 0.7
    assert engine.load_robot(path, {"length": 0.6}).bodies[0].X_PJ[0, 3] == 0.6
    assert engine.load_robot(path).bodies[0].X_PJ[0, 3] == 0.1


@pytest.mark.parametrize("macros", ["<!-- <xacro:property name='a' value='1'/> -->", "<description>costs ${5}</description>"])
def test_a_urdf_that_only_mentions_macros_is_a_urdf(macros, tmp_path):
    """A URDF written by xacro keeps the xacro namespace and comments on its source file."""
    path = tmp_path / "arm.urdf"
    path.write_text(PROPERTY.replace('<xacro:property name="length" value="0.4"/>', macros).replace("${length}", "0.4"))
    robot = engine.load_robot(path)
    assert robot.file_hash == hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(engine.ModelError, match="only xacro files have arguments"):
        engine.load_robot(path, {"length": 0.6})


def test_an_expression_without_a_macro_is_opened_as_xacro_too(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(PROPERTY.replace('<xacro:property name="length" value="0.4"/>', "").replace("${length}", "${2 * 0.2}"))
    assert engine.load_robot(path).bodies[0].X_PJ[0, 3] == 0.4


def test_a_urdf_with_macros_of_an_undeclared_namespace_is_one_line(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(PROPERTY.replace(' xmlns:xacro="http://www.ros.org/wiki/xacro"', ""))
    with pytest.raises(engine.ModelError, match=r"arm\.urdf: line 2: .*unbound prefix.*xmlns:xacro"):
        engine.load_robot(path)


def test_macros_in_a_urdf_that_is_called_xml_are_told_how_to_be_opened(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(PROPERTY)
    with pytest.raises(
        engine.ModelError, match=r"arm\.xml: line 2, .*contains xacro macros; rename the file so that it ends in \.xacro"
    ):
        engine.load_robot(path)
