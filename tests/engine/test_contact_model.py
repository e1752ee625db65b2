"""Distances, verdicts and gradients of an arm among objects, for single poses and batches."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine import EngineError, batching
from armature.engine.contact.contact_model import ContactGroup, ContactModel
from armature.engine.contact.shapes import Shape
from armature.engine.errors import Cancelled, DimensionError
from tests.engine.contact_peers import coal_distance, pose, random_shape
from tests.engine.trees import random_state, random_tree

OBJECTS = (
    ContactGroup("floor", -1, (Shape("halfspace", (), pose(0, 0, -0.4)),)),
    ContactGroup("table", -1, (Shape("box", (1.0, 1.0, 0.05), pose(0.6, 0, -0.2)),)),
    ContactGroup("post", -1, (Shape("cylinder", (0.05, 1.0), pose(-0.5, 0.4, 0.3)),)),
    ContactGroup("lamp", -1, (Shape("sphere", (0.1,), pose(0.3, 0.5, 0.8)), Shape("capsule", (0.02, 0.6), pose(0.3, 0.5, 1.1)))),
)


def model_of(robot, seed: int = 0, kinds=("sphere", "capsule", "cylinder", "box", "hull")) -> ContactModel:
    """Two random shapes on every body; pairs of bodies that no joint connects, and each body with each object."""
    rng, tree = np.random.default_rng(seed), robot.tree
    groups = []
    for i in range(len(tree.bodies)):
        shapes = tuple(random_shape(str(rng.choice(kinds)), rng, 0.1) for _ in range(2))
        groups.append(
            ContactGroup(
                f"link{i}", i, tuple(Shape(s.kind, tuple(x / 3 for x in s.size), s.X_BS, s.vertices / 3) for s in shapes)
            )
        )
    n = len(groups)
    pairs = [(i, j) for i in range(n) for j in range(i) if tree.bodies[i].parent != j] + [
        (i, n + k) for i in range(n) for k in range(4)
    ]
    return ContactModel(robot, (*groups, *OBJECTS), np.array(pairs))


def in_world(robot, group: ContactGroup, X_WB) -> list[Shape]:
    return [Shape(s.kind, s.size, s.X_BS if group.body < 0 else X_WB[group.body] @ s.X_BS, s.vertices) for s in group.shapes]


def body_poses(robot, q) -> np.ndarray:
    """X_WB of every body, from one frame on each."""
    frames = {frame.body: frame for frame in robot.links.values() if frame.body >= 0}
    return np.array([engine.frame_pose(robot, q, frames[i]) @ np.linalg.inv(frames[i].X_BF) for i in range(len(robot.bodies))])


@pytest.mark.parametrize("robot", [engine.load_robot("ur10"), random_tree(3, 5)], ids=lambda robot: robot.name)
def test_every_pair_agrees_with_coal_and_the_nearest_is_the_least(robot):
    model = model_of(robot)
    for q in random_state(robot, np.random.default_rng(1), 6)[0]:
        X, seen = body_poses(robot, q), model.distances(q)
        theirs = np.array(
            [
                min(coal_distance(a, b) for a in in_world(robot, model.groups[g], X) for b in in_world(robot, model.groups[h], X))
                for g, h in model.pairs
            ]
        )
        apart = seen.distance > 1e-6
        assert apart.any()
        np.testing.assert_allclose(seen.distance[apart], theirs[apart], atol=5e-9)
        assert (theirs[~apart] <= 0.95 * seen.distance[~apart] + 1e-6).all()
        assert (seen.pair_index == np.arange(len(model.pairs))).all()
        nearest = model.nearest(q)
        assert nearest.distance == seen.distance.min()
        assert nearest.pair_index == seen.distance.argmin()
        for name in ("points", "normal", "gradient"):
            np.testing.assert_array_equal(getattr(nearest, name), getattr(seen, name)[nearest.pair_index])
        assert model.collides(q) == (nearest.distance <= 0)
        assert model.collides(q, float(nearest.distance) + 1e-6) and not model.collides(q, float(nearest.distance) - 1e-6)


def test_batches_agree_with_single_poses_however_they_are_split(monkeypatch):
    robot = engine.load_robot("panda")
    model = model_of(robot)
    q = random_state(robot, np.random.default_rng(2), 300)[0]
    monkeypatch.setattr(batching, "WORKERS", 3)
    together, verdicts = model.nearest(q), model.collides(q)
    assert 0.05 < verdicts.mean() < 0.95
    for k in range(0, 300, 29):
        single = model.nearest(q[k])
        for name in ("distance", "pair_index", "points", "normal", "gradient"):
            np.testing.assert_array_equal(getattr(single, name), getattr(together, name)[k])
        assert model.collides(q[k]) == verdicts[k] == (single.distance <= 0)
    shapes = [(300,), (300,), (300, 2, 3), (300, 3), (300, 7)]
    assert [
        x.shape for x in (together.distance, together.pair_index, together.points, together.normal, together.gradient)
    ] == shapes


@pytest.mark.parametrize("seed", range(4))
def test_gradient_is_the_slope_of_the_distance(seed):
    """One-sided differences disagree where the nearest points jump: such poses have no slope."""
    robot, h = random_tree(seed, 6), 1e-6
    model = model_of(robot, seed)
    q = random_state(robot, np.random.default_rng(seed), 10)[0]
    seen = model.distances(q)
    smooth = 0
    for i, e in enumerate(np.eye(robot.n)):
        ahead, behind = ((model.distances(q + s * h * e).distance - seen.distance) / (s * h) for s in (1, -1))
        plain = np.abs(ahead - behind) < 1e-2
        smooth += plain.sum()
        assert np.abs((ahead + behind) / 2 - seen.gradient[..., i])[plain].max() <= 1e-2
    assert smooth > 0.9 * seen.gradient.size


def test_gradient_of_an_arm_with_mimic_joints_counts_them_with_their_master(tmp_path):
    robot = mimic_arm(tmp_path)
    model = model_of(robot)
    q, h = np.full(robot.n, 0.1), 1e-6
    slope = np.stack(
        [(model.distances(q + h * e).distance - model.distances(q - h * e).distance) / (2 * h) for e in np.eye(robot.n)], -1
    )
    np.testing.assert_allclose(model.distances(q).gradient, slope, atol=1e-4)
    np.testing.assert_array_equal(
        model.nearest(q).distance,
        ContactModel(robot.tree, model.groups, model.pairs).nearest(robot.coupling.position(q)).distance,
    )


def mimic_arm(tmp_path):
    link = '<link name="{0}"/>'
    joint = '<joint name="j{0}" type="revolute"><parent link="l{1}"/><child link="l{0}"/><axis xyz="0 1 0"/>{2}'
    joint += '<origin xyz="0.3 0 0.1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>'
    copies = '<mimic joint="j1" multiplier="-0.5" offset="0.2"/>'
    text = "".join(link.format(f"l{i}") for i in range(4)) + "".join(
        joint.format(i, i - 1, copies if i == 2 else "") for i in (1, 2, 3)
    )
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="arm">{text}</robot>')
    return engine.load_robot(path)


def test_pairs_beyond_the_limit_have_a_lower_bound():
    robot = engine.load_robot("ur10")
    model = model_of(robot)
    q = random_state(robot, np.random.default_rng(4), 20)[0]
    full, bounded = model.distances(q), model.distances(q, 0.1)
    known = bounded.pair_index >= 0
    assert known.any() and not known.all()
    np.testing.assert_array_equal(known, full.distance < 0.1)
    np.testing.assert_array_equal(bounded.distance[known], full.distance[known])
    assert (bounded.distance[~known] >= 0.1).all()
    assert (bounded.distance[~known] <= full.distance[~known] + 1e-12).all()
    nearest = model.nearest(q, 0.1)
    np.testing.assert_allclose(nearest.distance, np.minimum(full.distance.min(axis=1), 0.1))
    np.testing.assert_array_equal(nearest.pair_index >= 0, full.distance.min(axis=1) < 0.1)


def test_a_batch_can_be_cancelled():
    model = model_of(engine.load_robot("ur10"))
    with pytest.raises(Cancelled):
        model.nearest(np.zeros((5, 6)), cancelled=lambda: True)


def test_without_pairs_nothing_is_near():
    model = ContactModel(engine.load_robot("ur10"), OBJECTS, np.zeros((0, 2), int))
    assert model.nearest(np.zeros(6)).distance == np.inf
    assert model.nearest(np.zeros(6)).pair_index == -1
    assert not model.collides(np.zeros((2, 6))).any()
    assert model.distances(np.zeros((2, 6))).distance.shape == (2, 0)


def test_a_group_without_shapes_is_far():
    model = ContactModel(engine.load_robot("ur10"), (ContactGroup("bare", 2, ()), OBJECTS[1]), np.array([[0, 1]]))
    assert model.nearest(np.zeros(6)).pair_index == -1


def test_impossible_models_are_refused():
    robot = engine.load_robot("ur10")
    with pytest.raises(EngineError, match="body must be -1 to 5"):
        ContactModel(robot, (ContactGroup("link", 6, ()),), np.zeros((0, 2), int))
    with pytest.raises(EngineError, match="floor and ground are half-spaces"):
        ContactModel(robot, (OBJECTS[0], ContactGroup("ground", -1, OBJECTS[0].shapes)), np.array([[0, 1]]))
    with pytest.raises(EngineError, match="only shape of its group"):
        ContactModel(robot, (ContactGroup("both", -1, OBJECTS[0].shapes + OBJECTS[1].shapes),), np.zeros((0, 2), int))
    with pytest.raises(EngineError, match=r"pairs .* 0 to 3"):
        ContactModel(robot, OBJECTS, np.array([[0, 4]]))
    with pytest.raises(DimensionError, match="expected"):
        model_of(robot).nearest(np.zeros(5))
