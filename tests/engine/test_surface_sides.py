"""Which pieces of a surface bound the reach, where geometry tells."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.singularities.singular_surfaces import Sides
from tests.chance import some
from tests.engine.test_singular_surfaces import named

SHOULDER, UPPER, FORE = 0.2, 0.5, 0.4
LINK = "type = 'revolute', d = 0.0"


def arm(tmp_path, *joints: str) -> engine.Robot:
    rows = "\n".join(f"  {{ {joint} }}," for joint in joints)
    task = ["x", "y", "z"] if len(joints) == 3 else ["x", "y"]
    (tmp_path / "arm.toml").write_text(f"name = 'arm'\nconvention = 'standard'\ntask = {task}\njoints = [\n{rows}\n]\n")
    return engine.load_robot(tmp_path / "arm.toml")


def test_a_limit_that_the_other_elbow_passes_lies_inside(tmp_path):
    robot = arm(tmp_path, f"{LINK}, a = 0.5, alpha = 0.0", f"{LINK}, a = 0.4, alpha = 0.0, limits_deg = [-150, 30]")
    found = engine.singular_surfaces(robot)
    assert {(s.name, bool(s.bounds.all()), bool(s.bounds.any())) for s in found.surfaces} == {
        ("Elbow stretched", True, True),
        ("joint 2 at its lower limit", True, True),
        ("joint 2 at its upper limit", False, False),
    }


def test_a_limit_bounds_where_the_base_cannot_turn_to_the_other_elbow(tmp_path):
    first = f"{LINK}, a = 0.5, alpha = 0.0, limits_deg = [-60, 60]"
    robot = arm(tmp_path, first, f"{LINK}, a = 0.4, alpha = 0.0, limits_deg = [-150, 30]")
    (upper,) = named(engine.singular_surfaces(robot), "joint 2 at its upper limit")
    # the elbow bent the other way by up to 30 degrees more takes the same place with q1 further on by twice the hand's angle
    ahead = np.rad2deg(np.arctan2(0.4 * np.sin(np.pi / 6), 0.5 + 0.4 * np.cos(np.pi / 6)))
    q1 = np.rad2deg(np.arctan2(upper.vertices[:, 1], upper.vertices[:, 0])) - ahead
    middle = 0.5 * (q1[1:] + q1[:-1])
    clear = np.abs(middle + 2 * ahead - 60) > 4
    np.testing.assert_array_equal(upper.bounds[clear], (middle + 2 * ahead > 60)[clear])


def test_what_the_arm_turned_round_reaches_lies_inside(tmp_path):
    """A shoulder off the first axis: stretched over the back the hand is in reach of the arm turned round, folded always."""
    joints = (f"{LINK}, a = {SHOULDER}, alpha = 'pi/2'", f"{LINK}, a = {UPPER}, alpha = 0.0", f"{LINK}, a = {FORE}, alpha = 0.0")
    found = engine.singular_surfaces(arm(tmp_path, *joints))
    inside = outside = 0
    for surface in named(found, "Elbow stretched"):
        x, y, z = surface.vertices[surface.triangles].mean(axis=1).T
        radius = np.hypot(x, y)
        near, far = (np.abs(np.hypot(radius - side * SHOULDER, z) - UPPER - FORE) < 0.02 for side in (1, -1))
        assert (near | far).all() and surface.bounds[near & ~far].all()
        hidden = far & ~near & (radius > 0.05)  # nearer the axis the two are one
        assert surface.bounds[hidden].mean() < 2e-3 if hidden.any() else True
        inside, outside = inside + hidden.sum(), outside + near.sum()
    assert inside > 1000 and outside > 1000
    (folded,) = named(found, "Elbow folded")
    assert folded.bounds.mean() < 5e-3


@pytest.mark.parametrize("name", some(["puma560", "stanford", "scara", "irb140"], 2))
def test_places_are_reached_as_samples_of_the_joints_say(name):
    """What random poses reach is reached; what lies farther out than the arm is long is not. With SOAK=1 on four arms."""
    robot = engine.load_robot(name)
    from armature.engine.singularities.positioning_part import Positioning

    sides = Sides(Positioning.of(robot, robot.configurations["home"], None, None))
    low, high = sides.part.ranges()
    points = sides.part.points(np.random.default_rng(5).uniform(low, high, (2000, len(low))))
    assert sides.reached(points).mean() > 0.999
    assert not sides.reached(points + [0, 0, 3 * robot.reach])[:50].any()


def test_the_puma_has_its_shoulder_and_its_elbow_around_and_its_elbow_limit_within():
    found = engine.singular_surfaces(engine.load_robot("puma560"), resolution=24)
    assert all(s.bounds.all() for s in found.surfaces if s.kind == "singular")
    # joint 3 folds to 31 cm from the shoulder one way, to 35 cm the other
    (closest,), (other,) = (named(found, f"joint 3 at its {side} limit") for side in ("lower", "upper"))
    assert closest.bounds.all() and other.bounds.mean() < 0.25
