"""`Robot`: frozen, and changed only into a new one."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from armature import engine


@pytest.fixture(scope="module")
def states():
    return np.random.default_rng(0).normal(size=(3, 20, 6))


def test_nothing_in_a_robot_can_be_written_to(puma):
    with pytest.raises(dataclasses.FrozenInstanceError):
        puma.name = "other"
    home, tool = puma.configurations["home"], puma.frames["tool"]
    for array in (puma.q_min, puma.gravity, puma.packed, home, tool.X_BF, puma.bodies[1].com):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    with pytest.raises(TypeError):
        puma.configurations["mine"] = np.zeros(6)


def test_zero_and_home_always_exist():
    for name in engine.shipped_robots():
        robot = engine.load_robot(name)
        assert np.array_equal(robot.configurations["zero"], np.zeros(robot.n))
        home = robot.configurations["home"]
        assert np.all((robot.q_min <= home) & (home <= robot.q_max)), name
        assert engine.singularity(robot, home).condition < 30, name


def test_a_zero_payload_changes_nothing(puma, states):
    q, qd, qdd = states
    same = puma.with_payload(0.0)
    assert np.array_equal(engine.rnea(same, q, qd, qdd), engine.rnea(puma, q, qd, qdd))


def test_a_payload_is_a_mass_at_the_tool(puma, states):
    q, qd, qdd = states
    loaded = puma.with_payload(0.851, com=(0.01, 0.0, 0.05))
    X = engine.frame_pose(puma, q)
    p = X[:, :3, 3] + X[:, :3, :3] @ [0.01, 0.0, 0.05]
    extra = engine.potential_energy(loaded, q) - engine.potential_energy(puma, q)
    np.testing.assert_allclose(extra, 0.851 * 9.81 * p[:, 2], rtol=1e-10)
    assert np.all(np.linalg.eigvalsh(engine.mass_matrix(loaded, q) - engine.mass_matrix(puma, q))[:, 0] > -1e-12)
    assert puma.bodies[5].mass == 0.09


@pytest.mark.parametrize(
    "bad",
    [
        *({"mass": mass} for mass in (-1, np.nan, "heavy", None, [1.0], 10**400)),
        *({"mass": 1, "com": com} for com in ((0, 0), "here", [10**400, 0, 0])),
        *({"mass": 1, "inertia": inertia} for inertia in (-np.eye(3), "small", [[1], [1, 2]])),
    ],
)
def test_an_impossible_payload_is_refused(puma, bad):
    with pytest.raises(engine.EngineError):
        puma.with_payload(**bad)


def test_gravity(puma, states):
    q = states[0]
    assert np.abs(engine.gravity_torque(puma.with_gravity((0, 0, 0)), q)).max() == 0
    np.testing.assert_allclose(engine.gravity_torque(puma.with_gravity((0, 0, 9.81)), q), -engine.gravity_torque(puma, q))


def test_a_tool_is_applied_after_the_flange(puma, states):
    X = np.eye(4)
    X[:3, 3] = 0.0, 0.0, 0.2
    longer, q = puma.with_tool(X), states[0]
    np.testing.assert_allclose(engine.frame_pose(longer, q), engine.frame_pose(puma, q, "link6") @ X, atol=1e-12)
    assert puma.with_tool("link3").tool == "link3"
    with pytest.raises(engine.ModelError):
        puma.with_tool(2 * np.eye(4))


def test_without_friction(puma):
    qd = np.full(6, 0.3)
    assert np.all(engine.friction_torque(puma, qd) > 0)
    assert np.all(engine.friction_torque(puma, -qd) < 0)
    assert np.all(engine.friction_torque(puma, 0 * qd) == 0)
    assert np.all(engine.friction_torque(puma.without_friction(), qd) == 0)
