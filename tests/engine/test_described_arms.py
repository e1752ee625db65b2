"""Shipped arms against the kinematic and inertial figures of other people's descriptions of them, walked joint by joint.

`described_arms.json` has, per arm, the placement of every joint in the link before (xyz in m, roll, pitch and yaw in degrees, the
axis), its limits in rad and rad/s, and mass, centre and inertia (xx, xy, xz, yy, yz, zz about the centre, along the axes of the
link) in the description's own link frames.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from armature import engine

DESCRIBED = json.loads((Path(__file__).parents[1] / "data" / "described_arms.json").read_text(encoding="utf-8"))
WITH_MASSES = [name for name, arm in DESCRIBED.items() if "mass" in arm["joints"][0]]


def placement(entry):
    """X of one frame in the one before: Rz(yaw) Ry(pitch) Rx(roll), then shifted."""
    roll, pitch, yaw = np.radians(entry["rpy_deg"])
    X = np.eye(4)
    X[:3, :3] = turn((0, 0, 1), yaw) @ turn((0, 1, 0), pitch) @ turn((1, 0, 0), roll)
    X[:3, 3] = entry["xyz"]
    return X


def turn(axis, angle):
    """Rotation matrix about an axis by Rodrigues' formula."""
    x, y, z = np.array(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def described_poses(arm, q):
    """X_WL of every link, and of the tool at last."""
    X, poses = np.eye(4), []
    for joint, angle in zip(arm["joints"], q, strict=True):
        X = X @ placement(joint)
        X[:3, :3] = X[:3, :3] @ turn(joint["axis"], angle)
        poses.append(X)
    for fixed in arm["tool"]:
        X = X @ placement(fixed)
    return [*poses, X]


def states(n, count):
    return np.random.default_rng(18).uniform(-3, 3, (count, n))


@pytest.mark.parametrize("name", DESCRIBED)
def test_the_tool_stands_where_the_description_has_it(name):
    robot, arm = engine.load_robot(name), DESCRIBED[name]
    for q in states(robot.n, 20):
        np.testing.assert_allclose(engine.frame_pose(robot, q), described_poses(arm, q)[-1], atol=1e-7)


@pytest.mark.parametrize("name", DESCRIBED)
def test_limits_are_those_of_the_description(name):
    """To its rounding, and where the file takes the maker's figures instead, the description's are left out of the table."""
    robot, joints = engine.load_robot(name), DESCRIBED[name]["joints"]
    for i, joint in enumerate(joints):
        if "limits" in joint:
            np.testing.assert_allclose([robot.q_min[i], robot.q_max[i]], joint["limits"], atol=6e-4)
        if "velocity" in joint:
            assert robot.qd_max[i] == pytest.approx(joint["velocity"], rel=1e-3)
        if "effort" in joint:
            assert robot.tau_max[i] == joint["effort"]


@pytest.mark.parametrize("name", WITH_MASSES)
def test_every_link_has_the_mass_of_the_description_where_it_lies(name):
    """Mass, centre and inertia in the world, at any pose: both link frames move with the same body."""
    robot, arm = engine.load_robot(name), DESCRIBED[name]
    for q in states(robot.n, 2):
        for i, X in enumerate(described_poses(arm, q)[:-1]):
            joint, body = arm["joints"][i], robot.bodies[i]
            xx, xy, xz, yy, yz, zz = joint["inertia"]
            I_W = X[:3, :3] @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ X[:3, :3].T
            link = f"link{i + 1}"
            X_WB = engine.frame_pose(robot, q, link) @ np.linalg.inv(robot.links[link].X_BF)
            assert body.mass == pytest.approx(joint["mass"], rel=1e-12)
            np.testing.assert_allclose(X_WB[:3, :3] @ body.com + X_WB[:3, 3], X[:3, :3] @ joint["com"] + X[:3, 3], atol=1e-7)
            np.testing.assert_allclose(X_WB[:3, :3] @ body.inertia @ X_WB[:3, :3].T, I_W, atol=1e-9)


@pytest.mark.parametrize("name", DESCRIBED)
def test_the_file_says_where_its_masses_come_from_or_that_it_has_none(name):
    robot = engine.load_robot(name)
    assert len(robot.sources) >= 2, "one source to take from, one to compare with"
    assert robot.has_dynamics == (name in WITH_MASSES)
    about = " ".join(robot.remarks)
    assert ("Rotor inertia" in about or "rotor inertia" in about) if robot.has_dynamics else "Kinematics only" in about


@pytest.mark.parametrize("name", WITH_MASSES)
def test_motors_hold_the_arm_at_rest_wherever_it_is(name):
    robot = engine.load_robot(name)
    low, high = (np.clip(limit, -np.pi, np.pi) for limit in (robot.q_min, robot.q_max))
    q = np.random.default_rng(18).uniform(low, high, (500, robot.n))
    assert (np.abs(engine.gravity_torque(robot, q)) < robot.tau_max).all()
