"""Ours against Pinocchio and MuJoCo at random states of every shipped arm with masses."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin

from armature import engine
from tests.benchmarks.row import Row
from tests.peers import mujoco_mass_matrix, mujoco_rnea, to_mujoco, to_pinocchio

ARMS = ("puma560", "stanford", "panda", "ur10")
STATES = 200
BAR = 1e-9


def rows() -> list[Row]:
    """Largest deviation over the largest number of the quantity: tool pose, Jacobian, M, rnea, forward dynamics."""
    against_pinocchio = max(max(_pinocchio(engine.load_robot(name).without_friction())) for name in ARMS)
    against_mujoco = max(max(_mujoco(engine.load_robot(name).without_friction())) for name in ARMS)
    title = "largest relative deviation, " + ", ".join(ARMS)
    return [
        Row(f"{title}: Pinocchio", f"{against_pinocchio:.1e}", bar=f"{BAR:.0e}", passed=against_pinocchio < BAR),
        Row(f"{title}: MuJoCo", f"{against_mujoco:.1e}", bar=f"{BAR:.0e}", passed=against_mujoco < BAR),
    ]


def _pinocchio(robot):
    model, data = to_pinocchio(robot)
    tool, axes = model.getFrameId(robot.tool), pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    for q, qd, qdd in _states(robot):
        J = pin.computeFrameJacobian(model, data, q, tool, axes).copy()
        yield _deviation(engine.jacobian(robot, q), J)
        yield _deviation(engine.frame_pose(robot, q), data.oMf[tool].homogeneous)
        M = np.triu(pin.crba(model, data, q))
        yield _deviation(engine.mass_matrix(robot, q), M + np.triu(M, 1).T)
        tau = pin.rnea(model, data, q, qd, qdd).copy()
        yield _deviation(engine.rnea(robot, q, qd, qdd), tau)
        yield _deviation(engine.forward_dynamics(robot, q, qd, tau), pin.aba(model, data, q, qd, tau))


def _mujoco(robot):
    model, data = to_mujoco(robot)
    for q, qd, qdd in _states(robot):
        yield _deviation(engine.mass_matrix(robot, q), mujoco_mass_matrix(model, data, q))
        tau = mujoco_rnea(model, data, q, qd, qdd)
        yield _deviation(engine.rnea(robot, q, qd, qdd), tau)
        yield _deviation(engine.frame_pose(robot, q)[:3, 3], data.site(robot.tool).xpos)
        data.qfrc_applied[:] = tau
        mujoco.mj_forward(model, data)
        yield _deviation(engine.forward_dynamics(robot, q, qd, tau), data.qacc)
        data.qfrc_applied[:] = 0.0


def _states(robot):
    return np.random.default_rng(3).uniform(-1.5, 1.5, (STATES, 3, robot.n))


def _deviation(ours, theirs) -> float:
    return float(np.abs(np.asarray(ours) - theirs).max() / max(1.0, np.abs(theirs).max()))
