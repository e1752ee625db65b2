"""One Python call on a 7-joint arm, beside Pinocchio's call for the same quantity."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from armature import engine
from tests.benchmarks.row import Row, seconds
from tests.benchmarks.timing import race
from tests.peers import to_pinocchio


def rows() -> list[Row]:
    """rnea, mass matrix, forward dynamics and Jacobian of the Panda."""
    robot = engine.load_robot("panda").without_friction()
    model, data = to_pinocchio(robot)
    q, qd, qdd, tau = np.random.default_rng(1).uniform(-1, 1, (4, robot.n))
    tool = model.getFrameId(robot.tool)
    axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    pairs = {
        "rnea": (lambda: engine.rnea(robot, q, qd, qdd), lambda: pin.rnea(model, data, q, qd, qdd)),
        "mass_matrix": (lambda: engine.mass_matrix(robot, q), lambda: pin.crba(model, data, q)),
        "forward_dynamics": (lambda: engine.forward_dynamics(robot, q, qd, tau), lambda: pin.aba(model, data, q, qd, tau)),
        "jacobian": (lambda: engine.jacobian(robot, q), lambda: pin.computeFrameJacobian(model, data, q, tool, axes)),
    }
    result = []
    for name, (ours, theirs) in pairs.items():
        taken = race({"ours": ours, "peer": theirs}, rounds=25)
        ratio = taken["peer"] / taken["ours"]
        title = f"one call of {name}, panda"
        result.append(Row(title, seconds(taken["ours"]), f"{seconds(taken['peer'])} Pinocchio", ratio))
    return result
