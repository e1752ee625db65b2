"""Identities that hold for any tree of joints, on random ones: no reference needed, no tolerance to argue about."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armature import engine
from tests.engine.trees import random_state, random_tree

H = 1e-6

trees = st.builds(random_tree, seed=st.integers(0, 10**6), n=st.integers(1, 12), branching=st.booleans())


def state_of(robot):
    return random_state(robot, np.random.default_rng(len(robot.name) * 7919 + robot.n))


def scale(*arrays) -> float:
    return 1.0 + max(float(np.abs(a).max()) for a in arrays)


@given(trees)
def test_aba_after_rnea_is_identity(robot):
    q, qd, qdd = state_of(robot)
    tau = engine.rnea(robot, q, qd, qdd)
    for method in ("crba", "aba"):
        assert np.abs(engine.forward_dynamics(robot, q, qd, tau, method=method) - qdd).max() < 1e-9 * scale(qdd)


@given(trees)
def test_columns_of_the_mass_matrix_are_rnea_of_unit_accelerations(robot):
    q, _, _ = state_of(robot)
    M, g, rest = engine.mass_matrix(robot, q), engine.gravity_torque(robot, q), np.zeros(robot.n)
    columns = np.array([engine.rnea(robot, q, rest, e) - g for e in np.eye(robot.n)]).T
    assert np.abs(M - columns).max() < 1e-9 * scale(M, g)


@given(trees)
def test_mass_matrix_is_symmetric_and_positive_definite(robot):
    M = engine.mass_matrix(robot, state_of(robot)[0])
    assert np.array_equal(M, M.T)
    assert np.linalg.eigvalsh(M)[0] > 0


@given(trees)
def test_rnea_is_the_sum_of_its_terms(robot):
    q, qd, qdd = state_of(robot)
    M, C, g = engine.mass_matrix(robot, q), engine.coriolis_matrix(robot, q, qd), engine.gravity_torque(robot, q)
    tau = engine.rnea(robot, q, qd, qdd)
    assert np.abs(M @ qdd + C @ qd + g - tau).max() < 1e-9 * scale(tau)


@given(trees)
def test_mdot_minus_2c_is_skew(robot):
    q, qd, _ = state_of(robot)
    Mdot = (engine.mass_matrix(robot, q + H * qd) - engine.mass_matrix(robot, q - H * qd)) / (2 * H)
    S = Mdot - 2 * engine.coriolis_matrix(robot, q, qd)
    assert np.abs(S + S.T).max() < 1e-7 * scale(Mdot)


@given(trees)
def test_lagrange_equals_newton_euler(robot):
    q, qd, _ = state_of(robot)
    terms = engine.lagrange_terms(robot, q, qd)
    M, g = engine.mass_matrix(robot, q), engine.gravity_torque(robot, q)
    c = engine.rnea(robot, q, qd, np.zeros(robot.n)) - g
    for ours, theirs in zip(terms, (M, c, g), strict=True):
        assert np.abs(ours - theirs).max() < 1e-9 * scale(M, c, g)


@given(trees)
def test_gravity_torque_is_the_slope_of_potential_energy(robot):
    q, _, _ = state_of(robot)
    E = engine.potential_energy
    slope = [(E(robot, q + H * e) - E(robot, q - H * e)) / (2 * H) for e in np.eye(robot.n)]
    g = engine.gravity_torque(robot, q)
    assert np.abs(slope - g).max() < 1e-6 * scale(g, engine.potential_energy(robot, q))


@given(trees)
def test_kinetic_energy_is_half_qd_m_qd(robot):
    q, qd, _ = state_of(robot)
    E = engine.kinetic_energy(robot, q, qd)
    assert pytest.approx(0.5 * qd @ engine.mass_matrix(robot, q) @ qd, rel=1e-10) == E


@given(trees)
def test_power_balance(robot):
    """dE/dt = tau · qd: energy changes by what the motors put in, and by nothing else."""
    q, qd, qdd = state_of(robot)
    power = engine.rnea(robot, q, qd, qdd) @ qd

    def energy(h):
        p, v = q + h * qd + 0.5 * h * h * qdd, qd + h * qdd
        return engine.kinetic_energy(robot, p, v) + engine.potential_energy(robot, p)

    assert abs((energy(H) - energy(-H)) / (2 * H) - power) < 1e-6 * scale(energy(0), power)


@given(trees)
def test_external_wrench_acts_through_the_jacobian_of_its_link(robot):
    q, qd, qdd = state_of(robot)
    f = np.random.default_rng(robot.n).normal(size=(len(robot.links), 6))
    through = sum(engine.jacobian(robot, q, name).T @ f[i] for i, name in enumerate(robot.link_names))
    tau = engine.rnea(robot, q, qd, qdd)
    assert np.abs(engine.rnea(robot, q, qd, qdd, f) - (tau - through)).max() < 1e-9 * scale(tau, through)
    for method in ("crba", "aba"):
        assert np.abs(engine.forward_dynamics(robot, q, qd, tau - through, f, method) - qdd).max() < 1e-9 * scale(qdd)


@given(trees)
def test_jacobian_is_the_slope_of_the_pose(robot):
    q, _, _ = state_of(robot)
    for name in robot.frames:
        J, R = engine.jacobian(robot, q, name), engine.frame_pose(robot, q, name)[:3, :3]
        for i, e in enumerate(np.eye(robot.n)):
            dX = (engine.frame_pose(robot, q + H * e, name) - engine.frame_pose(robot, q - H * e, name)) / (2 * H)
            W = dX[:3, :3] @ R.T
            twist = np.concatenate([dX[:3, 3], [W[2, 1], W[0, 2], W[1, 0]]])
            assert np.abs(twist - J[:, i]).max() < 1e-7 * scale(J)


@given(trees)
def test_jacobian_dot_is_the_slope_of_the_jacobian(robot):
    q, qd, _ = state_of(robot)
    for name in robot.frames:
        slope = (engine.jacobian(robot, q + H * qd, name) - engine.jacobian(robot, q - H * qd, name)) / (2 * H)
        Jdot = engine.jacobian_dot(robot, q, qd, name)
        assert np.abs(slope - Jdot).max() < 1e-7 * scale(Jdot)


@given(trees)
def test_a_batch_answers_as_its_states_do(robot):
    q, qd, qdd = random_state(robot, np.random.default_rng(robot.n), N=3)
    calls = {
        "frame_pose": (q,), "link_poses": (q,), "jacobian": (q,), "jacobian_dot": (q, qd), "rnea": (q, qd, qdd),
        "mass_matrix": (q,), "coriolis_matrix": (q, qd), "gravity_torque": (q,), "friction_torque": (qd,),
        "forward_dynamics": (q, qd, qdd), "kinetic_energy": (q, qd), "potential_energy": (q,),
    }  # fmt: skip
    for name, arguments in calls.items():
        call = getattr(engine, name)
        together = call(robot, *arguments)
        for k in range(3):
            one = call(robot, *(a[k] for a in arguments))
            assert np.shape(together[k]) == np.shape(one), name
            assert np.abs(together[k] - one).max() <= 1e-12 * scale(one), name
