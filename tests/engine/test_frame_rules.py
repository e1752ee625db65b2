"""Frames laid by rule: they obey the rules, begin with the file's table, and every free choice moves the same tool."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.model.dh.dh_moves import dh_chain
from armature.engine.model.dh.frame_rules import CROSSING, PARALLEL, SAME, SKEW, frames_of, lay_frames
from tests.engine.arms import different_arms
from tests.engine.example_robots import example

NAMES = (*different_arms(), "ur5_robot")


def load(name):
    return engine.load_robot(example(name) if name == "ur5_robot" else name)


@pytest.mark.parametrize("name", NAMES)
def test_the_first_choice_is_the_robots_own_table(name):
    robot = load(name)
    laid, chain = lay_frames(robot), dh_chain(robot, "standard")
    for quantity in ("a", "alpha", "d", "theta"):
        np.testing.assert_allclose(vars(laid.description.table)[quantity], vars(chain.table)[quantity], atol=1e-9)
    np.testing.assert_allclose(laid.description.base, chain.base, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_every_choice_moves_the_same_tool_and_obeys_the_rules(name):
    robot = load(name)
    first = lay_frames(robot)
    axes = lay_frames(robot).frames[:, :3, 2]
    for k, options in enumerate(first.options):
        for option in options:
            laid = lay_frames(robot, {k: option})
            assert laid.chosen[k] == option
            assert max(laid.description.error) < max(1e-12, 3 * max(first.description.error))
            R, p = laid.frames[:, :3, :3], laid.frames[:, :3, 3]
            np.testing.assert_allclose(np.cross(R[..., 2], R[..., 0]), R[..., 1], atol=1e-12)
            np.testing.assert_allclose(R[: len(axes) - 1, :, 2], axes[:-1], atol=1e-6)
            along = np.einsum("ki,ki->k", R[1:, :, 0], R[:-1, :, 2])
            np.testing.assert_allclose(along, 0.0, atol=1e-12)  # x across the z before
            normal = np.cross(R[:-1, :, 2], R[1:, :, 0])
            np.testing.assert_allclose(np.einsum("ki,ki->k", normal, p[1:] - p[:-1]), 0.0, atol=1e-9)
            np.testing.assert_allclose(frames_of(laid.description, np.zeros(len(R) - 1)), laid.frames, atol=1e-12)


def test_how_axes_lie_and_what_is_left_open():
    assert lay_frames(load("scara")).pairs == (PARALLEL, PARALLEL)
    assert lay_frames(load("rp")).pairs == (CROSSING,)
    assert lay_frames(load("rp_offset")).pairs == (SKEW,)
    assert lay_frames(load("cobra600")).pairs[-1] == SAME
    puma = lay_frames(load("puma560"))
    assert puma.pairs == (CROSSING, PARALLEL, SKEW, CROSSING, CROSSING)
    assert [len(options) > 1 for options in puma.options[1:-1]] == [True, True, False, True, True]
    turned = lay_frames(load("puma560"), {1: puma.options[1][1]})
    np.testing.assert_allclose(turned.description.table.alpha[0], -puma.description.table.alpha[0])
    scara = lay_frames(load("scara"), {1: "level"})
    np.testing.assert_allclose(scara.description.table.d, [0.0, 0.45, 0.0], atol=1e-12)
    assert lay_frames(load("scara"), {1: "along", 9: "level"}).chosen == lay_frames(load("scara")).chosen


def test_a_tree_has_the_joints_before_its_tool_and_no_chain_is_a_sentence():
    tree = engine.load_robot("two_arms")
    assert len(lay_frames(tree).frames) == len(tree.chain(tree.tool_frame)) + 1
