"""Rule: motors that cannot hold the arm, or what it is sold to carry."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from armature.engine.dynamics.uncompiled.holding_torque import holding_torque
from armature.engine.examination.figures import Figures, JointFigures, limit_at
from armature.engine.examination.finding import DOUBTFUL, ERROR, Finding
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number
from armature.engine.model.placed_bodies import random_poses
from armature.engine.model.robot import Robot

POSES = 256
RARELY, NEVER = 0.1, 0.05  # of all poses; an arm that can be held in fewer is not moved by these motors, or stands upright
LOADED = 0.25  # with its payload; the weakest of the arms that ship are held in two thirds
_PAYLOAD = re.compile(r"\bpayload (?:of )?(\d+(?:\.\d+)?) kg\b")


def weak_motors(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """The torque limits beside the gravity torque at home and at random poses within the limits, without and with payload."""
    robot = figures.robot
    if not robot.has_dynamics or not np.isfinite(robot.tau_max).any():
        return
    q = np.vstack([robot.configurations["home"], random_poses(robot, POSES)])
    share, told, joint = _held(figures, robot, q)
    if share < RARELY:
        yield Finding(
            "motors too weak to hold the arm",
            ERROR if share < NEVER and _is_chain(robot) else DOUBTFUL,
            limit_at(figures, joint, "torque_limit", "effort"),
            told,
            "The limit may be the motor's torque without the gear ratio, or the masses may be too large",
        )
        return
    payload = rated_payload(robot)
    share, told, joint = _held(figures, robot.with_payload(payload), q) if payload else (1.0, told, joint)
    if share < LOADED:
        yield Finding(
            "motors too weak for the payload",
            DOUBTFUL,
            limit_at(figures, joint, "torque_limit", "effort"),
            f"with the payload of {number(payload)} kg named in its description: {told}",
            "The limit may be the motor's torque without the gear ratio, or may belong to another size of this arm",
        )


def _is_chain(robot: Robot) -> bool:
    """Whether one link hangs on the other: a body with legs need not be held at any lean."""
    return [body.parent for body in robot.bodies] == list(range(-1, len(robot.bodies) - 1))


def rated_payload(robot: Robot) -> float:
    """The mass in kg that an arm is sold to carry, by the words "payload 5 kg" of its description; 0 where it has none."""
    match = _PAYLOAD.search(robot.description)
    return float(match[1]) if match else 0.0


def _held(figures: Figures, robot: Robot, q: np.ndarray) -> tuple[float, str, JointFigures]:
    """In what share of the poses q `(N, n)` the motors hold the arm, the figures of the weakest of them, and its joint."""
    arm = {robot.body_joints[i] for i in robot.chain(robot.tool_frame)}  # a base on springs and legs in the air are no arm
    most = np.array([robot.tau_max[k] if k in arm else np.inf for k in range(robot.n)])
    needed = np.abs(holding_torque(robot, q))
    share = float((needed <= most).all(axis=1).mean())
    half = np.median(needed, axis=0)
    worst = int(np.argmax(half / most))
    joint = next(joint for joint in figures.joints if joint.name == robot.joint_names[worst])
    unit = "N" if joint.slides else "N·m"
    told = (
        f"limit {number(most[worst])} {unit} at {joint.name}; gravity needs {number(float(half[worst]))} {unit} or more in half "
        f"of {len(q)} poses within the limits; {round(100 * share)} % can be held"
    )
    return share, told, joint
