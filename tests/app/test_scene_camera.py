"""Rays, projections, zoom: numbers that need no window."""

from dataclasses import replace

import numpy as np
import pytest

from armature.app.scene.camera.camera import STANDARD_VIEWS, Camera
from armature.app.scene.camera.camera_flight import between
from tests.chance import seeds


@pytest.fixture(params=[False, True], ids=["perspective", "orthographic"])
def camera(request):
    """Makes a camera that stands anywhere: `camera(seed)`."""

    def make(seed: int = 0) -> Camera:
        rng = np.random.default_rng(seed)
        angles = rng.uniform(-180, 180), rng.uniform(-89, 89)
        return Camera(rng.normal(size=3), rng.uniform(0.5, 5), *angles, width=900, height=500, orthographic=request.param)

    return make


@pytest.mark.parametrize("seed", seeds(5))
def test_a_ray_through_a_pixel_meets_what_projects_there(camera, seed):
    eye = camera(seed)
    for x, y, away in ((10, 20, 1.0), (450, 250, 2.0), (880, 490, 7.0)):
        origin, direction = eye.ray(x, y)
        assert eye.project(origin + away * direction)[:2] == pytest.approx((x, y), abs=1e-6)


@pytest.mark.parametrize("seed", seeds(5))
def test_matrices_and_projection_agree(camera, seed):
    eye = camera(seed)
    point = eye.target + np.array([0.1, -0.2, 0.15])
    clip = eye.matrix() @ [*point, 1.0]
    x, y = (clip[0] / clip[3] + 1) * 450, (1 - clip[1] / clip[3]) * 250
    assert eye.project(point)[:2] == pytest.approx((x, y), abs=1e-6)
    assert -1 < clip[2] / clip[3] < 1


def test_points_behind_the_eye_have_no_pixel(camera):
    eye = camera()
    assert np.isnan(eye.project(eye.eye + eye.axes()[2])[:2]).all()


@pytest.mark.parametrize("factor", [0.5, 0.9, 1.3])
def test_zoom_keeps_a_point_on_its_pixel(camera, factor):
    eye = camera()
    origin, direction = eye.ray(700, 120)
    point = origin + 1.7 * direction
    before = eye.distance
    eye.zoom_about(point, factor)
    assert eye.project(point)[:2] == pytest.approx((700, 120), abs=1e-6)
    assert eye.distance == pytest.approx(before * factor)


def test_zoom_has_an_end(camera):
    eye = camera()
    for _ in range(500):
        eye.zoom_about(eye.target, 0.7)
    assert eye.distance >= 1e-3 * eye.scene_radius
    assert np.isfinite(eye.matrix()).all()


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("name", STANDARD_VIEWS)
def test_framing_fills_the_picture_from_every_side(name, orthographic):
    eye = Camera(width=640, height=480, orthographic=orthographic)
    eye.look_from(name)
    points = np.random.default_rng(1).uniform([-0.2, -1.0, 0.0], [0.7, 0.4, 1.5], (200, 3))
    eye.frame(points, margin=1.0)
    at = eye.project(points)[:, :2]
    assert at.min() > -1 and (at <= [641, 481]).all()
    assert max(np.ptp(at[:, 0]) / 640, np.ptp(at[:, 1]) / 480) > 0.9


def test_panning_moves_the_target_with_the_cursor(camera):
    eye = camera()
    point = eye.target.copy()
    eye.pan(30, -12)
    assert eye.project(point)[:2] == pytest.approx((480, 238), abs=1e-6)


@pytest.mark.parametrize("size", [0.01, 1.0, 10.0])
def test_depth_has_room_for_small_and_large_robots(size):
    eye = Camera(distance=3 * size, scene_radius=size, width=100, height=100)
    near, far = eye.depth_range()
    assert near < 0.5 * size and far > 5 * size and far / near < 5000


def test_the_target_keeps_its_size_and_place_in_the_other_projection(camera):
    eye = camera(3)
    other = replace(eye, orthographic=not eye.orthographic)
    beside = eye.target + 0.1 * eye.axes()[0]
    assert other.project(eye.target)[:2] == pytest.approx(eye.project(eye.target)[:2])
    assert other.project(beside)[:2] == pytest.approx(eye.project(beside)[:2])


def test_parallel_lines_stay_parallel_without_perspective():
    eye = Camera(distance=2.0, elevation=20.0, width=900, height=500, orthographic=True)
    for along in np.eye(3):
        steps = [np.diff(eye.project(np.array([at, at + along]))[:, :2], axis=0)[0] for at in np.eye(3)]
        assert steps[0] == pytest.approx(steps[1], abs=1e-9) and steps[0] == pytest.approx(steps[2], abs=1e-9)


def test_everything_around_the_robot_lies_before_an_orthographic_eye():
    eye = Camera(distance=0.01, width=100, height=100, orthographic=True)
    points = np.random.default_rng(0).uniform(-3, 3, (100, 3))
    clip = np.column_stack([points, np.ones(100)]) @ eye.matrix().T
    assert (np.abs(clip[:, 2]) < 1).all() and (eye.project(points)[:, 2] > 0).all()


@pytest.mark.parametrize(("start", "end", "middle"), [(170.0, -170.0, -180.0), (-52.0, 90.0, 19.0)])
def test_a_flight_takes_the_nearer_way_round(start, end, middle):
    pose = between((start, 0.0, 0.0, 0.0, 0.0, 1.0), (end, 40.0, 1.0, 0.0, 0.0, 4.0), 0.5)
    assert pose == pytest.approx((middle, 20.0, 0.5, 0.0, 0.0, 2.0))
