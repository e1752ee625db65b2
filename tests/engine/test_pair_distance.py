"""Distances and depths of pairs of convex shapes against coal, MuJoCo and closed forms."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from armature.engine import EngineError
from armature.engine.contact.shapes import Shape
from tests.engine.contact_peers import KINDS, coal_distance, mujoco_distance, pose, random_shape, separation

PAIRS = list(combinations_with_replacement(KINDS, 2))
CURVED = {"cylinder"}
CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
SQUARE = np.array([[x, y, 0.0] for x in (-0.5, 0.5) for y in (-0.5, 0.5)])
ON_SIDE = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
BALL = np.random.default_rng(0).normal(size=(20_000, 3))


def random_pairs(kinds: tuple[str, str], count: int):
    rng = np.random.default_rng([KINDS.index(kind) for kind in kinds])
    for _ in range(count):
        far = rng.choice([0.05, 0.3, 0.8])
        yield random_shape(kinds[0], rng, far), random_shape(kinds[1], rng, far)


@pytest.mark.parametrize("kinds", PAIRS)
def test_agrees_with_coal(kinds):
    bound = 5e-9 if CURVED & set(kinds) else 1e-9
    apart = 0
    for a, b in random_pairs(kinds, 40):
        seen, theirs = separation(a, b), coal_distance(a, b)
        if seen.distance > 0:
            apart += 1
            assert abs(seen.distance - theirs) <= bound
        else:  # coal's depth is sometimes larger than it must be: then the shapes are apart once a is moved by ours
            assert theirs <= 0.95 * seen.distance + 1e-9
            assert coal_distance(a, b, -1.0001 * seen.distance * seen.normal) >= -1e-7
    assert 5 <= apart <= 35


@pytest.mark.parametrize("kinds", PAIRS)
def test_points_normal_and_order_are_consistent(kinds):
    for a, b in random_pairs(kinds, 20):
        there, back = separation(a, b), separation(b, a)
        np.testing.assert_allclose(there.points[0] - there.points[1], there.distance * there.normal, atol=1e-9)
        assert np.linalg.norm(there.normal) == pytest.approx(1.0, abs=1e-12)
        assert abs(there.distance - back.distance) <= 1e-9
        for shape, point in zip((a, b), there.points, strict=True):
            assert abs(separation(Shape("sphere", (0.0,), pose(*point)), shape).distance) <= 1e-8


@pytest.mark.parametrize("kinds", PAIRS)
def test_shapes_brought_together_touch(kinds):
    """Searches that end by rounding near the surface still return 0."""
    rng = np.random.default_rng(9)
    for _ in range(130 if CURVED & set(kinds) else 20):
        a, b = (random_shape(kind, rng, 0.6) for kind in kinds)
        apart = separation(a, b)
        for gap in (1e-6, 0.0, -1e-12) if apart.distance > 0 else ():
            X = a.X_BS.copy()
            X[:3, 3] -= (apart.distance - gap) * apart.normal
            assert abs(separation(Shape(a.kind, a.size, X, a.vertices), b).distance - gap) <= 1e-8


@pytest.mark.parametrize("kinds", [pair for pair in PAIRS if "hull" not in pair])
def test_agrees_with_mujoco(kinds):
    for a, b in random_pairs(kinds, 15):
        seen = separation(a, b).distance
        if seen > 1e-3:
            assert abs(seen - mujoco_distance(a, b)) <= 5e-6


def test_spheres_boxes_and_cylinders_have_the_closed_form():
    """Distance of a sphere: that of its centre, outside from the clamped point, inside from the nearest face, less its radius."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        box, sphere = random_shape("box", rng, 0.3), random_shape("sphere", rng, 0.3)
        x = np.abs((np.linalg.inv(box.X_BS) @ sphere.X_BS)[:3, 3]) - np.array(box.size) / 2
        expected = np.linalg.norm(np.maximum(x, 0)) + min(x.max(), 0) - sphere.size[0]
        assert separation(box, sphere).distance == pytest.approx(expected, abs=1e-9)
        can = random_shape("cylinder", rng, 0.3)
        x, y, z = (np.linalg.inv(can.X_BS) @ sphere.X_BS)[:3, 3]
        x = np.array([np.hypot(x, y) - can.size[0], abs(z) - can.size[1] / 2])
        expected = np.linalg.norm(np.maximum(x, 0)) + min(x.max(), 0) - sphere.size[0]
        assert separation(sphere, can).distance == pytest.approx(expected, abs=1e-9)


def test_depth_of_boxes_is_the_least_overlap_over_their_fifteen_axes():
    rng, deep = np.random.default_rng(2), 0
    for _ in range(300):
        a, b = random_shape("box", rng, 0.2), random_shape("box", rng, 0.2)
        A, B = a.X_BS[:3, :3] * np.array(a.size) / 2, b.X_BS[:3, :3] * np.array(b.size) / 2
        axes = np.vstack([A.T, B.T, *(np.cross(x, y) for x in A.T for y in B.T)])
        axes /= np.linalg.norm(axes, axis=1)[:, None]
        gaps = np.abs(axes @ (a.X_BS - b.X_BS)[:3, 3]) - np.abs(axes @ A).sum(axis=1) - np.abs(axes @ B).sum(axis=1)
        if gaps.max() < 0:
            deep += 1
            assert separation(a, b).distance == pytest.approx(gaps.max(), abs=1e-9)
    assert deep > 100


@pytest.mark.parametrize("kind", KINDS)
def test_halfspace_is_below_its_plane(kind):
    rng = np.random.default_rng(3)
    for _ in range(20):
        ground, shape = Shape("halfspace", (), random_shape("box", rng, 0.3).X_BS), random_shape(kind, rng, 0.3)
        seen = separation(shape, ground)
        n, p = ground.X_BS[:3, 2], ground.X_BS[:3, 3]
        wall = Shape("box", (200.0, 200.0, 200.0), ground.X_BS @ pose(z=-100.0))
        assert seen.distance == pytest.approx(separation(shape, wall).distance, abs=1e-9)
        np.testing.assert_allclose(seen.normal, n, atol=1e-15)
        assert n @ (seen.points[1] - p) == pytest.approx(0.0, abs=1e-12)
        assert n @ (seen.points[0] - p) == pytest.approx(seen.distance, abs=1e-12)
        assert separation(ground, shape).distance == pytest.approx(seen.distance, abs=1e-15)


def hull(points, *at, R=None) -> Shape:
    return Shape("hull", (), pose(*at, R=R), np.array(points, float))


def box(x, y, z, *at) -> Shape:
    return Shape("box", (x, y, z), pose(*at))


DEGENERATE = {
    "one centre": (Shape("sphere", (0.1,)), Shape("sphere", (0.2,)), -0.3),
    "two points": (Shape("sphere", (0.0,)), Shape("sphere", (0.0,), pose(1)), 1),
    "one point twice": (Shape("sphere", (0.0,)), Shape("sphere", (0.0,)), 0),
    "a point in a box": (Shape("sphere", (0.0,), pose(0.1, 0.2, 0.3)), box(1, 1, 1), -0.2),
    "a box twice": (box(1, 1, 1), box(1, 1, 1), -1),
    "boxes face to face": (box(1, 1, 1), box(1, 1, 1, 1), 0),
    "boxes edge to edge": (box(1, 1, 1), box(1, 1, 1, 1, 1), 0),
    "boxes corner to corner": (box(1, 1, 1), box(1, 1, 1, 1, 1, 1), 0),
    "boxes overlap a little": (box(1, 1, 1), box(1, 1, 1, 1 - 1e-8, 0.3, 0.2), -1e-8),
    "boxes apart a little": (box(1, 1, 1), box(1, 1, 1, 1 + 1e-8, 0.3, 0.2), 1e-8),
    "a box in a box": (box(0.1, 0.1, 0.1, 0.2), box(1, 1, 1), -0.35),
    "a hull twice": (hull(CUBE), hull(CUBE), -1),
    "a hull of a box on a box": (hull(CUBE, 0.5), box(1, 1, 1), -0.5),
    "flat over flat": (hull(SQUARE, 0, 0, 0.1), hull(SQUARE), 0.1),
    "flat in one plane": (hull(SQUARE, 0.3), hull(SQUARE), 0),
    "flat twice": (hull(SQUARE), hull(SQUARE), 0),
    "flat across flat": (hull(SQUARE, 0, 0, 0.2, R=ON_SIDE), hull(SQUARE), -0.3),
    "flat in a box": (hull(SQUARE, 0, 0, 0.2), box(1, 1, 1), -0.3),
    "flat on a sphere": (Shape("sphere", (0.1,)), hull(SQUARE), -0.1),
    "almost flat": (hull([*SQUARE, [0, 0, 1e-9], [0.1, 0.1, 1e-12]], 0, 0, 0.1), box(1, 1, 0.1), 0.05),
    "a hull of one vertex": (hull(np.zeros((5, 3)), 0.1, 0.2, 0.9), hull(CUBE), 0.4),
    "a hull of a line": (hull([[-1, 0, 0], [1, 0, 0], [0, 0, 0]], 0, 0, 0.4), hull(CUBE), -0.1),
    "a line across flat": (hull([[0, 0, -1], [0, 0, 1]]), hull(SQUARE), -0.5),
    "vertices repeated": (hull([*CUBE, *CUBE, *CUBE / 2], 0, 0, 2), box(1, 1, 1), 1),
    "lines across": (Shape("capsule", (0.0, 1.0)), Shape("capsule", (0.0, 1.0), pose(R=ON_SIDE)), 0),
    "capsules across": (Shape("capsule", (0.1, 1.0)), Shape("capsule", (0.1, 1.0), pose(R=ON_SIDE)), -0.2),
    "a capsule twice": (Shape("capsule", (0.1, 1.0)), Shape("capsule", (0.1, 1.0)), -0.2),
    "capsules in line": (Shape("capsule", (0.1, 1.0)), Shape("capsule", (0.1, 1.0), pose(0, 0, 1)), -0.2),
    "capsules in parallel": (Shape("capsule", (0.1, 1.0)), Shape("capsule", (0.1, 1.0), pose(0.5, 0, 0.5)), 0.3),
    "a disc over a disc": (Shape("cylinder", (0.1, 0.0)), Shape("cylinder", (0.1, 0.0), pose(0, 0, 0.5)), 0.5),
    "a needle": (Shape("cylinder", (0.0, 1.0)), Shape("cylinder", (0.1, 1.0), pose(0.5)), 0.4),
    "a cylinder on a box": (Shape("cylinder", (0.1, 1.0), pose(0, 0, 1)), box(1, 1, 1), 0),
    "tiny boxes": (box(1e-6, 1e-6, 1e-6), box(1e-6, 1e-6, 1e-6, 0.5e-6), -0.5e-6),
    "a hall": (box(100, 100, 1), Shape("sphere", (0.1,), pose(30, 20, 0.7)), 0.1),
    "a thin plate": (box(1, 1, 0.001), Shape("cylinder", (0.05, 0.2), pose(0.2, 0.1, 0.05)), -0.0505),
    "many vertices": (hull(BALL / np.linalg.norm(BALL, axis=1)[:, None]), box(1, 1, 1, 1.5), None),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_shapes_have_exact_distances(name):
    a, b, expected = DEGENERATE[name]
    seen = separation(a, b)
    assert seen.distance == pytest.approx(expected if expected is not None else 0.0, abs=1e-9 if expected is not None else 1e-3)
    np.testing.assert_allclose(seen.points[0] - seen.points[1], seen.distance * seen.normal, atol=1e-9)
    assert np.linalg.norm(seen.normal) == pytest.approx(1.0)


def test_cylinders_with_one_axis_have_a_depth_within_a_thousandth():
    """Every direction across is a nearest one: the worst case of a polytope that approaches a circle."""
    can = Shape("cylinder", (0.1, 1.0))
    assert separation(can, can).distance == pytest.approx(-0.2, rel=1e-3)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (hull(np.zeros((0, 3))), "at least one vertex"),
        (hull([[np.nan, 0, 0]]), "finite"),
        (hull(np.zeros((3, 2))), r"\(k, 3\)"),
        (Shape("sphere", (-1.0,)), "finite and ≥ 0"),
        (Shape("box", (1.0, np.inf, 1.0)), "finite and ≥ 0"),
        (Shape("box", (1.0, 1.0)), "3 sizes"),
        (Shape("cone", (1.0,)), "valid are sphere, capsule"),
        (Shape("sphere", (1.0,), np.full((4, 4), np.nan)), "4×4"),
    ],
)
def test_impossible_shapes_are_refused(shape, message):
    with pytest.raises(EngineError, match=message):
        separation(shape, box(1, 1, 1))
