"""What a hand has shown becomes a trajectory within the arm's limits."""

import numpy as np
import pytest

from armature import engine
from armature.engine.errors import TrajectoryError
from tests.chance import seeds


@pytest.fixture(scope="module")
def panda():
    return engine.load_robot("panda")


def shown(arm, seconds, turn, seed=0):
    """A hand: 60 events a second, not quite even, with a tremor; it stands before and afterwards, and once on the way."""
    rng = np.random.default_rng(seed)
    t = np.cumsum(rng.uniform(0.01, 0.024, int(seconds * 60)))
    part = np.clip(t / t[-1] * 1.5 - 0.25, 0, 1)
    part = np.where(part < 0.5, part, np.maximum(0.5, part))
    q = arm.configurations["ready"] + np.outer(1 - np.cos(np.pi * part), turn) / 2
    moves = (part > 0) & (part < 1)
    return t, q + 1e-3 * rng.standard_normal(q.shape) * moves[:, None]


def test_a_slow_motion_comes_out_as_it_was_shown(panda):
    turn = np.array([0.8, -0.4, 0.3, 0.5, 0.2, 0.6, -0.9])
    t, q = shown(panda, 6.0, turn)
    found = engine.demonstrated_trajectory(panda, t, q)
    way = found.trajectory
    assert found.slower == 1.0 and found.why is None
    assert engine.check_limits(panda, way, torque=True) is None
    assert way.duration < t[-1] - 1.0  # where it stood is cut off
    assert np.allclose(way.start, q[0], atol=1e-3) and np.allclose(way.end, q[-1], atol=2e-3)
    for edge in (0.0, way.duration):
        assert np.abs(way.sample(edge)[1]).max() < 1e-9
    fine = np.linspace(0, way.duration, 2000)
    assert np.abs(way.sample(fine)[2]).max() < 15.0  # rad/s²: no tremor of the hand; unsmoothed it is some thousand
    near = np.array([np.abs(q - x).max(axis=1).min() for x in way.sample(fine)[0][::20]])
    assert near.max() < 0.03  # rad: along what was shown


@pytest.mark.parametrize("seed", seeds(2))
def test_a_hasty_motion_is_slowed_until_the_arm_can_follow(panda, seed):
    turn = np.random.default_rng(seed).uniform(1.0, 1.5, 7) * [1, 0.5, 1, 0.5, 1, 0.5, 1]
    t, q = shown(panda, 0.8, turn, seed)
    found = engine.demonstrated_trajectory(panda, t, q)
    assert found.slower > 1.2 and found.why.quantity in ("speed", "torque")
    assert engine.check_limits(panda, found.trajectory, torque=True) is None
    law = engine.default_gains(panda, "computed-torque")
    run = engine.simulate(panda, found.trajectory.start, None, found.trajectory.duration, 1e-3, law, trajectory=found.trajectory)
    assert np.abs(run.q - found.trajectory.sample(run.t)[0]).max() < 0.02


def test_beyond_a_joint_s_limit_it_stays_at_the_limit(panda):
    t, q = shown(panda, 4.0, np.array([4.0, 0, 0, 0, 0, 0, 0]))
    found = engine.demonstrated_trajectory(panda, t, q)
    assert found.trajectory.end[0] == pytest.approx(panda.q_max[0], abs=1e-6)
    assert engine.check_limits(panda, found.trajectory, torque=True) is None


def test_what_cannot_be_followed_is_refused(panda):
    still = np.tile(panda.configurations["ready"], (10, 1))
    for t, q, cutoff, words in (
        (np.arange(10) / 60, still, 2.0, "no joint moved"),
        (np.arange(10) / 60, still[:, :3], 2.0, r"\(N, 7\)"),
        (np.arange(10) / 60, still, 0.0, "cut-off"),
        (np.array([0.0, 1.0, 900.0]), np.array([still[0], still[0] + 0.1, still[0] + 0.2]), 2.0, "ten minutes"),
    ):
        with pytest.raises(TrajectoryError, match=words):
            engine.demonstrated_trajectory(panda, t, q, cutoff)
