"""The solids are closed, face outwards, and every arm gets a body."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from armature import engine
from armature.app.scene.arm.arm_model import arm_mesh
from armature.app.scene.gl import basic_solids, gl_state
from armature.app.scene.gl.mesh import joined, vertex_normals
from armature.app.scene.gl.shader_program import Program
from armature.engine.model.load_robot import shipped_robots
from armature.engine.model.skeleton import body_poses, skeleton

SOLIDS = {
    "cylinder": basic_solids.cylinder(0.3, -0.5, 0.5, bevel=0.05),
    "cone": basic_solids.cylinder(0.3, 0.0, 1.0, top=0.1),
    "sphere": basic_solids.sphere(0.4),
    "box": basic_solids.rounded_box((0.4, 0.8), 0.0, 1.0, 0.1, 0.03),
    "tube": basic_solids.tube([[0, 0, 0], [1, 0, 0], [1, 1, 0.3]], [0.1, 0.1, 0.05], 0.3),
    "arrow": basic_solids.arrow(1.0, 0.02),
    "hoop": basic_solids.hoop(-4.0, 0.8, 0.05),
}


def faces_and_normals(mesh):
    corners = mesh.vertices["position"].astype(float)[mesh.faces]
    outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return corners, outward, mesh.vertices["normal"][mesh.faces].mean(axis=1)


@pytest.mark.parametrize("name", SOLIDS)
def test_triangles_and_normals_face_the_same_way(name):
    _, outward, normals = faces_and_normals(SOLIDS[name])
    big = np.linalg.norm(outward, axis=1) > 1e-12
    assert (np.einsum("ij,ij->i", outward, normals)[big] > 0).all()


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed(name):
    corners, outward, _ = faces_and_normals(SOLIDS[name])
    assert np.abs(outward.sum(axis=0)).max() < 1e-6  # the area vectors of a closed surface cancel
    assert np.einsum("ij,ij->i", corners[:, 0], outward).sum() > 0  # and its volume is positive


def test_sphere_has_the_volume_of_a_ball():
    corners, outward, _ = faces_and_normals(basic_solids.sphere(1.0, segments=96, bands=48))
    assert np.einsum("ij,ij->i", corners[:, 0], outward).sum() / 6 == pytest.approx(4 / 3 * np.pi, rel=5e-3)


def test_vertex_normals_are_those_of_the_ball():
    rng = np.random.default_rng(0)
    ball = basic_solids.sphere(1.0)
    corners = ball.vertices["position"].astype(float)
    unique, index = np.unique(corners.round(6), axis=0, return_inverse=True)
    normals = vertex_normals(unique, index.ravel()[ball.faces])
    some = rng.integers(0, len(unique), 50)
    assert np.einsum("ij,ij->i", normals[some], unique[some]).min() > 0.99


@pytest.mark.parametrize("name", shipped_robots())
def test_every_arm_has_a_body_on_every_joint(name):
    robot = engine.load_robot(name)
    mesh = arm_mesh(robot)
    assert np.isfinite(mesh.vertices["position"]).all()
    assert np.linalg.norm(mesh.vertices["normal"], axis=1) == pytest.approx(1.0, abs=1e-4)
    assert set(np.unique(mesh.vertices["slot"])) == set(range(robot.n + 1))
    assert len(mesh.faces) < 30_000  # software renderers must drag it fluidly


@pytest.mark.parametrize("name", shipped_robots())
def test_neighbouring_links_touch(name):
    robot = engine.load_robot(name)
    bones, q = skeleton(robot), robot.configurations["home"]
    mesh = arm_mesh(robot)
    X = np.concatenate([np.eye(4)[None], body_poses(robot, q)])[mesh.vertices["slot"]]
    points = np.einsum("vij,vj->vi", X[:, :3, :3], mesh.vertices["position"]) + X[:, :3, 3]
    for i, body in enumerate(robot.bodies):
        mine, before = (points[mesh.vertices["slot"] == slot] for slot in (i + 1, body.parent + 1))
        low, high = mine.min(axis=0), mine.max(axis=0)
        slack = 0.02 * bones.scale
        assert ((before > low - slack) & (before < high + slack)).all(axis=1).any(), robot.joint_names[i]


@pytest.mark.parametrize("name", shipped_robots())
def test_bodies_are_laid_out_where_the_engine_puts_them(name):
    robot = engine.load_robot(name)
    q = robot.configurations["home"]
    carrier, X_BL = robot.link_table
    poses = np.concatenate([body_poses(robot, q), np.eye(4)[None]])
    assert poses[carrier] @ X_BL == pytest.approx(engine.link_poses(robot, q), abs=1e-12)


def test_hanging_arms_have_the_floor_out_of_their_way():
    for name in ("double_pendulum", "spherical_pendulum", "rp", "rp_offset"):
        robot = engine.load_robot(name)
        assert skeleton(robot).floor < -0.9 * robot.reach
    assert skeleton(engine.load_robot("puma560")).floor == 0.0


def test_a_wheel_is_drawn_where_the_inertia_says_one_is_and_nowhere_else():
    wheels = {name: _wheels(engine.load_robot(name)) for name in shipped_robots()}
    assert {name: found for name, found in wheels.items() if found} == {"gyroscope": [2]}
    vertices = arm_mesh(engine.load_robot("gyroscope")).vertices
    points = vertices["position"][vertices["slot"] == 3]
    assert np.hypot(points[:, 0], points[:, 1]).max() == pytest.approx(0.1, rel=0.15)  # radius of gyration sqrt(I / m)


def _wheels(robot):
    bones = skeleton(robot.tree)
    return [i for i in range(robot.tree.n) if bones.is_wheel(i)]


def test_nothing_joins_to_an_empty_mesh():
    assert len(joined([]).faces) == 0


def test_the_l_of_problem_7_8_has_its_mass_in_its_long_leg():
    robot = engine.load_robot("rp_offset")
    bones, mesh = skeleton(robot), arm_mesh(robot)
    com, slide = robot.bodies[0].com, bones.axes[1]
    assert _turns_around(mesh, 1, com) == pytest.approx(1.0, abs=0.01)
    assert com @ slide.z == pytest.approx(0.35) and np.linalg.norm(np.cross(com, slide.z)) < 1e-12  # on a line through the joint
    legs = np.diff([np.zeros(3), *slide.way(slide.origin)], axis=0)
    assert [round(length, 9) for length in np.linalg.norm(legs, axis=1) if length > 1e-9] == [0.6, 0.2]  # the long one first


def _turns_around(mesh, slot, point):
    """How often the surface of one link goes round a point: 1 within a solid, 0 outside (the solid angle, van Oosterom)."""
    of_link = (mesh.vertices["slot"][mesh.faces] == slot).all(axis=1)
    a, b, c = (mesh.vertices["position"].astype(float)[mesh.faces[of_link]] - point).transpose(1, 0, 2)
    la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
    dot = lambda u, v: np.einsum("ij,ij->i", u, v)  # noqa: E731
    up, down = dot(a, np.cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb
    return 2 * np.arctan2(up, down).sum() / (4 * np.pi)


@pytest.mark.parametrize("name", shipped_robots())
def test_links_are_drawn_where_their_mass_is(name):
    robot = engine.load_robot(name)
    bones = skeleton(robot)
    for axis, body in zip(bones.axes, robot.bodies, strict=True):
        if body.parent >= 0 and robot.bodies[body.parent].mass > 0:
            com = robot.bodies[body.parent].com
            gaps = [_gap(com, [np.zeros(3), *way(axis)]) for way in (_drawn, _other)]
            assert gaps[0] < gaps[1] + 1.01 * bones.tubes[body.parent + 1]


def _drawn(axis):
    return axis.way(axis.origin)


def _other(axis):
    return replace(axis, aside=not axis.aside).way(axis.origin)


def _gap(point, way):
    pieces = np.concatenate([np.linspace(a, b, 201) for a, b in pairwise(way)])
    return np.linalg.norm(pieces - point, axis=1).min()


def test_a_uniform_is_set_when_it_is_another_value_of_whatever_kind(monkeypatch):
    program, told = Program.__new__(Program), []
    program.id, program._values = 1, {}
    monkeypatch.setattr(gl_state, "use_program", lambda _: None)
    monkeypatch.setattr(program, "_set", lambda name, value: told.append(np.asarray(value).tolist()))
    fixed = np.array([1.0, 2.0, 3.0])
    fixed.flags.writeable = False
    for value in (fixed, fixed, np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 4.0]), fixed, (5.0, 6.0), (5.0, 6.0)):
        program.use(eye=value)
    assert told == [[1.0, 2.0, 3.0], [1.0, 2.0, 4.0], [1.0, 2.0, 3.0], [5.0, 6.0]]


@pytest.mark.parametrize("ahead", [0.02, 0.05, 0.1, 0.3])
@pytest.mark.parametrize("name", ["ur5", "irb140", "iiwa14"])
def test_the_gripper_ends_at_a_tool_point_ahead_of_the_flange(name, ahead):
    X = np.eye(4)
    X[2, 3] = ahead
    robot = engine.load_robot(name).with_tool(X)
    tool, vertices = robot.frames[robot.tool], arm_mesh(robot).vertices
    points = vertices["position"][vertices["slot"] == tool.body + 1]
    assert (points @ tool.X_BF[:3, 2]).max() == pytest.approx(tool.X_BF[:3, 3] @ tool.X_BF[:3, 2], abs=1e-3)


GRIPPER = """<robot name="gripper"><link name="base"/><link name="hand">{mass}</link>
<link name="left">{mass}</link><link name="right">{mass}</link><link name="tcp"/>
<joint name="wrist" type="revolute"><parent link="base"/><child link="hand"/><origin xyz="0 0 0.5"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" velocity="1" effort="9"/></joint>
<joint name="left_finger" type="prismatic"><parent link="hand"/><child link="left"/><origin xyz="0 0.01 0.1"/><axis xyz="0 1 0"/>
<limit lower="0" upper="0.04" velocity="1" effort="9"/></joint>
<joint name="right_finger" type="prismatic"><parent link="hand"/><child link="right"/><axis xyz="0 1 0"/>
<origin xyz="0 -0.01 0.1"/><limit lower="-0.04" upper="0" velocity="1" effort="9"/></joint>
<joint name="tcp_fixed" type="fixed"><parent link="hand"/><child link="tcp"/><origin xyz="0 0 0.2"/></joint></robot>"""
MASS = '<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'


def test_the_jaws_of_the_gripper_slide_with_the_finger_joints(tmp_path):
    path = tmp_path / "gripper.urdf"
    path.write_text(GRIPPER.format(mass=MASS))
    robot = engine.load_robot(path)
    assert robot.fingers == ("left_finger", "right_finger")
    mesh = arm_mesh(robot)
    slots = mesh.vertices["slot"]
    for opening in (0.0, 0.015, 0.04):
        X = np.concatenate([np.eye(4)[None], body_poses(robot, np.array([0.0, opening, -opening]))])[slots]
        y, z = (np.einsum("vij,vj->vi", X[:, :3, :3], mesh.vertices["position"]) + X[:, :3, 3])[:, 1:].T
        left, right = slots == 2, slots == 3
        assert y[left].min() == pytest.approx(opening, abs=1e-6) and y[right].max() == pytest.approx(-opening, abs=1e-6)
        assert y[left].max() < y[slots == 1].max() and y[right].min() > y[slots == 1].min()  # within the palm
        assert z[left].max() == pytest.approx(0.7, abs=1e-3)  # the tool point
