"""MuJoCo models open as the arms MuJoCo makes of them; what an arm here has not is refused by its name, in one line."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder

import mujoco
import numpy as np
import pytest

from armature import engine
from tests.peers import mujoco_mass_matrix, mujoco_rnea

ARM = """<mujoco model="test arm">
  <option gravity="0 1 -5"><flag contact="disable"/></option>
  <asset><mesh name="wedge" file="meshes/wedge.obj" scale="2 1 1" refpos="0.1 0 0"/></asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="turret" pos="0 0 1" quat="1 2 3 4">
      <joint name="yaw" axis="0 1 0" ref="20" range="-60 60" damping="0.5" frictionloss="0.2" armature="0.1" pos="0.1 0 0"/>
      <joint name="rise" type="slide" axis="1 1 0" pos="0 0.3 0" ref="0.1"/>
      <geom type="capsule" size="0.1 0.2" group="1"/>
      <geom type="mesh" mesh="wedge" pos="0 0.2 0" euler="10 20 30" mass="0.3" rgba="1 0 0 1"/>
      <site name="eye" pos="0 0 0.2"/>
      <body name="fixed" pos="0 0.1 0" euler="0 0 30"><geom type="sphere" size="0.05" contype="0" conaffinity="0"/></body>
      <body name="arm" pos="0.3 0 0">
        <joint name="elbow"/>
        <geom type="box" size=".1 .2 .3" pos="0.1 0 0"/>
        <site name="attachment_site" pos="0 0 1" euler="10 20 30"/>
        <body name="finger1" pos="0 0 1"><joint name="left" type="slide" range="0 0.04"/><geom type="box" size=".1 .2 .3"/></body>
        <body name="finger2" pos="0 0 1"><joint name="right" type="slide"/><geom type="box" size=".1 .2 .3"/></body>
      </body>
    </body>
  </worldbody>
  <equality><joint name="grip" joint1="right" joint2="left" polycoef="0.01 -1"/></equality>
  <actuator>
    <motor joint="yaw" gear="3" ctrlrange="-2 2"/>
    <position joint="elbow" forcerange="-3 3" kp="2"/>
  </actuator>
  <keyframe><key name="home" qpos="0.1 .2 .3 0.02 -0.01"/><key name="far" qpos="2 0 0 0 0"/></keyframe>
</mujoco>
"""
WEDGE = "v 0 0 0\nv 1 0 0\nv 0 0.5 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


@pytest.fixture
def arm(tmp_path):
    """A model with several joints on one body, a welded body, a mesh, sites, and fingers that copy each other."""
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes/wedge.obj").write_text(WEDGE, encoding="utf-8")
    path = tmp_path / "arm.xml"
    path.write_text(ARM, encoding="utf-8")
    return path


def refused(path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(engine.ModelError) as caught:
        engine.load_robot(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ") and "\n" not in said
    return said.removeprefix(f"{path}: ")


def body(parts: str, rest: str = "") -> str:
    """A model of one body with a box; `parts` in it begin on line 2."""
    inside = f'<body name="b">\n{parts}<geom type="box" size=".1 .1 .1"/></body>'
    return f"<mujoco><worldbody>{inside}</worldbody>{rest}</mujoco>"


def test_it_stands_and_moves_as_in_mujoco(arm):
    robot, model = engine.load_robot(arm), mujoco.MjModel.from_xml_path(str(arm))
    data = mujoco.MjData(model)
    assert robot.joint_names == ("yaw", "rise", "elbow", "left")
    rng = np.random.default_rng(0)
    for q, qd, qdd in rng.uniform(-1, 1, (6, 3, robot.n)):
        q_b, qd_b, qdd_b = robot.coupling.position(q), robot.coupling.rate(qd), robot.coupling.rate(qdd)
        M = mujoco_mass_matrix(model, data, q_b)
        np.testing.assert_allclose(engine.mass_matrix(robot, q), robot.coupling.matrix(M), rtol=1e-9, atol=1e-9)
        for name in ("eye", "attachment_site"):
            X = engine.frame_pose(robot, q, name)
            np.testing.assert_allclose(X[:3, 3], data.site(name).xpos, atol=1e-12)
            np.testing.assert_allclose(X[:3, :3], data.site(name).xmat.reshape(3, 3), atol=1e-12)
        for name in ("turret", "fixed", "arm", "finger2"):
            np.testing.assert_allclose(engine.frame_pose(robot, q, name)[:3, 3], data.body(name).xpos, atol=1e-12)
        tau = robot.coupling.force(mujoco_rnea(model, data, q_b, qd_b, qdd_b))
        np.testing.assert_allclose(engine.rnea(robot, q, qd, qdd), tau, rtol=1e-9, atol=1e-9)


def test_limits_friction_motors_and_keyframes_come_along(arm):
    robot = engine.load_robot(arm)
    assert robot.name == "test arm" and robot.tool_frame.body == robot.frames["attachment_site"].body
    np.testing.assert_array_equal(robot.tool_frame.X_BF, robot.frames["attachment_site"].X_BF)
    np.testing.assert_allclose(robot.q_min, [-np.pi / 3, -np.inf, -np.inf, 0])
    np.testing.assert_allclose(robot.tau_max, [6, np.inf, 3, np.inf])
    np.testing.assert_allclose(robot.gravity, [0, 1, -5])
    yaw = robot.bodies[0]
    assert (yaw.rotor_inertia, yaw.friction.viscous, yaw.friction.coulomb) == (0.1, 0.5, (0.2, 0.2))
    np.testing.assert_allclose(robot.configurations["home"], [0.1, 0.2, 0.3, 0.02])
    told = " ".join(robot.remarks)
    assert "'far'" in told and "right; they follow exactly in Armature" in told and "Contacts" not in told


def test_excluded_pairs_of_bodies_are_ignored_pairs_of_links(arm):
    robot = engine.load_robot(arm)
    assert robot.ignored_contacts == ()
    pairs = '<exclude body1="turret" body2="finger1"/><exclude body1="world" body2="arm"/>'
    arm.write_text(ARM.replace("<equality>", f"<contact>{pairs}</contact><equality>"), encoding="utf-8")
    excluding = engine.load_robot(arm)
    assert set(map(frozenset, excluding.ignored_contacts)) == {frozenset(("turret", "finger1")), frozenset(("world", "arm"))}
    tested = [set(map(frozenset, engine.collision(one, "home").pair_names)) for one in (robot, excluding)]
    assert tested[0] - tested[1] == {frozenset(("turret", "finger1"))}


def test_shapes_stand_where_mujoco_draws_them(arm):
    robot, model = engine.load_robot(arm), mujoco.MjModel.from_xml_path(str(arm))
    (mesh,) = (shape for shape in robot.visuals if shape.shape == "mesh")
    assert mesh.path == arm.parent / "meshes/wedge.obj" and mesh.colour == (1, 0, 0, 1)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    q = np.array([robot.coupling.names.index(name) for name in robot.joint_names])
    X = engine.frame_pose(robot, data.qpos[q], mesh.link) @ mesh.X_LG
    vertices = np.array([line.split()[1:] for line in WEDGE.splitlines() if line[0] == "v"], float)
    ours = (X[:3, :3] @ (vertices * mesh.size).T).T + X[:3, 3]
    g = int(np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_MESH)[0])
    theirs = (data.geom_xmat[g].reshape(3, 3) @ model.mesh_vert.T).T + data.geom_xpos[g]
    np.testing.assert_allclose(sorted(ours.tolist()), sorted(theirs.tolist()), atol=1e-6)
    assert [shape.shape for shape in robot.visuals] == ["cylinder", "sphere", "sphere", "mesh", "sphere", "box", "box", "box"]
    assert len(robot.collisions) == 7


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (body("<freejoint/>"), "line 1, body 'b' has a free joint"),
        (body('<joint name="x" type="ball"/>'), "line 2, joint 'x' is a ball joint"),
        (body('<joint name="x" stiffness="3"/>'), "line 2, joint 'x' has a spring (stiffness)"),
        (body(""), "has no moving joint"),
        (body('<joint name="x"/>', '<tendon><fixed name="t"><joint joint="x" coef="1"/></fixed></tendon>'), "line 2, tendon 't'"),
        (body('<joint name="x"/><geom name="g" size=".1"/>', '<contact><pair name="p" geom1="g" geom2="g"/></contact>'), ""),
        (
            body('<joint name="x"/>', '<equality><weld name="w" body1="b"/></equality>'),
            "line 2, equality constraint 'w': only a joint",
        ),
        (body('<joint name="x"/>', '<equality><joint name="w" joint1="x"/></equality>'), "line 2, equality constraint 'w' fixes"),
        (body('<joint name="x"/>', '<option density="1.2"/>'), "<option>: density and viscosity"),
        (body('<joint nam="x"/>'), "line 2: MuJoCo cannot load it: Schema violation: unrecognized attribute: 'nam'"),
        (
            body('<inertial pos="0 0 0" mass="1" diaginertia="3 1 1"/><joint/>'),
            "line 1, 'b': MuJoCo cannot load it: inertia must",
        ),
        (body('<joint pos="0 nan 0"/>'), "line 2, <joint>: pos must be finite numbers, got '0 nan 0'"),
        ("<mujoco><worldbody>", "line 1: is not XML: "),
        ("<mujoco><asset><mesh file='none.stl'/></asset></mujoco>", "MuJoCo cannot load it: Error opening file 'none.stl'"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><mujoco/>', "line 1: <!DOCTYPE> is not allowed"),
        ("<sdf/>", "line 1: the outermost element must be <mujoco> or <robot>, got <sdf>"),
        ("", "is empty"),
    ],
)
def test_what_an_arm_has_not_is_refused_by_its_name(tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    assert refused(tmp_path / "bad.xml", text).startswith(said)
    assert [file.name for file in tmp_path.iterdir()] == ["bad.xml"]  # MuJoCo leaves no log


def test_without_mujoco_a_line_says_what_to_install(arm, monkeypatch):
    found = PathFinder.find_spec
    monkeypatch.setattr(PathFinder, "find_spec", lambda name, *rest: None if name == "mujoco" else found(name, *rest))
    monkeypatch.delitem(sys.modules, "mujoco")
    with pytest.raises(engine.ModelError, match=r"pip install \"armature\[mjcf\]\""):
        engine.load_robot(arm)


def test_a_urdf_that_is_called_xml_is_a_urdf(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text('<robot name="a"><link name="b"/></robot>', encoding="utf-8")
    with pytest.raises(engine.ModelError, match="has no moving joint"):
        engine.load_robot(path)
