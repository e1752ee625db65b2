"""What the overlays draw of the pose: in the right place, of the right size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.app.scene.camera.camera import Camera
from armature.app.scene.gl import palette
from armature.app.scene.overlays.com_item import _markers
from armature.app.scene.overlays.inertia_box_item import equivalent_box
from armature.app.scene.overlays.inertia_item import equivalent_ellipsoid
from armature.app.scene.surroundings.corner_item import CornerItem
from tests.app.scenes import bare_view, changed, near, pixels

# Joint axes


@pytest.mark.parametrize("name", ["puma560", "stanford", "ur5", "panda"])
def test_gauges_stand_on_the_joint_axes_between_the_limits(qtbot, name):
    view = bare_view(qtbot, name, on=("axes",))
    rng, robot = np.random.default_rng(1), view.robot
    q = robot.configurations["home"] + rng.uniform(-0.4, 0.4, robot.n)
    view.set_q(q)
    view.grabFramebuffer()
    for j, gauge in enumerate(view.stage.gauges.gauges):
        X = gauge["pose"].T.astype(float)
        value, low, high, radius = gauge["state"]
        assert value == pytest.approx(q[j], abs=1e-6) and (radius < 0) == robot.prismatic[j]
        limits = (robot.q_min[j], robot.q_max[j])
        assert X[3, 3] == np.isfinite(limits).all()
        assert (low, high) == pytest.approx(limits if X[3, 3] else (-np.pi, np.pi), abs=1e-6)
        body = view.slot_poses[robot.joint_bodies[j] + 1]
        assert X[:3, 2] == pytest.approx(body[:3, 2], abs=1e-6)  # the axis
        around = np.cross(body[:3, 2], X[:3, 3] - body[:3, 3])
        assert np.linalg.norm(around) < 1e-6  # goes through the place
        if robot.prismatic[j]:
            assert X[:3, 3] + q[j] * X[:3, 2] == pytest.approx(body[:3, 3], abs=1e-6)
        else:  # 0 lies where the link's x axis was before it turned by q
            assert np.cos(q[j]) * X[:3, 0] + np.sin(q[j]) * X[:3, 1] == pytest.approx(body[:3, 0], abs=1e-6)


def test_an_arc_is_filled_up_to_the_value_and_ends_at_the_limits(qtbot):
    view = bare_view(qtbot, "double_pendulum", [0.9, 0.0], on=("axes",))
    view.stage.gauges.gauges["state"][:, 3] *= 3  # clear of the housing
    axis = int(np.argmax(np.abs(view.slot_poses[1][:3, 2])))
    view.standard_view({0: "front", 1: "left", 2: "top"}[axis])
    view.fit()
    picture = pixels(view.render_image(800, 600))
    gauge = view.stage.gauges.gauges[0]
    X, radius = gauge["pose"].T.astype(float), float(gauge["state"][3])
    camera = replace(view.camera, width=800, height=600)

    def on_ring(angle, beyond=0.94):
        way = np.cos(angle) * X[:3, 0] + np.sin(angle) * X[:3, 1]
        return camera.project(X[:3, 3] + beyond * radius * way)

    assert near(picture, on_ring(0.45), palette.GAUGE) and near(picture, on_ring(0.8), palette.GAUGE)
    assert not near(picture, on_ring(-0.45), palette.GAUGE) and not near(picture, on_ring(1.3), palette.GAUGE, radius=2)


@pytest.mark.parametrize(("q2", "colour"), [(0.2, palette.GAUGE), (1.9, palette.WARNING[1]), (2.2, palette.WARNING[2])])
def test_a_ruler_warns_at_its_limits(qtbot, q2, colour):
    robot = engine.load_robot("stanford")
    low, high = robot.q_min[2], robot.q_max[2]
    q = robot.configurations["home"].copy()
    q[2] = {0.2: 0.5 * (low + high), 1.9: high - 0.01 * (high - low), 2.2: high + 0.1 * (high - low)}[q2]
    view = bare_view(qtbot, "stanford", q)
    without = pixels(view.render_image(800, 600))
    view.set_overlay("axes", True)
    picture = pixels(view.render_image(800, 600))
    wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    new = (np.abs(picture - wanted).max(axis=2) < 45) & (np.abs(picture - without).max(axis=2) > 25)
    assert new.sum() > 60


# Masses


@pytest.mark.parametrize("name", ["puma560", "panda", "scara", "rp"])
def test_centres_of_mass_are_those_of_the_engine_and_seen_there(qtbot, name):
    view = bare_view(qtbot, name, on=("com",))
    picture = pixels(view.render_image(800, 600))
    com, camera = view.stage.com, replace(view.camera, width=800, height=600)
    assert com.total == pytest.approx(engine.center_of_mass(view.robot, view.q), abs=1e-9)
    assert com.mass == pytest.approx(sum(body.mass for body in view.robot.bodies))
    assert near(picture, camera.project(com.total), palette.COM_TOTAL, radius=8)
    assert com._bodies["pose"][-1, 3, :3] == pytest.approx([*com.total[:2], view.stage.floor.height], abs=0.01)
    heaviest = max(range(view.robot.n), key=lambda i: view.robot.bodies[i].mass)
    ball = com._bodies["pose"][list(com.carrier).index(heaviest + 1)]
    X = view.slot_poses[heaviest + 1]
    assert ball[3, :3] == pytest.approx(X[:3, :3] @ view.robot.bodies[heaviest].com + X[:3, 3], abs=1e-6)
    assert com.radii.max() == com.radii[list(com.carrier).index(heaviest + 1)]


def test_the_equivalent_ellipsoid_has_the_inertia_it_stands_for():
    rng = np.random.default_rng(3)
    for _ in range(20):
        half, (U, _) = rng.uniform(0.05, 0.6, 3), np.linalg.qr(rng.normal(size=(3, 3)))
        mass = rng.uniform(0.1, 20)
        a2, b2, c2 = half**2
        inertia = U @ np.diag([b2 + c2, a2 + c2, a2 + b2]) @ U.T * mass / 5
        axes, found = equivalent_ellipsoid(mass, inertia)
        assert np.sort(found) == pytest.approx(np.sort(half))
        assert np.linalg.det(axes) == pytest.approx(1)
        assert axes @ np.diag(found**2) @ axes.T == pytest.approx(U @ np.diag(half**2) @ U.T, abs=1e-9)


def test_inertia_ellipsoids_sit_on_the_centres_of_mass(qtbot):
    view = bare_view(qtbot, "panda", on=("inertia",))
    view.grabFramebuffer()
    item = view.stage.inertia
    assert len(item.bodies) == len(item.carrier) > 5
    for slot, body in zip(item.carrier, item.bodies, strict=True):
        X = view.slot_poses[slot]
        assert body["pose"][3, :3] == pytest.approx(X[:3, :3] @ view.robot.bodies[slot - 1].com + X[:3, 3], abs=1e-6)


def test_inertia_boxes_are_the_boxes_they_came_from_and_sit_on_the_centres_of_mass(qtbot):
    rng = np.random.default_rng(3)
    for _ in range(10):
        half, (U, _) = rng.uniform(0.05, 0.6, 3), np.linalg.qr(rng.normal(size=(3, 3)))
        inertia = U @ np.diag((half**2).sum() - half**2) @ U.T * 4.0 / 3
        axes, found = equivalent_box(4.0, inertia)
        assert axes @ np.diag(found**2) @ axes.T == pytest.approx(U @ np.diag(half**2) @ U.T, abs=1e-9)
    view = bare_view(qtbot, "panda", on=("inertia_boxes",))
    plain = bare_view(qtbot, "panda").grabFramebuffer()
    assert view.grabFramebuffer() != plain
    item = view.stage.inertia_boxes
    assert len(item.corners) == len(item.carrier) > 5
    for slot, corners in zip(item.carrier, item.corners, strict=True):
        X = view.slot_poses[slot]
        assert corners.mean(axis=0) == pytest.approx(X[:3, :3] @ view.robot.bodies[slot - 1].com + X[:3, 3], abs=1e-6)
    half, robot = item.half.copy(), view.robot
    view.show_edited(replace(robot, bodies=tuple(replace(b, inertia=4 * b.inertia) for b in robot.bodies)), view.q)
    assert item.half == pytest.approx(2 * half)


# Ellipsoids at the tool


@pytest.mark.parametrize("name", ["puma560", "panda", "scara", "stanford"])
def test_both_ellipsoids_are_those_of_the_svd(qtbot, name):
    view = bare_view(qtbot, name, on=("ellipsoid", "force"))
    q = view.robot.configurations["home"] + np.linspace(-0.2, 0.3, view.robot.n)
    view.set_q(q)
    view.grabFramebuffer()
    U, sigma, _ = np.linalg.svd(engine.jacobian(view.robot, q)[:3])
    scale, longest = 0.25 * (view.robot.reach / 2) ** 2, 0.5 * view.robot.reach
    assert view.stage.ellipsoid.half_axes == pytest.approx(0.25 * sigma)
    assert view.stage.force.half_axes == pytest.approx(np.minimum(scale / sigma, longest))
    for item in (view.stage.ellipsoid, view.stage.force):
        columns = item.bodies["pose"][0].T[:3, :3].astype(float)
        for k in range(3):
            along = columns[:, k] / np.linalg.norm(columns[:, k])
            if np.abs(np.delete(sigma, k) - sigma[k]).min() > 1e-3:
                assert abs(along @ U[:, k]) == pytest.approx(1, abs=1e-4)
            assert np.linalg.norm(columns[:, k]) == pytest.approx(max(item.half_axes[k], 0.004 * view.robot.reach), rel=1e-4)
        assert item.bodies["pose"][0, 3, :3] == pytest.approx(engine.frame_pose(view.robot, q)[:3, 3], abs=1e-5)


@pytest.mark.parametrize("name", ["puma560", "double_pendulum", "scara"])
def test_a_stretched_arm_flattens_one_and_does_not_explode_the_other(qtbot, name):
    view = bare_view(qtbot, name, on=("ellipsoid", "force"))
    robot = view.robot
    q = robot.configurations.get("stretched", np.zeros(robot.n))
    view.set_q(q)
    picture = pixels(view.render_image(800, 600))
    for item in (view.stage.ellipsoid, view.stage.force):
        sizes = np.linalg.norm(item.bodies["pose"][0, :3, :3], axis=1)
        assert np.isfinite(sizes).all()
        assert sizes.min() >= 0.0039 * robot.reach and sizes.max() <= 0.51 * robot.reach + 0.25 * robot.reach
    assert view.stage.ellipsoid.half_axes.min() < 0.02 * robot.reach  # collapsed
    assert view.stage.force.half_axes.max() == pytest.approx(0.5 * robot.reach, rel=0.05)
    view.set_overlay("ellipsoid", False)
    view.set_overlay("force", False)
    assert changed(pixels(view.render_image(800, 600)), picture) > 200


def test_planar_arms_have_ellipses_in_their_plane(qtbot):
    view = bare_view(qtbot, "double_pendulum", [0.4, 1.0], on=("ellipsoid", "force"))
    view.grabFramebuffer()
    sigma = np.linalg.svd(engine.jacobian(view.robot, view.q)[[0, 2]])[1]
    assert view.stage.ellipsoid.half_axes == pytest.approx(0.25 * sigma)
    for item in (view.stage.ellipsoid, view.stage.force):
        thin = item.bodies["pose"][0, 2, :3]
        assert np.abs(thin) == pytest.approx([0, 0.004 * view.robot.reach, 0], abs=1e-6)


def test_the_coordinates_are_those_of_the_tool(qtbot):
    view = bare_view(qtbot, "puma560", on=("coordinates",))
    picture = pixels(view.render_image(800, 600))
    x, y, z = engine.frame_pose(view.robot, view.q)[:3, 3]
    text = f"x {x:.3f}   y {y:.3f}   z {z:.3f} m".replace("-", "−")
    ((found, (left, top, width, height)),) = view.stage.labels.boxes
    assert found == text
    patch = picture[top : top + height, left : left + width]
    ink = np.array([int(view.theme.text[i : i + 2], 16) for i in (1, 3, 5)])
    columns = (np.abs(patch - ink).max(axis=2) < 40).any(axis=0)
    assert 0.3 < columns.mean() < 0.95 and columns[: width // 4].any() and columns[-width // 4 :].any()
    drawn, floor = view.stage.coordinates._lines, view.stage.floor.height
    assert drawn["start"] == pytest.approx(np.array([(0, y, floor), (x, 0, floor), (x, y, floor)]), abs=1e-6)
    assert drawn["end"] == pytest.approx(np.array([(x, y, floor), (x, y, floor), (x, y, z)]), abs=1e-6)


# Marks on the screen


def test_corner_axes_stay_small_in_small_pictures():
    corner = CornerItem()
    shares = {}
    for width, height in ((1280, 800), (640, 400), (320, 200)):
        centres = corner.centres(Camera(width=width, height=height))[:, :2]
        assert (centres > 0).all() and (centres < (width, height)).all()
        shares[width] = np.ptp(centres[:, 1]) / height
        assert corner.ball_at(Camera(width=width, height=height), *centres[2]) == 2  # z, where it is drawn
    assert shares[320] < 0.2 and shares[1280] < shares[640]


def test_the_mark_on_the_floor_is_round_on_dark_ground_too():
    mesh = _markers(2)
    marks = mesh.vertices[mesh.vertices["slot"] == 3]
    brightness = marks["colour"].astype(float).sum(axis=1)
    rim = np.hypot(*marks["position"][:, :2].T) > 0.9
    assert rim.any() and (brightness[rim] == brightness.max()).all() and brightness.min() < 0.5 * brightness.max()


def label_texts(view) -> set[str]:
    """The texts in the view, once it has been drawn."""
    view.grabFramebuffer()
    return {text for text, _ in view.stage.labels.boxes}


def test_numbers_wait_until_they_are_told_and_the_arm_does_not(qtbot):
    view = bare_view(qtbot, "puma560", on=("coordinates", "axes", "loads"))
    robot, q = view.robot, view.q + 0.3
    at_home, exact = label_texts(view), bare_view(qtbot, "puma560", q, on=("coordinates", "axes", "loads"))
    drawn = view.stage.loads.loads.copy()
    view.set_poses(engine.link_poses(robot, q), q, update_labels=False)
    view.grabFramebuffer()
    assert view.stage.pose.q == pytest.approx(q) and abs(view.stage.loads.loads - drawn).max() > 1.0
    numbers = {text for text in label_texts(view) if text[0] in "xq"}
    assert numbers and numbers <= at_home
    view.refresh_labels()
    assert label_texts(view) == label_texts(exact)
    view.set_poses(engine.link_poses(robot, q + 0.1), q + 0.1, update_labels=False)
    view.render_image(320, 240)
    assert view.stage.coordinates._figures == _coordinates_at(robot, q + 0.1), "a rendered image has the numbers of its pose"


def _coordinates_at(robot, q) -> list[str]:
    x, y, z = engine.frame_pose(robot, q)[:3, 3]
    return [f"x {x:.3f}   y {y:.3f}   z {z:.3f} m".replace("-", "−")]
