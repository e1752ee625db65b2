"""Picking agrees with a brute-force ray cast over every triangle."""

import numpy as np
import pytest

from armature import engine
from armature.app.scene.arm.arm_model import arm_mesh
from armature.app.scene.gl.picking import Picker
from armature.engine.model.skeleton import body_poses

RAYS = 1000
ARMS = ("puma560", "panda", "scara", "stanford", "double_pendulum")
POSES = 5


def brute_force(triangles, origin, direction):
    """Nearest hit (distance, index) over all triangles `(F, 3, 3)` in W; (inf, -1) for none.

    The line passes a triangle inside where the three tetrahedra that it spans with the sides all have the same sign.
    """
    a, b, c = (triangles[:, k] - origin for k in range(3))
    volumes = np.stack([np.cross(one, other) @ direction for one, other in ((b, c), (c, a), (a, b))])
    inside = (volumes >= 0).all(axis=0) | (volumes <= 0).all(axis=0)
    normal = np.cross(b - a, c - a)
    slope = normal @ direction
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.einsum("ij,ij->i", normal, a) / slope
    met = np.flatnonzero(inside & (slope != 0) & (distance >= 0))
    if not len(met):
        return np.inf, -1
    first = met[np.argmin(distance[met])]
    return float(distance[first]), int(first)


def random_ray(rng, triangles, reach):
    """From outside or within the arm's reach, towards a place on the arm or past it."""
    origin = rng.normal(size=3)
    origin *= rng.choice([0.6, 3.0, 30.0]) * reach / np.linalg.norm(origin)
    target = rng.dirichlet([1, 1, 1]) @ triangles[rng.integers(len(triangles))] + rng.normal(size=3) * 0.04 * reach
    return origin, (target - origin) / np.linalg.norm(target - origin)


@pytest.mark.parametrize("name", ARMS)
def test_a_thousand_random_rays(name):
    rng = np.random.default_rng(ARMS.index(name))
    robot = engine.load_robot(name)
    mesh, starts = arm_mesh(robot).slot_order(robot.n + 1)
    picker = Picker(mesh, starts, robot.body_joints)
    slots = mesh.vertices["slot"][mesh.faces[:, 0]]
    hits = set()
    for k in range(RAYS // len(ARMS)):
        if k % (RAYS // len(ARMS) // POSES) == 0:
            q = rng.uniform(np.maximum(robot.q_min, -3), np.minimum(robot.q_max, 3))
            poses = np.concatenate([np.eye(4)[None], body_poses(robot, q)])
            X = poses[mesh.vertices["slot"]]
            world = np.einsum("vij,vj->vi", X[:, :3, :3], mesh.vertices["position"].astype(float)) + X[:, :3, 3]
            triangles = world[mesh.faces]
        origin, direction = random_ray(rng, triangles, robot.reach)
        distance, first = brute_force(triangles, origin, direction)
        hit = picker.cast(origin, direction, poses)
        if hit is None:
            assert first == -1
            continue
        hits.add(k)
        assert hit.distance == pytest.approx(distance, abs=1e-6)
        assert hit.point == pytest.approx(origin + distance * direction, abs=1e-6)
        X = poses[hit.slot]
        assert X[:3, :3] @ hit.local + X[:3, 3] == pytest.approx(hit.point, abs=1e-9)
        assert hit.slot == slots[first] or touching(triangles, slots, hit, origin, direction)
        assert hit.joint == (robot.body_joints[hit.slot - 1] if hit.slot else -1)
    assert RAYS / len(ARMS) / 4 < len(hits) < RAYS / len(ARMS)


def touching(triangles, slots, hit, origin, direction) -> bool:
    """Whether the link that was hit has a triangle where another link has one too: either may be called the first."""
    distance, _ = brute_force(triangles[slots == hit.slot], origin, direction)
    return abs(distance - hit.distance) < 1e-6


def test_nothing_behind_the_eye_is_picked():
    robot = engine.load_robot("puma560")
    mesh, starts = arm_mesh(robot).slot_order(robot.n + 1)
    poses = np.concatenate([np.eye(4)[None], body_poses(robot, np.zeros(6))])
    picker = Picker(mesh, starts)
    eye = np.array([5.0, 0.0, 0.3])
    assert picker.cast(eye, np.array([-1.0, 0, 0]), poses) is not None
    assert picker.cast(eye, np.array([1.0, 0, 0]), poses) is None
