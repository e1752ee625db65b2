"""Terms of the motor torque, and the wrench on the tool."""

from __future__ import annotations

import numpy as np

from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.dynamics.newton_euler import gravity_torque, rnea
from armature.engine.kinematics.jacobian import body_jacobian, jacobian, jacobian_dot
from armature.engine.kinematics.poses import frame_pose
from armature.engine.model.payload import Payload
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot

TERMS = ("inertia", "coriolis", "gravity", "payload", "friction", "external", "stop")


def torque_terms(
    robot: Robot, bare: Robot, state: tuple[np.ndarray, ...], external: np.ndarray, moving: bool
) -> dict[str, np.ndarray]:
    """Return the terms of tau = M qdd + C qd + g + payload + friction + external + stop, each `(n,)`.

    The first three belong to the `bare` arm, `payload` is the rest for `robot`; `external`: −Σ Jᵀ f of external wrenches;
    `state`: q, qd, qdd, tau. Friction at rest is the holding torque of static friction, except at a stop, which can only push
    back: its term is ≤ 0 at a lower limit and ≥ 0 at an upper one.
    """
    q, qd, qdd, tau = state
    none = np.zeros(robot.n)
    if not robot.has_dynamics:
        return {name: read_only(none) for name in TERMS}
    gravity = gravity_torque(bare, q)
    inertia = mass_matrix(bare, q) @ qdd
    coriolis = rnea(bare, q, qd, none) - gravity
    payload = none if robot is bare else rnea(robot, q, qd, qdd) - inertia - coriolis - gravity
    friction, stop = none, none
    if moving:
        rest = tau - inertia - coriolis - gravity - payload - external
        sliding = friction_torque(robot, qd)
        pressed = ((q <= robot.q_min) & (rest < sliding)) | ((q >= robot.q_max) & (rest > sliding))
        friction = np.where(pressed, sliding, rest)
        stop = np.where(pressed, rest - sliding, 0.0)
    terms = (inertia, coriolis, gravity, payload, friction, external, stop)
    return dict(zip(TERMS, map(read_only, terms), strict=True))


def external_torque(robot: Robot, q: np.ndarray, wrench: np.ndarray, pulled: tuple[int, np.ndarray, np.ndarray] | None):
    """Return −Σ Jᵀ f `(n,)` of wrenches `(n_bodies, 6)` at body origins and of a pull: body, point in its axes, force in W."""
    tau = np.zeros(robot.n)
    for loaded in np.flatnonzero(wrench.any(axis=1)):
        tau -= body_jacobian(robot, q, int(loaded), np.zeros(3)).T @ wrench[loaded]
    if pulled is not None:
        body, point, force = pulled
        tau -= body_jacobian(robot, q, body, point)[:3].T @ force
    return tau


def tool_wrench(robot: Robot, q, qd, qdd, payload: Payload | None, pulled, pull_point_W: np.ndarray | None) -> np.ndarray:
    """Return force and moment `(6,)` of the payload, and of a pull on the tool's body, on the tool, world axes, at its origin.

    f = m (gravity − a_c),  n = c × f − (I al + w × I w)
    """
    out = np.zeros(6)
    X = frame_pose(robot, q)
    if payload is not None:
        R = X[:3, :3]
        J = jacobian(robot, q)
        w = J[3:] @ qd
        rate = J @ qdd + jacobian_dot(robot, q, qd) @ qd
        c, I_W = R @ payload.com, R @ payload.inertia @ R.T
        a_c = rate[:3] + np.cross(rate[3:], c) + np.cross(w, np.cross(w, c))
        out[:3] = payload.mass * (robot.gravity - a_c)
        out[3:] = np.cross(c, out[:3]) - I_W @ rate[3:] - np.cross(w, I_W @ w)
    if pulled is not None and pull_point_W is not None and pulled[0] == robot.frame().body:
        out[:3] += pulled[2]
        out[3:] += np.cross(pull_point_W - X[:3, 3], pulled[2])
    return out
