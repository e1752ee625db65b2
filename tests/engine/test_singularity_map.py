"""Maps of two joints: the values are the report's, and the curves lie where det changes its sign, and only there."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree

from armature import engine
from tests.engine.plane_scan import sigma_min, task_jacobian

SQUARE = [("puma560", 1, 2), ("puma560", 2, 4), ("ur5", 1, 2), ("ur5", 2, 4), ("stanford", 1, 4), ("irb140", 4, 1)]


def pose(robot) -> np.ndarray:
    rng = np.random.default_rng(2)
    return np.clip(robot.configurations["home"] + 0.1 * rng.normal(size=robot.n), robot.q_min, robot.q_max)


def on_plane(found, points: np.ndarray) -> np.ndarray:
    q = np.tile(found.q, (len(points), 1))
    q[:, [found.i, found.j]] = points
    return q


@pytest.mark.parametrize("name, i, j", SQUARE)
def test_the_curves_are_where_det_changes_its_sign(name, i, j):
    robot = engine.load_robot(name)
    found = engine.singularity_map(robot, pose(robot), i, j, resolution=120)
    assert found.complete and not found.everywhere
    points = np.concatenate(found.curves)
    assert max(sigma_min(robot, q) for q in on_plane(found, points)[::5]) < 1e-9
    step = np.array([np.ptp(found.first), np.ptp(found.second)]) / 119
    assert len(found.curves) < 20 and max(np.abs(np.diff(line, axis=0) / step).max() for line in found.curves) < 1.01
    # samples along the polylines, and a fine grid that shares no node with the map
    dense = np.concatenate([line[:-1] + t * np.diff(line, axis=0) for line in found.curves for t in np.linspace(0, 1, 5)])
    tree = cKDTree(np.concatenate([dense, points]) / step)
    fine = [side[0] + (np.arange(400) + 0.37) / 400 * np.ptp(side) for side in (found.first, found.second)]
    grid = np.stack(np.meshgrid(*fine, indexing="ij"), axis=-1)
    det = np.linalg.det(task_jacobian(robot, on_plane(found, grid.reshape(-1, 2)))).reshape(400, 400)
    changes = []
    for a, b in ((np.s_[:-1, :], np.s_[1:, :]), (np.s_[:, :-1], np.s_[:, 1:])):
        change = det[a] * det[b] < 0
        changes.append((grid[a][change] + grid[b][change]) / 2)
    changes = np.concatenate(changes)
    assert len(changes) > 100
    assert tree.query(changes / step)[0].max() < 1.5, "every change of sign lies by a curve"
    signs = cKDTree(changes / step)
    inside = np.all((points > [fine[0][0], fine[1][0]] + step) & (points < [fine[0][-1], fine[1][-1]] - step), axis=1)
    assert signs.query(points[inside] / step)[0].max() < 1.0, "every point of a curve lies by a change of sign"


@pytest.mark.parametrize("quantity", ["sigma_min", "manipulability", "inverse_condition", "determinant"])
def test_the_values_are_those_of_the_report(quantity):
    robot = engine.load_robot("puma560")
    found = engine.singularity_map(robot, pose(robot), 2, 4, quantity, resolution=9)
    for a, b in ((0, 0), (3, 7), (8, 2)):
        q = np.array(found.q)
        q[[2, 4]] = found.first[a], found.second[b]
        report = engine.singularity(robot, q)
        expected = {
            "sigma_min": report.sigma_min,
            "manipulability": report.manipulability,
            "inverse_condition": 1 / report.condition,
            "determinant": np.linalg.det(engine.jacobian(robot, q)),
        }[quantity]
        assert found.values[a, b] == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_the_scara_is_singular_on_one_straight_line():
    found = engine.singularity_map(engine.load_robot("scara"), [0.1, 0.2, 0.1], 0, 1)
    (line,) = found.curves
    np.testing.assert_allclose(line[:, 1], 0.0, atol=1e-9)
    assert np.ptp(line[:, 0]) == pytest.approx(np.ptp(found.first))


@pytest.mark.parametrize("resolution", [50, 120])
def test_curves_that_cross_go_on_straight(resolution):
    """Elbow and wrist of the Puma: two poses of joint 3, whatever joint 5 does, and one of joint 5."""
    found = engine.singularity_map(engine.load_robot("puma560"), np.radians([0, 45, -180, 0, 45, 0]), 2, 4, resolution=resolution)
    for line in found.curves:
        assert np.ptp(line, axis=0).min() < 1e-9
    assert sorted(round(float(np.ptp(line, axis=0).max()), 6) for line in found.curves) == [
        *[round(float(np.ptp(found.second)), 6)] * 2,
        round(float(np.ptp(found.first)), 6),
    ]


def test_zeros_on_the_edge_of_the_map_belong_to_it():
    found = engine.singularity_map(engine.load_robot("double_pendulum"), [0.1, 0.2], 0, 1, resolution=61)
    assert sorted(float(np.round(line[:, 1].mean(), 6)) for line in found.curves) == [-3.141593, 0.0, 3.141593]


@pytest.mark.parametrize("name, i, j", [("panda", 1, 5), ("lwr4", 1, 5), ("lwr4", 1, 2), ("spherical_pendulum", 0, 1)])
def test_where_the_jacobian_is_not_square_valleys_are_led_to_the_bottom(name, i, j):
    robot = engine.load_robot(name)
    found = engine.singularity_map(robot, pose(robot), i, j, resolution=100)
    assert found.curves and np.isfinite(found.values).all()
    assert max(sigma_min(robot, q) for q in on_plane(found, np.concatenate(found.curves))) < 1e-9
    if name == "lwr4" and j == 5:  # axes 1 and 3, and 5 and 7, in one line: at one point of the plane
        assert any(len(line) == 1 and np.abs(line).max() < 1e-9 for line in found.curves)


def test_a_plane_that_is_singular_throughout_has_no_curves():
    robot = engine.load_robot("puma560")
    found = engine.singularity_map(robot, robot.configurations["stretched"], 0, 5, resolution=40)
    assert found.everywhere and not found.curves and np.isfinite(found.values).all()


@pytest.mark.parametrize("quantity", ["sigma_min", "manipulability", "inverse_condition", "determinant"])
def test_nothing_is_nan_where_nodes_are_singular(quantity):
    robot = engine.load_robot("ur5")
    found = engine.singularity_map(robot, robot.configurations["upright"], 1, 2, quantity, resolution=41)
    assert np.isfinite(found.values).all() and all(np.isfinite(line).all() for line in found.curves)


def test_progress_and_cancel():
    robot, seen = engine.load_robot("puma560"), []
    report = lambda done, total: seen.append((done, total))  # noqa: E731
    full = engine.singularity_map(robot, pose(robot), 1, 2, resolution=40, progress=report)
    assert full.complete and seen[-1][0] == seen[-1][1]
    seen.clear()
    cut = engine.singularity_map(robot, pose(robot), 1, 2, resolution=40, progress=report, cancel=lambda: len(seen) >= 2)
    assert len(seen) == 2 and not cut.complete and not cut.curves


@pytest.mark.parametrize(
    "bad",
    [
        {"i": 1, "j": 1},
        {"i": 0, "j": 9},
        {"quantity": "beauty"},
        {"resolution": 1},
        {"resolution": 5000},
        {"q": np.zeros((2, 6))},
    ],
)
def test_bad_requests(bad):
    robot = engine.load_robot("puma560")
    with pytest.raises(engine.EngineError):
        engine.singularity_map(robot, **{"q": np.zeros(6), "i": 0, "j": 1} | bad)
    with pytest.raises(engine.EngineError, match="determinant"):
        engine.singularity_map(engine.load_robot("panda"), np.zeros(7), 1, 2, "determinant")


def test_a_curve_on_which_two_causes_meet_is_there_too():
    """With the Puma upright shoulder and elbow are singular on one line, where det J touches 0 and keeps its sign."""
    robot = engine.load_robot("puma560")
    straight = -np.arctan2(robot.dh.d[3], robot.dh.a[2])
    q = np.array([0.3, np.pi / 2, straight, 0.5, 0.9, 0.2])
    found = engine.singularity_map(robot, q, 2, 4, resolution=100)
    upright = [curve for curve in found.curves if np.ptp(curve[:, 0]) < 0.02 and len(curve) > 20]
    assert sum(np.ptp(curve[:, 1]) for curve in upright) > 0.9 * np.ptp(found.second)
    for place in np.concatenate(upright)[::7]:
        pose = q.copy()
        pose[[2, 4]] = place
        assert engine.singularity(robot, pose).sigma_min < 1e-6
