"""What follows the pose in compiled code, against the same in a few lines of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.app.scene.arm.drawn_pose import principal_axes
from armature.app.scene.arm.pose_kernels import centre_of_mass, depths_below, placed, shadow_box, slot_poses
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.line_batch import as_numbers
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
    placed.call(slots, carriers, X, as_numbers(bodies))
    assert bodies["pose"][:5, :, :3].swapaxes(1, 2) == pytest.approx((slots[carriers] @ X)[:, :3], abs=1e-6)
    assert (bodies["pose"][5:] == 7.0).all() and not bodies["state"].any()


def test_the_shadow_lies_in_its_box(qtbot):
    view = bare_view(qtbot, "puma560", on=())
    view.set_q([0.3, 0.8, -2.0, 0.4, 0.5, 0.0])
    floor, solids, box = view.stage.floor, view.stage.solids, np.empty(4)
    fall = np.array([[-0.16, 0.20]])
    shadow_box.call(as_numbers(view.stage.arm.bodies), solids.extremes, solids.owners, fall, floor.height, box)
    fallen = floor.fallen()[:, :2]
    assert box == pytest.approx([*fallen.min(axis=0), *fallen.max(axis=0)], abs=1e-6)
    left, low, right, high = floor._shadowed()
    assert left < box[0] < box[2] < right and low < box[1] < box[3] < high
    assert right - left <= 2 * PATCH * floor.reach + 1e-9


def test_frames_that_coincide_are_found(qtbot):
    view = bare_view(qtbot, "puma560", on=("frames",))
    view.set_q(engine.load_robot("puma560").configurations["zero"])
    view.grabFramebuffer()
    frames = view.stage.frames
    place, ways = frames.poses[:, :3, 3], frames.poses[:, :3, :3].transpose(2, 0, 1)
    together = np.abs(place[:, None] - place).max(axis=2) < 0.04 * frames.size
    same = together & (ways @ ways.transpose(0, 2, 1) > 0.9998)
    assert np.array_equal(frames._same, same) and same.sum() > 3 * len(place)
    assert frames.bodies["pose"][:, 3, :3] == pytest.approx(place, abs=1e-6)


def test_slots_follow_their_links_after_the_world():
    robot = engine.load_robot("panda")
    rng = np.random.default_rng(2)
    X_WL = engine.link_poses(robot, rng.uniform(robot.q_min, robot.q_max))
    links, X_LB = rng.integers(0, len(X_WL), 4), engine.link_poses(robot, np.zeros(robot.n))[:4].copy()
    slots = np.full((5, 4, 4), 7.0)
    slot_poses.call(X_WL, links, X_LB, slots)
    assert slots[1:] == pytest.approx(X_WL[links] @ X_LB, abs=1e-14) and (slots[0] == np.eye(4)).all()


def test_the_centre_of_mass_and_the_depths_below_a_floor():
    rng = np.random.default_rng(3)
    slots, shares, centre = np.tile(np.eye(4), (7, 1, 1)), rng.uniform(size=(7, 4)), np.empty(3)
    for pose in slots:
        pose[:], pose[:3, 3] = rot_rpy(*rng.uniform(-3, 3, 3)), rng.normal(size=3)
    centre_of_mass.call(slots, shares, centre)
    assert centre == pytest.approx(np.einsum("sij,sj->i", slots, shares)[:3])
    carriers, points, radii, depths = np.array([1, 3, 6]), rng.normal(size=(3, 3)), np.array([0.1, 0.0, 0.3]), np.empty(3)
    depths_below.call(slots, carriers, points, radii, 0.25, depths)
    heights = [(slots[s] @ [*p, 1.0])[2] for s, p in zip(carriers, points, strict=True)]
    assert depths == pytest.approx(0.25 + radii - heights)
