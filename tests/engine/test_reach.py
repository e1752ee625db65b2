"""Volume, voxels, surface, files and quantities of the workspace, against closed forms."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.kinematics.floor_depths import FloorDepths
from armature.engine.reach.workspace import QUANTITIES

SCARA_LINKS = 0.325, 0.225


def scara_area(robot) -> float:
    """Exact area that the SCARA sweeps within its limits, by asking both elbows at every point of a fine grid."""
    x, y = np.meshgrid(*[np.linspace(-0.56, 0.56, 2241)] * 2)
    a, b = SCARA_LINKS
    c2 = (x * x + y * y - a * a - b * b) / (2 * a * b)
    reached = np.zeros_like(x, bool)
    for side in (1, -1):
        q2 = side * np.arccos(np.clip(c2, -1, 1))
        q1 = np.arctan2(y, x) - np.arctan2(b * np.sin(q2), a + b * np.cos(q2))
        q1 = (q1 + np.pi) % (2 * np.pi) - np.pi
        reached |= (np.abs(c2) <= 1) & (np.abs(q2) <= robot.q_max[1]) & (np.abs(q1) <= robot.q_max[0])
    return float(reached.sum() * (x[0, 1] - x[0, 0]) ** 2)


@pytest.fixture(scope="module")
def reach(scara):
    return engine.workspace(scara, 100_000)


def test_the_scaras_volume_is_that_of_the_closed_form(scara, reach):
    exact = scara_area(scara) * (scara.q_max[2] - scara.q_min[2])
    found = engine.reach_volume(reach, 8000)
    assert found.unit == "m³"
    assert found.value == pytest.approx(exact, rel=0.01)
    assert abs(found.value - exact) < 3 * found.error


def test_the_area_of_a_planar_arm_is_that_of_its_annulus():
    arm = engine.load_robot("double_pendulum")
    a, b = (np.linalg.norm(frame.X_BF[:3, 3]) for frame in (arm.frames[arm.tool], arm.frames[arm.tool]))
    p = engine.link_poses(arm, np.zeros(2))[:, :3, 3]
    tool = engine.frame_pose(arm, np.zeros(2))[:3, 3]
    elbow = arm.bodies[1].X_PJ[:3, 3]
    a, b = np.linalg.norm(elbow), np.linalg.norm(tool - p[0]) - np.linalg.norm(elbow)
    found = engine.reach_volume(engine.workspace(arm, 30_000), 4000)
    assert found.unit == "m²"
    assert found.value == pytest.approx(np.pi * ((a + b) ** 2 - (a - b) ** 2), rel=0.005)


def test_volume_stops_when_requested(reach):
    seen = []
    found = engine.reach_volume(reach, 8000, progress=lambda done, total: seen.append(done), cancel=lambda: len(seen) >= 1)
    assert found.tests == seen[-1] < 8000 and np.isfinite(found.value)


@pytest.mark.parametrize(
    ("measure", "says"),
    [
        (lambda space: engine.voxel_grid(space, 0.0), "size must be the edge of a cube in m, above 0, got 0.0"),
        (lambda space: engine.voxel_grid(space, float("nan")), "got nan"),
        (lambda space: engine.voxel_grid(space, 1e-6), "size = 1e-06 m is too small"),
        (lambda space: engine.reach_volume(space, tests=0), "tests must be a whole number ≥ 1, got 0"),
        (lambda space: engine.reach_volume(space, seed=-1), "seed must be a whole number ≥ 0, got -1"),
        (lambda space: engine.voxel_grid(replace(space, points=space.points[:0])), "the workspace has no points"),
        (lambda space: engine.reach_volume(replace(space, points=space.points[:1])), "the tool moves along a line at most"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(reach, measure, says):
    with pytest.raises(engine.EngineError, match=re.escape(says)):
        measure(reach)


def test_only_the_chosen_joints_move(scara):
    pose = np.array([0.3, -0.5, 0.05])
    space = engine.workspace(scara, 2000, joints=[1], q=pose)
    assert np.ptp(space.q[:, 1]) > 4 and np.all(space.q[:, [0, 2]] == pose[[0, 2]])
    r = np.hypot(*(space.points[:, :2] - SCARA_LINKS[0] * np.array([np.cos(0.3), np.sin(0.3)])).T)
    np.testing.assert_allclose(r, SCARA_LINKS[1], atol=1e-12)
    assert len(space.axes) == 2


def test_without_limits_joints_turn_once_round(scara):
    q = engine.workspace(scara, 4000, limits=False).q
    assert np.all(np.ptp(q[:, :2], axis=0) > 6.2) and np.ptp(q[:, 2]) <= 0.2


@pytest.mark.parametrize("joints", [[], [3], [-1, 0]])
def test_joints_that_are_not_there_are_refused(scara, joints):
    with pytest.raises(engine.EngineError, match="must be indices from 0 to 2"):
        engine.workspace(scara, 100, joints=joints)


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_every_quantity_is_finite_and_not_negative(quantity):
    space = engine.workspace(engine.load_robot("puma560"), 3000, quantity)
    assert np.isfinite(space.values).all() and space.values.min() >= 0
    assert np.ptp(space.values) > 0


def test_quantities_by_hand():
    puma = engine.load_robot("puma560")
    load = engine.workspace(puma, 200, "gravity_load")
    expected = [100 * np.max(np.abs(engine.gravity_torque(puma, q)) / puma.tau_max) for q in load.q]
    np.testing.assert_allclose(load.values, expected, rtol=1e-9)
    far = engine.workspace(puma, 200, "limit_distance")
    expected = [min(min(a - lo, hi - a) / (hi - lo) * 2 for a, lo, hi in zip(q, puma.q_min, puma.q_max)) for q in far.q]
    np.testing.assert_allclose(far.values, expected, rtol=1e-9)


def test_the_payload_capacity_is_where_a_motor_reaches_its_limit():
    puma = engine.load_robot("puma560")
    space = engine.workspace(puma, 60, "payload")
    for q, mass in zip(space.q, space.values):
        share = lambda m, q=q: np.max(np.abs(engine.gravity_torque(puma.with_payload(m), q)) / puma.tau_max)  # noqa: E731
        assert share(0.999 * mass) < 1
        # a tool right over every axis is counted at one percent of the reach
        assert share(1.001 * mass) > 0.999 or mass > 50


def test_arms_without_the_figures_say_so():
    with pytest.raises(engine.EngineError, match="needs torque limits"):
        engine.workspace(engine.load_robot("double_pendulum"), 100, "payload")


def test_the_samples_so_far_are_shown_as_they_come(scara):
    seen = []
    engine.workspace(scara, 100_000, "density", partial=seen.append)
    assert [len(s.points) for s in seen] == [32768, 65536, 98304]
    assert not seen[0].complete and np.isfinite(seen[0].values).all()


def test_voxels_hold_every_sample(reach):
    grid = engine.voxel_grid(reach)
    assert grid.counts.sum() == len(reach.points)
    inside = np.abs(reach.points - (grid.origin + (np.stack(grid.index(reach.points), 1) + 0.5) * grid.size))
    assert inside.max() <= 0.5 * grid.size * (1 + 1e-9)
    assert len(grid.means(reach)) == len(grid.centres()) == grid.occupied.sum()
    rim = np.ones(grid.counts.shape, bool)
    rim[1:-1, 1:-1, 1:-1] = False
    assert not grid.counts[rim].any()


def test_the_surface_is_closed_and_encloses_the_cells(reach):
    grid = engine.voxel_grid(reach)
    vertices, triangles = engine.reach_surface(grid)
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    _, uses = np.unique(edges, axis=0, return_counts=True)
    assert (uses % 2 == 0).all()
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert volume == pytest.approx(grid.occupied.sum() * grid.size**3, rel=0.1)


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".ply", ".stl"])
def test_files_hold_what_was_sampled(scara, reach, tmp_path, suffix):
    space = engine.workspace(scara, 5000) if suffix in (".npz", ".csv") else reach
    path = engine.save_workspace(space, tmp_path / f"reach{suffix}")
    if suffix == ".npz":
        with np.load(path) as data:
            np.testing.assert_array_equal(data["points"], space.points)
            np.testing.assert_array_equal(data["q"], space.q)
            assert str(data["quantity"]) == "manipulability"
    elif suffix == ".csv":
        assert path.read_text().split("\n", 1)[0] == "x,y,z,manipulability,q.joint1,q.joint2,q.joint3"
        np.testing.assert_allclose(np.loadtxt(path, delimiter=",", skiprows=1)[:, :3], space.points, rtol=1e-8, atol=1e-12)
    else:
        import trimesh

        mesh = trimesh.load(path)
        assert mesh.is_watertight and mesh.volume > 0
        assert np.ptp(mesh.vertices, axis=0) == pytest.approx(np.ptp(space.points, axis=0), abs=2 * engine.voxel_grid(space).size)


def test_files_that_cannot_be_written(reach, tmp_path):
    with pytest.raises(engine.EngineError, match=r"\.npz, \.csv, \.ply, \.stl"):
        engine.save_workspace(reach, tmp_path / "reach.xyz")
    with pytest.raises(engine.EngineError, match="cannot be written"):
        engine.save_workspace(reach, tmp_path / "nowhere" / "reach.csv")


def test_above_the_floor_no_link_is_below_it_and_the_volume_is_smaller():
    ur5 = engine.load_robot("ur5")
    whole, standing = (engine.workspace(ur5, 8000, above_floor=on) for on in (False, True))
    assert FloorDepths(ur5).above(standing.q).all() and not FloorDepths(ur5).above(whole.q).all()
    assert len(standing.points) == 8000 and standing.complete and standing.points[:, 2].min() > 0.0 > whole.points[:, 2].min()
    a, b = (engine.reach_volume(space, 400) for space in (whole, standing))
    assert b.value + 3 * b.error < 0.8 * a.value
    assert len(engine.workspace(ur5, 5, above_floor=True).points) == 5
    hanging = engine.workspace(ur5.with_floor(None), 8000, above_floor=True)  # no floor, nothing is left out
    np.testing.assert_array_equal(hanging.points, whole.points)
    with pytest.raises(engine.EngineError, match="almost no pose is above the floor at z = 3 m"):
        engine.workspace(ur5.with_floor(3.0), 100, above_floor=True)


@pytest.fixture(scope="module")
def wall():
    return engine.Cell().with_object("wall", "box", size=(0.1, 2.0, 2.0), xyz=(0.4, 0.0, 0.6))


def test_in_a_cell_only_poses_without_contact_are_sampled_and_the_volume_is_smaller(wall):
    puma = engine.load_robot("puma560")
    whole, free = engine.workspace(puma, 8000), engine.workspace(puma, 8000, cell=wall)
    touches = engine.collision(puma, whole.q, cell=wall).colliding
    assert 0.1 < touches.mean() < 0.9 and len(free.q) == 8000 and free.complete
    assert not engine.collision(puma, free.q, cell=wall).colliding.any()
    expected = whole.q[~touches]
    np.testing.assert_array_equal(free.q[: len(expected)], expected)
    a, b = (engine.reach_volume(space, 400) for space in (whole, free))
    assert b.value + 3 * (a.error + b.error) < a.value
    away = engine.workspace(puma, 8000, cell=engine.Cell().with_object("far", "sphere", radius=0.1, xyz=(5.0, 0.0, 0.0)))
    alone = engine.workspace(puma, 8000, cell=engine.Cell())
    np.testing.assert_array_equal(away.q, alone.q)
    assert not engine.collision(puma, alone.q).colliding.any()


def test_the_volume_counts_no_point_that_is_reached_only_in_contact(scara):
    half = scara_area(scara) * (scara.q_max[2] - scara.q_min[2]) / 2  # the reach is symmetric about y = 0
    inside = engine.workspace(scara, 100_000, cell=_Beyond())
    assert inside.points[:, 1].min() >= 0
    assert engine.reach_volume(inside, 8000).value == pytest.approx(half, rel=0.01)


class _Beyond:
    """Obstacles that the arm touches wherever its tool is at y < 0."""

    def collides(self, robot, q):
        return engine.frame_pose(robot, q)[:, 1, 3] < 0

    def contact_pairs(self, robot, q):
        raise NotImplementedError


def test_sampling_in_a_cell_stops_when_requested(wall):
    puma, seen = engine.load_robot("puma560"), []
    space = engine.workspace(puma, 8000, progress=lambda *done: seen.append(done), cancel=lambda: len(seen) >= 1, cell=wall)
    assert len(seen) == 1 and seen[0] == (len(space.points), 8000) and 0 < len(space.points) < 4096 and not space.complete


def test_a_cell_without_room_for_the_arm_is_refused(scara):
    block = engine.Cell().with_object("block", "box", size=(4.0, 4.0, 4.0))
    with pytest.raises(engine.EngineError, match="almost no pose is without contact; move the objects of the cell away"):
        engine.workspace(scara, 100, cell=block)
