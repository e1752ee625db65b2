"""Rules for rotor inertia, gears and friction, and for motors too weak to hold the arm."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from armature.engine.dynamics.uncompiled import holding_torque
from armature.engine.examination.finding import DOUBTFUL, ERROR, NOTE, Edit, Finding, Place, Repair, number
from armature.engine.examination.parameters import TOML, JointParameters, Parameters, deeper, limit_at
from armature.engine.examination.repairs import number_edit, repair
from armature.engine.examination.sizes import Sizes
from armature.engine.model.placed_bodies import random_poses
from armature.engine.model.robot import Robot

_UNITS = ((1e-9, "g·mm²"), (1e-7, "g·cm²"), (1e-6, "kg·mm²"), (1e-4, "kg·cm²"))
GRAVITY = 9.81


def _arm(parameters: Parameters, sizes: Sizes, joint: JointParameters) -> float:
    """Return the largest inertia of the arm at a joint: m R² for a revolute joint, m for a prismatic one; 0 without masses."""
    mass = parameters.moving_mass
    return mass if joint.slides else mass * sizes.reach**2


def rotor_inertias(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Compare J N² with m R² of the whole arm."""
    for joint in parameters.joints:
        arm, seen = _arm(parameters, sizes, joint), joint.rotor_inertia * joint.gear_ratio**2
        unit = "kg" if joint.slides else "kg·m²"
        if arm > 0 and seen > 2 * arm:
            rotor = deeper(joint.drive, "rotor_inertia")
            factor, why, edits, only = _rotor_cause(parameters, joint, arm, seen)
            yield Finding(
                "rotor inertia too large",
                ERROR if seen > 20 * arm else DOUBTFUL,
                rotor,
                f"{number(joint.rotor_inertia)} kg·m² × {number(joint.gear_ratio)}² = {number(seen)} {unit} at the joint; "
                f"the whole stretched-out arm has at most {number(arm)} {unit}",
                why,
                repair(f"{number(factor * joint.rotor_inertia)} kg·m²", edits, only and seen > 20 * arm) if factor else None,
            )


def _rotor_cause(
    parameters: Parameters, joint: JointParameters, arm: float, seen: float
) -> tuple[float, str, tuple[Edit, ...], bool]:
    """Return the most likely factor, its cause, the edits, and whether it is the only possible one."""
    where, N = deeper(joint.drive, "rotor_inertia"), joint.gear_ratio
    fits = [(factor, f"It was probably entered in {unit}") for factor, unit in _UNITS if 1e-3 * arm < factor * seen < arm]
    if abs(N) > 1 and joint.rotor_inertia < arm:
        fits.append((1 / N**2, "It is the value at the joint, after the gears"))
    if not fits:
        return 0.0, "It may be another motor's value", (), False
    factor, why = fits[0]
    return factor, why, _toml_edit(parameters, where, factor * joint.rotor_inertia), len(fits) == 1


def _toml_edit(parameters: Parameters, where: Place, value: float) -> tuple[Edit, ...]:
    """Return the edits for a TOML file; motors of a companion file are repaired by hand."""
    return number_edit(parameters, where, value) if parameters.kind == TOML else ()


def gears_without_rotor(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report gears without a rotor inertia, whose N²-fold value is missing."""
    bare = [joint for joint in parameters.joints if abs(joint.gear_ratio) >= 10 and joint.rotor_inertia == 0]
    if bare and parameters.robot.has_dynamics:
        yield Finding(
            "missing motor inertia",
            NOTE,
            deeper(bare[0].drive, "rotor_inertia"),
            f"{len(bare)} joint{'s' if len(bare) > 1 else ''} with gears of up to "
            f"{number(max(abs(joint.gear_ratio) for joint in bare))} and no rotor_inertia",
            "Look it up in the motor's data sheet: seen through such gears it is often larger than the link's inertia",
        )


def friction_values(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Compare friction at the joint with the torque limit of the motor, or with m g R of the arm."""
    for joint in parameters.joints:
        mass = parameters.moving_mass
        weight = mass * GRAVITY * (1.0 if joint.slides else sizes.reach)
        if mass == 0 or joint.follows:
            continue
        most = max(weight, joint.effort if math.isfinite(joint.effort) else 0.0)
        dry, slow = joint.coulomb, joint.viscous  # the latter at 1 rad/s
        unit = "N" if joint.slides else "N·m"
        worst = max(dry, slow)
        if worst <= 2 * most:
            continue
        yield Finding(
            "friction too large",
            ERROR if worst > 20 * most else DOUBTFUL,
            deeper(joint.drive, "friction"),
            f"Coulomb {number(dry)} {unit}, viscous {number(slow)} {unit} at 1 {'m' if joint.slides else 'rad'}/s; "
            f"the arm's weight at full reach needs {number(weight)} {unit}",
            *_friction_cause(parameters, joint),
        )


def _friction_cause(parameters: Parameters, joint: JointParameters) -> tuple[str, Repair | None]:
    if parameters.kind == TOML and joint.friction_at == "motor" and abs(joint.gear_ratio) > 1:
        edits: tuple[Edit, ...] = (((*joint.drive.key, "friction", "at"), "joint"),)
        return 'The values already apply at the joint, but at = "motor" multiplies them by the gear ratio again', repair(
            'at = "joint"', edits
        )
    return "The gear ratio was applied twice, or the unit is wrong", None


POSES = 256
RARELY, NEVER = 0.1, 0.05  # of all poses; fewer mean wrong motors, or an upright arm
LOADED = 0.25  # of all poses, with payload; the weakest included arms are held in two thirds
_PAYLOAD = re.compile(r"\bpayload (?:of )?(\d+(?:\.\d+)?) kg\b")


def weak_motors(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Compare torque limits with gravity torques at home and at random poses, without and with payload."""
    robot = parameters.robot
    if not robot.has_dynamics or not np.isfinite(robot.tau_max).any():
        return
    q = np.vstack([robot.configurations["home"], random_poses(robot, POSES)])
    share, told, joint = _held(parameters, robot, q)
    if share < RARELY:
        yield Finding(
            "motors too weak to hold the arm",
            ERROR if share < NEVER and _is_chain(robot) else DOUBTFUL,
            limit_at(parameters, joint, "torque_limit", "effort"),
            told,
            "The limit may be the motor's torque without the gear ratio, or the masses may be too large",
        )
        return
    payload = rated_payload(robot)
    share, told, joint = _held(parameters, robot.with_payload(payload), q) if payload else (1.0, told, joint)
    if share < LOADED:
        yield Finding(
            "motors too weak for the payload",
            DOUBTFUL,
            limit_at(parameters, joint, "torque_limit", "effort"),
            f"with the payload of {number(payload)} kg named in its description: {told}",
            "The limit may be the motor's torque without the gear ratio, or may belong to another size of this arm",
        )


def _is_chain(robot: Robot) -> bool:
    """True for a serial chain; a body with legs is not held in every attitude."""
    return [body.parent for body in robot.bodies] == list(range(-1, len(robot.bodies) - 1))


def rated_payload(robot: Robot) -> float:
    """Return the rated payload in kg from the words "payload 5 kg" of the description; 0 without them."""
    match = _PAYLOAD.search(robot.description)
    return float(match[1]) if match else 0.0


def _held(parameters: Parameters, robot: Robot, q: np.ndarray) -> tuple[float, str, JointParameters]:
    """Return fraction of poses q `(N, n)` in which the motors hold the arm, the torques of the weakest motor and its joint."""
    arm = {robot.body_joints[i] for i in robot.chain(robot.tool_frame)}  # without a base on springs and legs
    most = np.array([robot.tau_max[k] if k in arm else np.inf for k in range(robot.n)])
    needed = np.abs(holding_torque(robot, q))
    share = float((needed <= most).all(axis=1).mean())
    half = np.median(needed, axis=0)
    worst = int(np.argmax(half / most))
    joint = next(joint for joint in parameters.joints if joint.name == robot.joint_names[worst])
    unit = "N" if joint.slides else "N·m"
    told = (
        f"limit {number(most[worst])} {unit} at {joint.name}; gravity needs {number(float(half[worst]))} {unit} or more in half "
        f"of {len(q)} poses within the limits; the motor holds {round(100 * share)} % of the poses"
    )
    return share, told, joint
