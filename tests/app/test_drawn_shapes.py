"""The shapes with which contacts of an arm without shapes are computed are the solids that the window draws for it."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.app.scene.arm.arm_model import arm_mesh
from armature.engine.contact.arm_shapes import arm_shapes
from armature.engine.contact.shapes import Shape
from armature.engine.model.skeleton import skeleton
from tests.engine.arms import different_arms

BEND = 0.36  # by which the round bend of a tube is inside of its corner, in radii of the tube


def depth_outside(shape: Shape, points: np.ndarray) -> np.ndarray:
    """Distance of points `(N, 3)` of a body from a shape, 0 inside."""
    R, p = shape.X_BS[:3, :3], shape.X_BS[:3, 3]
    x = (points - p) @ R
    across = np.linalg.norm(x[:, :2], axis=1)
    if shape.kind == "sphere":
        return np.maximum(np.linalg.norm(x, axis=1) - shape.size[0], 0)
    if shape.kind == "capsule":
        beyond = np.maximum(abs(x[:, 2]) - shape.size[1] / 2, 0)
        return np.maximum(np.hypot(across, beyond) - shape.size[0], 0)
    if shape.kind == "cylinder":
        return np.hypot(np.maximum(across - shape.size[0], 0), np.maximum(abs(x[:, 2]) - shape.size[1] / 2, 0))
    assert shape.kind == "box"
    return np.linalg.norm(np.maximum(abs(x) - np.array(shape.size) / 2, 0), axis=1)


@pytest.mark.parametrize("name", different_arms())
def test_drawn_solids_are_inside_the_shapes_of_their_link(name):
    robot = engine.load_robot(name)
    bones, vertices = skeleton(robot), arm_mesh(robot).vertices
    groups = {group.body: group for group in arm_shapes(robot).groups}
    for slot in np.unique(vertices["slot"]):
        points = vertices["position"][vertices["slot"] == slot].astype(float)
        outside = np.min([depth_outside(shape, points) for shape in groups[int(slot) - 1].shapes], axis=0)
        assert outside.max() <= BEND * bones.tubes.max(), (slot, outside.max() / bones.tubes.max())


def half_extent(shape: Shape) -> np.ndarray:
    """Half the extent `(3,)` of a shape along the axes of its body."""
    R, size = abs(shape.X_BS[:3, :3]), shape.size
    if shape.kind == "box":
        return R @ np.array(size) / 2
    length = size[1] / 2 if len(size) > 1 else 0.0
    round_part = np.sqrt(np.maximum(1 - R[:, 2] ** 2, 0)) if shape.kind == "cylinder" else np.ones(3)
    return R[:, 2] * length + size[0] * round_part


@pytest.mark.parametrize("name", different_arms())
def test_shapes_are_hardly_larger_than_the_drawn_solids(name):
    robot = engine.load_robot(name)
    thick, vertices = skeleton(robot).tubes.max(), arm_mesh(robot).vertices
    for group in arm_shapes(robot).groups:
        drawn = vertices["position"][vertices["slot"] == group.body + 1]
        for shape in group.shapes:
            beyond = (
                half_extent(shape)
                + abs(shape.X_BS[:3, 3] - (drawn.max(axis=0) + drawn.min(axis=0)) / 2)
                - np.ptp(drawn, axis=0) / 2
            )
            assert beyond.max() <= 1.05 * thick, (group.name, shape.kind)
