"""Calls with one state: equal to a row of a batch, whatever kind of array it is, from many threads, or refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from armature import engine
from tests.engine.trees import random_state, random_tree

CALLS = {
    "rnea": lambda r, q: engine.rnea(r, q, 0.5 * q, -q),
    "mass_matrix": lambda r, q: engine.mass_matrix(r, q),
    "forward_dynamics": lambda r, q: engine.forward_dynamics(r, q, 0.5 * q, -q),
    "jacobian": lambda r, q: engine.jacobian(r, q),
    "frame_pose": lambda r, q: engine.frame_pose(r, q),
    "link_poses": lambda r, q: engine.link_poses(r, q),
    "rnea_derivatives": lambda r, q: engine.rnea_derivatives(r, q, 0.5 * q, -q).dq,
    "link_loads": lambda r, q: engine.link_loads(r, q, 0.5 * q, -q),
}


class Tagged(np.ndarray):
    """An array of a class of its own."""


def misaligned(q: np.ndarray) -> np.ndarray:
    """The same numbers one byte off."""
    room = np.zeros(8 * q.size + 1, np.uint8)[1:].view(np.float64)
    room[:] = q
    assert not room.flags.aligned
    return room


@pytest.mark.parametrize("name", CALLS)
def test_one_state_equals_the_row_of_a_batch(name):
    rng = np.random.default_rng(5)
    for n in (1, 2, 7, 40):
        robot = random_tree(n, n)
        q, _, _ = random_state(robot, rng, 4)
        for row, expected in zip(q, CALLS[name](robot, q), strict=True):
            np.testing.assert_allclose(CALLS[name](robot, row.copy()), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "spell",
    [lambda q: q.view(Tagged), lambda q: q.astype(">f8"), misaligned, lambda q: np.repeat(q, 2)[::2], lambda q: q.astype(int)],
    ids=["subclass", "byte order", "misaligned", "strided", "integers"],
)
def test_other_kinds_of_arrays_give_the_same(name, spell):
    robot, q = engine.load_robot("panda"), np.arange(7) % 3 - 1.0
    np.testing.assert_allclose(CALLS[name](robot, spell(q)), CALLS[name](robot, q), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("bad", [np.full(7, np.nan), np.zeros(6), np.zeros((2, 3, 7))], ids=["nan", "short", "deep"])
def test_what_is_no_joint_vector_is_refused(name, bad):
    with pytest.raises(engine.DimensionError):
        CALLS[name](engine.load_robot("panda"), bad)


def test_calls_from_many_threads_do_not_share_results():
    robot = engine.load_robot("panda")
    states = np.random.default_rng(3).uniform(-1, 1, (400, 7))
    with ThreadPoolExecutor(4) as pool:
        for call in CALLS.values():
            got = list(pool.map(lambda q, call=call: call(robot, q.copy()), states))
            np.testing.assert_allclose(got, call(robot, states), rtol=1e-9, atol=1e-9)


def test_a_batch_names_the_first_number_that_is_not_finite():
    robot = engine.load_robot("panda")
    q = np.zeros((3000, 7))
    q[2000, 4] = np.inf
    with pytest.raises(engine.DimensionError, match=r"q has a non-finite number at index \(2000, 4\)"):
        engine.rnea(robot, q, 0 * np.ones((3000, 7)), np.zeros((3000, 7)))
    qdd = np.zeros((3000, 7))
    qdd[2999, 6] = np.nan
    with pytest.raises(engine.DimensionError, match=r"qdd has a non-finite number at index \(2999, 6\)"):
        engine.rnea(robot, np.zeros((3000, 7)), np.zeros((3000, 7)), qdd)
