"""Arms with a joint that moves no inertia: found by `examine`, named alike by `check` and by what cannot be computed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.checks.check import FAILED, SKIPPED
from armature.engine.dynamics.uncompiled import inertia_cause, joints_without_inertia
from tests.engine.sound_arms import TOML, opened

CASES = Path(__file__).parents[1] / "data" / "robots"
SLIDE = """name = "slide"
convention = "standard"
[[joints]]
type = "revolute"
a = 0.3
mass = 1.0
com = [-0.15, 0, 0]
inertia = [0.001, 0.01, 0.01]
[[joints]]
type = "prismatic"
alpha = "pi/2"
mass = 0.0
"""
# Two joints about one axis, and nothing on the link between them.
BETWEEN = """name = "between"
convention = "standard"
[[joints]]
type = "revolute"
mass = 0.0
[[joints]]
type = "revolute"
a = 0.3
mass = 1.0
com = [-0.15, 0, 0]
inertia = [0.001, 0.01, 0.01]
"""


@pytest.mark.parametrize(("name", "line"), [("mass_thin", 50), ("mass_point", 38)])
def test_a_link_without_inertia_about_its_joint_is_found_by_link_and_axis(name, line):
    robot = engine.load_robot(CASES / f"{name}.toml")
    (finding,) = engine.examine(robot)
    assert finding.rule == "joint without inertia" and finding.grade == "error"
    assert finding.where.part == "link 6" and finding.where.line == line
    assert finding.figure.startswith("joint6 moves no inertia in any pose: link6 has none about the joint's axis (z in")


@pytest.mark.parametrize("name", ["mass_thin", "mass_point"])
def test_the_check_skips_what_has_no_answer_and_gives_the_cause(name):
    robot = engine.load_robot(CASES / f"{name}.toml")
    results = list(engine.check(robot, states=3))
    assert not [result for result in results if result.status == FAILED]
    skipped = {result.name for result in results if result.note == inertia_cause(robot) and result.status == SKIPPED}
    assert "the mass matrix is symmetric and positive definite" in skipped and "derivatives of forward dynamics" in skipped


def test_what_needs_the_inverse_names_the_same_cause():
    robot = engine.load_robot(CASES / "mass_thin.toml")
    rest = np.zeros(6)
    with pytest.raises(engine.SingularMassMatrixError, match="link6 has none about the joint's axis"):
        engine.forward_dynamics(robot, rest, rest, rest)
    with pytest.raises(engine.DivergenceError, match="link6 has none about the joint's axis"):
        engine.simulate(robot, rest, rest, 0.01, 0.001)


@pytest.mark.parametrize(
    ("text", "joints", "says"),
    [
        (SLIDE, (1,), "joint2 moves no mass in any pose: link2 and the links after it have none"),
        (BETWEEN, (0, 1), "joint1, joint2 together move no inertia in any pose: link1 between them has no inertia"),
    ],
)
def test_slides_without_mass_and_joints_with_nothing_between_them(text, joints, says, tmp_path):
    robot = opened(tmp_path, text)
    assert joints_without_inertia(robot) == joints and inertia_cause(robot) == says
    (finding,) = [finding for finding in engine.examine(robot) if finding.rule == "joint without inertia"]
    assert finding.figure.startswith(says)


def test_a_rotor_or_a_mass_beside_the_axis_is_enough(tmp_path):
    assert joints_without_inertia(opened(tmp_path, BETWEEN.replace("mass = 0.0", "mass = 0.0\nrotor_inertia = 1e-6"))) == ()
    assert joints_without_inertia(opened(tmp_path, SLIDE.replace("mass = 0.0", "mass = 0.1"))) == ()


def test_an_arm_that_has_no_inertia_at_home_only_is_doubtful(tmp_path):
    """A point mass on a pan and tilt head that looks along the axis of the pan."""
    head = '[[joints]]\ntype = "revolute"\n'
    text = f'name = "head"\nconvention = "standard"\n{head}alpha = "pi/2"\nmass = 0.0\n{head}a = 0.2\nmass = 1.0\n'
    robot = opened(tmp_path, text.replace("\n[[", '\n[configurations]\nhome = [0, "pi/2"]\n[[', 1))
    assert joints_without_inertia(robot) == () and inertia_cause(robot) == ""
    assert joints_without_inertia(robot, robot.configurations["home"]) == (0,)
    (finding,) = [finding for finding in engine.examine(robot) if finding.rule == "no inertia in the home pose"]
    assert finding.grade == "doubtful" and finding.figure.startswith("joint1")


def test_the_mass_matrix_that_decides_is_the_engine_s(tmp_path):
    """Regular where the engine's is: the smallest eigenvalue of a sound arm is far from the dust that counts as none."""
    assert joints_without_inertia(opened(tmp_path, TOML)) == ()
    for name in engine.shipped_robots():
        assert joints_without_inertia(engine.load_robot(name)) == (), name
