"""The geometric Jacobian of a frame and its time derivative."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.jit import INT, MAT, MODEL, OUT3, inner, kernel, lean
from armature.engine.model.body_placement import body_velocities, frame_in_world, place_in_world
from armature.engine.model.packed_model import PARENT, SLIDES
from armature.engine.model.robot import Robot


def jacobian(robot: Robot, q, frame: str | None = None) -> np.ndarray:
    """Geometric Jacobian J of a frame F: (v_WF, w_WF) = J(q) qd, linear rows first.

    J_i = (z_i × (p_F − p_i), z_i) for a revolute joint, (z_i, 0) for a prismatic one.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.
        frame: a name in `robot.frames`; the tool when None.

    Returns:
        `(6, n)` or `(N, 6, n)`, world axes, at the frame's origin.

    Raises:
        DimensionError, UnknownFrameError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, eq. 3.30.
    """
    F = robot.tool_frame if frame is None else robot.frame(frame)
    if robot.coupling is not None:
        (q,) = batching.on_tree(robot, q=q)
        return robot.coupling.columns(jacobian(robot.tree, q, frame))
    (q,), single = batching.states(robot, q=q)
    out = np.empty((len(q), 6, robot.n))
    batching.run(lambda lo, hi: jacobian_many.call(robot.packed, q, F.body, F.X_BF, out, lo, hi), len(q))
    return out[0] if single else out


def jacobian_dot(robot: Robot, q, qd, frame: str | None = None) -> np.ndarray:
    """Time derivative of the Jacobian along qd: acceleration of F is J qdd + Jdot qd.

    Jdot_i = ((w_i × z_i) × r + z_i × (v_F − v_i), w_i × z_i) for a revolute joint, r = p_F − p_i;
    Jdot_i = (w_i × z_i, 0) for a prismatic one.

    Args:
        q, qd: joint positions and velocities `(n,)` or `(N, n)`, rad or m (per s).
        frame: a name in `robot.frames`; the tool when None.

    Returns:
        `(6, n)` or `(N, 6, n)`, world axes, at the frame's origin.

    Raises:
        DimensionError, UnknownFrameError.
    """
    F = robot.frame(frame)
    if robot.coupling is not None:
        q, qd = batching.on_tree(robot, q=q, qd=qd)
        return robot.coupling.columns(jacobian_dot(robot.tree, q, qd, frame))
    (q, qd), single = batching.states(robot, q=q, qd=qd)
    out = np.empty((len(q), 6, robot.n))
    batching.run(lambda lo, hi: _dot_many.call(robot.packed, q, qd, F.body, F.X_BF, out, lo, hi), len(q))
    return out[0] if single else out


def body_jacobian(robot: Robot, q: np.ndarray, body: int, p_B: np.ndarray) -> np.ndarray:
    """J `(6, n)` of the point p_B `(3,)` of a body at q `(n,)`, world axes; arguments are taken as they are."""
    X_BF, J = np.eye(4), np.empty((1, 6, len(robot.bodies)))
    X_BF[:3, 3] = p_B
    tree_q = q if robot.coupling is None else robot.coupling.position(q)
    jacobian_many.call(robot.tree.packed, np.ascontiguousarray(tree_q)[None], body, X_BF, J, 0, 1)
    return J[0] if robot.coupling is None else robot.coupling.columns(J[0])


@lean
def jacobian_columns(P, W, body, p, J):
    """Columns of J `(6, n)` at point `p` `(3,)` of `body`, from the world poses W; zero off the chain."""
    J[:, :] = 0.0
    i = body
    while i >= 0:
        zx, zy, zz = W[i, 2], W[i, 5], W[i, 8]
        if P[i, SLIDES] == 0.0:
            rx, ry, rz = p[0] - W[i, 9], p[1] - W[i, 10], p[2] - W[i, 11]
            J[0, i], J[1, i], J[2, i] = zy * rz - zz * ry, zz * rx - zx * rz, zx * ry - zy * rx
            J[3, i], J[4, i], J[5, i] = zx, zy, zz
        else:
            J[0, i], J[1, i], J[2, i] = zx, zy, zz
        i = int(P[i, PARENT])


@inner
def _dot_columns(P, W, body, p, qd, V, J):
    """Columns of Jdot; V `(n + 1, 6)` is filled with (v, w) of every body origin, row n with that of the point p."""
    n = P.shape[0] - 1
    body_velocities(P, W, qd, V)
    v_F = V[n]
    if body >= 0:
        v, w = V[body, :3], V[body, 3:]
        v_F[:3] = v + np.cross(w, p - W[body, 9:12])
    J[:, :] = 0.0
    i = body
    while i >= 0:
        z = np.array([W[i, 2], W[i, 5], W[i, 8]])
        zd = np.cross(V[i, 3:], z)
        if P[i, SLIDES] == 0.0:
            J[:3, i] = np.cross(zd, p - W[i, 9:12]) + np.cross(z, v_F[:3] - V[i, :3])
            J[3:, i] = zd
        else:
            J[:3, i] = zd
        i = int(P[i, PARENT])


@kernel(MODEL, MAT, INT, MAT, OUT3, INT, INT)
def jacobian_many(P, q, body, X_BF, out, lo, hi):
    n = P.shape[0] - 1
    X, W, F = np.empty((n, 12)), np.empty((n, 12)), np.empty((4, 4))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        frame_in_world(W, body, X_BF, F)
        jacobian_columns(P, W, body, F[:3, 3], out[k])


@kernel(MODEL, MAT, MAT, INT, MAT, OUT3, INT, INT)
def _dot_many(P, q, qd, body, X_BF, out, lo, hi):
    n = P.shape[0] - 1
    X, W, F, V = np.empty((n, 12)), np.empty((n, 12)), np.empty((4, 4)), np.zeros((n + 1, 6))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        frame_in_world(W, body, X_BF, F)
        _dot_columns(P, W, body, F[:3, 3], qd[k], V, out[k])
