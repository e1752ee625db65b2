"""First contacts of trajectories: none is missed between samples, none is invented."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from armature import engine
from armature.engine.contact.contact_model import ContactGroup, ContactModel
from armature.engine.contact.motion_bounds import lever_arms
from armature.engine.contact.shapes import Shape
from armature.engine.errors import Cancelled, DimensionError
from armature.engine.trajectory.path_lengths import path_lengths
from armature.engine.trajectory.trajectory import Trajectory, at_rest
from armature.engine.trajectory.trajectory_check import check_trajectory, trajectory_contacts
from tests.engine.contact_peers import pose, random_shape
from tests.engine.test_contact_model import mimic_arm, model_of
from tests.engine.trees import random_state, random_tree

ACROSS = (0.2, 0.001, 0.2)
PENDULUM = engine.load_robot("pendulum")


def line(q0, q1, duration: float) -> Trajectory:
    """Motion at constant speed."""
    q0, q1 = np.array(q0, float), np.array(q1, float)
    return Trajectory(np.array([0.0, duration]), np.stack([q0, (q1 - q0) / duration], axis=-1)[None])


def random_trajectory(robot, rng, pieces: int = 3) -> Trajectory:
    """Continuous polynomials of degree 5 between random positions."""
    q = random_state(robot, rng, pieces + 1)[0]
    c = rng.normal(size=(pieces, robot.n, 6))
    c[:, :, 0] = q[:-1]
    c[:, :, 1] = np.diff(q, axis=0) - c[:, :, 2:].sum(axis=2)
    return Trajectory(np.arange(pieces + 1.0), c)


def swing(obstacle: Shape, ball: float = 0.01) -> ContactModel:
    """A ball 1 m from the axis of the pendulum, and a plate."""
    tip = Shape("sphere", (ball,), pose(1.0, 0.0, 0.0))
    return ContactModel(PENDULUM, (ContactGroup("tip", 0, (tip,)), ContactGroup("plate", -1, (obstacle,))), np.array([[0, 1]]))


def plate(angle: float, size: tuple[float, float, float], radius: float = 1.0) -> Shape:
    """A plate whose middle is where a point of the arm, `radius` m from the axis, is at `angle`."""
    frame = PENDULUM.links[PENDULUM.link_names[-1]]
    X_WB = engine.frame_pose(PENDULUM, np.array([angle]), PENDULUM.link_names[-1]) @ np.linalg.inv(frame.X_BF)
    return Shape("box", size, X_WB @ pose(radius))


def test_a_plate_of_one_millimetre_between_two_samples_is_found():
    """At 3 m/s the tip is in contact for 0.3 ms; the sampled clearance shows none."""
    model, trajectory = swing(plate(1.5076, ACROSS), 0.0), line([0.0], [3.0], 1.0)
    seen = trajectory_contacts(model, trajectory)
    assert seen.clearance.min() > 1e-3
    assert seen.first_contact is not None
    assert seen.first_contact.pair == ("tip", "plate")
    assert seen.first_contact.time == pytest.approx((1.5076 - 0.0005) / 3.0, abs=1e-3)
    np.testing.assert_array_equal(seen.first_contact.q, trajectory.sample(seen.first_contact.time)[0])


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 5e-6])
def test_a_tip_that_passes_close_by_does_not_touch(gap):
    path, wall = line([0.0], [2.0], 0.7), (0.2, 1.0, 0.2)
    seen = trajectory_contacts(swing(plate(1.0, wall, 1.11 + gap)), path)
    assert seen.first_contact is None
    assert seen.clearance.min() == pytest.approx(gap, abs=1e-3)
    touched = trajectory_contacts(swing(plate(1.0, wall, 1.11 - gap)), path).first_contact
    assert touched is not None
    assert touched.time == pytest.approx((1.0 - np.sqrt(2 * gap)) * 0.35, abs=0.02)


@pytest.mark.parametrize("seed", range(6))
def test_first_contact_is_that_of_dense_sampling(seed):
    rng, robot = np.random.default_rng(seed), random_tree(seed, 4)
    model, trajectory = model_of(robot, seed), random_trajectory(robot, rng)
    seen = trajectory_contacts(model, trajectory)
    t = np.linspace(0.0, trajectory.duration, 30_001)
    dense = model.nearest(trajectory.sample(t)[0])
    hits = np.flatnonzero(dense.distance <= 0.0)
    if len(hits):
        assert seen.first_contact is not None
        assert t[hits[0]] - 1e-3 <= seen.first_contact.time <= t[hits[0]] + 1e-3
        assert model.nearest(seen.first_contact.q).distance <= 1e-6
    else:
        assert seen.first_contact is None
    np.testing.assert_allclose(seen.clearance, model.nearest(trajectory.sample(seen.t)[0]).distance)


def test_a_contact_at_the_start_is_the_first():
    seen = trajectory_contacts(swing(plate(0.0, (0.1, 0.1, 0.1))), line([0.0], [1.0], 1.0))
    assert seen.first_contact is not None
    assert seen.first_contact.time == 0.0


def test_a_rest_has_the_clearance_of_its_pose():
    model = swing(plate(1.0, ACROSS))
    seen = trajectory_contacts(model, at_rest([0.2], 2.0))
    assert seen.first_contact is None
    np.testing.assert_allclose(seen.clearance, model.nearest([0.2]).distance)


def test_lever_arms_bound_the_change_of_every_distance():
    for seed in range(8):
        rng, robot = np.random.default_rng(seed), random_tree(seed, 5)
        groups = tuple(ContactGroup(f"g{i}", i - 1, (random_shape("hull", rng, 0.2),)) for i in range(len(robot.bodies) + 1))
        pairs = np.array([(i, j) for i in range(len(groups)) for j in range(i)])
        model = ContactModel(robot, groups, pairs)
        q, step = random_state(robot, rng, 400)[0], rng.normal(size=(400, robot.n)) * 1e-3
        arms = lever_arms(model, (q - 1e-2).min(axis=0), (q + 1e-2).max(axis=0))
        change = np.abs(model.distances(q + step).distance - model.distances(q).distance)
        bound = np.abs(step) @ arms.T
        assert (change <= bound + 1e-9).all()
        assert change.max() > 0.2 * bound.max()


@pytest.mark.parametrize("seed", range(3))
def test_path_lengths_bound_the_travel_of_every_joint(seed):
    trajectory = random_trajectory(random_tree(seed, 3), np.random.default_rng(seed))
    t = np.union1d(np.linspace(0.0, trajectory.duration, 20), trajectory.breaks)
    bounds = path_lengths(trajectory, t[:-1], t[1:])
    for k in range(len(t) - 1):
        q = trajectory.sample(np.linspace(t[k], t[k + 1], 1001))[0]
        travel = np.abs(np.diff(q, axis=0)).sum(axis=0)
        assert (travel <= bounds[k] + 1e-9).all()
        assert (bounds[k] <= 1.5 * travel + 0.05).all()


def test_an_arm_with_mimic_joints_is_checked_like_its_tree(tmp_path):
    robot = mimic_arm(tmp_path)
    model = model_of(robot)
    plain = line(np.full(robot.n, -1.0), np.full(robot.n, 1.0), 1.0)
    tree = ContactModel(robot.tree, model.groups, model.pairs)
    first, last = robot.coupling.position(plain.sample(np.array([0.0, 1.0]))[0])
    free = line(first, last, 1.0)
    one, other = trajectory_contacts(model, plain).first_contact, trajectory_contacts(tree, free).first_contact
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one.time == pytest.approx(other.time, abs=1e-3)


def test_objects_of_a_cell_and_the_links_themselves_are_checked():
    robot = engine.load_robot("panda")
    q = robot.configurations["home"]
    trajectory = line(q, q + np.eye(7)[0], 1.0)
    assert check_trajectory(robot, trajectory).first_contact is None
    tool = engine.frame_pose(robot, trajectory.sample(0.5)[0])
    post = ContactGroup("post", -1, (Shape("cylinder", (0.01, 3.0), pose(*tool[:3, 3])),))
    seen = check_trajectory(robot, trajectory, SimpleNamespace(objects=(post,)))
    assert seen.first_contact is not None
    assert seen.first_contact.pair[1] == "post"
    assert 0.2 < seen.first_contact.time < 0.5


def test_the_trajectory_of_another_arm_is_refused():
    with pytest.raises(DimensionError, match="has 1 joints; expected 7"):
        check_trajectory(engine.load_robot("panda"), line([0.0], [1.0], 1.0))


def test_a_check_can_be_cancelled():
    with pytest.raises(Cancelled):
        trajectory_contacts(swing(plate(1.0, ACROSS)), line([0.0], [1.0], 1.0), lambda: True)
