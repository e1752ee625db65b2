"""Drawings that follow the arm's pose, one by one against the formula of each."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.app.scene.arm.drawn_pose import principal_axes
from armature.app.scene.gl.gpu_mesh import BODY, place_bodies
from armature.app.scene.gl.shadow_map import FALL
from armature.app.scene.surroundings.floor_item import PATCH
from armature.engine.rotations import rot_rpy
from tests.app.scenes import bare_view


@pytest.mark.parametrize("task", [("x", "y", "z"), ("x", "y"), ("x", "z", "wy"), ("z",), ("wx",)])
def test_principal_axes_are_those_of_the_singular_values(task):
    rng = np.random.default_rng(0)
    rows = [k for k, axis in enumerate("xyz") if axis in task] or [0, 1, 2]
    for n in (1, 2, 3, 7):
        for scale in (1.0, 1e-6, 1e3):
            J = scale * rng.normal(size=(3, n))
            J[:, 0] = 0.0 if n > 2 else J[:, 0]
            axes, sigma = principal_axes(J, task)
            theirs = np.zeros(len(rows))
            found = np.linalg.svd(J[rows])[1]
            theirs[: len(found)] = found
            assert sigma == pytest.approx(theirs, rel=1e-9, abs=2e-8 * scale)
            assert axes.T @ axes == pytest.approx(np.eye(3), abs=1e-12) and np.linalg.det(axes) == pytest.approx(1.0)
            squares = axes[rows, : len(rows)] * sigma**2 @ axes[rows, : len(rows)].T
            assert squares == pytest.approx(J[rows] @ J[rows].T, abs=1e-12 * scale**2 * n)


def test_principal_axes_of_no_motion_and_of_equal_ones():
    axes, sigma = principal_axes(np.zeros((3, 2)), ("x", "y", "z"))
    assert sigma == pytest.approx([0.0, 0.0, 0.0]) and axes == pytest.approx(np.eye(3))
    axes, sigma = principal_axes(2.0 * np.eye(3), ("x", "y", "z"))
    assert sigma == pytest.approx([2.0, 2.0, 2.0]) and axes.T @ axes == pytest.approx(np.eye(3))


def test_bodies_hang_on_their_slots():
    rng = np.random.default_rng(1)
    slots, X = np.tile(np.eye(4), (3, 1, 1)), np.tile(np.eye(4), (5, 1, 1))
    for pose in (*slots, *X):
        pose[:], pose[:3, 3] = rot_rpy(*rng.uniform(-3, 3, 3)), rng.normal(size=3)
    X[:, :3, :3] *= rng.uniform(0.1, 2.0, (5, 1, 3))
    carriers, bodies = rng.integers(0, 3, 5), np.zeros(7, BODY)
    bodies["pose"][5:] = 7.0
    place_bodies(slots, carriers, X, bodies)
    for pose, carrier, X_SB in zip(bodies["pose"], carriers, X, strict=False):
        assert pytest.approx(slots[carrier] @ X_SB, abs=1e-6) == pose.T
    assert (bodies["pose"][5:] == 7.0).all() and not bodies["state"].any()


def test_the_shadow_lies_in_its_box(qtbot):
    view = bare_view(qtbot, "puma560", on=())
    view.set_q([0.3, 0.8, -2.0, 0.4, 0.5, 0.0])
    view.grabFramebuffer()
    floor = view.stage.floor
    points = view.stage.solids.points(view.slot_poses)
    fallen = points[:, :2] + (points[:, 2:] - floor.height) * FALL
    (low, high), (left, bottom, right, top) = (fallen.min(axis=0), fallen.max(axis=0)), floor.shadowed()
    assert left < low[0] < high[0] < right and bottom < low[1] < high[1] < top
    assert right - left <= 2 * PATCH * floor.reach + 1e-9


def test_frames_that_coincide_are_found(qtbot):
    view = bare_view(qtbot, "puma560", on=("frames",))
    view.set_q(engine.load_robot("puma560").configurations["zero"])
    view.grabFramebuffer()
    frames = view.stage.frames
    place, ways = frames.poses[:, :3, 3], frames.poses[:, :3, :3].transpose(2, 0, 1)
    together = np.abs(place[:, None] - place).max(axis=2) < 0.04 * frames.size
    same = together & (ways @ ways.transpose(0, 2, 1) > 0.9998)
    assert np.array_equal(frames.same, same) and same.sum() > 3 * len(place)
    assert frames.bodies["pose"][:, 3, :3] == pytest.approx(place, abs=1e-6)


def test_slots_follow_their_links_after_the_world(qtbot):
    view, robot = bare_view(qtbot, "panda", on=()), engine.load_robot("panda")
    q = np.random.default_rng(2).uniform(robot.q_min, robot.q_max)
    view.set_q(q)
    assert (view.slot_poses[0] == np.eye(4)).all() and len(view.slot_poses) == len(robot.bodies) + 1
    links = dict(zip(robot.link_names, engine.link_poses(robot, q), strict=True))
    for body, X_WS in enumerate(view.slot_poses[1:]):
        name, frame = next((name, frame) for name, frame in robot.links.items() if frame.body == body)
        assert pytest.approx(links[name], abs=1e-14) == X_WS @ frame.X_BF
    assert pytest.approx(engine.frame_pose(robot, q), abs=1e-14) == view.X_WT


def test_the_centre_of_mass_is_that_of_the_engine(qtbot):
    view, robot = bare_view(qtbot, "panda", on=("com",)), engine.load_robot("panda")
    q = np.random.default_rng(3).uniform(robot.q_min, robot.q_max)
    view.set_q(q)
    view.grabFramebuffer()
    assert view.stage.com.total == pytest.approx(engine.center_of_mass(robot, q), abs=1e-12)
