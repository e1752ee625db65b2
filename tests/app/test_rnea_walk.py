"""The words and numbers of recursive Newton–Euler, move by move, on random arms: each line is what the engine finds."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.app.scene.overlays.newton_euler.rnea_terms import figures
from armature.app.scene.overlays.newton_euler.rnea_walk import Phase, RneaWalk
from armature.app.scene.overlays.newton_euler.rnea_words import lines, sentence, title
from tests.engine.test_simulation_coupled import gripper_arm
from tests.engine.trees import random_state, random_tree

FIELDS = {
    Phase.START: ("w", "wd", "v", "a"),
    Phase.OUTWARD: ("w", "wd", "v", "a", "a_c"),
    Phase.FORCES: ("F", "N"),
    Phase.INWARD: ("f", "n"),
}


def arms(tmp_path):
    trees = [random_tree(seed, n, branching) for seed, n, branching in ((1, 1, False), (2, 4, False), (3, 6, True), (4, 7, True))]
    return [*trees, engine.load_robot("puma560"), engine.load_robot("stanford"), gripper_arm(tmp_path)]


@pytest.mark.parametrize("axes", ["world", "link"])
def test_every_line_of_every_move_is_what_the_engine_finds(tmp_path, axes):
    for robot in arms(tmp_path):
        q, qd, qdd = random_state(robot, np.random.default_rng(5))
        walk, steps = RneaWalk(robot, q, qd, qdd), engine.rnea_steps(robot, q, qd, qdd, axes=axes)
        tau_b, seen = np.zeros(walk.n), set()
        for number in range(walk.count + 1):
            move = walk.move(number)
            shown = lines(walk, move, axes)
            for line, field in zip(shown, FIELDS[move.phase]):
                expected = steps._asdict()[field][walk.row(move.body)]
                total = sum(term.value for term in line.terms)
                np.testing.assert_allclose(line.result.value, expected, atol=1e-10 * (1 + np.abs(expected).max()))
                np.testing.assert_allclose(total, expected, atol=1e-10 * (1 + np.abs(expected).max()))
            if move.phase == Phase.INWARD:
                tau_b[move.body] = shown[2].result.value
            seen.add((move.phase, move.body))
            assert title(walk, move) and sentence(walk, move) and all(line.figures and line.value for line in shown)
        assert len(seen) == walk.count + 1
        tau = tau_b if robot.coupling is None else robot.coupling.force(tau_b)
        np.testing.assert_allclose(tau, engine.rnea(robot, q, qd, qdd), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(walk.lagrange.sum(axis=1), tau, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(walk.torque, tau_b, atol=1e-9)


def test_the_order_of_the_moves_and_what_is_drawn():
    robot = engine.load_robot("puma560")
    q = robot.configurations["home"]
    walk = RneaWalk(robot, q, 0 * q, 0 * q)
    order = [(walk.move(k).phase, walk.move(k).body) for k in (0, 1, 6, 7, 12, 13, 18)]
    assert order == [(-1, -1), (0, 0), (0, 5), (1, 0), (1, 5), (2, 5), (2, 0)]
    assert walk.move(6.5).number == 7
    (base,) = walk.arrows(walk.move(0))
    np.testing.assert_allclose(base.vector, [0, 0, 9.81])
    assert base.share == pytest.approx(1.0) and "−g" in sentence(walk, walk.move(0))
    drawn = {arrow.symbol: arrow for arrow in walk.arrows(walk.move(2))}
    assert set(drawn) == {"ω_2", "ω̇_2", "v_2", "a_e2", "a_c2"} and drawn["ω_2"].share == 0.0
    load = {arrow.symbol: arrow for arrow in walk.arrows(walk.move(18))}
    assert load["f_2"].thin and not load["f_1"].thin and load["f_1"].share == pytest.approx(1.0)
    np.testing.assert_allclose(load["f_1"].vector[2], 9.81 * sum(body.mass for body in robot.bodies))


def test_figures_are_short_and_without_noise():
    assert figures(np.array([1.0, -2.5, 1e-17])) == "(1, −2.5, 0)"
    assert figures(1e-16, 3.0) == "0" and figures(0.123456) == "0.1235"


@pytest.mark.parametrize(("name", "first"), [("puma560", 0), ("panda", 1)])
def test_axes_are_called_as_the_frames_of_the_dh_table(name, first):
    robot = engine.load_robot(name)
    q = np.linspace(-0.6, 0.8, robot.n)
    walk, frames = RneaWalk(robot, q, 0 * q + 1.0, 0 * q), engine.link_poses(robot, q)
    for k in range(1, walk.count + 1):
        move = walk.move(k)
        if move.phase == Phase.OUTWARD and move.body < robot.n:
            z = f"z_{move.body + first}"
            assert f" about {z}." in sentence(walk, move) and f"{z} · q̇_{move.body + 1}" in lines(walk, move)[0].symbols
            before = np.eye(4) if move.body + first == 0 else frames[move.body + first]
            assert figures(before[:3, 2], 1.0) in lines(walk, move)[0].figures
