"""Mass matrix, its null space and the gravity torque in NumPy, for callers that must not wait for a compiled kernel."""

from __future__ import annotations

import numpy as np

from armature.engine.model.body import PRISMATIC
from armature.engine.model.placed_bodies import placed_bodies, random_poses
from armature.engine.model.robot import Robot

_POSES = 8
_NONE = 1e-12  # eigenvalue of M scaled to a unit diagonal, and share of the largest moment, that rounding leaves
_SHARE = 1e-3  # of the largest joint in an eigenvector, beyond which a joint takes part in it


def joints_without_inertia(robot: Robot, q: np.ndarray | None = None) -> tuple[int, ...]:
    """Indices of the joints whose combined motion meets no inertia: those of v with M v = 0; empty for a regular M.

    Args:
        q: one pose `(n,)`; None for v with M(q) v = 0 at every pose.
    """
    if not robot.has_dynamics:
        return ()
    poses = np.vstack([robot.configurations["home"], random_poses(robot, _POSES)]) if q is None else np.reshape(q, (1, -1))
    M = mass_matrices(robot, poses).sum(axis=0)  # of semidefinite matrices: its null space is common to all of them
    diagonal = np.diagonal(M)
    bare = diagonal <= _NONE * diagonal.max(initial=0.0)
    if bare.any():
        return tuple(int(k) for k in np.flatnonzero(bare))
    scale = 1 / np.sqrt(diagonal)
    values, vectors = np.linalg.eigh(M * np.outer(scale, scale))
    if values[0] > _NONE:
        return ()
    v = np.abs(scale * vectors[:, 0])
    return tuple(int(k) for k in np.flatnonzero(v > _SHARE * v.max()))


def inertia_cause(robot: Robot) -> str:
    """Beginning of a message with link and axis of the joints without inertia at any pose; "" without such joints."""
    joints = joints_without_inertia(robot)
    if not joints:
        return ""
    if len(joints) > 1 and mass_matrices(robot, robot.configurations["home"][None])[0][np.ix_(joints, joints)].any():
        names = ", ".join(robot.joint_names[k] for k in joints)
        return f"{names} together move no inertia in any pose: {_link(robot, joints[0])} between them has no inertia"
    k = joints[-1]
    others = f" (nor do {', '.join(robot.joint_names[j] for j in joints[:-1])})" if len(joints) > 1 else ""
    if robot.prismatic[k]:
        return f"{robot.joint_names[k]} moves no mass in any pose{others}: {_link(robot, k)} and the links after it have none"
    return (
        f"{robot.joint_names[k]} moves no inertia in any pose{others}: {_link(robot, k)} has none about the joint's axis "
        f"({_axis(robot, k)} in the link frame)"
    )


def _link(robot: Robot, joint: int) -> str:
    """The first link on the body that a joint carries."""
    body = robot.joint_bodies[joint]
    return next((name for name, frame in robot.links.items() if frame.body == body), f"body {body + 1}")


def _axis(robot: Robot, joint: int) -> str:
    """The joint's axis in the frame of its link, as x, −y or [x, y, z]."""
    frame = robot.links.get(_link(robot, joint))
    z = np.array([0.0, 0.0, 1.0]) if frame is None else frame.X_BF[2, :3]
    k = int(np.argmax(np.abs(z)))
    if abs(z[k]) > 1 - 1e-9:
        return f"{'−' if z[k] < 0 else ''}{'xyz'[k]}"
    return f"[{', '.join(f'{x:.4g}'.replace('-', '−') for x in z)}]"


def mass_matrices(robot: Robot, q: np.ndarray) -> np.ndarray:
    """M(q) `(N, n, n)` by its definition Σ m Jvᵀ Jv + Jwᵀ I Jw over the bodies, with the rotors on its diagonal."""
    count = len(robot.bodies)
    X = placed_bodies(robot, q)
    z, p = X[:, :, :3, 2], X[:, :, :3, 3]
    slides = np.array([body.joint_type == PRISMATIC for body in robot.bodies])
    M = np.zeros((len(q), count, count))
    for i, body in enumerate(robot.bodies):
        M[:, i, i] += body.rotor_inertia
        if not body.mass and not body.inertia.any():
            continue
        chain = [i]
        while robot.bodies[chain[-1]].parent >= 0:
            chain.append(robot.bodies[chain[-1]].parent)
        R, c = X[i, :, :3, :3], X[i, :, :3, :3] @ body.com + p[i]
        turns = ~slides[chain, None, None]
        Jw = np.where(turns, z[chain], 0.0)
        Jv = np.where(turns, np.cross(z[chain], c - p[chain]), z[chain])
        I_W = R @ body.inertia @ np.swapaxes(R, 1, 2)
        block = body.mass * np.einsum("aki,bki->kab", Jv, Jv) + np.einsum("aki,kij,bkj->kab", Jw, I_W, Jw)
        M[:, np.array(chain)[:, None], chain] += block
    return M if robot.coupling is None else robot.coupling.matrix(M)


def holding_torque(robot: Robot, q: np.ndarray) -> np.ndarray:
    """g(q) `(N, n)` in N·m or N, by moments of the weights about the joints; in numpy, so that nothing is compiled for it.

    g_i = −z_i · Σ (p_c − p_i) × m g over all bodies that joint i carries; for a slide −z_i · Σ m g.
    """
    N, count = len(q), len(robot.bodies)
    X = placed_bodies(robot, q)
    mass, moment = np.zeros((count, N)), np.zeros((count, N, 3))
    g = np.zeros((N, count))
    for i in range(count - 1, -1, -1):
        body = robot.bodies[i]
        mass[i] += body.mass
        moment[i] += body.mass * (X[i, :, :3, :3] @ body.com + X[i, :, :3, 3])
        z, p = X[i, :, :3, 2], X[i, :, :3, 3]
        load = mass[i][:, None] * robot.gravity
        torque = np.cross(moment[i] - mass[i][:, None] * p, robot.gravity)
        g[:, i] = -np.einsum("ij,ij->i", z, load if body.joint_type == PRISMATIC else torque)
        if body.parent >= 0:
            mass[body.parent] += mass[i]
            moment[body.parent] += moment[i]
    return g if robot.coupling is None else robot.coupling.force(g)
