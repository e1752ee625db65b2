"""Picking agrees with a brute-force ray cast over every triangle."""

import numpy as np
import pytest

import engine
from app.scene.arm_model import arm_mesh
from app.scene.picking import Picker
from app.scene.skeleton import body_poses

RAYS = 1000


def brute_force(mesh, poses, origin, direction):
    """Nearest hit (distance, slot) over all triangles in W by solving a 3×3 system for each; (inf, -1) for none."""
    X = poses[mesh.vertices["slot"]]
    world = np.einsum("vij,vj->vi", X[:, :3, :3], mesh.vertices["position"].astype(float)) + X[:, :3, 3]
    a, b, c = (world[mesh.faces[:, k]] for k in range(3))
    A = np.stack([b - a, c - a, np.broadcast_to(-direction, a.shape)], axis=2)
    ok = np.abs(np.linalg.det(A)) > 1e-14
    uvt = np.full((len(a), 3), np.nan)
    uvt[ok] = np.linalg.solve(A[ok], (origin - a[ok])[..., None])[..., 0]
    with np.errstate(invalid="ignore"):
        met = ok & (uvt[:, 0] >= 0) & (uvt[:, 1] >= 0) & (uvt[:, 0] + uvt[:, 1] <= 1) & (uvt[:, 2] >= 0)
    if not met.any():
        return np.inf, -1
    k = np.flatnonzero(met)[np.argmin(uvt[met, 2])]
    return uvt[k, 2], mesh.vertices["slot"][mesh.faces[k, 0]]


@pytest.mark.parametrize("name", ["puma560", "scara", "double_pendulum"])
def test_a_thousand_random_rays(name):
    rng = np.random.default_rng(7)
    robot = engine.load_robot(name)
    low, high = np.maximum(robot.q_min, -3), np.minimum(robot.q_max, 3)
    mesh, starts = arm_mesh(robot).slot_order(robot.n + 1)
    picker = Picker(mesh, starts)
    poses = np.concatenate([np.eye(4)[None], body_poses(robot, rng.uniform(low, high))])
    hits = 0
    for _ in range(RAYS // 3 + 1):
        origin = rng.normal(size=3)
        origin *= 3 * robot.reach / np.linalg.norm(origin)
        vertex = mesh.vertices[rng.integers(len(mesh.vertices))]
        X = poses[vertex["slot"]]
        target = X[:3, :3] @ vertex["position"] + X[:3, 3] + rng.normal(size=3) * 0.05 * robot.reach
        direction = (target - origin) / np.linalg.norm(target - origin)
        distance, slot = brute_force(mesh, poses, origin, direction)
        hit = picker.cast(origin, direction, poses)
        if hit is None:
            assert slot == -1
            continue
        hits += 1
        assert hit.distance == pytest.approx(distance, abs=1e-6)
        X = poses[hit.slot]
        assert X[:3, :3] @ hit.local + X[:3, 3] == pytest.approx(hit.point, abs=1e-12)
        assert hit.slot == slot or hit.distance == pytest.approx(distance, abs=1e-9)
    assert hits > RAYS / 10


def test_nothing_behind_the_eye_is_picked():
    robot = engine.load_robot("puma560")
    mesh, starts = arm_mesh(robot).slot_order(robot.n + 1)
    poses = np.concatenate([np.eye(4)[None], body_poses(robot, np.zeros(6))])
    picker = Picker(mesh, starts)
    eye = np.array([5.0, 0.0, 0.3])
    assert picker.cast(eye, np.array([-1.0, 0, 0]), poses) is not None
    assert picker.cast(eye, np.array([1.0, 0, 0]), poses) is None
