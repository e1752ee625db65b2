"""Convex shapes of arms: from the file's collision shapes, else its visual shapes, else the drawn solids."""

from __future__ import annotations

import struct
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.contact.arm_shapes import arm_shapes
from armature.engine.contact.mesh_hulls import flat_axes, hull_vertices

CORNERS = np.array(list(product((-0.1, 0.1), (-0.2, 0.2), (0.0, 0.3))))
SIDES = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
FACES = np.concatenate([SIDES[:, [0, 1, 2]], SIDES[:, [0, 2, 3]]])
MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'


def stl(path: Path, points: np.ndarray, faces: np.ndarray) -> Path:
    """Write a binary STL file."""
    records = b"".join(struct.pack("<12fH", 0, 0, 0, *points[face].ravel(), 0) for face in faces)
    path.write_bytes(bytes(80) + struct.pack("<I", len(faces)) + records)
    return path


def arm(folder: Path, looks: str, base_looks: str = "") -> engine.Robot:
    """An arm of one joint at z = 0.5 whose link has these elements."""
    path = folder / "arm.urdf"
    path.write_text(
        f'<robot name="arm"><link name="base">{base_looks}</link><link name="a">{MASS}{looks}</link>'
        '<joint name="j" type="continuous"><origin xyz="0 0 0.5"/><axis xyz="1 0 0"/><parent link="base"/><child link="a"/>'
        "</joint></robot>"
    )
    return engine.load_robot(path)


def element(tag: str, geometry: str) -> str:
    return f'<{tag}><origin xyz="0.1 0 0" rpy="0 0 1"/><geometry>{geometry}</geometry></{tag}>'


def points_in_link(robot: engine.Robot) -> np.ndarray:
    """Vertices of the only hull in the axes of its link."""
    (group,) = arm_shapes(robot).groups
    (shape,) = group.shapes
    assert (group.name, group.body, shape.kind) == ("a", 0, "hull")
    X = np.linalg.inv(robot.links["a"].X_BF) @ shape.X_BS
    return shape.vertices @ X[:3, :3].T + X[:3, 3]


def test_a_mesh_counts_as_its_convex_hull(tmp_path):
    inner = np.vstack([CORNERS, 0.5 * CORNERS])
    stl(tmp_path / "a.stl", inner, np.vstack([FACES, FACES + len(CORNERS)]))
    robot = arm(tmp_path, element("visual", '<mesh filename="a.stl" scale="1 2 1"/>'))
    expected = CORNERS * (1, 2, 1)
    R = np.array([[np.cos(1), -np.sin(1), 0], [np.sin(1), np.cos(1), 0], [0, 0, 1]])
    found = points_in_link(robot)
    assert len(found) == 8 and not arm_shapes(robot).remarks and not arm_shapes(robot).drawn
    distances = np.linalg.norm(found[:, None] - (expected @ R.T + [0.1, 0, 0]), axis=2)
    assert distances.min(axis=0).max() < 1e-6


def test_a_mesh_turned_inside_out_has_the_same_hull(tmp_path):
    look = element("collision", '<mesh filename="a.stl"/>')
    stl(tmp_path / "a.stl", CORNERS, FACES)
    right = points_in_link(arm(tmp_path, look))
    stl(tmp_path / "a.stl", CORNERS, FACES[:, ::-1])
    assert np.array_equal(points_in_link(arm(tmp_path, look)), right)


def test_collision_shapes_come_before_visual_ones_and_bare_links_are_reported(tmp_path):
    box, ball = element("visual", '<box size="1 1 1"/>'), element("collision", '<sphere radius="0.2"/>')
    shapes = arm_shapes(arm(tmp_path, box + ball, base_looks=box))
    assert [(group.name, [shape.kind for shape in group.shapes]) for group in shapes.groups] == [("a", ["sphere"])]
    assert shapes.remarks == ("arm: base: no collision shape in the file, so contacts are not computed there",)


def test_an_arm_without_shapes_has_its_drawn_solids(tmp_path):
    shapes = arm_shapes(arm(tmp_path, ""))
    assert shapes.drawn and [group.name for group in shapes.groups] == ["base", "a"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "was not found"),
        (b"", "is empty"),
        (bytes(80) + struct.pack("<I", 0), "contains no triangles"),
        (bytes(80) + struct.pack("<I", 9), "is truncated"),
        (b"hello", "is not an STL"),
    ],
)
def test_a_mesh_that_cannot_be_read_counts_as_a_box_and_is_reported(tmp_path, content, problem):
    if content is not None:
        (tmp_path / "a.stl").write_bytes(content)
    shapes = arm_shapes(arm(tmp_path, element("collision", '<mesh filename="a.stl"/>')))
    (group,) = shapes.groups
    assert [shape.kind for shape in group.shapes] == ["box"] and min(group.shapes[0].size) > 0
    (remark,) = shapes.remarks
    assert problem in remark and "mesh a.stl" in remark and "a box from joint to joint instead" in remark


def test_a_flat_mesh_keeps_its_outline_and_is_reported(tmp_path):
    stl(tmp_path / "a.stl", CORNERS * (0, 1, 1), FACES[[0, 6]])
    robot = arm(tmp_path, element("collision", '<mesh filename="a.stl"/>'))
    assert len(points_in_link(robot)) == 4
    assert "is flat; it counts as a plate without thickness" in arm_shapes(robot).remarks[0]


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_hulls_of_degenerate_points_keep_their_extent(rank):
    chance = np.random.default_rng(rank)
    points = chance.normal(size=(40, rank)) @ np.linalg.qr(chance.normal(size=(3, 3)))[0][:rank] + [1.0, 2.0, 3.0]
    hull = hull_vertices(points)
    assert len(flat_axes(hull)) == rank and (rank > 0 or len(hull) == 1)
    for direction in chance.normal(size=(50, 3)):
        assert (hull @ direction).max() == pytest.approx((points @ direction).max(), abs=1e-12)


def test_a_ball_of_a_hundred_thousand_triangles_has_a_hull():
    turn, height = np.meshgrid(np.linspace(0, 2 * np.pi, 224, endpoint=False), np.linspace(-1, 1, 224))
    points = np.stack([np.cos(turn) * np.sqrt(1 - height**2), np.sin(turn) * np.sqrt(1 - height**2), height], axis=-1)
    hull = hull_vertices(points.reshape(-1, 3))
    assert np.allclose(np.linalg.norm(hull, axis=1), 1.0)
