"""Contacts of whole arms among five objects: the verdicts, distances and depths of coal on the same shapes."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from armature import engine
from armature.engine.contact.arm_contacts import arm_contacts
from armature.engine.contact.contact_model import ContactGroup
from armature.engine.contact.shapes import Shape
from armature.engine.model.joint_ranges import joint_ranges
from tests.chance import SOAK, some
from tests.engine.contact_peers import pinocchio_geometry, pose
from tests.engine.example_robots import example
from tests.peers import depth_first_order, to_pinocchio

pin: Any = import_module("pinocchio")
POSES = 500 if SOAK else 40
OBJECTS = (
    ContactGroup("table", -1, (Shape("box", (1.2, 1.2, 0.1), pose(0.0, 0.0, -0.06)),)),
    ContactGroup("wall", -1, (Shape("box", (0.05, 2.0, 2.0), pose(-0.6, 0.0, 0.8)),)),
    ContactGroup("ball", -1, (Shape("sphere", (0.12,), pose(0.5, 0.3, 0.5)),)),
    ContactGroup("post", -1, (Shape("cylinder", (0.05, 1.0), pose(0.4, -0.45, 0.5)),)),
    ContactGroup("pipe", -1, (Shape("capsule", (0.04, 0.6), pose(0.2, 0.5, 0.8)),)),
)
SHIPPED, MESHED = ("ur10", "puma560", "kr6_r900", "so101"), ("panda", "kinova")
ARMS = [("panda", False), ("ur5_gripper", True), *((name, False) for name in SHIPPED), *((name, True) for name in MESHED)]


@pytest.mark.parametrize(("name", "meshed"), some(ARMS, 2))
def test_verdicts_distances_and_depths_are_those_of_coal(name, meshed):
    robot = engine.load_robot(example(name) if meshed else name)
    model = arm_contacts(robot, OBJECTS)
    low, high = joint_ranges(robot)
    q = np.random.default_rng(5).uniform(low, high, (POSES, robot.n))
    ours, nearest, verdict = model.distances(q), model.nearest(q), model.collides(q)
    theirs = coal_distances(model, q)
    np.testing.assert_array_equal(nearest.distance, ours.distance.min(axis=1))
    certain = np.abs(theirs.min(axis=1)) > 1e-6
    np.testing.assert_array_equal(verdict[certain], theirs.min(axis=1)[certain] <= 0.0)
    apart = theirs > 1e-6
    np.testing.assert_allclose(ours.distance[apart], theirs[apart], rtol=0, atol=5e-6)
    np.testing.assert_allclose(ours.distance[~apart], theirs[~apart], rtol=0.05, atol=1e-6)
    assert verdict.any() and not verdict.all()
    np.testing.assert_array_equal(model.nearest(q[::-1].copy()).distance[::-1], nearest.distance)


def coal_distances(model, q) -> np.ndarray:
    """Signed distances `(N, m)` of all pairs of groups, by Pinocchio and coal."""
    robot = model.robot
    joints = q if robot.coupling is None else robot.coupling.position(q)
    peer, data = to_pinocchio(robot.tree)
    geometry, owners = pinocchio_geometry(model)
    results = pin.GeometryData(geometry)
    distances = np.full((len(q), len(model.pairs)), np.inf)
    for row, x in zip(distances, joints[:, depth_first_order(robot.tree)], strict=True):
        pin.computeDistances(peer, data, geometry, results, np.ascontiguousarray(x))
        np.minimum.at(row, owners, [result.min_distance for result in results.distanceResults])
    return distances
