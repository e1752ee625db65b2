"""What the engine does with arguments that do not fit: one line that names them, never NaN, never a crash."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine import batching

Q = [0.1, -0.4, 0.3, 0.2, 0.5, -0.6]
ZERO = np.zeros(6)

CALLS = {
    "frame_pose": lambda r, q: engine.frame_pose(r, q),
    "link_poses": lambda r, q: engine.link_poses(r, q),
    "jacobian": lambda r, q: engine.jacobian(r, q),
    "jacobian_dot": lambda r, q: engine.jacobian_dot(r, q, ZERO),
    "rnea": lambda r, q: engine.rnea(r, q, ZERO, ZERO),
    "mass_matrix": lambda r, q: engine.mass_matrix(r, q),
    "coriolis_matrix": lambda r, q: engine.coriolis_matrix(r, q, ZERO),
    "forward_dynamics": lambda r, q: engine.forward_dynamics(r, q, ZERO, ZERO),
    "potential_energy": lambda r, q: engine.potential_energy(r, q),
    "singularity": lambda r, q: engine.singularity(r, q),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "bad",
    [[0.0] * 5, [0.0] * 7, [], 0.3, np.zeros((2, 5)), np.zeros((1, 1, 6)), [np.nan, *Q[1:]], [np.inf, *Q[1:]], "abc", None],
    ids=["short", "long", "empty", "scalar", "narrow", "cube", "nan", "inf", "text", "none"],
)
def test_a_bad_state_is_refused_in_one_line(puma, name, bad):
    with pytest.raises(engine.DimensionError) as caught:
        CALLS[name](puma, bad)
    assert "\n" not in str(caught.value)
    assert "puma560" in str(caught.value)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "spelling",
    [tuple(Q), np.array(Q, np.float32), np.array(Q)[::-1][::-1], np.repeat(Q, 2)[::2], np.asfortranarray(Q), np.array([Q, Q])[1]],
    ids=["tuple", "float32", "view", "strided", "fortran", "row"],
)
def test_any_spelling_of_a_state_gives_the_same(puma, name, spelling):
    expected, got = CALLS[name](puma, np.array(Q)), CALLS[name](puma, spelling)
    if name == "singularity":
        expected, got = expected.sigma, got.sigma
    single = np.asarray(spelling).dtype == np.float32
    np.testing.assert_allclose(got, expected, rtol=1e-5 if single else 1e-13, atol=1e-6 if single else 1e-13)


def test_read_only_and_integer_states(puma):
    engine.rnea(puma, puma.configurations["home"], np.zeros(6, int), [0] * 6)


def test_unknown_names_list_the_valid_ones(puma):
    with pytest.raises(engine.UnknownFrameError, match="link6"):
        engine.frame_pose(puma, Q, "gripper")
    with pytest.raises(engine.EngineError, match="crba, aba"):
        engine.forward_dynamics(puma, Q, ZERO, ZERO, method="magic")
    with pytest.raises(engine.EngineError, match="rx"):
        engine.singularity(puma, Q, task=("x", "roll"))
    with pytest.raises(engine.DimensionError, match=r"\(7, 6\)"):
        engine.rnea(puma, Q, ZERO, ZERO, f_ext=np.zeros((6, 6)))
    with pytest.raises(engine.DimensionError, match="different length"):
        engine.rnea(puma, np.zeros((3, 6)), np.zeros((4, 6)), ZERO)


def test_an_arm_without_masses_says_what_it_cannot_do():
    irb140 = engine.load_robot("irb140")
    assert not irb140.has_dynamics
    assert np.isfinite(engine.jacobian(irb140, Q)).all()
    for call in ("rnea", "mass_matrix", "coriolis_matrix", "forward_dynamics", "potential_energy"):
        with pytest.raises(engine.MissingDynamicsError, match="masses"):
            CALLS[call](irb140, np.array(Q))


def test_large_batches_split_over_threads_agree_with_single_calls(puma):
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.normal(size=(3, 5001, 6))
    for batch, one in (
        (engine.rnea(puma, q, qd, qdd), lambda k: engine.rnea(puma, q[k], qd[k], qdd[k])),
        (engine.forward_dynamics(puma, q, qd, qdd), lambda k: engine.forward_dynamics(puma, q[k], qd[k], qdd[k])),
        (engine.jacobian(puma, q), lambda k: engine.jacobian(puma, q[k])),
    ):
        for k in (0, 2499, 2500, 2501, 5000):
            np.testing.assert_allclose(batch[k], one(k), rtol=1e-12, atol=1e-12)
    assert batching.WORKERS >= 1


def test_one_state_against_a_batch_is_repeated(puma):
    q = np.random.default_rng(1).normal(size=(4, 6))
    tau = engine.rnea(puma, q, ZERO, ZERO)
    assert tau.shape == (4, 6)
    np.testing.assert_allclose(tau, engine.gravity_torque(puma, q))
    f = np.random.default_rng(2).normal(size=(4, 7, 6))
    assert engine.rnea(puma, Q, ZERO, ZERO, f).shape == (4, 6)


def test_empty_batch(puma):
    assert engine.frame_pose(puma, np.zeros((0, 6))).shape == (0, 4, 4)
    assert engine.rnea(puma, np.zeros((0, 6)), ZERO, ZERO).shape == (0, 6)


def test_huge_and_infinite_numbers_make_no_warnings(recwarn):
    robot = engine.load_robot("double_pendulum")
    engine.frame_pose(robot, [[1e308, 1e308]])
    with pytest.raises(engine.DimensionError, match="non-finite"):
        engine.frame_pose(robot, [[np.inf, -np.inf]])
    assert not recwarn.list


@pytest.mark.parametrize("share", range(4))
def test_what_one_of_the_threads_raises_is_raised(monkeypatch, share):
    """Else the rows of that thread come back as they were allocated."""
    ended = []

    def task(lo, hi):
        if lo == 500 * share:
            raise MemoryError("too large")
        ended.append(lo)

    monkeypatch.setattr(batching, "WORKERS", 4)
    with pytest.raises(MemoryError, match="too large"):
        batching.run(task, 2000)
    assert len(ended) == 3, "none runs on into arrays that nobody waits for"
