"""Rays, projections, zoom: numbers that need no window."""

import numpy as np
import pytest

from app.scene.camera import STANDARD_VIEWS, Camera


def camera(seed: int = 0) -> Camera:
    rng = np.random.default_rng(seed)
    return Camera(rng.normal(size=3), rng.uniform(0.5, 5), rng.uniform(-180, 180), rng.uniform(-89, 89), width=900, height=500)


@pytest.mark.parametrize("seed", range(5))
def test_a_ray_through_a_pixel_meets_what_projects_there(seed):
    eye = camera(seed)
    for x, y, away in ((10, 20, 1.0), (450, 250, 2.0), (880, 490, 7.0)):
        origin, direction = eye.ray(x, y)
        assert eye.project(origin + away * direction)[:2] == pytest.approx((x, y), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_matrices_and_projection_agree(seed):
    eye = camera(seed)
    point = eye.target + np.array([0.1, -0.2, 0.15])
    clip = eye.matrix() @ [*point, 1.0]
    x, y = (clip[0] / clip[3] + 1) * 450, (1 - clip[1] / clip[3]) * 250
    assert eye.project(point)[:2] == pytest.approx((x, y), abs=1e-6)
    assert -1 < clip[2] / clip[3] < 1


def test_points_behind_the_eye_have_no_pixel():
    eye = camera()
    assert np.isnan(eye.project(eye.eye + eye.axes()[2])[:2]).all()


@pytest.mark.parametrize("factor", [0.5, 0.9, 1.3])
def test_zoom_keeps_a_point_on_its_pixel(factor):
    eye = camera()
    origin, direction = eye.ray(700, 120)
    point = origin + 1.7 * direction
    before = eye.distance
    eye.zoom_about(point, factor)
    assert eye.project(point)[:2] == pytest.approx((700, 120), abs=1e-6)
    assert eye.distance == pytest.approx(before * factor)


def test_zoom_has_an_end():
    eye = camera()
    for _ in range(500):
        eye.zoom_about(eye.target, 0.7)
    assert eye.distance >= 1e-3 * eye.scene_radius
    assert np.isfinite(eye.matrix()).all()


@pytest.mark.parametrize("name", STANDARD_VIEWS)
def test_framing_fills_the_picture_from_every_side(name):
    eye = Camera(width=640, height=480)
    eye.look_from(name)
    points = np.random.default_rng(1).uniform([-0.2, -1.0, 0.0], [0.7, 0.4, 1.5], (200, 3))
    eye.frame(points, margin=1.0)
    at = eye.project(points)[:, :2]
    assert at.min() > -1 and (at <= [641, 481]).all()
    assert max(np.ptp(at[:, 0]) / 640, np.ptp(at[:, 1]) / 480) > 0.9


def test_panning_moves_the_target_with_the_cursor():
    eye = camera()
    point = eye.target.copy()
    eye.pan(30, -12)
    assert eye.project(point)[:2] == pytest.approx((480, 238), abs=1e-6)


@pytest.mark.parametrize("size", [0.01, 1.0, 10.0])
def test_depth_has_room_for_small_and_large_robots(size):
    eye = Camera(distance=3 * size, scene_radius=size, width=100, height=100)
    near, far = eye.depth_range()
    assert near < 0.5 * size and far > 5 * size and far / near < 5000
