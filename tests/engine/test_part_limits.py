"""Files with more parts than any robot has are refused in one line, before anything large is made of them."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder

import pytest

from armature import engine

BODY = '<body><joint/><geom size="0.1"/></body>'
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
ONE = f'<joint name="m" type="revolute"><parent link="b"/><child link="l0"/>{LIMIT}</joint>'
ROWS = '[[joints]]\ntype = "revolute"\na = 1.0\n'
TOML = 'name = "arm"\nconvention = "standard"\n'


def refusal(path, text):
    path.write_text(text)
    with pytest.raises(engine.ModelError) as problem:
        engine.load_robot(path)
    message = str(problem.value)
    assert message.startswith(f"{path}: ") and "\n" not in message
    return message.removeprefix(f"{path}: ")


@pytest.fixture
def uncompiled(monkeypatch):
    """Hide MuJoCo: models that are too large are refused before MuJoCo compiles anything."""
    found = PathFinder.find_spec
    monkeypatch.setattr(PathFinder, "find_spec", lambda name, *rest: None if name == "mujoco" else found(name, *rest))
    monkeypatch.delitem(sys.modules, "mujoco", raising=False)


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize(
    ("inside", "says"),
    [
        (BODY * 100_000, "has 100,000 joints; at most 256 are supported"),
        ("<body>" + "<joint/>" * 257 + "</body>", "has 257 joints; at most 256"),
        (f'<replicate count="100"><frame><replicate count="1000">{BODY}</replicate></frame></replicate>', "has 100,000 joints"),
        ('<include file="part.xml"/>' * 2, "has 400 joints"),
        ('<body><composite type="cable" count="500 1 1"/></body>', "has 500 joints"),
        ("<body><joint/>" + "<body/>" * 5000 + "</body>", "has 5,001 bodies; at most 4,000"),
        ('<body><geom size="0.1"/>' + "<site/>" * 10_001 + "</body>", "has 10,001 sites; at most 10,000"),
    ],
    ids=["bodies", "one body", "replicate", "include", "composite", "links", "sites"],
)
def test_a_model_with_too_many_parts_is_refused_before_mujoco_compiles_it(inside, says, tmp_path):
    (tmp_path / "part.xml").write_text(f"<mujocoinclude>{BODY * 200}</mujocoinclude>")
    message = refusal(tmp_path / "arm.xml", f"<mujoco>\n<worldbody>{inside}</worldbody></mujoco>")
    assert message.startswith("line 1, <mujoco>: ") and says in message


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize(
    ("before", "says"),
    [
        (
            '<asset><texture name="t" builtin="flat" width="100000" height="100000"/></asset>',
            "<texture>: has 100,000 × 100,000 points",
        ),
        ('<asset><hfield name="h" nrow="9999" ncol="9999" size="1 1 1 1"/></asset>', "<hfield>: has 9,999 × 9,999 points"),
        ("<keyframe>" + "<key/>" * 1001 + "</keyframe>", "has 1,001 keyframes; at most 1,000"),
        ('<asset><model name="hand" file="part.xml"/></asset>', "has 401 joints"),
        ("<sensor>" + "<jointpos/>" * 100_001 + "</sensor>", "has 100,00"),
    ],
    ids=["texture", "height field", "keyframes", "attached models", "sensors"],
)
def test_parts_beside_the_bodies_are_limited_too(before, says, tmp_path):
    (tmp_path / "part.xml").write_text(f"<mujoco><worldbody>{BODY * 200}</worldbody></mujoco>")
    hands = '<attach model="hand" prefix="a"/><attach model="hand" prefix="b"/>'
    assert says in refusal(tmp_path / "arm.xml", f"<mujoco>{before}<worldbody>{BODY}{hands}</worldbody></mujoco>")


@pytest.mark.usefixtures("uncompiled")
def test_joints_of_defaults_and_lists_do_not_count_and_a_circle_of_files_ends(tmp_path):
    (tmp_path / "circle.xml").write_text('<mujocoinclude><include file="circle.xml"/><joint/></mujocoinclude>')
    lists = "<equality>" + '<joint joint1="a"/>' * 300 + "</equality><default><joint/></default>"
    include = '<include file="circle.xml"/><include file="nowhere.xml"/>'
    message = refusal(tmp_path / "arm.xml", f"<mujoco>{lists}<worldbody>{BODY * 250}{include}</worldbody></mujoco>")
    assert "need the package mujoco" in message


def test_as_many_joints_as_are_supported_are_read(tmp_path):
    pytest.importorskip("mujoco")
    path = tmp_path / "arm.xml"
    path.write_text(f"<mujoco><worldbody>{BODY * 256}</worldbody></mujoco>")
    assert engine.load_robot(path).n == 256


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ("".join(f'<link name="l{i}"/>' for i in range(4001)) + ONE, "has 4,002 links; at most 4,000"),
        ('<link name="l0">' + "<visual/>" * 10_001 + "</link>" + ONE, "has 10,001 shapes; at most 10,000"),
        ('<link name="l0"/>' + ONE + "<gazebo/>" * 100_000, "has 100,007 elements; at most 100,000"),
        ('<link name="l0"/>' + '<joint type="continuous"/>' * 257, "has 257 moving joints; at most 256"),
        ('<link name="l0"/>' + "<x>" * 300 + "</x>" * 300, "elements are nested more than 256 deep"),
    ],
    ids=["links", "shapes", "elements", "joints", "depth"],
)
def test_a_urdf_with_too_many_parts_is_refused_before_it_is_read(parts, says, tmp_path):
    message = refusal(tmp_path / "arm.urdf", f'<robot name="arm"><link name="b"/>{parts}</robot>')
    assert message.startswith("line 1") and says in message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TOML + ROWS * 65, "joints: must be 1 to 64 tables"),
        (TOML + ROWS + "[[joints.shapes]]\nsphere = 1\n" * 10_001, "joints: has 10,001 shapes; at most 10,000"),
        (
            TOML + "[configurations]\n" + "".join(f"p{i} = [0]\n" for i in range(1001)) + ROWS,
            "configurations: has 1,001 named poses",
        ),
        (TOML + "x = " + "[" * 2000 + "]" * 2000, "is nested too deeply"),
    ],
    ids=["joints", "shapes", "poses", "depth"],
)
def test_a_robot_file_with_too_many_parts_is_refused(text, says, tmp_path):
    assert says in refusal(tmp_path / "arm.toml", text)


def test_a_companion_file_with_too_many_poses_is_refused(tmp_path):
    (tmp_path / "arm.urdf").write_text(f'<robot name="arm"><link name="b"/><link name="l0"/>{ONE}</robot>')
    companion = tmp_path / "arm.armature.toml"
    companion.write_text("[configurations]\n" + "".join(f"p{i} = [0]\n" for i in range(1001)))
    with pytest.raises(engine.ModelError, match=r"arm\.armature\.toml: configurations: has 1,001 named poses; at most 1,000"):
        engine.load_robot(tmp_path / "arm.urdf")


@pytest.mark.parametrize("name", ["arm.urdf", "arm.xml", "arm.toml", "arm.urdf.xacro"])
def test_a_file_that_is_too_large_is_refused_unread(name, tmp_path):
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(engine.ModelError, match=r"has 1073\.7 MB; a \w+ file may have at most (1|10) MB"):
        engine.load_robot(path)


@pytest.mark.usefixtures("uncompiled")
def test_an_included_file_that_is_too_large_is_refused_by_its_name(tmp_path):
    with (tmp_path / "part.xml").open("wb") as file:
        file.truncate(1 << 30)
    text = f'<mujoco><worldbody>{BODY}<include file="part.xml"/></worldbody></mujoco>'
    assert refusal(tmp_path / "arm.xml", text) == "part.xml: has 1073.7 MB; a model may have at most 10 MB"
