"""What a URDF file means: bodies, frames, limits, friction, tool, shapes, remarks; and joints that copy others."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from tests.engine.example_robots import example, usable_files

MASS = '<inertial><origin xyz="{com}"/><mass value="{m}"/><inertia ixx="2" ixy="0" ixz="0" iyy="2" iyz="0" izz="2"/></inertial>'
LIMIT = '<limit lower="-1" upper="2" effort="5" velocity="3"/>'


def link(name, m=1.0, com="0 0 0", rest=""):
    return f'<link name="{name}">{MASS.format(m=m, com=com) if m else ""}{rest}</link>'


def joint(name, parent, child, kind="revolute", inside=LIMIT):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


@pytest.fixture
def load(tmp_path):
    def write(*parts, folder=tmp_path):
        folder.mkdir(exist_ok=True)
        path = folder / "arm.urdf"
        path.write_text('<robot name="arm">' + "\n".join(parts) + "</robot>")
        return engine.load_robot(path)

    return write


def test_a_whole_arm(load):
    robot = load(
        link("base", 9), link("a", 2, "0 0 1"), link("hand", 3, "0 0 0"), link("slide", 1), link("spin", 1),
        joint("j1", "base", "a", "revolute", LIMIT + '<axis xyz="0 1 0"/><dynamics damping="0.5" friction="0.2"/>'),
        joint("weld", "a", "hand", "fixed", '<origin xyz="1 0 0"/>'),
        joint("j2", "hand", "slide", "prismatic", '<limit lower="0" upper="0.5" effort="7" velocity="0"/><axis xyz="0 0 -2"/>'),
        joint("j3", "slide", "spin", "continuous", '<origin xyz="0 0 1" rpy="0 0 1.5"/>'),
    )  # fmt: skip
    assert (robot.n, robot.joint_names, robot.joint_types) == (3, ("j1", "j2", "j3"), ("revolute", "prismatic", "revolute"))
    assert robot.link_names == ("base", "a", "hand", "slide", "spin")
    assert set(robot.frames) == {*robot.link_names, "world", "tool"} and robot.flange == "spin" and robot.tool == "tool"
    np.testing.assert_array_equal(robot.q_min, [-1, 0, -np.inf])
    np.testing.assert_array_equal(robot.q_max, [2, 0.5, np.inf])
    np.testing.assert_array_equal(robot.qd_max, [3, np.inf, np.inf])
    np.testing.assert_array_equal(robot.tau_max, [5, 7, np.inf])
    np.testing.assert_array_equal(robot.gravity, [0, 0, -9.81])
    assert robot.bodies[0].friction.viscous == 0.5 and robot.bodies[0].friction.coulomb == (0.2, 0.2)
    assert robot.bodies[0].mass == 5 and robot.has_dynamics
    assert any("Joint j2" in remark and "velocity limit 0" in remark for remark in robot.remarks)
    q = [0.3, 0.2, 0.7]
    np.testing.assert_allclose(engine.frame_pose(robot, q, "a")[:3, :3] @ [1, 0, 0], [np.cos(0.3), 0, -np.sin(0.3)], atol=1e-15)
    np.testing.assert_allclose(engine.frame_pose(robot, [0, 0.2, 0], "slide")[:3, 3], [1, 0, -0.2], atol=1e-15)
    np.testing.assert_allclose(engine.frame_pose(robot, [0, 0.2, 0])[:3, 3], [1, 0, 0.8], atol=1e-15)
    assert np.isfinite(engine.rnea(robot, q, q, q)).all()


def test_masses_joined_by_fixed_joints_weigh_the_same_from_anywhere(load):
    welded = load(
        link("base", 0), link("a", 2, "0 0 1"), link("b", 3, "0.5 0 0"), joint("j", "base", "a"),
        joint("w", "a", "b", "fixed", '<origin xyz="1 2 3" rpy="0.3 0.4 0.5"/>'),
    )  # fmt: skip
    X = engine.link_poses(welded, [0.0])[2]
    com = (2 * np.array([0, 0, 1]) + 3 * (X[:3, :3] @ [0.5, 0, 0] + X[:3, 3])) / 5
    assert engine.potential_energy(welded, [0.0]) == pytest.approx(9.81 * 5 * com[2])


def test_default_axis_is_x_and_default_inertia_a_point(load):
    robot = load(
        link("base", 0),
        '<link name="a"><inertial><origin xyz="0 3 0"/><mass value="2"/></inertial></link>',
        joint("j", "base", "a"),
    )
    np.testing.assert_allclose(engine.frame_pose(robot, [0.5], "a")[:3, :3] @ [1, 0, 0], [1, 0, 0])
    assert engine.mass_matrix(robot, [0.5]) == pytest.approx(18.0)
    assert any("point mass" in remark for remark in robot.remarks)


def test_an_arm_without_masses_has_kinematics_only(load):
    robot = load(link("base", 4), link("a", 0), joint("j", "base", "a"))
    assert not robot.has_dynamics and engine.jacobian(robot, [0.1]).shape == (6, 1)
    with pytest.raises(engine.MissingDynamicsError):
        engine.mass_matrix(robot, [0.1])


def test_impossible_inertia_is_taken_with_a_warning_that_gives_values_and_line(load):
    robot = load(
        link("base", 0), joint("j", "base", "a"),
        '<link name="a"><inertial><mass value="1"/>\n<inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/></inertial>'
        "</link>",
    )  # fmt: skip
    assert any("Link a (line 4): physically inconsistent" in r and "1, 1, 3" in r and "by 1 kg·m²" in r for r in robot.remarks)
    assert np.linalg.eigvalsh(robot.bodies[0].inertia)[2] == pytest.approx(3.0)


TOOLS = {
    "tool0 before others": (("j1:a", "j2:b", "-tool0@a", "-ee_link@b"), "tool0"),
    "with a prefix": (("j1:a", "j2:b", "-left_tcp@a"), "left_tcp"),
    "the end of the longest chain": (("j1:a", "j2:b", "-mount@b", "j9:side@base"), "mount"),
    "no part of a word": (("j1:a", "-knee@a", "-toolbox@a", "j2:b"), "b"),
}


@pytest.mark.parametrize("name", TOOLS)
def test_which_link_carries_the_tool(load, name):
    parts, expected = TOOLS[name]
    links, joints, last = [link("base")], [], "base"
    for part in parts:
        fixed, (label, _, parent) = part.startswith("-"), part.partition("@")
        child = label.lstrip("-").rpartition(":")[2]
        links.append(link(child))
        joints.append(joint(f"to_{child}", parent or last, child, "fixed" if fixed else "revolute"))
        last = last if fixed else child
    robot = load(*links, *joints)
    assert robot.flange == expected
    np.testing.assert_array_equal(robot.frames["tool"].X_BF, robot.frames[expected].X_BF)
    X = np.eye(4)
    X[2, 3] = 0.1
    moved, q = robot.with_tool(X), np.full(robot.n, 0.2)
    np.testing.assert_allclose(engine.frame_pose(moved, q), engine.frame_pose(robot, q, expected) @ X, atol=1e-15)


def test_a_root_called_world(load):
    robot = load(
        '<link name="world"/>',
        link("base"),
        link("a"),
        joint("w", "world", "base", "fixed", '<origin xyz="0 0 1"/>'),
        joint("j", "base", "a"),
    )
    assert robot.link_names[0] == "world"
    np.testing.assert_array_equal(engine.frame_pose(robot, [0.3], "world"), np.eye(4))


# shapes


def shape(geometry, rest=""):
    return f'<visual><origin xyz="0 0 2"/><geometry>{geometry}</geometry>{rest}</visual>'


def test_shapes_are_data_on_links(load, tmp_path):
    (tmp_path / "arm.stl").touch()
    robot = load(
        '<material name="steel"><color rgba="0.5 0.5 0.6 1"/></material>', link("base", 0),
        link("a", 1, rest=shape('<mesh filename="arm.stl" scale="0.001 0.001 -0.001"/>', '<material name="steel"/>')
             + shape('<cylinder radius="0.1" length="0.4"/>', '<material name="x"><color rgba="2 0 0 1"/></material>')
             + shape('<box size="1 2 3"/>') + shape('<sphere radius="4"/>') + shape('<mesh filename="gone.stl"/>')
             + shape("<capsule/>")),
        joint("j", "base", "a"),
    )  # fmt: skip
    mesh, cylinder, box, sphere, gone = robot.visuals
    assert (mesh.link, mesh.shape, mesh.path, mesh.size) == ("a", "mesh", tmp_path / "arm.stl", (0.001, 0.001, -0.001))
    assert mesh.colour == (0.5, 0.5, 0.6, 1.0) and mesh.material == "steel" and mesh.X_LG[2, 3] == 2
    assert cylinder.size == (0.1, 0.4) and cylinder.colour == (1.0, 0.0, 0.0, 1.0)
    assert box.size == (1, 2, 3) and sphere.size == (4,) and box.colour is None
    assert (gone.shape, gone.path, gone.file, mesh.file) == ("mesh", None, "gone.stl", "arm.stl")
    remarks = " ".join(robot.remarks)
    assert "1 mesh file not found ('gone.stl'); the view shows a box" in remarks and "'capsule' is not supported" in remarks


def test_packages_are_found_above_the_file_beside_it_and_in_the_environment(load, tmp_path, monkeypatch):
    package = tmp_path / "arm_description"
    for folder in (package / "meshes", package / "urdf", tmp_path / "hand" / "meshes", tmp_path / "far" / "eye"):
        folder.mkdir(parents=True)
    (tmp_path / "hand" / "package.xml").touch()
    names = ("arm_description/meshes/a.stl", "hand/meshes/b.stl", "far/eye/c.stl")
    for name in names:
        (tmp_path / name).touch()
    written = ("package://arm_description/meshes/a.stl", "package://hand/meshes/b.stl", "package://eye/c.stl", "../meshes/a.stl",
               f"file://{tmp_path}/arm_description/meshes/a.stl")  # fmt: skip
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "far"))
    looks = "".join(shape(f'<mesh filename="{name}"/>') for name in written)
    robot = load(link("base", 0), link("a", 1, rest=looks), joint("j", "base", "a"), folder=package / "urdf")
    assert [v.path for v in robot.visuals] == [tmp_path / name for name in (*names, names[0], names[0])]


@pytest.mark.parametrize("path", usable_files(), ids=lambda path: path.stem)
def test_meshes_of_real_robots_are_found(path):
    robot = engine.load_robot(path)
    meshes = [v for v in (*robot.visuals, *robot.collisions) if v.shape == "mesh"]
    assert all(v.path is None or v.path.is_file() for v in meshes)
    assert sum(v.path is None for v in meshes) <= 8, robot.remarks


# joints that copy others


@pytest.fixture
def gripper(load):
    return load(
        link("base", 0), link("a", 1, "0.1 0 0"), link("b", 2, "0 0.2 0"), link("c", 1, "0 0 0.3"), link("d", 1.5, "0.2 0.1 0"),
        joint("j1", "base", "a", "revolute", LIMIT + '<axis xyz="0 1 0"/>'),
        joint("j2", "a", "b", "revolute", LIMIT + '<origin xyz="0.5 0 0"/><mimic joint="j4" multiplier="-2" offset="0.3"/>'),
        joint("j3", "b", "c", "prismatic", LIMIT + '<origin rpy="0 0 1"/><mimic joint="j2" multiplier="0.5" offset="0.1"/>'),
        joint("j4", "a", "d", "revolute", LIMIT + '<axis xyz="0 0 1"/><dynamics damping="1"/>'),
    )  # fmt: skip


def test_only_independent_joints_count(gripper):
    assert (gripper.n, gripper.joint_names, gripper.tree.n) == (2, ("j1", "j4"), 4)
    assert gripper.joint_types == ("revolute", "revolute") and gripper.tree.joint_types[2] == "prismatic"
    q = np.array([0.4, 0.7])
    x = [0.4, 0.3 - 2 * 0.7, 0.1 + 0.5 * (0.3 - 2 * 0.7), 0.7]
    for name in gripper.link_names:
        np.testing.assert_allclose(engine.frame_pose(gripper, q, name), engine.frame_pose(gripper.tree, x, name), atol=1e-15)
    np.testing.assert_allclose(gripper.tree.q_min[1:], [-1, 0.1 + 0.5 * -1, (2 - 0.3) / -2])  # j2, from -1 to 2, holds them all


H = 1e-6


def test_coupled_motion_by_finite_differences(gripper):
    rng = np.random.default_rng(0)
    for q, qd in rng.uniform(-1, 1, (5, 2, 2)):
        for name in gripper.link_names:
            ahead, behind = (engine.frame_pose(gripper, q + s * H * qd, name) for s in (1, -1))
            v = (ahead[:3, 3] - behind[:3, 3]) / (2 * H)
            np.testing.assert_allclose(engine.jacobian(gripper, q, name)[:3] @ qd, v, atol=1e-8)
            J = [engine.jacobian(gripper, q + s * H * qd, name) for s in (1, -1)]
            np.testing.assert_allclose(engine.jacobian_dot(gripper, q, qd, name), (J[0] - J[1]) / (2 * H), atol=1e-8)
        g = [engine.potential_energy(gripper, q + H * e) - engine.potential_energy(gripper, q - H * e) for e in np.eye(2)]
        np.testing.assert_allclose(engine.gravity_torque(gripper, q), np.array(g) / (2 * H), atol=1e-7)
        M, C = engine.mass_matrix(gripper, q), engine.coriolis_matrix(gripper, q, qd)
        assert engine.kinetic_energy(gripper, q, qd) == pytest.approx(qd @ M @ qd / 2, rel=1e-12)
        Mdot = (engine.mass_matrix(gripper, q + H * qd) - engine.mass_matrix(gripper, q - H * qd)) / (2 * H)
        np.testing.assert_allclose(Mdot, C + C.T, atol=1e-7)


def test_coupled_dynamics_are_consistent(gripper):
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 6, 2))
    tau = engine.rnea(gripper, q, qd, qdd)
    M, C, g = engine.mass_matrix(gripper, q), engine.coriolis_matrix(gripper, q, qd), engine.gravity_torque(gripper, q)
    np.testing.assert_allclose((M @ qdd[..., None] + C @ qd[..., None])[..., 0] + g, tau, atol=1e-12)
    terms = engine.lagrange_terms(gripper, q, qd)
    np.testing.assert_allclose(terms.M, M, atol=1e-12)
    np.testing.assert_allclose(terms.c + terms.g, tau - (M @ qdd[..., None])[..., 0], atol=1e-12)
    np.testing.assert_allclose(engine.forward_dynamics(gripper.without_friction(), q, qd, tau), qdd, atol=1e-12)
    rubbing = tau + engine.friction_torque(gripper, qd)
    np.testing.assert_allclose(engine.forward_dynamics(gripper, q, qd, rubbing), qdd, atol=1e-12)
    np.testing.assert_allclose(engine.friction_torque(gripper, qd)[:, 1], qd[:, 1])
    f = np.random.default_rng(2).normal(size=(6, 5, 6))
    loaded = engine.rnea(gripper, q, qd, qdd, f)
    push = sum(
        np.swapaxes(engine.jacobian(gripper, q, name), 1, 2) @ f[:, i, :, None] for i, name in enumerate(gripper.link_names)
    )
    np.testing.assert_allclose(tau - loaded, push[..., 0], atol=1e-12)
    np.testing.assert_allclose(engine.forward_dynamics(gripper.without_friction(), q, qd, loaded, f), qdd, atol=1e-11)
    np.testing.assert_allclose(
        engine.forward_dynamics(gripper.without_friction(), q[0], qd[0], loaded[0], f[:1]), qdd[:1], atol=1e-11
    )


def test_one_state_is_a_row_of_many(gripper):
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, 4, 2))
    for many, one in (
        (engine.rnea(gripper, q, qd, qdd), engine.rnea(gripper, q[1], qd[1], qdd[1])),
        (engine.jacobian(gripper, q), engine.jacobian(gripper, q[1])),
        (engine.link_poses(gripper, q), engine.link_poses(gripper, q[1])),
        (engine.mass_matrix(gripper, q), engine.mass_matrix(gripper, q[1])),
        (engine.kinetic_energy(gripper, q, qd), engine.kinetic_energy(gripper, q[1], qd[1])),
    ):
        np.testing.assert_allclose(many[1], one, atol=1e-14)


def test_wrong_shapes_are_refused_with_the_independent_joints(gripper):
    for call in (engine.link_poses, engine.mass_matrix, engine.jacobian, engine.gravity_torque):
        with pytest.raises(engine.DimensionError, match="joints j1, j4"):
            call(gripper, np.zeros(4))


def test_singularity_and_workspace_of_a_coupled_arm(gripper):
    report = engine.singularity(gripper, [0.1, 0.2], task=("x", "z"))
    assert len(report.joint_motion) == 2 and report.explanation
    cloud = engine.workspace(gripper, 100)
    assert cloud.q.shape == (100, 2) and np.isfinite(cloud.values).all()
    np.testing.assert_allclose(cloud.points, engine.frame_pose(gripper, cloud.q)[:, :3, 3], atol=1e-15)


def test_aba_refuses_copied_joints_in_a_sentence(gripper):
    with pytest.raises(engine.EngineError, match="does not support mimic joints"):
        engine.forward_dynamics(gripper, [0, 0], [0, 0], [0, 0], method="aba")


def test_changed_robots_stay_coupled(gripper):
    q = np.array([0.2, 0.5])
    heavier = gripper.with_payload(1.0)
    assert heavier.n == 2 and engine.mass_matrix(heavier, q)[0, 0] > engine.mass_matrix(gripper, q)[0, 0]
    assert np.abs(engine.gravity_torque(gripper.with_gravity((0, 0, 0)), q)).max() == 0


def test_urdf_inverse_dynamics_runs():
    robot = engine.load_robot(example("panda"))
    q = np.full(robot.n, 0.02)
    assert np.isfinite(engine.rnea(robot, q, q, q)).all() and robot.n == 8
