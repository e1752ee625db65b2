"""Cells and their files: read, changed and written; each mistake is reported in one line with file, line and field."""

from __future__ import annotations

import os
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import armature
from armature.engine.contact.cell import floor_cell
from armature.engine.errors import ModelError
from tests.app.mesh_files import CUBE, CUBE_FACES, ball, binary_stl

SHIPPED = Path(armature.__file__).parent / "assets" / "cells"
TABLE = '[[objects]]\nname = "table"\nshape = "box"\n'
BOX = TABLE + "size = [1, 0.6, 0.04]\n"
SPHERE = '[[objects]]\nname = "ball"\nshape = "sphere"\nradius = '
MESH = '[[objects]]\nname = "part"\nshape = "mesh"\n'
PLANE = '[[objects]]\nname = "floor"\nshape = "halfspace"\n'
SIZE = "size = [1, 1, 1]\n"

BAD = {
    "empty": ("", "is empty; a cell file needs [[objects]]"),
    "no toml": ("\nname = ", "is not TOML: line 2"),
    "no objects": ('name = "a"', "line 1: objects: missing; give one table headed [[objects]]"),
    "a table": ("[objects]\nname = 1", "line 1: objects: must be tables, each headed [[objects]], got a table"),
    "too many": ("objects = [" + "1, " * 1001 + "]", "line 1: objects: has 1,001 objects; at most 1,000"),
    "numbers": ("objects = [1]", "line 1: objects[0]: must be a table, got 1"),
    "a robot": ("[[joints]]\na = 1", "is a robot file (it has [[joints]]), not a cell file; open it with armature"),
    "a trajectory": ("[[waypoints]]\na = 1", "is a trajectory file"),
    "unknown key of the file": ("title = 'x'\n" + BOX, "line 1: title: unknown key; valid are name, description, objects"),
    "unknown key": (BOX + "colour = [1, 0, 0]", "line 5: objects[0].colour: unknown key; did you mean color?"),
    "no name": ('[[objects]]\nshape = "box"\n' + SIZE, "line 1: objects[0].name: missing; give each object a name"),
    "name with blanks": (BOX.replace('"table"', '"the table"'), "line 2: objects[0].name: must be a name of letters"),
    "name is a number": (BOX.replace('"table"', "7"), "line 2: objects[0].name: must be a name of letters"),
    "name of 65 letters": (BOX.replace("table", "a" * 65), "line 2: objects[0].name: must be a name of letters"),
    "duplicate name": (BOX + "\n# again\n" + BOX, "line 8: objects[1].name: 'table' is already the name of objects[0]"),
    "no shape": ('[[objects]]\nname = "a"', "line 1: objects[0].shape: missing; it must be one of box, cylinder"),
    "unknown shape": (BOX.replace('"box"', '"cone"'), 'line 3: objects[0].shape: must be "box", "cylinder"'),
    "no size": (TABLE, "line 1: objects[0].size: missing; a box needs its edges in m"),
    "two edges": (
        TABLE + "size = [1, 2]",
        "line 4: objects[0].size: must be three lengths [x, y, z], more than 0, got an array of 2",
    ),
    "negative edge": (TABLE + "size = [1, -2, 1]", "line 4: objects[0].size: must be more than 0, got -2"),
    "zero edge": (TABLE + "size = [1, 0, 1]", "line 4: objects[0].size: must be more than 0, got 0"),
    "text as edge": (TABLE + 'size = [1, "2", 1]', "line 4: objects[0].size: must be a number, got '2'"),
    "true as edge": (TABLE + "size = [1, true, 1]", "line 4: objects[0].size: must be a number, got true"),
    "nan edge": (TABLE + "size = [1, nan, 1]", "line 4: objects[0].size: must be a finite number, got nan"),
    "edge too long": (TABLE + "size = [1, 1e12, 1]", "line 4: objects[0].size: must be a number between -1e9 and 1e9"),
    "radius of a box": (BOX + "radius = 1", "line 5: objects[0].radius: is not for a box, which has size"),
    "file of a box": (BOX + 'file = "a.stl"', "line 5: objects[0].file: is not for a box"),
    "no radius": (SPHERE.replace("radius = ", ""), "line 1: objects[0].radius: missing; give the radius in m"),
    "zero radius": (SPHERE + "0", "line 4: objects[0].radius: must be more than 0, got 0"),
    "negative radius": (SPHERE + "-0.1", "line 4: objects[0].radius: must be more than 0, got -0.1"),
    "infinite radius": (SPHERE + "inf", "line 4: objects[0].radius: must be a finite number, got inf"),
    "length of a sphere": (SPHERE + "1\nlength = 1", "line 5: objects[0].length: is not for a sphere"),
    "no length": (SPHERE.replace("sphere", "capsule") + "1", "line 1: objects[0].length: missing; give the length along z"),
    "zero length": (SPHERE.replace("sphere", "cylinder") + "1\nlength = 0", "line 5: objects[0].length: must be more than 0"),
    "zero normal": (PLANE + "normal = [0, 0, 0]", "line 4: objects[0].normal: must not be zero"),
    "normal is a number": (PLANE + "normal = 1", "line 4: objects[0].normal: must be three numbers [x, y, z], got 1"),
    "rotated half-space": (PLANE + "rpy_deg = [0, 9, 0]", "line 4: objects[0].rpy_deg: is not for a halfspace; give its normal"),
    "position of two": (BOX + "xyz = [0, 1]", "line 5: objects[0].xyz: must be three numbers [x, y, z], got an array of 2"),
    "nan position": (BOX + "xyz = [0, 1, nan]", "line 5: objects[0].xyz: must be a finite number, got nan"),
    "angle as text": (BOX + 'rpy_deg = ["pi", 0, 0]', "line 5: objects[0].rpy_deg: must be a number, got 'pi'"),
    "colour of two": (BOX + "color = [1, 0]", "line 5: objects[0].color: must be three or four numbers from 0 to 1"),
    "colour in bytes": (BOX + "color = [255, 0, 0]", "line 5: objects[0].color: must be between 0 and 1, got 255"),
    "colour as text": (BOX + 'color = "red"', "line 5: objects[0].color: must be three or four numbers from 0 to 1"),
    "no file": (MESH, "line 1: objects[0].file: missing; give the mesh file"),
    "file is a number": (MESH + "file = 3", "line 4: objects[0].file: must be a text, got 3"),
    "missing mesh": (MESH + 'file = "gone.stl"', "gone.stl' not found; give the path of a mesh file"),
    "no mesh": (MESH + 'file = "/etc/passwd"', "line 4: objects[0].file: must be a mesh file (.stl, .dae, .obj)"),
    "mesh of another machine": (MESH + 'file = "//host/share/a.stl"', "line 4: objects[0].file: must be on this machine"),
    "mesh of a site": (MESH + 'file = "https://a.b/c.stl"', "line 4: objects[0].file: must be on this machine"),
    "a folder as mesh": (MESH + 'file = "folder.stl"', "folder.stl' not found"),
    "text as mesh": (MESH + 'file = "text.stl"', "line 4: objects[0].file: 'text.stl' is not an STL, COLLADA or OBJ file"),
    "flat mesh": (MESH + 'file = "flat.stl"', "line 4: objects[0].file: 'flat.stl' is flat; use a mesh with a volume"),
    "mesh of one point": (MESH + 'file = "point.stl"', "line 4: objects[0].file: 'point.stl' is flat"),
    "scale with a zero": (MESH + 'file = "cube.stl"\nscale = [1, 0, 1]', "line 5: objects[0].scale: must not contain a zero"),
    "scale as text": (MESH + 'file = "cube.stl"\nscale = "mm"', "line 5: objects[0].scale: must be a number, got 'mm'"),
    "inline": ('name = "a"\nobjects = [{ name = "b", shape = "box" }]', "line 2: objects[0].size: missing"),
    "a long key": ("a." * 5000 + "b = 1", "is nested too deeply for a cell file"),
}


@pytest.fixture
def meshes(tmp_path):
    """A folder with meshes, sound ones and others."""
    (tmp_path / "cube.stl").write_bytes(binary_stl(CUBE, CUBE_FACES))
    (tmp_path / "flat.stl").write_bytes(binary_stl(CUBE * [1, 1, 0], CUBE_FACES))
    (tmp_path / "point.stl").write_bytes(binary_stl(CUBE * 0, CUBE_FACES))
    (tmp_path / "text.stl").write_text("no mesh at all")
    (tmp_path / "folder.stl").mkdir()
    return tmp_path


@pytest.mark.parametrize("name", BAD)
def test_a_mistake_is_reported_in_one_line_with_its_place(name, meshes):
    text, message = BAD[name]
    path = meshes / "cell.toml"
    path.write_text(text)
    with pytest.raises(ModelError, match=re.escape(message)) as found:
        armature.load_cell(path)
    assert str(found.value).startswith(str(path)) and "\n" not in str(found.value) and len(str(found.value)) < 700


def test_a_file_of_two_megabytes_is_not_read(tmp_path):
    path = tmp_path / "cell.toml"
    path.write_text("#" * 2_000_000)
    with pytest.raises(ModelError, match=r"2\.0 MB; a cell file may have at most 1 MB"):
        armature.load_cell(path)


def test_an_unknown_name_lists_the_cells_that_ship():
    with pytest.raises(ModelError, match="no cell of this name is included; valid are posts, table"):
        armature.load_cell("tabel")


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_an_included_cell_is_written_as_it_was_read(path, tmp_path):
    cell = armature.load_cell(path.stem)
    assert cell.name == path.stem and cell.description and "floor" in cell.names
    written = armature.save_cell(cell, tmp_path / path.name)
    assert written.read_text() == path.read_text()


def test_every_shape_is_in_the_world_with_its_sizes():
    cell = armature.load_cell("posts")
    found = {thing.name: thing.shapes[0] for thing in cell.objects}
    assert [(shape.kind, shape.size) for shape in found.values()] == [
        ("halfspace", ()), ("cylinder", (0.06, 1.0)), ("capsule", (0.05, 1.4)), ("sphere", (0.12,)), ("halfspace", ()),
    ]  # fmt: skip
    np.testing.assert_allclose(found["pipe"].X_BS[:3, 2], [0, -1, 0], atol=1e-15)  # 90° about x turns z to −y
    np.testing.assert_allclose(found["ramp"].X_BS[:3, 2], np.array([1, 0, 1]) / np.sqrt(2))
    np.testing.assert_allclose(found["ramp"].X_BS[:3, 3], [-0.6, 0, 0])
    np.testing.assert_allclose(found["floor"].X_BS, np.eye(4))


@pytest.mark.parametrize("normal", [(0, 0, -2), (1, 0, 0), (-1, -2, 0.5), (1e-6, 0, 0), (0, 0, 1e8)])
def test_z_of_a_half_space_is_its_normal(normal):
    X = armature.CellObject("a", "halfspace", normal=normal).X_WO
    np.testing.assert_allclose(X[:3, 2], np.array(normal) / np.linalg.norm(normal), atol=1e-15)
    np.testing.assert_allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3), atol=1e-15)


def test_a_mesh_is_its_scaled_hull(tmp_path):
    points, faces = ball(6)
    inner = np.concatenate([points, 0.5 * CUBE])  # within the ball
    (tmp_path / "ball.stl").write_bytes(binary_stl(inner, np.concatenate([faces, CUBE_FACES + len(points)])))
    (tmp_path / "cell.toml").write_text(MESH + 'file = "ball.stl"\nscale = [2, -1, 1]\nxyz = [0, 0, 3]')
    (thing,) = armature.load_cell(tmp_path / "cell.toml").objects
    (shape,) = thing.shapes
    expected = points.astype(np.float32) * [2, -1, 1]
    assert shape.kind == "hull" and len(shape.vertices) == len(points)
    np.testing.assert_allclose(np.sort(shape.vertices, axis=0), np.sort(expected, axis=0), atol=1e-12)
    np.testing.assert_allclose(shape.X_BS[:3, 3], [0, 0, 3])


def test_a_mesh_above_the_folder_is_read_as_robot_files_read_it(meshes):
    folder = meshes / "cells"
    folder.mkdir()
    path = folder / "cell.toml"
    path.write_text(MESH + 'file = "../cube.stl"')
    cell = armature.load_cell(path)
    assert cell["part"].file == meshes.resolve() / "cube.stl"
    armature.save_cell(cell, path)
    assert 'file = "../cube.stl"' in path.read_text()
    armature.save_cell(cell, meshes / "beside.toml")
    assert 'file = "cube.stl"' in (meshes / "beside.toml").read_text()
    assert armature.load_cell(meshes / "beside.toml").objects == cell.objects


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege")
def test_a_link_in_a_circle_is_a_missing_mesh(tmp_path):
    (tmp_path / "a.stl").symlink_to(tmp_path / "a.stl")
    with pytest.raises(ModelError, match=r"object a: file: .*not found"):
        armature.CellObject("a", "mesh", file=tmp_path / "a.stl")


WRITTEN = """# A cell of the laboratory.

name = "lab"  # short

# The table is of wood.
[[objects]]
name  = "table"
shape = 'box'
size  = [1, 0.6, 0.04]   # x, y, z
xyz   = [0.5, 0, 0.4]

[[objects]]  # from a drawing
name   = "ball"
shape  = "sphere"
radius = 0.1
"""


def substitute(text: str, *edits: tuple[str, str]) -> str:
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return text


def test_comments_and_notation_are_kept(tmp_path):
    path = tmp_path / "cell.toml"
    path.write_text(WRITTEN)
    cell = armature.load_cell(path)
    assert armature.save_cell(cell, path).read_text() == WRITTEN
    moved = cell.with_changes("table", size=(1, 0.7, 0.04), rpy_deg=(0, 0, 30)).with_changes("ball", name="sphere", radius=0.2)
    armature.save_cell(moved, path)
    edits = ("0.6,", "0.7,"), ("0.4]\n", "0.4]\nrpy_deg = [0.0, 0.0, 30.0]\n"), ('"ball"', '"sphere"'), ("= 0.1", "= 0.2")
    assert path.read_text() == substitute(WRITTEN, *edits)
    assert armature.load_cell(path) == moved
    gone = moved.without_object("table").with_object("post", "cylinder", radius=0.1, length=1.0, color=(1, 0, 0, 0.5))
    text = armature.save_cell(gone, path).read_text()
    assert text.startswith('# A cell of the laboratory.\n\nname = "lab"  # short\n\n[[objects]]  # from a drawing\n')
    assert "wood" not in text and armature.load_cell(path) == gone


@pytest.mark.parametrize(
    "text", ["", "objects = [\n  { name = 'a', shape = 'box', size = [1, 1, 1] },  # one\n]\n", "# c\r\n" + BOX]
)
def test_what_is_written_is_read_back(text, meshes):
    path = meshes / "cell.toml"
    path.write_bytes(text.encode())
    cell = armature.load_cell(path) if text else armature.Cell(name="new", description='quotes " and \\ stay')
    cell = cell.with_object("part", "mesh", file=meshes / "cube.stl", scale=0.5, xyz=(0.1, 0.2, 1 / 3))
    cell = cell.with_object("ramp", "halfspace", normal=(1, 0, 1)).with_object("pipe", "capsule", radius=0.1, length=0.3)
    assert armature.load_cell(armature.save_cell(cell, path)) == cell
    empty = armature.Cell(name="empty", text=cell.text)
    assert armature.load_cell(armature.save_cell(empty, path)) == empty


def test_a_cell_that_cannot_be_written(tmp_path):
    with pytest.raises(ModelError, match=r"the suffix of a cell file must be \.toml"):
        armature.save_cell(armature.Cell(), tmp_path / "cell.txt")
    with pytest.raises(ModelError, match="cannot be written"):
        armature.save_cell(armature.Cell(), tmp_path / "gone" / "cell.toml")


def test_a_cell_in_python():
    cell = armature.Cell(name="desk").with_object("table", "box", size=np.array([1, 0.6, 0.02]), xyz=[0.4, 0, 0])
    assert cell.names == ("table",) and cell["table"].size == (1.0, 0.6, 0.02)
    ball = cell.with_changes("table", shape="sphere", size=None, radius=0.1)
    assert ball["table"].shapes[0].size == (0.1,) and cell["table"].shape == "box"
    assert cell.without_object("table").names == ()
    for wrong, message in (
        (lambda: cell.with_object("table", "sphere", radius=1), "'table' is the name of two objects"),
        (lambda: cell.with_object("b", "sphere", radius=0), "object b: radius: must be more than 0, got 0"),
        (lambda: cell.with_changes("table", sise=1), "object table: sise: unknown; valid are name, shape, size"),
        (lambda: cell.with_changes("tabel", xyz=(0, 0, 0)), "no object 'tabel'; did you mean table?"),
        (lambda: cell.without_object("x"), "no object 'x'; valid are table"),
        (lambda: cell["x"], "no object 'x'"),
        (lambda: armature.CellObject("b", "mesh", file="gone.stl"), "object b: file: 'gone.stl' not found"),
    ):
        with pytest.raises(ModelError, match=re.escape(message)):
            wrong()


def test_the_hash_is_that_of_the_geometry(meshes):
    cell = armature.load_cell("table").with_object("part", "mesh", file=meshes / "cube.stl")
    same = [cell.with_changes("table", color=(1, 0, 0)), pickle.loads(pickle.dumps(cell)), armature.Cell(cell.objects, "other")]
    assert {other.hash for other in same} == {cell.hash}
    names = {"xyz": (0.65, 0, 0.201), "size": (0.5, 1, 0.041), "rpy_deg": (0, 0, 1), "name": "desk"}
    others = [cell.with_changes("table", **{key: value}) for key, value in names.items()]
    others += [cell.with_changes("part", scale=2), cell.without_object("wall")]
    assert len({cell.hash, *(other.hash for other in others)}) == 7


def test_the_floor_is_an_object():
    assert floor_cell(None).names == ()
    (floor,) = floor_cell(-0.2).objects
    assert (floor.name, floor.shape, floor.normal, floor.xyz) == ("floor", "halfspace", (0, 0, 1), (0, 0, -0.2))


@pytest.mark.parametrize("name", ["panda", "ur10"])
def test_the_floor_of_a_robot_as_an_object_changes_no_contact(name):
    robot = armature.load_robot(name)
    q = np.linspace(np.maximum(robot.q_min, -3), np.minimum(robot.q_max, 3), 7)
    alone, cell = armature.collision(robot, q), armature.collision(robot, q, floor_cell(robot.floor))
    np.testing.assert_array_equal(alone.distance, cell.distance)
    assert alone.pair_names == cell.pair_names
    raised = armature.collision(robot, q, floor_cell(robot.floor + 0.05))
    assert (raised.distance <= alone.distance).all() and (raised.distance < alone.distance).any()


def test_an_arm_hits_the_objects_of_its_cell():
    robot = armature.load_robot("panda")
    home = robot.configurations["home"]
    tool = armature.frame_pose(robot, home)[:3, 3]
    cell = armature.Cell().with_object("ball", "sphere", radius=0.05, xyz=tool + [0, 0, 0.5])
    free = armature.collision(robot, home, cell, margin=1.0)
    assert not free.colliding and any("ball" in contact.pair for contact in free.pairs)
    hit = armature.collision(robot, home, cell.with_changes("ball", xyz=tool))
    assert hit.colliding and hit.pair[1] == "ball" and hit.distance < 0
