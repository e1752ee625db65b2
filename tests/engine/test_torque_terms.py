"""What holds an arm at rest: its stops push back and never pull, friction bears the rest up to its breakaway level."""

from __future__ import annotations

import numpy as np
import pytest

from armature.engine import gravity_torque
from armature.engine.simulation.torque_terms import torque_terms


@pytest.mark.parametrize("limit", ["q_min", "q_max"])
@pytest.mark.parametrize("g", [9.81, 3.0, -3.0, -9.81])
def test_a_stop_pushes_back_and_never_pulls(puma, limit, g):
    robot = puma.with_gravity([0.0, 0.0, g])
    q, none = puma.configurations["home"].copy(), np.zeros(6)
    q[1] = getattr(puma, limit)[1]
    terms = torque_terms(robot, robot, (q, none, none, none), none, True)
    load = -gravity_torque(robot, q)
    np.testing.assert_allclose(terms["friction"] + terms["stop"], load, atol=1e-12)
    others = np.arange(6) != 1
    assert not terms["stop"][others].any()
    inward = load[1] > 0 if limit == "q_max" else load[1] < 0  # the arm lies on the stop
    assert terms["stop"][1] == pytest.approx(load[1] if inward else 0.0, abs=1e-12)
    assert terms["friction"][1] == pytest.approx(0.0 if inward else load[1], abs=1e-12)


def test_a_joint_that_slides_into_its_stop_has_its_friction_besides(puma):
    q, qd, none = puma.configurations["home"].copy(), np.zeros(6), np.zeros(6)
    q[1], qd[1] = puma.q_min[1], -0.5
    terms = torque_terms(puma, puma, (q, qd, none, none), none, True)
    assert terms["friction"][1] < 0 and terms["stop"][1] < 0
