"""Names of poses wherever an engine call accepts q."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine

X = np.array([[1.0, 0, 0, 0.45], [0, -1, 0, 0.0], [0, 0, -1, 0.4], [0, 0, 0, 1]])
READY = engine.frame_pose(engine.load_robot("panda"), "ready")
CALLS = {
    "frame_pose": lambda r, q: engine.frame_pose(r, q),
    "link_poses": lambda r, q: engine.link_poses(r, q),
    "jacobian": lambda r, q: engine.jacobian(r, q),
    "analytic_jacobian": lambda r, q: engine.analytic_jacobian(r, q),
    "mass_matrix": lambda r, q: engine.mass_matrix(r, q),
    "coriolis_matrix": lambda r, q: engine.coriolis_matrix(r, q, np.ones(r.n)),
    "gravity_torque": lambda r, q: engine.gravity_torque(r, q),
    "rnea": lambda r, q: engine.rnea(r, q, np.ones(r.n), np.ones(r.n)),
    "forward_dynamics": lambda r, q: engine.forward_dynamics(r, q, np.zeros(r.n), np.zeros(r.n)),
    "potential_energy": lambda r, q: engine.potential_energy(r, q),
    "center_of_mass": lambda r, q: engine.center_of_mass(r, q),
    "christoffel": lambda r, q: engine.christoffel(r, q),
    "regressor": lambda r, q: engine.regressor(r, q, np.ones(r.n), np.ones(r.n)),
    "statics_torque": lambda r, q: engine.statics_torque(r, q, np.ones(6)),
    "operational_inertia": lambda r, q: engine.operational_inertia(r, q),
    "singularity": lambda r, q: engine.singularity(r, q).sigma,
    "ik": lambda r, q: engine.ik(r, X, q0=q).q,
    "ik_all": lambda r, q: np.array(
        [branch.q for branch in engine.ik_all(r, engine.frame_pose(r, "ready"), q0=q, fixed={"joint7": 0.8})]
    ),
    "default_gains": lambda r, q: engine.default_gains(r, "pd", q=q).kp,
    "straight_line": lambda r, q: engine.straight_line(r, q, engine.frame_pose(r, q) + 0.01 * np.eye(4, k=3), 0.5).end,
    "simulate": lambda r, q: engine.simulate(r, q, None, 0.01, 1e-3).q,
}


@pytest.fixture(scope="module")
def panda():
    return engine.load_robot("panda")


@pytest.mark.parametrize("name", CALLS)
def test_a_pose_is_given_by_its_name(panda, name):
    np.testing.assert_array_equal(CALLS[name](panda, "ready"), CALLS[name](panda, panda.configurations["ready"]))


@pytest.mark.parametrize("name", CALLS)
def test_an_unknown_name_is_refused_with_the_valid_ones(panda, name):
    with pytest.raises(engine.DimensionError, match=r"panda: unknown pose 'redy' for q0?; valid are .*ready.*zero"):
        CALLS[name](panda, "redy")


def test_several_names_are_a_batch(panda):
    poses = [panda.configurations[name] for name in ("zero", "ready")]
    np.testing.assert_array_equal(engine.frame_pose(panda, ["zero", "ready"]), engine.frame_pose(panda, poses))
    with pytest.raises(engine.DimensionError, match="unknown pose 'redy'"):
        engine.frame_pose(panda, ["zero", "redy"])


def test_a_speed_has_no_name(panda):
    with pytest.raises(engine.DimensionError, match="qd is not an array of real numbers"):
        engine.kinetic_energy(panda, "ready", "ready")
