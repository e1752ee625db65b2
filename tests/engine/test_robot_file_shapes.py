"""Shapes in robot files: those of a URDF arm stay with its links while it is edited, converted, saved and read again."""

from __future__ import annotations

import re
import tomllib

import numpy as np
import pytest

from armature import engine
from tests.engine.example_robots import example

MINE = """\
name = "mine"
convention = "standard"
shapes = [{ box = [0.2, 0.2, 0.1], xyz = [0, 0, 0.05] }]

[[joints]]
type = "revolute"
d = 0.3
a = 0.25
shapes = [
    { mesh = "part.stl", scale = [0.001, 0.001, 0.001], colour = [1, 0.5, 0, 1] },  # the cover
    { cylinder = [0.05, 0.25], rpy = [0, "pi/2", 0], collision = true },
]
"""


def placed(robot, q):
    """Where each shape is at q, with what it is."""
    return [
        (shape.shape, shape.path, shape.size, shape.colour, engine.frame_pose(robot, q, shape.link) @ shape.X_LG)
        for shape in (*robot.visuals, *robot.collisions)
    ]


def assert_same(robot, other):
    for q in np.random.default_rng(0).uniform(-2, 2, (3, robot.n)):
        one, two = placed(robot, q), placed(other, q)
        key = lambda shape: (shape[0], str(shape[1]), shape[2], tuple(np.round(shape[4], 6).ravel() + 0.0))  # noqa: E731
        assert len(one) == len(two) > 0
        for a, b in zip(sorted(one, key=key), sorted(two, key=key), strict=True):
            assert a[:4] == b[:4]
            np.testing.assert_allclose(a[4], b[4], atol=1e-9)


@pytest.mark.parametrize("name", ["ur5_robot", "kinova"])
def test_a_urdf_arm_keeps_its_shapes_where_they_were(name, tmp_path):
    robot = engine.load_robot(example(name))
    draft = engine.draft_of(robot)
    assert_same(robot, draft.robot)
    other = "modified" if draft.robot.dh.convention == "standard" else "standard"
    assert_same(robot, draft.converted(other).robot)
    saved = draft.saved_as(tmp_path / "mine.toml")
    assert_same(robot, engine.load_robot(saved.path))
    assert not any("hape" in remark for remark in draft.robot.remarks)


@pytest.mark.parametrize("name", ["ur5_robot", "kinova"])
def test_places_of_shapes_are_written_without_dust(name):
    draft = engine.draft_of(engine.load_robot(example(name)))
    table = tomllib.loads(draft.text)
    shapes = [*table["shapes"], *(shape for joint in table["joints"] for shape in joint.get("shapes", []))]
    figures = [x for shape in shapes for key in ("xyz", "rpy") for x in shape.get(key, []) if not isinstance(x, str)]
    assert len(figures) > 10 and not [x for x in figures if 0 < abs(x) < 1e-15]
    assert not [x for x in figures if str(x) == "-0.0"]
    assert not [shape for shape in shapes if shape.get("xyz") == [0, 0, 0] or shape.get("rpy") == [0, 0, 0]]


URDF = """
<robot name="arm"><link name="base"/><link name="hand">
<visual><geometry><mesh filename="../meshes/part.stl"/></geometry></visual>
<visual><geometry><mesh filename="own.stl"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>
"""


def test_meshes_below_a_saved_file_or_beside_it_are_named_from_there(tmp_path):
    """In the package they lie in it can be carried elsewhere; another place names them in full, and every place finds them."""
    for folder in ("arm/urdf", "arm/meshes", "far/away"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "arm/package.xml").write_text("<package><name>arm</name></package>")
    for mesh in ("meshes/part.stl", "urdf/own.stl"):
        (tmp_path / "arm" / mesh).write_bytes(b"")
    (tmp_path / "arm/urdf/arm.urdf").write_text(URDF)
    robot = engine.load_robot(tmp_path / "arm/urdf/arm.urdf")
    draft = engine.draft_of(robot).saved_as(tmp_path / "arm/urdf/mine.toml")
    assert re.findall('mesh = "(.*?)"', draft.text) == ["../meshes/part.stl", "own.stl"]
    assert draft.text == draft.saved_text == draft.path.read_text() and not draft.changed
    engine.save_robot(robot, tmp_path / "arm/urdf/export.toml")
    assert re.findall('mesh = "(.*?)"', (tmp_path / "arm/urdf/export.toml").read_text()) == ["../meshes/part.stl", "own.stl"]
    turned = engine.load_robot(draft.path) and engine.open_draft(draft.path).converted("modified")
    assert re.findall('mesh = "(.*?)"', turned.text) == ["../meshes/part.stl", "own.stl"]
    far = draft.saved_as(tmp_path / "far/away/mine.toml")
    there = [str(tmp_path / "arm/meshes/part.stl"), str(tmp_path / "arm/urdf/own.stl")]
    assert re.findall('mesh = "(.*?)"', far.text) == there
    for path in (draft.path, tmp_path / "arm/urdf/export.toml", far.path):
        assert [str(shape.path) for shape in engine.load_robot(path).visuals] == there


def test_shapes_go_with_their_link():
    draft = engine.draft_of(engine.load_robot(example("ur5_robot")))
    files = [shape.path.name for shape in draft.robot.visuals if shape.link == "link3"]
    longer = draft.with_joint(1).with_value(("joints", 1, "a"), 0.3)
    assert [shape.path.name for shape in longer.robot.visuals if shape.link == "link4"] == files
    assert not [shape for shape in longer.robot.visuals if shape.link == "link2"]
    without = longer.without_joint(3)
    assert not set(files) & {shape.path.name for shape in without.robot.visuals}
    assert longer.without_joint(1).robot.visuals[-1].link == draft.robot.visuals[-1].link


def test_a_mesh_lies_beside_the_robot_file_or_is_told_to_be_missing(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    robot = engine.load_robot(path)
    assert [shape.shape for shape in robot.visuals] == ["box", "mesh"] and robot.collisions[0].size == (0.05, 0.25)
    assert robot.visuals[1].path is None and any("'part.stl'" in remark for remark in robot.remarks)
    (tmp_path / "part.stl").write_bytes(b"")
    robot = engine.load_robot(path)
    assert robot.visuals[1].path == (tmp_path / "part.stl").resolve() and not robot.remarks
    assert robot.visuals[1].size == (0.001,) * 3 and robot.visuals[1].colour == (1, 0.5, 0, 1) and robot.visuals[0].link == "base"
    edited = engine.open_draft(path).with_value(("joints", 0, "a"), 0.5)
    assert edited.text == MINE.replace("a = 0.25", "a = 0.5")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('mesh = "part.stl", ', "", r"joints\[0\]\.shapes\[0\].*one of mesh, box, cylinder, sphere"),
        ('mesh = "part.stl", ', 'mesh = "part.stl", sphere = 1, ', r"shapes\[0\].*one of mesh"),
        ("scale = [0.001, 0.001", "scale = [0, 0.001", r"shapes\[0\]\.scale .*must not contain a zero"),
        ("[0.05, 0.25]", "[-0.05, 0.25]", r"shapes\[1\]\.cylinder.*0 or more"),
        ("colour = [1,", "colour = [2,", r"shapes\[0\]\.colour .*between 0 and 1"),
    ],
)
def test_a_wrong_shape_is_refused_in_one_line(old, new, says, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE.replace(old, new), encoding="utf-8")
    with pytest.raises(engine.ModelError, match=says):
        engine.load_robot(path)


@pytest.mark.parametrize("name", ["//host/share/part.stl", "\\\\\\\\host\\\\share\\\\part.stl", "/etc/hostname"])
def test_what_is_no_mesh_or_in_a_network_is_not_read(name, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE.replace("part.stl", name), encoding="utf-8")
    shape = engine.load_robot(path).visuals[1]
    assert shape.path is None and shape.outside
