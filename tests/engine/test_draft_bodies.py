"""Links from shapes and materials, and arms from data sheets."""

from __future__ import annotations

import math

import numpy as np
import pytest
import trimesh

from armature import engine
from armature.engine.model.draft.datasheet_draft import DATASHEETS, datasheet_draft
from armature.engine.model.draft.link_bodies import MATERIALS, SHAPES, Shape, along_link, link_span
from armature.engine.rotations import rot_rpy

FINE = 256  # sides of a round mesh


def box(width: float, height: float, length: float) -> trimesh.Trimesh:
    return trimesh.creation.box((width, height, length))


@pytest.mark.parametrize(
    ("shape", "outside", "inside"),
    [
        (Shape("box", width=0.1, height=0.2, length=0.5), box(0.1, 0.2, 0.5), None),
        (Shape("box", width=0.1, height=0.2, length=0.5, wall=0.01), box(0.1, 0.2, 0.5), box(0.08, 0.18, 0.5)),
        (Shape("cylinder", diameter=0.1, length=0.4), trimesh.creation.cylinder(0.05, 0.4, sections=FINE), None),
        (
            Shape("tube", diameter=0.1, wall=0.02, length=0.4),
            trimesh.creation.cylinder(0.05, 0.4, sections=FINE),
            trimesh.creation.cylinder(0.03, 0.4, sections=FINE),
        ),
        (Shape("sphere", diameter=0.3), trimesh.creation.uv_sphere(0.15, count=(FINE, FINE // 2)), None),
    ],
)
def test_closed_forms_are_those_of_meshes(shape, outside, inside):
    volume = outside.volume - (inside.volume if inside else 0.0)
    moments = outside.moment_inertia - (inside.moment_inertia if inside else 0.0)
    assert shape.volume == pytest.approx(volume, rel=3e-4)
    assert np.allclose(shape.inertia(MATERIALS["steel"] * shape.volume), MATERIALS["steel"] * moments, rtol=6e-4, atol=1e-9)


def test_a_hollow_sphere_is_the_integral_of_its_shells():
    shape = Shape("sphere", diameter=0.3, wall=0.02)
    points, weights = np.polynomial.legendre.leggauss(8)  # exact to degree 15
    r, w = 0.14 + 0.01 * points, 0.01 * weights
    assert shape.volume == pytest.approx((4 * math.pi * r**2 * w).sum(), rel=1e-13)
    assert np.allclose(shape.inertia(1.0), np.eye(3) * (8 / 3 * math.pi * r**4 * w).sum() / shape.volume, rtol=1e-13)


def test_thin_walls_are_those_of_books():
    tube, ball = Shape("tube", diameter=0.2, wall=1e-7, length=0.5), Shape("sphere", diameter=0.2, wall=1e-7)
    assert tube.inertia(2.0)[2, 2] == pytest.approx(2.0 * 0.1**2, rel=1e-5)  # m r²
    assert ball.inertia(3.0)[0, 0] == pytest.approx(2 / 3 * 3.0 * 0.1**2, rel=1e-5)  # 2/3 m r²


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"kind": "cone"}, "must be one of cylinder, tube, box, sphere, got 'cone'"),
        ({"kind": "cylinder", "diameter": 0.1}, "cylinder: length must be above 0"),
        (
            {"kind": "cylinder", "diameter": 0.1, "length": 1.0, "wall": 0.01},
            "cylinder: no size wall; valid are diameter, length",
        ),
        ({"kind": "tube", "diameter": 0.1, "length": 1.0}, "tube: wall must be above 0"),
        ({"kind": "tube", "diameter": 0.1, "length": 1.0, "wall": 0.06}, "tube: the wall must be at most 0.05 m"),
        ({"kind": "sphere", "diameter": math.nan}, "sphere: diameter must be"),
        ({"kind": "box", "width": 1, "height": 1, "length": -1}, "box: length must be above 0"),
    ],
)
def test_a_shape_that_cannot_be_is_refused(given, says):
    with pytest.raises(engine.ModelError, match=says):
        Shape(**given)
    assert {"cylinder", "tube", "box", "sphere"} == set(SHAPES)


@pytest.mark.parametrize("name", engine.shipped_robots())
def test_links_lie_end_to_end(name):
    robot = engine.load_robot(name)
    poses = engine.link_poses(robot, np.where(robot.prismatic, np.where(np.isfinite(robot.q_max), robot.q_max, 0.0), 0.7))
    for i, body in enumerate(robot.bodies):
        start, end = (poses[i + 1] @ [*point, 1.0] for point in link_span(robot, i))
        before = [k for k in range(i) if body.parent == k]
        if before and sum(other.parent == before[0] for other in robot.bodies) == 1:
            assert np.allclose(start, poses[before[0] + 1] @ [*link_span(robot, before[0])[1], 1.0], atol=1e-12)
        X = along_link(robot, i)
        assert np.allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3)) and np.linalg.det(X) == pytest.approx(1.0)
        length = np.linalg.norm(end - start)
        if length > 1e-9:
            assert np.allclose(poses[i + 1][:3, :3] @ X[:3, 2], (end - start)[:3] / length)


def test_a_link_of_aluminium_tube_has_the_mass_it_weighs_in_every_frame():
    shape = Shape("tube", diameter=0.12, wall=0.006, length=0.4318)
    mass = MATERIALS["aluminium"] * math.pi * (0.06**2 - 0.054**2) * 0.4318
    puma = engine.draft_of(engine.load_robot("puma560"))
    one = puma.with_body(1, shape, density=MATERIALS["aluminium"])
    entry = one.table["joints"][1]
    assert entry["mass"] == pytest.approx(mass, rel=1e-9)
    assert entry["com"] == [-0.2159, 0.0, 0.0]
    across = mass * (3 * (0.06**2 + 0.054**2) + 0.4318**2) / 12
    assert np.allclose(entry["inertia"], [mass * (0.06**2 + 0.054**2) / 2, across, across], rtol=1e-8)
    there = puma.converted("modified").with_body(1, shape, density=MATERIALS["aluminium"])
    q = np.random.default_rng(0).uniform(-2, 2, (10, 6))
    # the same tube, whichever convention the frames are of: in both it lies from the shoulder's axis to the elbow's
    assert np.allclose(engine.gravity_torque(one.robot, q), engine.gravity_torque(there.robot, q), rtol=1e-7, atol=1e-7)


def test_a_shape_is_placed_where_it_is_wanted():
    X_LS = rot_rpy(0.3, -0.5, 1.1)
    X_LS[:3, 3] = 0.1, -0.05, 0.2
    shape = Shape("box", width=0.1, height=0.06, length=0.3)
    one = engine.draft_of(engine.load_robot("irb140")).with_body(3, shape, mass=4.0, X_LS=X_LS)
    body, X_BL = one.robot.bodies[3], one.robot.links["link4"].X_BF
    R = (X_BL @ X_LS)[:3, :3]
    assert np.allclose(body.com, (X_BL @ X_LS)[:3, 3], atol=1e-9)
    assert np.allclose(body.inertia, R @ shape.inertia(4.0) @ R.T, atol=1e-9)


@pytest.mark.parametrize(
    ("index", "given", "says"),
    [
        (9, {"mass": 1.0}, "no joint 9; the robot has 6"),
        (1, {}, "give either a density in kg/m³ or a mass in kg"),
        (1, {"mass": 1.0, "density": 1.0}, "either a density"),
        (1, {"density": -1.0}, "above 0"),
        (1, {"density": math.nan}, "above 0"),
        (1, {"mass": 1.0, "X_LS": np.ones((4, 4))}, "orthonormal"),
        (1, {"mass": 1.0, "X_LS": "here"}, "orthonormal"),
        (1, {"mass": "heavy"}, "above 0"),
    ],
)
def test_a_body_that_cannot_be_is_refused(index, given, says):
    with pytest.raises(engine.ModelError, match=says):
        engine.draft_of(engine.load_robot("puma560")).with_body(index, Shape("sphere", diameter=0.1), **given)


@pytest.mark.parametrize("kind", DATASHEETS)
def test_an_arm_from_a_data_sheet_can_be_saved_and_moves_within_its_limits(kind, tmp_path):
    sheet = DATASHEETS[kind]
    draft = datasheet_draft(kind, {}, "sheet")
    assert not draft.changed and draft.robot.name == "sheet" and draft.robot.n == len(sheet.limits)
    saved = draft.saved_as(tmp_path / "sheet.toml")
    again = engine.load_robot(saved.path)
    assert np.array_equal(again.packed, draft.robot.packed)
    assert engine.singularity(again, again.configurations["home"]).condition < 50
    longest = sum(length.default for length in sheet.lengths)
    assert 0.3 * longest < draft.robot.reach <= longest + 0.2
    for length in sheet.lengths:
        other = datasheet_draft(kind, {length.name: length.default + 0.125})
        q = draft.robot.configurations["home"]
        assert not np.allclose(engine.frame_pose(other.robot, q), engine.frame_pose(draft.robot, q))


def test_lengths_of_a_data_sheet_are_where_it_draws_them():
    robot = datasheet_draft("six_axis", {"d1": 0.4, "a1": 0.025, "a2": 0.455, "a3": 0.035, "d4": 0.42, "d6": 0.08}).robot
    X = engine.frame_pose(robot, np.zeros(6))
    assert np.allclose(X[:3, 3], [0.025 + 0.42 + 0.08, 0.0, 0.4 + 0.455 + 0.035])
    assert np.allclose(X[:3, 2], [1, 0, 0])  # the flange looks forward
    ur5 = engine.load_robot("ur5")
    table = ur5.dh
    lengths = {"d1": table.d[0], "a2": -table.a[1], "a3": -table.a[2], "d4": table.d[3], "d5": table.d[4], "d6": table.d[5]}
    like = datasheet_draft("parallel_axes", lengths).robot
    q = np.random.default_rng(0).uniform(-3, 3, (20, 6))
    assert np.allclose(engine.frame_pose(like, q), engine.frame_pose(ur5, q), atol=1e-12)


def test_limits_of_the_data_sheet_replace_the_usual_ones_and_what_is_wrong_is_said():
    own = datasheet_draft("scara", {}, limits=[(-100, 100), (-120, 120), (0, 0.15), None])
    assert own.robot.q_max[2] == 0.15 and np.isinf(own.robot.q_max[3]) and not own.robot.remarks
    assert "not from the data sheet" in datasheet_draft("scara", {}).robot.remarks[0]
    for given, says in [
        (("delta", {}), "kind: must be one of six_axis"),
        (("scara", {"d9": 1.0}), "d9: unknown length of SCARA; valid are d1, a1, a2, d4"),
        (("scara", {"a1": math.nan}), "a1: must be a length in m"),
        (("scara", {"a1": "long"}), "a1: must be a length in m"),
        (("scara", {}, "my arm"), "name: must be a name"),
        (("scara", {}, "x", [None]), "has 4 joints, got 1 pairs"),
        (("scara", {}, "x", [(1, 0), None, None, None]), "lower < upper"),
    ]:
        with pytest.raises(engine.ModelError, match=says):
            datasheet_draft(*given)
