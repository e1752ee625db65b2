"""Published values of the Puma 560, the Stanford arm and the UR10, to their digits.

The torques named `tau_no_friction` were computed with Coulomb friction taken off but viscous friction left in, which shows on the
Puma 560 alone, the only one of the three with friction figures: there they equal RNEA + B qd to 1e-9, with the same M and g.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from armature import engine

ARMS = json.loads((Path(__file__).parents[1] / "data" / "reference_values.json").read_text())
CASES = [(arm, case) for arm, entry in ARMS.items() for case in entry["cases"]]


@pytest.mark.parametrize(("arm", "case"), CASES, ids=[f"{arm}-{k}" for arm, e in ARMS.items() for k in range(len(e["cases"]))])
def test_reference_values(arm, case):
    robot = engine.load_robot(arm.lower())
    q, qd, qdd = (np.array(case[key]) for key in ("q", "qd", "qdd"))
    viscous = [body.friction.viscous for body in robot.bodies]
    close = {"rtol": 1e-9, "atol": 1e-9}
    np.testing.assert_allclose(engine.frame_pose(robot, q), case["tool_pose"], **close)
    np.testing.assert_allclose(engine.jacobian(robot, q), case["jacobian_world_linear_first"], **close)
    np.testing.assert_allclose(engine.rnea(robot, q, qd, qdd) + viscous * qd, case["tau_no_friction"], **close)
    np.testing.assert_allclose(engine.gravity_torque(robot, q), case["gravity_torque"], **close)
    np.testing.assert_allclose(engine.mass_matrix(robot, q), case["mass_matrix_with_motor_inertia"], **close)
    np.testing.assert_allclose(engine.singularity(robot, q).manipulability, case["yoshikawa"], **close)
