"""A robot written as TOML, URDF or MuJoCo model is the same arm, for us and for Pinocchio and MuJoCo; what is lost is said."""

from __future__ import annotations

import errno
import re
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from lxml import etree

from armature import engine
from armature.engine.model.body import Frame, Friction
from armature.engine.model.inertia_rules import triangle_fault
from armature.engine.model.visual import Visual
from armature.engine.rotations import exact_roll_pitch_yaw, rot_rpy
from tests.chance import seeds
from tests.engine.example_robots import example
from tests.engine.trees import random_tree
from tests.peers import mujoco_mass_matrix, mujoco_rnea

ARMS = engine.shipped_robots()
WITH_MASSES = [name for name in ARMS if engine.load_robot(name).has_dynamics]
IMPOSSIBLE = [name for name in WITH_MASSES if any(triangle_fault(body.inertia) for body in engine.load_robot(name).bodies)]
"""Published with inertias that no body can have, which MuJoCo refuses."""


def states(robot, count=10):
    return np.random.default_rng(0).uniform(-2, 2, (3, count, robot.n))


def agree(one, other, friction=True):
    """Both move alike: poses to 1e-12, torques, mass matrix and accelerations to 1e-9 of the largest."""
    q, qd, qdd = states(one)
    np.testing.assert_allclose(engine.frame_pose(other, q), engine.frame_pose(one, q), atol=1e-12)
    if not one.has_dynamics:
        return
    figures = [lambda arm: engine.rnea(arm, q, qd, qdd), lambda arm: engine.mass_matrix(arm, q)]
    figures += [lambda arm: engine.friction_torque(arm, qd)] * friction
    for figure in figures:
        expected = figure(one)
        np.testing.assert_allclose(figure(other), expected, atol=1e-9 * max(np.abs(expected).max(), 1e-3))


def known(robot):
    """What else a file must bring back."""
    limits = [getattr(robot, name).tolist() for name in ("q_min", "q_max", "tau_max", "gravity")]
    return limits, {name: q.tolist() for name, q in robot.configurations.items()}, robot.joint_names


def same_table(one, other):
    for key in ("a", "alpha", "d", "theta"):
        np.testing.assert_allclose(getattr(one.dh, key), getattr(other.dh, key), atol=1e-12)


def test_a_full_disk_leaves_a_urdf_and_its_companion_as_they_were(tmp_path, monkeypatch):
    place, write = tmp_path / "arm.urdf", Path.write_bytes
    engine.save_robot(engine.load_robot("pendulum"), place)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}

    def full(path, data):
        if ".urdf" in path.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(engine.ModelError, match=r"arm\.urdf: cannot be written: No space left on device"):
        engine.save_robot(engine.load_robot("puma560"), place)
    assert len(before) == 2 and {file: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize("name", ARMS)
def test_through_urdf_and_back(name, tmp_path):
    robot = engine.load_robot(name)
    engine.save_robot(robot, tmp_path / "arm.urdf")
    urdf = engine.load_robot(tmp_path / "arm.urdf")
    agree(robot, urdf)
    assert known(urdf) == known(robot)
    assert (urdf.task, urdf.floor, urdf.title, urdf.sources) == (robot.task, robot.floor, robot.title, robot.sources)
    np.testing.assert_array_equal(urdf.qd_max, robot.qd_max)
    engine.save_robot(urdf, tmp_path / "back.toml")
    back = engine.load_robot(tmp_path / "back.toml")
    agree(robot, back)
    assert known(back) == known(robot)
    if robot.dh is not None:
        same_table(back, robot)


@pytest.mark.parametrize("name", ["puma560", "ur5_robot"])
def test_figures_are_written_as_a_person_would(name, tmp_path):
    """Without the dust of computing them, in degrees or fractions of pi where they are round so."""
    robot = engine.load_robot(name if name in ARMS else example(name))
    for suffix in ("toml", "urdf", "xml"):
        if suffix == "xml" and name in IMPOSSIBLE:
            continue
        engine.save_robot(robot, tmp_path / f"arm.{suffix}")
        text = (tmp_path / f"arm.{suffix}").read_text()
        figures = [float(x) for x in re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e-?\d+)?(?![\w.])", text)]
        assert len(figures) > 50 and not [x for x in figures if 0 < abs(x) < 1e-15]
    text = (tmp_path / "arm.toml").read_text()
    assert '"pi/2"' in text and "_deg" in text and "matrix =" not in text and not re.search(r"\d\.\d{16,}", text)


def test_a_floor_at_the_height_of_the_base_comes_back(tmp_path):
    robot = engine.load_robot("puma560")
    assert robot.floor == 0.0
    engine.save_robot(robot, tmp_path / "arm.toml")
    assert engine.load_robot(tmp_path / "arm.toml").floor == 0.0


@pytest.mark.parametrize("name", [name for name in WITH_MASSES if name not in IMPOSSIBLE])
def test_through_mjcf_and_back(name, tmp_path):
    robot = engine.load_robot(name)
    losses = engine.save_robot(robot, tmp_path / "arm.xml")
    friction = not any("Coulomb" in sentence for sentence in losses)
    mjcf = engine.load_robot(tmp_path / "arm.xml")
    agree(robot, mjcf, friction)
    assert known(mjcf) == known(robot)
    engine.save_robot(mjcf, tmp_path / "back.toml")
    back = engine.load_robot(tmp_path / "back.toml")
    agree(robot, back, friction)
    if robot.dh is not None:
        same_table(back, robot)


@pytest.mark.parametrize("name", ARMS)
def test_pinocchio_reads_the_urdf_as_the_same_arm(name, tmp_path):
    robot = engine.load_robot(name)
    engine.save_robot(robot, tmp_path / "arm.urdf")
    model = pin.buildModelFromUrdf(str(tmp_path / "arm.urdf"))
    data = model.createData()
    model.gravity.linear = np.array(robot.gravity)
    order = [model.joints[model.getJointId(joint)].idx_v for joint in robot.joint_names]
    rotors = np.zeros(model.nv)
    rotors[order] = [body.rotor_inertia for body in robot.bodies]
    model.armature = rotors
    smooth = robot.without_friction()
    for q, qd, qdd in np.moveaxis(states(robot, 4), 0, 1):
        at, v, a = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
        for joint, x in zip(robot.joint_names, q, strict=True):
            found = model.joints[model.getJointId(joint)]
            at[found.idx_q : found.idx_q + found.nq] = [np.cos(x), np.sin(x)] if found.nq == 2 else [x]
        v[order], a[order] = qd, qdd
        pin.framesForwardKinematics(model, data, at)
        for frame in (*robot.links, *["tool"] * model.existFrame("tool")):
            X = data.oMf[model.getFrameId(frame)].homogeneous
            np.testing.assert_allclose(X, engine.frame_pose(robot, q, frame), atol=1e-12)
        if not robot.has_dynamics:
            continue
        tau = engine.rnea(robot, q, qd, qdd)
        near = 1e-9 * max(1.0, np.abs(tau).max())
        np.testing.assert_allclose(pin.rnea(model, data, at, v, a)[order], tau, atol=near)
        M = pin.crba(model, data, at)
        M = np.triu(M) + np.triu(M, 1).T
        np.testing.assert_allclose(M[np.ix_(order, order)], engine.mass_matrix(robot, q), atol=1e-9)
        if np.linalg.cond(M) < 1e6:
            force = np.zeros(model.nv)
            force[order] = tau
            there = pin.aba(model, data, at, v, force)[order]
            np.testing.assert_allclose(there, engine.forward_dynamics(smooth, q, qd, tau), atol=1e-8 * max(1, np.abs(qdd).max()))


@pytest.mark.parametrize("name", [name for name in WITH_MASSES if name not in IMPOSSIBLE])
def test_mujoco_reads_the_model_as_the_same_arm(name, tmp_path):
    robot = engine.load_robot(name)
    engine.save_robot(robot, tmp_path / "arm.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "arm.xml"))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT
    model.dof_damping[:], model.dof_frictionloss[:] = 0, 0
    data, smooth = mujoco.MjData(model), robot.without_friction()
    assert [model.joint(i).name for i in range(model.njnt)] == list(robot.joint_names)
    for q, qd, qdd in np.moveaxis(states(robot, 4), 0, 1):
        M = engine.mass_matrix(robot, q)
        np.testing.assert_allclose(mujoco_mass_matrix(model, data, q), M, atol=1e-9 * max(1.0, np.abs(M).max()))
        tau = engine.rnea(robot, q, qd, qdd)
        np.testing.assert_allclose(mujoco_rnea(model, data, q, qd, qdd), tau, atol=1e-9 * max(1.0, np.abs(tau).max()))
        X = engine.frame_pose(robot, q)
        np.testing.assert_allclose(data.site("tool").xpos, X[:3, 3], atol=1e-12)
        np.testing.assert_allclose(data.site("tool").xmat.reshape(3, 3), X[:3, :3], atol=1e-12)
        if np.linalg.cond(M) < 1e6:
            data.qfrc_applied[:] = tau
            mujoco.mj_forward(model, data)
            there = engine.forward_dynamics(smooth, q, qd, tau)
            np.testing.assert_allclose(data.qacc, there, atol=1e-8 * max(1.0, np.abs(there).max()))
            data.qfrc_applied[:] = 0


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_an_inertia_that_mujoco_refuses_is_said(name, tmp_path):
    robot = engine.load_robot(name)
    losses = engine.save_robot(robot, tmp_path / "arm.xml")
    assert any("MuJoCo does not accept principal moments" in sentence and "are written" in sentence for sentence in losses)
    q = states(robot)[0]
    np.testing.assert_allclose(
        engine.frame_pose(engine.load_robot(tmp_path / "arm.xml"), q), engine.frame_pose(robot, q), atol=1e-12
    )


@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
@pytest.mark.parametrize("seed", seeds(4))
def test_random_trees(seed, suffix, tmp_path):
    tree = random_tree(seed, 6)
    bodies = [replace(body, friction=Friction(0.1 * i, (0.2, 0.2), 0.2)) for i, body in enumerate(tree.bodies)]
    tree = replace(tree, bodies=tuple(bodies))
    losses = engine.save_robot(tree, tmp_path / f"tree{suffix}")
    found = engine.load_robot(tmp_path / f"tree{suffix}")
    order = [tree.joint_names.index(name) for name in found.joint_names]
    assert (order == sorted(order)) != any("order changes" in sentence for sentence in losses)
    q, qd, qdd = states(tree)
    np.testing.assert_allclose(engine.frame_pose(found, q[:, order]), engine.frame_pose(tree, q), atol=1e-12)
    tau = engine.rnea(tree, q, qd, qdd)[:, order]
    there = engine.rnea(found, *(np.ascontiguousarray(x[:, order]) for x in (q, qd, qdd)))
    np.testing.assert_allclose(there, tau, atol=1e-9 * np.abs(tau).max())


def test_joints_that_copy_others(tmp_path):
    robot = engine.load_robot(example("panda"))
    assert robot.coupling is not None
    for name in ("arm.urdf", "arm.xml"):
        engine.save_robot(robot, tmp_path / name)
        found = engine.load_robot(tmp_path / name)
        agree(robot, found)
        assert found.coupling.names == robot.coupling.names
    with pytest.raises(engine.ModelError, match=r"panda_finger_joint2 copies another joint \(mimic\)"):
        engine.save_robot(robot, tmp_path / "arm.toml")


def test_shapes_and_meshes_are_referred_to(tmp_path):
    (tmp_path / "meshes").mkdir()
    mesh = tmp_path / "meshes/part.stl"
    triangles = np.zeros(4, dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
    corners = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
    triangles["corners"] = [corners[list(k)] for k in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))]
    mesh.write_bytes(bytes(80) + (4).to_bytes(4, "little") + triangles.tobytes())
    X = rot_rpy(0.1, 0.2, 0.3)
    shapes = [
        Visual("link1", "mesh", X, (1.0, 2.0, 1.0), mesh, "meshes/part.stl", colour=(1.0, 0.5, 0.0, 1.0)),
        Visual("link2", "box", X, (0.1, 0.2, 0.3)),
        Visual("link2", "cylinder", np.eye(4), (0.1, 0.2)),
        Visual("link3", "sphere", X, (0.1,)),
        Visual("link3", "mesh", X, (1.0, 1.0, 1.0), None, "package://elsewhere/part.dae"),
    ]
    robot = replace(engine.load_robot("puma560"), visuals=tuple(shapes), collisions=tuple(shapes[1:3]))
    for name in ("arm.urdf", "arm.xml"):
        losses = engine.save_robot(robot, tmp_path / name)
        found = engine.load_robot(tmp_path / name)
        seen = [shape for shape in found.visuals if shape.path is not None or shape.shape != "mesh"]
        assert [shape.shape for shape in seen] == ["mesh", "box", "cylinder", "sphere"]
        assert seen[0].path == mesh and seen[0].colour == (1.0, 0.5, 0.0, 1.0) and len(found.collisions) == 2
        for one, other in zip(shapes, seen, strict=False):
            there = engine.frame_pose(found, np.zeros(6), other.link) @ other.X_LG
            # MuJoCo keeps the poses of meshes about their centres in single precision
            near = 1e-6 if one.shape == "mesh" else 1e-12
            np.testing.assert_allclose(there, engine.frame_pose(robot, np.zeros(6), one.link) @ one.X_LG, atol=near)
            np.testing.assert_allclose(other.size, one.size, atol=1e-12)
        assert ("part.dae" in " ".join(losses)) == (name == "arm.xml")
        assert ("named by package" in " ".join(losses)) == (name == "arm.urdf")
    assert 'filename="package://elsewhere/part.dae"' in (tmp_path / "arm.urdf").read_text(encoding="utf-8")
    engine.save_robot(robot, tmp_path / "arm.toml")
    assert [shape.path for shape in engine.load_robot(tmp_path / "arm.toml").visuals] == [shape.path for shape in robot.visuals]


def test_names_that_a_robot_file_does_not_take(tmp_path):
    robot = replace(engine.load_robot("double_pendulum"), name="2 dof", joint_names=("a/b", "a b"), dh=None)
    (said,) = [text for text in engine.save_robot(robot, tmp_path / "arm.toml") if text.startswith("Names")]
    assert "a/b becomes a_b, a b becomes a_b2, 2 dof becomes _2_dof" in said
    assert engine.load_robot(tmp_path / "arm.toml").joint_names == ("a_b", "a_b2")


def test_what_urdf_has_no_words_for_stands_beside_it(tmp_path):
    robot = engine.load_robot("puma560").with_tool(rot_rpy(0.1, 0.2, 0.3)).with_payload(2.0, [0, 0, 0.1])
    losses = engine.save_robot(robot, tmp_path / "arm.urdf")
    assert any("Rotor inertias" in text and "arm.armature.toml" in text for text in losses)
    agree(robot, engine.load_robot(tmp_path / "arm.urdf"))
    (tmp_path / "arm.armature.toml").unlink()
    assert engine.load_robot(tmp_path / "arm.urdf").bodies[0].rotor_inertia == 0


def test_what_cannot_be_written_is_one_line_and_changes_nothing(tmp_path):
    robot = engine.load_robot("irb140")
    with pytest.raises(engine.ModelError, match=r"the suffix of a robot file must be \.toml, \.urdf, \.xml, \.mjcf"):
        engine.save_robot(robot, tmp_path / "arm.sdf")
    with pytest.raises(engine.ModelError, match="has no masses, which MuJoCo needs"):
        engine.save_robot(robot, tmp_path / "arm.xml")
    with pytest.raises(engine.ModelError, match="cannot be written: No such file or directory"):
        engine.save_robot(robot, tmp_path / "none/arm.urdf")
    massless = engine.load_robot("double_pendulum")
    bodies = [replace(body, mass=0.0, inertia=np.zeros((3, 3))) for body in massless.bodies[1:]]
    with pytest.raises(engine.ModelError, match="joint joint2 moves no mass"):
        engine.save_robot(replace(massless, bodies=(massless.bodies[0], *bodies)), tmp_path / "arm.urdf")
    assert not list(tmp_path.iterdir())


def test_files_are_well_formed_whatever_is_in_the_texts(tmp_path):
    robot = replace(engine.load_robot("pendulum"), title="a -- b <&>", sources=("-->", "--"), frames={})
    robot = replace(robot, frames={"tool": Frame(0, np.eye(4)), 'a"<b': Frame(0, np.eye(4))})
    for name in ("arm.urdf", "arm.xml"):
        engine.save_robot(robot, tmp_path / name)
        etree.parse(str(tmp_path / name))
        assert 'a"<b' in engine.load_robot(tmp_path / name).frames


@pytest.mark.parametrize("pitch", [0.0, 1.0, np.pi / 2, np.pi / 2 - 1e-9, 1e-8 - np.pi / 2, -np.pi / 2])
def test_angles_give_the_same_turn_upright_too(pitch):
    for roll, yaw in np.random.default_rng(0).uniform(-3, 3, (20, 2)):
        R = rot_rpy(roll, pitch, yaw)[:3, :3]
        np.testing.assert_allclose(rot_rpy(*exact_roll_pitch_yaw(R))[:3, :3], R, atol=1e-15)
