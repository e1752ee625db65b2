"""Polar coordinates of the tool: which arms have them, and that they lead back to the place."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.kinematics.polar import polar_axis

PLANAR = ("scara", "rp", "rp_offset", "rpr", "pendulum", "double_pendulum", "cobra600")


@pytest.mark.parametrize("name", engine.shipped_robots())
def test_arms_with_parallel_turning_axes_have_them(name):
    axis = polar_axis(engine.load_robot(name))
    assert (axis is not None) == (name in PLANAR)


@pytest.mark.parametrize("name", PLANAR)
def test_there_and_back_and_phi_turns_with_the_first_joint(name):
    robot = engine.load_robot(name)
    axis, random = polar_axis(robot), np.random.default_rng(3)
    for q in random.uniform(np.maximum(robot.q_min, -1.0), np.minimum(robot.q_max, 1.0), (20, robot.n)):
        p = engine.frame_pose(robot, q)[:3, 3]
        r, phi, height = axis.coordinates(p)
        np.testing.assert_allclose(axis.point(r, phi, height), p, atol=1e-12)
        turned = q.copy()
        turned[axis.joint] += 0.1
        r2, phi2, height2 = axis.coordinates(engine.frame_pose(robot, turned)[:3, 3])
        np.testing.assert_allclose([r2, height2], [r, height], atol=1e-12)
        assert np.isclose((phi2 - phi) % (2 * np.pi), 0.1)


def test_rp_arm_has_the_texts_polar_coordinates():
    robot = engine.load_robot("rp")
    r, phi, _ = polar_axis(robot).coordinates(engine.frame_pose(robot, [0.7, 0.25])[:3, 3])
    np.testing.assert_allclose([r, phi], [0.75, 0.7], atol=1e-12)
