"""Analytic Jacobians: slopes of the angles and quaternions themselves, on random trees, and the poses where they have none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from armature import engine
from armature.engine.rotations import quaternion, roll_pitch_yaw
from tests.engine.trees import random_state, random_tree

H = 1e-6
trees = st.builds(random_tree, seed=st.integers(0, 10**6), n=st.integers(1, 9), branching=st.booleans())
ANGLES = pytest.mark.parametrize("angles", ["rpy", "quaternion"])
ROWS = {"rpy": 6, "quaternion": 7}


def described(robot, q, frame, angles) -> np.ndarray:
    """Position and angles by scipy, which shares nothing with ours."""
    X = engine.frame_pose(robot, q, frame)
    turned = Rotation.from_matrix(X[:3, :3])
    if angles == "rpy":
        return np.concatenate([X[:3, 3], turned.as_euler("xyz")])
    x, y, z, w = turned.as_quat(canonical=True)
    return np.concatenate([X[:3, 3], [w, x, y, z]])


def regular(robot, q, frame, angles) -> bool:
    """Far enough from pitch ±90° and from w = 0, where the sign of the quaternion changes, for a finite difference."""
    phi = described(robot, q, frame, angles)[3:]
    return bool(abs(np.cos(phi[1])) > 0.1) if angles == "rpy" else bool(abs(phi[0]) > 1e-3)


def unwrapped(difference: np.ndarray, angles: str) -> np.ndarray:
    if angles == "rpy":
        difference[3:] = (difference[3:] + np.pi) % (2 * np.pi) - np.pi
    return difference


@ANGLES
@given(robot=trees)
@settings(max_examples=30, deadline=None)
def test_slope_of_the_description(angles, robot):
    q, _, _ = random_state(robot, np.random.default_rng(robot.n))
    for frame in (None, "link1"):
        assume(regular(robot, q, frame, angles))
        J = engine.analytic_jacobian(robot, q, frame, angles)
        assert J.shape == (ROWS[angles], robot.n)
        for i, e in enumerate(np.eye(robot.n)):
            ahead, behind = (described(robot, q + s * H * e, frame, angles) for s in (1, -1))
            assert np.abs(unwrapped(ahead - behind, angles) / (2 * H) - J[:, i]).max() < 1e-7 * (1 + np.abs(J).max())


@ANGLES
@given(robot=trees)
@settings(max_examples=30, deadline=None)
def test_slope_of_the_jacobian(angles, robot):
    q, qd, _ = random_state(robot, np.random.default_rng(robot.n))
    assume(regular(robot, q, None, angles))
    ahead, behind = (engine.analytic_jacobian(robot, q + s * H * qd, None, angles) for s in (1, -1))
    Jdot = engine.analytic_jacobian_dot(robot, q, qd, None, angles)
    assert np.abs((ahead - behind) / (2 * H) - Jdot).max() < 1e-6 * (1 + np.abs(Jdot).max())


@ANGLES
def test_a_batch_answers_as_its_states_do(angles):
    robot = engine.load_robot("puma560")
    q, qd, _ = random_state(robot, np.random.default_rng(3), 5)
    J, Jdot = engine.analytic_jacobian(robot, q, angles=angles), engine.analytic_jacobian_dot(robot, q, qd, angles=angles)
    for k in range(5):
        np.testing.assert_allclose(J[k], engine.analytic_jacobian(robot, q[k], angles=angles), atol=1e-13)
        np.testing.assert_allclose(Jdot[k], engine.analytic_jacobian_dot(robot, q[k], qd[k], angles=angles), atol=1e-12)


def test_the_quaternion_keeps_its_length():
    robot = engine.load_robot("panda")
    q, qd, _ = random_state(robot, np.random.default_rng(4))
    phi = quaternion(engine.frame_pose(robot, q)[:3, :3])
    assert abs(phi @ engine.analytic_jacobian(robot, q, angles="quaternion")[3:] @ qd) < 1e-14


@pytest.mark.parametrize(("wrist", "sign"), [(np.pi / 2, "+"), (-np.pi / 2, "−")])
def test_pitch_of_a_right_angle_is_named(wrist, sign):
    """The wrist pitch of this Puma turns the tool about y: roll and yaw become one."""
    robot = engine.load_robot("puma560")
    q = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    q[4] = next(x for x in (wrist, wrist + np.pi) if np.sign(_pitch(robot, q, x)) == (1 if sign == "+" else -1))
    with pytest.raises(engine.EngineError, match=f"pitch of tool is \\{sign}90°") as refused:
        engine.analytic_jacobian(robot, q)
    assert "\n" not in str(refused.value) and "quaternion" in str(refused.value)
    with pytest.raises(engine.EngineError, match="in state 1"):
        engine.analytic_jacobian_dot(robot, [q * 0, q], [q, q])
    assert np.isfinite(engine.analytic_jacobian(robot, q, angles="quaternion")).all()


def _pitch(robot, q, x):
    return roll_pitch_yaw(engine.frame_pose(robot, [*q[:4], x, q[5]])[:3, :3])[1]


def test_descriptions_as_scipy():
    turned = Rotation.random(500, rng=np.random.default_rng(5))
    R = turned.as_matrix()
    np.testing.assert_allclose(roll_pitch_yaw(R), turned.as_euler("xyz"), atol=1e-9)
    np.testing.assert_allclose(quaternion(R), np.roll(turned.as_quat(canonical=True), 1, axis=1), atol=1e-12)
    half_turns = np.array([np.diag([1, -1, -1.0]), np.diag([-1, 1, -1.0]), np.diag([-1, -1, 1.0])])
    np.testing.assert_allclose(np.abs(quaternion(half_turns)), np.eye(4)[1:], atol=1e-15)


def test_bad_arguments():
    robot = engine.load_robot("rp")
    with pytest.raises(engine.EngineError, match="rpy, quaternion"):
        engine.analytic_jacobian(robot, [0, 0], angles="euler")
    with pytest.raises(engine.UnknownFrameError):
        engine.analytic_jacobian(robot, [0, 0], "hand")
    with pytest.raises(engine.DimensionError):
        engine.analytic_jacobian(robot, [0, 0, 0])
