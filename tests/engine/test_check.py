"""`check`: every shipped arm passes, every kind of fault is found, and what cannot be checked is said."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.checks import check as identities
from armature.engine.reach.random_states import random_states
from tests.engine.example_robots import usable_files
from tests.engine.trees import random_tree


@pytest.mark.parametrize("name", engine.shipped_robots())
def test_every_shipped_robot_passes(name, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    robot = engine.load_robot(name)
    results = list(engine.check(robot, states=5))
    assert {result.status for result in results} <= {"ok", "skipped"}, [r for r in results if r.status == "FAILED"]
    assert all(result.error is not None and result.error <= result.bar for result in results if result.status == "ok")
    assert len(results) == (32 if robot.has_dynamics else 8)
    assert not list(tmp_path.iterdir()) and capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("seed", "n"), [(1, 1), (2, 3), (3, 9), (4, 25)])
def test_random_trees_pass(seed, n):
    assert all(result.status == "ok" for result in engine.check(random_tree(seed, n), states=5))


@pytest.mark.parametrize("path", usable_files(), ids=lambda path: path.stem)
def test_every_urdf_of_example_robot_data_passes(path):
    """Regressor and derivatives among the rest; arms with mimic joints are compared with every joint set free."""
    robot = engine.load_robot(path)
    results = list(engine.check(robot, states=2))
    assert not [result for result in results if result.status == "FAILED"]
    skipped = [result.name for result in results if result.status == "skipped"]
    assert skipped == ([] if robot.coupling is None else ["forward dynamics inverts inverse dynamics (articulated bodies)"])


@pytest.mark.parametrize(
    "name", ["rnea", "mass_matrix", "coriolis_matrix", "gravity_torque", "kinetic_energy", "potential_energy", "jacobian",
             "jacobian_dot", "regressor", "link_loads", "com_jacobian", "forward_dynamics"],
)  # fmt: skip
def test_a_wrong_figure_is_found(name, monkeypatch):
    right = getattr(identities, name)
    monkeypatch.setattr(identities, name, lambda *a, **k: np.asarray(right(*a, **k)) * 1.001)
    failed = [result for result in engine.check(engine.load_robot("puma560"), states=3) if result.status == "FAILED"]
    assert failed and all(result.error > result.bar for result in failed)


def test_an_arm_whose_inertia_vanishes_is_skipped_in_words():
    tree = random_tree(5, 3, branching=False)
    last = replace(tree.bodies[-1], mass=0.0, inertia=np.zeros((3, 3)), rotor_inertia=0.0)
    results = {r.name: r for r in engine.check(replace(tree, bodies=(*tree.bodies[:-1], last)), states=3)}
    bad = results["forward dynamics inverts inverse dynamics (composite bodies)"]
    assert bad.status == "skipped" and "joint3" in bad.note and "\n" not in bad.note


@pytest.mark.parametrize(("module", "name"), [("pinocchio", "Pinocchio"), ("mujoco", "MuJoCo")])
def test_a_peer_that_is_not_installed_is_skipped(module, name, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    results = list(engine.check(engine.load_robot("rp"), states=2))
    (skipped,) = [result for result in results if result.status == "skipped"]
    assert skipped.note == f"{name} is not installed" and not any(name in r.name for r in results if r.status == "ok")


def test_states_lie_within_the_limits():
    robot = engine.load_robot("puma560")
    q = random_states(robot, 200, 0).q
    assert (q >= robot.q_min).all() and (q <= robot.q_max).all() and np.ptp(q, axis=0).min() > 1
    half = replace(robot, q_min=np.full(6, -np.inf), q_max=np.full(6, 0.5))
    assert random_states(half, 200, 0).q.max() <= 0.5
    with pytest.raises(engine.EngineError, match="1 or more"):
        engine.check(robot, states=0)
