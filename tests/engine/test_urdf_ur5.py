"""The shipped ur5 has the dynamics of the maker's figures: those that Pinocchio finds in ROS-Industrial's URDF."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from armature import engine
from tests.engine.example_robots import example

LIFT = 0.089459 - 0.089159  # m, by which the two tables differ along joint 1's axis, which stands upright


@pytest.fixture(scope="module")
def peer():
    model = pin.buildModelFromUrdf(str(example("ur5_robot")))
    return model, model.createData()


@pytest.fixture(scope="module")
def ur5():
    return engine.load_robot("ur5")


@pytest.fixture(scope="module")
def states():
    return np.random.default_rng(0).uniform(-3, 3, (20, 3, 6))


def close(ours, theirs):
    assert np.abs(ours - theirs).max() <= 1e-9 * np.abs(theirs).max()


def test_dynamics_are_those_of_the_urdf(ur5, peer, states):
    for q, qd, qdd in states:
        tau = pin.rnea(*peer, q, qd, qdd)
        close(engine.rnea(ur5, q, qd, qdd), tau)
        close(engine.gravity_torque(ur5, q), pin.computeGeneralizedGravity(*peer, q))
        M = pin.crba(*peer, q)
        close(engine.mass_matrix(ur5, q), np.triu(M) + np.triu(M, 1).T)
        for method in ("crba", "aba"):
            close(engine.forward_dynamics(ur5, q, qd, tau, method=method), pin.aba(*peer, q, qd, tau))


def test_the_tool_is_where_the_urdf_has_it_but_for_the_base(ur5, peer, states):
    model, data = peer
    half_turn = np.diag([-1.0, -1.0, 1.0, 1.0])
    for q, _, _ in states:
        pin.framesForwardKinematics(model, data, q)
        X = data.oMf[model.getFrameId("tool0")].homogeneous.copy()
        X[2, 3] += LIFT
        np.testing.assert_allclose(half_turn @ engine.frame_pose(ur5, q), X, atol=1e-10)


def test_the_figures_are_those_of_the_urdf_moved_into_dh_frames(ur5):
    urdf = engine.load_robot(example("ur5_robot"))
    half_turn, X = np.diag([-1.0, -1.0, 1.0, 1.0]), np.eye(4)
    X[2, 3] = LIFT
    for i, (ours, theirs) in enumerate(zip(ur5.bodies, urdf.bodies, strict=True)):
        X = X @ theirs.X_PJ
        D = (
            np.linalg.inv(
                half_turn @ engine.frame_pose(ur5, np.zeros(6), f"link{i + 1}") @ np.linalg.inv(ur5.links[f"link{i + 1}"].X_BF)
            )
            @ X
        )
        assert ours.mass == theirs.mass
        np.testing.assert_allclose(ours.com, D[:3, :3] @ theirs.com + D[:3, 3], atol=1e-10)
        np.testing.assert_allclose(ours.inertia, D[:3, :3] @ theirs.inertia @ D[:3, :3].T, atol=1e-10)
    np.testing.assert_array_equal(ur5.tau_max, urdf.tau_max)
    np.testing.assert_array_equal(ur5.qd_max, urdf.qd_max)
