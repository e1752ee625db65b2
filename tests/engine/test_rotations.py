"""Rotations go from matrix to axis times angle, to roll, pitch and yaw, and to quaternion and back, at half a turn, too."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from armature.engine.rotations import (
    quaternion,
    quaternion_matrix,
    quaternion_product,
    roll_pitch_yaw,
    rot_rpy,
    rotated,
    rotation,
    rotation_vector,
)

RNG = np.random.default_rng(12)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-7, 1e-3, 0.7, np.pi / 2, 3.0, np.pi - 1e-6, np.pi - 1e-9, np.pi])
def test_the_logarithm_of_a_turn_is_its_axis_times_its_angle(angle):
    axes = RNG.normal(size=(20, 3))
    turns = angle * axes / np.linalg.norm(axes, axis=1)[:, None]
    R = rotation(turns)
    np.testing.assert_allclose(R, Rotation.from_rotvec(turns).as_matrix(), atol=1e-14)
    found = rotation_vector(R)
    assert found.shape == turns.shape
    np.testing.assert_allclose(rotation(found), R, atol=1e-14)
    if angle < 3.1:
        np.testing.assert_allclose(found, turns, atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), angle, atol=1e-8)


def test_quaternions_and_angles_lead_back():
    R = Rotation.random(30, random_state=5).as_matrix()
    q, angles = quaternion(R), roll_pitch_yaw(R)
    for matrix, one, rpy in zip(R, q, angles, strict=True):
        np.testing.assert_allclose(quaternion_matrix(one), matrix, atol=1e-14)
        np.testing.assert_allclose(rot_rpy(*rpy)[:3, :3], matrix, atol=1e-14)
    v = RNG.normal(size=(30, 3))
    np.testing.assert_allclose(rotated(q, v), np.einsum("kij,kj->ki", R, v), atol=1e-14)
    both = quaternion_product(q[:-1], q[1:])
    np.testing.assert_allclose(rotated(both, v[1:]), np.einsum("kij,kjl,kl->ki", R[:-1], R[1:], v[1:]), atol=1e-14)
