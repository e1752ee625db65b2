"""Singular surfaces in the workspace: the closed forms of known arms, and which pieces bound the reach."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.model.joint_ranges import joint_ranges
from tests.chance import SOAK, seeds
from tests.engine.arms import different_arms
from tests.engine.trees import random_tree

FINE, COARSE = (48, 24) if SOAK else (24, 16)  # resolutions: none of what is checked hangs on them


def named(found, name: str):
    return [s for s in found.surfaces if s.name == name]


def test_the_scara_ends_where_its_elbow_is_straight_and_where_its_limits_are():
    found = engine.singular_surfaces(engine.load_robot("scara"), resolution=FINE)
    assert found.complete and found.point == "tool" and found.joints == (0, 1, 2)
    (outer,) = [s for s in found.surfaces if s.kind == "singular"]
    assert outer.name == "Elbow stretched" and outer.bounds.all()
    np.testing.assert_allclose(np.hypot(*outer.vertices[:, :2].T), 0.55, atol=1e-12)
    inner = np.sqrt(0.325**2 + 0.225**2 + 2 * 0.325 * 0.225 * np.cos(np.deg2rad(150)))
    for side in ("lower", "upper"):
        (surface,) = named(found, f"joint 2 at its {side} limit")
        np.testing.assert_allclose(np.hypot(*surface.vertices[:, :2].T), inner, atol=1e-12)
        assert surface.bounds.mean() > 0.9
    for side, z in (("lower", 0.45), ("upper", 0.25)):
        (surface,) = named(found, f"joint 3 at its {side} limit")
        np.testing.assert_allclose(surface.vertices[:, 2], z, atol=1e-12)


def test_the_puma_has_a_stretched_elbow_and_a_shoulder_it_cannot_reach_into():
    robot = engine.load_robot("puma560")
    found = engine.singular_surfaces(robot, resolution=FINE)
    assert found.point == "wrist centre" and found.joints == (0, 1, 2)
    assert {s.name for s in found.surfaces if s.kind == "singular"} == {"Elbow stretched", "Shoulder"}
    for surface in named(found, "Elbow stretched"):
        r, z = np.hypot(*surface.vertices[:, :2].T), surface.vertices[:, 2] - 0.67183
        radius = np.sqrt(r**2 - 0.15005**2 + z**2)
        straight = np.abs(radius - (0.4318 + np.hypot(0.0203, 0.4318))) < 1e-9
        assert straight.mean() > 0.95  # the piece's last point is where the other curve crosses
        assert surface.bounds.mean() > 0.95
    for surface in named(found, "Shoulder"):
        np.testing.assert_allclose(np.hypot(*surface.vertices[:, :2].T).min(), 0.15005, atol=1e-9)
    (side,) = named(found, "joint 1 at its upper limit")
    assert side.bounds.mean() < 0.5, "beyond joint 1's limit the arm gets to with the elbow on the other side"


@pytest.mark.parametrize("name", [name for name in different_arms() if engine.load_robot(name).n > 1])
def test_no_reachable_point_lies_beyond_what_bounds_the_reach(name):
    robot = engine.load_robot(name)
    found = engine.singular_surfaces(robot, resolution=COARSE)
    assert found.complete
    for surface in found.surfaces:
        assert np.isfinite(surface.vertices).all()
        assert len(surface.bounds) == (len(surface.triangles) or len(surface.vertices) - 1)
        assert surface.triangles.max(initial=0) < len(surface.vertices)
    low, high = joint_ranges(robot)
    q = np.tile(robot.configurations["home"], (20_000, 1))
    joints = list(found.joints)
    q[:, joints] = np.random.default_rng(0).uniform(low[joints], high[joints], (len(q), len(joints)))
    if found.point == "tool" and found.surfaces:
        points = engine.frame_pose(robot, q)[:, :3, 3]
        corners = np.concatenate([s.vertices for s in found.surfaces])
        slack = 0.03 * robot.reach  # a coarse mesh cuts corners
        assert np.all(points.max(axis=0) < corners.max(axis=0) + slack)
        assert np.all(points.min(axis=0) > corners.min(axis=0) - slack)


def test_a_plane_arm_has_curves():
    found = engine.singular_surfaces(engine.load_robot("double_pendulum"))
    assert [s.name for s in found.surfaces] == ["Elbow folded", "Elbow stretched"]
    for surface, radius in zip(found.surfaces, (0.2, 1.2)):
        assert len(surface.triangles) == 0 and surface.bounds.all()
        np.testing.assert_allclose(np.linalg.norm(surface.vertices, axis=1), radius, atol=1e-9)


def test_an_arm_that_reaches_one_surface_only():
    (shell,) = engine.singular_surfaces(engine.load_robot("spherical_pendulum")).surfaces
    assert shell.kind == "reach"
    np.testing.assert_allclose(np.linalg.norm(shell.vertices, axis=1), 0.8, atol=1e-9)


def test_joints_of_ones_own_choice():
    robot = engine.load_robot("panda")
    q = robot.configurations["ready"]
    assert engine.singular_surfaces(robot, q, resolution=8).joints == (0, 1, 3)
    found = engine.singular_surfaces(robot, q, joints=(1, 3, 5), resolution=8)
    assert found.joints == (1, 3, 5) or found.joints == (1, 3)


@pytest.mark.parametrize("seed", seeds(12))
def test_random_arms(seed):
    robot = random_tree(seed, 4, branching=False)
    try:
        found = engine.singular_surfaces(robot, resolution=8)
    except engine.EngineError as error:
        assert "two joints" in str(error)
        return
    assert all(np.isfinite(s.vertices).all() for s in found.surfaces)


def test_progress_cancel_and_bad_requests():
    robot, seen = engine.load_robot("puma560"), []
    engine.singular_surfaces(robot, resolution=6, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] and [d for d, _ in seen] == sorted(d for d, _ in seen)
    cut = engine.singular_surfaces(robot, resolution=6, cancel=lambda: True)
    assert not cut.complete and not cut.surfaces
    for bad in ({"joints": (0, 0)}, {"joints": (0, 9, 1)}, {"joints": (0,)}, {"resolution": 2}, {"q": np.zeros((2, 6))}):
        with pytest.raises(engine.EngineError):
            engine.singular_surfaces(robot, **bad)
    with pytest.raises(engine.EngineError, match="independently"):
        engine.singular_surfaces(robot, joints=(0, 1, 4))
