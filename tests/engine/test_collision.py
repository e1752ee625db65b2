"""Contacts of arms: verdicts, distances and explanations, against coal and central differences."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest

from armature import engine
from armature.engine.contact.arm_contacts import arm_contacts
from armature.engine.contact.collision import pose_collision
from armature.engine.contact.freeing_motion import freeing_motions
from armature.engine.errors import Cancelled, DimensionError, EngineError
from armature.engine.model.joint_ranges import joint_ranges
from tests.engine.test_arm_shapes import CORNERS, FACES, MASS, stl

coal = pytest.importorskip("coal")
TOLERANCE = 1e-6  # m, of coal


def random_poses(robot: engine.Robot, count: int) -> np.ndarray:
    low, high = joint_ranges(robot)
    return np.random.default_rng(7).uniform(low, high, (count, robot.n))


@pytest.fixture
def folding_arm(tmp_path) -> engine.Robot:
    """Three links of meshes in a plane, with two fingers that slide; the last ones can reach the first."""
    stl(tmp_path / "bar.stl", CORNERS * (0.4, 0.2, 1.4), FACES)
    look = '<collision><geometry><mesh filename="bar.stl"/></geometry></collision>'
    text = f'<robot name="folding"><link name="base">{look}</link>'
    for k, above in enumerate(("base", "l1", "l2"), start=1):
        text += (
            f'<link name="l{k}">{MASS}{look}</link><joint name="j{k}" type="revolute"><origin xyz="0 0 0.45" rpy="0 0 0.3"/>'
            f'<axis xyz="1 0 0"/><parent link="{above}"/><child link="l{k}"/><limit lower="-2.9" upper="2.9"/></joint>'
        )
    for name, side in (("left", 1), ("right", -1)):
        text += (
            f'<link name="{name}">{MASS}<collision><geometry><box size="0.02 0.02 0.1"/></geometry></collision></link>'
            f'<joint name="{name}_finger" type="prismatic"><origin xyz="0 0 0.5"/><axis xyz="0 {side} 0"/><parent link="l3"/>'
            f'<child link="{name}"/><limit lower="0" upper="0.05"/></joint>'
        )
    path = tmp_path / "folding.urdf"
    path.write_text(text + "</robot>")
    return engine.load_robot(path)


def coal_distances(robot: engine.Robot, q: np.ndarray) -> np.ndarray:
    """Smallest distance `(N, pairs)` of the same groups by coal, negative for penetrations; nan for half-spaces."""
    model = arm_contacts(robot)
    geometries = [[(coal_shape(shape), shape.X_BS) for shape in group.shapes] for group in model.groups]
    links = dict(zip(robot.link_names, np.moveaxis(engine.link_poses(robot, q), 1, 0), strict=True))
    out = np.full((len(q), len(model.pairs)), np.nan)
    for c, (g, h) in enumerate(model.pairs):
        if any(geometry is None for geometry, _ in geometries[g] + geometries[h]):
            continue
        for k in range(len(q)):
            X, Y = (links[model.groups[i].name][k] @ np.linalg.inv(body_link(robot, model.groups[i].name)) for i in (g, h))
            pairs = product(geometries[g], geometries[h])
            out[k, c] = min(coal_distance(one, X @ X_1, other, Y @ X_2) for (one, X_1), (other, X_2) in pairs)
    return out


def body_link(robot: engine.Robot, name: str) -> np.ndarray:
    """X_BL of a link; X_WL of one that is fixed to the world."""
    frame = robot.links[name]
    return frame.X_BF


def coal_shape(shape):
    if shape.kind == "hull":
        points = coal.StdVec_Vec3s()
        for vertex in shape.vertices:
            points.append(vertex)
        return coal.Convex.convexHull(points, False, "Qt")
    kinds = {"sphere": coal.Sphere, "capsule": coal.Capsule, "cylinder": coal.Cylinder, "box": coal.Box}
    return kinds[shape.kind](*shape.size) if shape.kind in kinds else None


def coal_distance(one, X: np.ndarray, other, Y: np.ndarray) -> float:
    poses = [coal.Transform3s(np.array(Z[:3, :3]), np.array(Z[:3, 3])) for Z in (X, Y)]
    return coal.distance(one, poses[0], other, poses[1], coal.DistanceRequest(), coal.DistanceResult())


@pytest.mark.parametrize("name", ["panda", "ur10", "so101", "folding"])
def test_distances_and_verdicts_are_those_of_coal(name, folding_arm):
    robot = folding_arm if name == "folding" else engine.load_robot(name)
    q = random_poses(robot.with_floor(None), 40)
    found = engine.collision(robot.with_floor(None), q)
    expected = coal_distances(robot.with_floor(None), q).min(axis=1)
    apart = expected > TOLERANCE
    assert (found.colliding[apart] == (found.distance[apart] <= 0)).all()
    assert np.array_equal(found.colliding, expected <= 0) and found.colliding.any() and apart.any()
    assert np.abs(found.distance - expected)[apart].max() < 5 * TOLERANCE
    deep = expected < -1e-4
    assert (np.abs(found.distance - expected)[deep] <= 0.05 * -expected[deep]).all()


@pytest.mark.parametrize("name", engine.shipped_robots())
def test_no_shipped_arm_touches_itself_or_the_floor_at_home(name):
    found = engine.collision(engine.load_robot(name), "home")
    assert not found.colliding and not found.pairs and found.distance > 0, found.explanation


def test_a_batch_answers_as_its_poses_do(folding_arm):
    q = random_poses(folding_arm, 40)
    many = engine.collision(folding_arm, q)
    for k in range(len(q)):
        one = engine.collision(folding_arm, q[k])
        assert one.colliding == many.colliding[k] and one.distance == many.distance[k]
        assert one.pair == tuple(many.pair[k]) == many.pair_names[many.pair_index[k]]
        for name in ("points", "normal", "gradient"):
            assert np.array_equal(getattr(one, name), getattr(many, name)[k])


def test_the_gradient_is_the_slope_of_the_distance(folding_arm):
    q = np.array([0.6, 0.5, 1.1, 0.02, 0.01])
    found = engine.collision(folding_arm, q)
    assert not found.colliding
    for j, step in enumerate(1e-6 * np.eye(folding_arm.n)):
        slope = (engine.collision(folding_arm, q + step).distance - engine.collision(folding_arm, q - step).distance) / 2e-6
        assert found.gradient[j] == pytest.approx(slope, abs=1e-2 * np.abs(found.gradient).max())


def test_pairs_lists_all_that_are_nearer_than_the_margin(folding_arm):
    q = np.array([0.6, 0.5, 2.8, 0.02, 0.01])
    everything = engine.collision(folding_arm, q, margin=10.0)
    distances = [contact.distance for contact in everything.pairs]
    assert len(everything.pairs) == len(everything.pair_names) and distances == sorted(distances)
    some = engine.collision(folding_arm, q, margin=distances[2] + 1e-6)
    assert [contact.pair for contact in some.pairs] == [contact.pair for contact in everything.pairs[:3]]
    first = some.pairs[0]
    assert (first.pair, first.distance) == (some.pair, some.distance)
    assert np.allclose(first.points[0] - first.points[1], first.distance * first.normal, atol=1e-9)


def test_a_contact_is_explained_with_a_motion_that_frees_it(folding_arm):
    q = np.array([-1.74, -0.76, -2.88, 0.04, 0.01])
    found = engine.collision(folding_arm, q)
    assert found.colliding and found.pair == found.pairs[0].pair
    j, motion = freeing_motions(arm_contacts(folding_arm), q, found.distance, found.gradient)[0]
    one, other = found.pair
    assert found.explanation.startswith(f"{one} hits {other}, {-1e3 * found.distance:.0f} mm deep")
    assert found.explanation.endswith(f": {folding_arm.joint_names[j]} {np.degrees(motion):+.1f}° frees it".replace("-", "−"))
    free = q + motion * np.eye(len(q))[j]
    assert not engine.collision(folding_arm, free).colliding
    assert (folding_arm.q_min <= free).all() and (free <= folding_arm.q_max).all()
    assert engine.collision(folding_arm, q + 0.5 * motion * np.eye(len(q))[j]).colliding


@pytest.mark.parametrize("name", ["panda", "ur5e"])
def test_the_motion_that_a_contact_is_explained_with_frees_the_arm_as_it_is_written(name):
    robot, cell, tried = engine.load_robot(name), engine.load_cell("table"), 0
    for q in np.random.default_rng(2).uniform(np.maximum(robot.q_min, -np.pi), np.minimum(robot.q_max, np.pi), (150, robot.n)):
        found = engine.collision(robot, q, cell)
        if not found.colliding or "no small motion" in found.explanation:
            continue
        joint, motion = re.fullmatch(r".*: (\S+) (\S+)° frees it", found.explanation).groups()
        moved = q + np.radians(float(motion.replace("−", "-"))) * (np.array(robot.joint_names) == joint)
        assert float(motion.replace("−", "-")) != 0.0 and not engine.collision(robot, moved, cell).colliding, found.explanation
        tried += 1
    assert tried > 10


def test_a_free_pose_is_explained_by_its_nearest_pair():
    found = engine.collision(engine.load_robot("scara"), "home")
    assert found.explanation == f"nearest: {found.pair[0]}–{found.pair[1]}, {1e3 * found.distance:.0f} mm"


def test_an_arm_that_cannot_touch_anything_says_so():
    found = engine.collision(engine.load_robot("pendulum"), "home")
    assert (found.colliding, found.distance, found.pair, found.pair_index) == (False, np.inf, ("", ""), -1)
    assert found.explanation == "no pair of links can touch"
    many = engine.collision(engine.load_robot("pendulum"), np.zeros((3, 1)))
    assert not many.colliding.any() and many.pair.tolist() == [["", ""]] * 3


def test_pairs_are_sorted_by_how_often_they_touch(folding_arm):
    found = engine.collision_pairs(folding_arm, samples=400)
    assert ("base", "l1") in found.adjacent and ("l3", "left") in found.adjacent and ("l1", "l3") in found.sometimes
    assert ("left", "right") in found.always + found.sometimes
    each = found.adjacent + found.never + found.always + found.sometimes
    assert len(each) == len(set(each)) == 15
    again = engine.collision_pairs(folding_arm, samples=400)
    assert (again.never, again.sometimes) == (found.never, found.sometimes)


def test_a_floor_is_an_object_for_every_link_that_a_joint_moves():
    robot = engine.load_robot("panda")
    names = engine.collision(robot, "home").pair_names
    assert [pair for pair in names if "floor" in pair] == [(f"link{k}", "floor") for k in range(1, 8)]
    down = engine.collision(robot, [0.0, 1.7, 0.0, -0.1, 0.0, 1.6, 0.0])
    assert down.colliding and down.pair[1] == "floor" and down.normal == pytest.approx([0, 0, 1])
    assert not engine.collision(robot.with_floor(None), [0.0, 1.7, 0.0, -0.1, 0.0, 1.6, 0.0]).colliding


def test_pairs_that_a_file_ignores_do_not_count():
    robot = engine.load_robot("fr3")
    assert robot.ignored_contacts == (("link5", "link7"),)
    assert ("link5", "link7") not in engine.collision(robot, "home").pair_names
    assert engine.collision_pairs(robot, samples=50).ignored == (("link5", "link7"),)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"q": np.zeros(6)}, DimensionError, "panda: q has shape (6,)"),
        ({"q": [np.nan] * 7}, DimensionError, "non-finite"),
        ({"q": "nowhere"}, DimensionError, "unknown pose 'nowhere'"),
        ({"q": "home", "margin": -0.1}, EngineError, "margin must be a distance in m, 0 or more, got -0.1"),
        ({"q": "home", "margin": float("nan")}, EngineError, "margin must be a distance"),
    ],
)
def test_wrong_arguments_are_refused(arguments, error, message):
    with pytest.raises(error) as refused:
        engine.collision(engine.load_robot("panda"), **arguments)
    assert message in str(refused.value)


def test_a_long_computation_can_be_cancelled():
    with pytest.raises(Cancelled):
        engine.collision(engine.load_robot("panda"), np.zeros((10_000, 7)), cancelled=lambda: True)


def test_the_report_of_a_pose_is_that_of_its_model():
    robot = engine.load_robot("puma560")
    q = robot.configurations["home"]
    assert pose_collision(arm_contacts(robot), q).explanation == engine.collision(robot, q).explanation


def test_an_arm_that_passes_through_its_column_next_to_a_very_short_link_is_found():
    robot = engine.load_robot("ur5e").with_floor(None)
    pairs = engine.collision_pairs(robot, 500)
    assert ("base", "link2") in pairs.sometimes and ("base", "link1") in pairs.adjacent
    up, down = np.radians([[0.0, -90.0, 0.0, -90.0, 0.0, 0.0], [0.0, 90.0, 0.0, -90.0, 0.0, 0.0]])
    assert ("base", "link2") not in [contact.pair for contact in engine.collision(robot, up).pairs]
    found = next(contact for contact in engine.collision(robot, down).pairs if contact.pair == ("base", "link2"))
    assert found.distance < -0.02
    assert engine.free_ranges(robot, up).high[1] < down[1]


def test_housings_and_tubes_around_a_very_short_link_do_not_touch():
    robot = engine.load_robot("fr3")
    assert not engine.collision(robot, "zero").colliding  # the elbow is stretched
    assert ("link4", "link6") in engine.collision_pairs(robot, 100).adjacent
